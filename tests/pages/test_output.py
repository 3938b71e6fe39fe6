"""The output over the plane: its numbers are the core's, and it says where the regions are linear and where not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.reading import open_page, pictures, scene_of, words
from tropviz import MoELayer, Router
from tropviz.core import presets
from tropviz.core.collapse import cloud
from tropviz.core.experts import gates
from tropviz.home import asset
from tropviz.ui.fan import output
from tropviz.ui.scene import model

LINK = {"v": "1", "n": "6", "k": "2", "h": "3", "seed": "5", "pts": "200", "off": "1", "dir": "90", "sp": "1"}


def layer() -> MoELayer:
    V = presets.random_outputs(6, 3, 1, 5)
    return MoELayer(Router(*presets.random_affine(6, 2, 5), k=2), *presets.random_experts(6, 3, 2, 5), V=V)


@pytest.mark.parametrize("kind", gates.GATES)
def test_the_map_and_its_jumps_are_the_cores(kind):
    at = open_page("fan", **LINK, out=kind)
    text = words(at)
    found, size = gates.wall_jumps(layer(), 3.0, kind), gates.wall_jumps(layer(), 3.0, kind).size
    (picture,) = (p for p in pictures(at) if p["meta"]["key"] == "output")
    z = np.array(picture["data"][0]["z"])  # row by row, as the browser takes it
    grid = gates.output_grid(layer(), 3.0, kind, output.FINE)
    assert np.allclose(z, grid.values[:, :, 0], atol=1e-5) and not at.exception
    assert ("for generic V these are the linear regions" in text) == (kind == "frozen")
    assert ("not linear inside a region" in text) == (kind == "softmax")
    if kind == "tropical":
        assert "no jump at any wall" in text
    else:
        assert f"At the {len(size)} walls in the window it jumps, by {np.median(size):.3g} in the median" in text
    if kind == "softmax":
        X = cloud(200, 2, offset=1.0, direction=[0, 1], spread=1.0, seed=5)
        bend = gates.measured_bends(layer(), X, kind, 5).bend
        assert f"bends by {bend.value:.2%}" in text
    rows = output.walls_csv(scene_of(at)).splitlines()
    assert len(rows) == len(found.ends) + 1


def test_a_trained_layer_shows_its_own_outputs():
    at = open_page("fan", v="1", r="digits", k="2", out="softmax", oi="7", pts="300", off="0")
    data = np.load(asset("digits", "digits.npz"))
    own = MoELayer(Router(data["W"], data["b"], 2), data["U"], data["c"], V=data["V"])
    scene = scene_of(at)
    there = model.scene_subspace(scene)
    (picture,) = (p for p in pictures(at) if p["meta"]["key"] == "output")
    grid = gates.output_grid(own.restrict(there.origin, there.basis), 3.0, "softmax", output.FINE)
    assert np.allclose(np.array(picture["data"][0]["z"]), grid.values[:, :, 7], atol=1e-4) and not at.exception
    # the plane's output is that of the whole layer at the same inputs
    x = np.array([grid.x[5], grid.y[90]])
    assert np.allclose(gates.output(own, (there.origin + x @ there.basis)[None], "softmax")[0], grid.values[90, 5])
    assert "Its own output weights V, output 7 of 0 to 9" in words(at) and "change across a region" in words(at)
    assert at.slider(key="w_nth_output").value == 7
    random = open_page("fan", **LINK, out="softmax")
    assert "this layer has none of its own" in words(random) and "w_nth_output" not in [s.key for s in random.slider]


def test_nothing_is_drawn_where_it_is_not_asked_for_or_in_space():
    assert "output" not in [p["meta"]["key"] for p in pictures(open_page("fan", **LINK))]
    space = open_page("fan", **LINK, d="3", out="softmax")
    assert "output" not in [p["meta"]["key"] for p in pictures(space)] and not space.exception
