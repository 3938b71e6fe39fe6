"""The figure in space: one opaque mesh, faces that know their cell, a small message."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz import RoutingFan
from tropviz.core.presets import random_affine
from tropviz.core.router import Router
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.mesh import box_surface
from tropviz.core.spatial.section import section
from tropviz.core.spatial.sphere import patches
from tropviz.figures.colour import cell_colours
from tropviz.figures.space import EYES, FAR_BOX, camera, space_figure


@pytest.fixture(scope="module")
def fan() -> RoutingFan:
    return RoutingFan(Router(*random_affine(8, 3, 7), k=2))


def draw(fan, **more):
    cells = polyhedra(fan, 2)
    cut = section(fan, [1, 0, 0], 0.2, 2)
    surface = box_surface(cells, np.ones(len(fan.active_sets), bool), 0.3, cut)
    colours = cell_colours(fan.router.W, fan.active_sets)
    return surface, colours, space_figure(surface, fan.active_sets, colours, box=cells.box, reach=3, cut=cut, **more)


def test_faces_know_their_cell_and_wear_its_colour(fan):
    surface, colours, figure = draw(fan)
    mesh, faces = figure.data[0], figure.faces
    assert mesh["type"] == "mesh3d" and "opacity" not in mesh
    assert len(faces.cell) == len(mesh["i"]) == len(mesh["facecolor"])
    rows = faces.rows[faces.cell]
    assert np.array_equal(rows, surface.tri_cell)
    assert mesh["facecolor"] == [colours[r] for r in rows]
    assert mesh["x"].dtype == np.float32 and mesh["i"].dtype == np.int32


def test_selection_neighbours_and_arrow(fan):
    surface, _, figure = draw(
        fan, selected=int(np.unique(np.asarray([0]))[0]), neighbours=[1], arrow=[[0, 0, 0], [1, 0, 0]]
    )
    kinds = [t["type"] for t in figure.data]
    assert kinds[-1] == "cone" and kinds.count("mesh3d") == 1
    drawn = 0 in surface.line_cell
    assert (len(figure.data[3]["x"]) > 0) == drawn
    assert set(figure.cameras) == set(EYES) and figure.layout["scene"]["camera"] == camera("Iso", FAR_BOX)


def test_edges_have_gaps_and_nothing_else_is_missing(fan):
    surface, _, figure = draw(fan)
    edges = figure.data[1]
    assert np.isnan(edges["x"]).sum() == len(surface.line_cell)
    assert len(edges["x"]) == len(surface.lines) + len(surface.line_cell)


def test_the_message_for_a_large_ball_is_small():
    """An edge between two cells of the ball is drawn once, and is there for both when one of them is selected."""
    central = RoutingFan(Router(random_affine(64, 3, 1)[0], k=8))
    surface = sphere_surface(patches(central), np.ones(len(central.active_sets), bool))
    colours = cell_colours(central.router.W, central.active_sets)
    figure = space_figure(surface, central.active_sets, colours, box=None, reach=1.1, selected=5, neighbours=[6])
    assert surface.line_twin.sum() * 2 == len(surface.line_twin)
    assert len(figure.data[2]["x"]) and len(figure.data[3]["x"])
    size = 0
    for trace in figure.data:
        size += sum(v.nbytes for v in trace.values() if isinstance(v, np.ndarray)) + 10 * len(
            trace.get("facecolor", ())
        )
    assert size + figure.faces.cell.nbytes < 700_000


def test_a_colour_a_cell_is_a_colour_a_triangle(fan):
    """What the page's script makes of the one is the other."""
    _, _, every = draw(fan)
    _, _, few = draw(fan, every=False)
    colours = few.faces.colours
    assert "facecolor" not in few.data[0] and len(colours) == len(few.faces.labels)
    assert [colours[c] for c in few.faces.cell] == every.data[0]["facecolor"]
