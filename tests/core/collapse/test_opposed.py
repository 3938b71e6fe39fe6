"""Two opposed clouds: what is certain of them, against the margins and against routed points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tropviz.core import collapse
from tropviz.core.router import Router


def one_cell(router: Router, u: np.ndarray, t: float, r: float) -> bool:
    """Whether both balls lie in one closed cell, by the distance of either centre to the walls of its cell."""
    centres = np.stack([t * u, -t * u])
    sets = router.active_sets(centres)
    return bool((sets[0] == sets[1]).all() and (router.margin(centres) >= r).all())


@pytest.mark.parametrize("affine", [False, True])
def test_against_margins_and_points(affine: bool) -> None:
    random = np.random.default_rng(4)
    seen = set()
    for trial in range(60):
        d, N = int(random.integers(1, 4)), int(random.integers(2, 7))
        b = random.standard_normal(N) * 3 if affine else None
        router = Router(random.standard_normal((N, d)), b, int(random.integers(1, N)))
        u = random.standard_normal(d)
        u /= np.linalg.norm(u)
        r = 0.2
        found = collapse.opposed(router, u, r)
        offsets = np.linspace(0, 8, 81)
        together = [t for t in offsets if one_cell(router, u, t, r)]
        until = found.together_until
        assert together == ([] if until is None else [t for t in offsets if t <= until])
        assert affine or until is None
        assert found.offset == max(collapse.critical_offset(router, s * u, r) for s in (1, -1))
        z = collapse.residuals(200, d, spread=r, seed=trial, kind="ball")
        t = found.offset * 1.001
        if math.isfinite(t):
            share = collapse.sweep(router, z, u, [t], sides=collapse.sides(200, "opposed")).saturation[0]
            assert share == found.limit
        if until:
            before = collapse.sweep(router, z, u, [0.999 * until], sides=collapse.sides(200, "opposed"))
            assert before.saturation[0] == 1 and found.ever_one
        seen.add((until is None, found.limit))
    assert seen == ({(True, 0.5), (False, 0.5)} if affine else {(True, 0.5)})


def test_one_cell_holds_everything() -> None:
    found = collapse.opposed(Router([[1, 0], [0, 1]], None, 2), [1, 1], 1)
    assert (found.offset, found.together_until, found.limit) == (0, math.inf, 1)
    along = collapse.opposed(Router([[0, 1], [0, -1]], [5, 0], 1), [1, 0], 1)  # along the wall, inside one cell
    assert (along.offset, along.together_until, along.limit, along.ever_one) == (0, math.inf, 1, True)
    with pytest.raises(ValueError, match="r is 0"):
        collapse.opposed(Router([[1, 0], [0, 1]], None, 1), [1, 1], 0)
