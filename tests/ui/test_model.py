"""What the pages keep is bounded; what they cut from a router of more dimensions is exact."""

import numpy as np
import pytest

from tropviz import Router
from tropviz.io import digits
from tropviz.ui.scene import Scene, model


@pytest.mark.parametrize("dim", ["2", "3"])
def test_the_digits_are_shown_on_the_exact_restriction_to_their_leading_directions(dim):
    scene, _ = Scene.default().replace(router="digits", dim=dim, k=2, offset=0.0, points=1797)
    found, subspace = digits(), model.scene_subspace(scene)
    Y = np.random.default_rng(0).normal(size=(2000, int(dim))) * 3
    whole = Router(found.W, found.b, found.k)
    there = subspace.origin + Y @ subspace.basis
    assert np.array_equal(model.scene_router(scene).active_sets(Y), whole.active_sets(there))
    points = model.scene_cloud(scene)
    assert np.allclose(points.mean(axis=0), 0)
    spread = np.linalg.svd(found.X - found.X.mean(axis=0), compute_uv=False)[: int(dim)]
    assert np.allclose(np.linalg.norm(points, axis=0), spread)


def test_an_unknown_preset_is_refused() -> None:
    scene = Scene({**Scene.default().values, "router": "spiral"})
    with pytest.raises(ValueError, match="preset 'spiral' is not known"):
        model.scene_fan(scene)
