"""Pictures of shadow, polytope and graph: one colour per set, what a click hits, what is in front."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tropviz import Router, RoutingFan
from tropviz.core import presets
from tropviz.core.hypersimplex.schlegel import schlegel
from tropviz.core.hypersimplex.shadow import shadow, sums, tropical_surface
from tropviz.core.hypersimplex.turn import ring, turn
from tropviz.figures import polytope, tropical, turning
from tropviz.figures import shadow as flat
from tropviz.figures.colour import cell_colours
from tropviz.ui.canvas import pack


def scene(N: int, k: int, d: int = 2, central: bool = False) -> RoutingFan:
    make = presets.random_linear if central else presets.random_affine
    return RoutingFan(Router(*make(N, d, seed=11), k))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("N", "k"), [(2, 1), (3, 1), (8, 2), (16, 4)])
def test_shadow_figure(N: int, k: int, dark: bool) -> None:
    fan = scene(N, k)
    cast = shadow(fan)
    around = ring(fan, cast, 2.0)
    colours = cell_colours(fan.router.W, fan.active_sets, dark)
    figure = flat.shadow_figure(cast, colours, around, selected=0, dark=dark)
    assert figure.data[7]["marker"]["color"] == colours
    regions = figure.regions
    assert len(regions.starts) - 1 == len(regions.labels) == len(cast.points) + len(cast.inner) + len(around[0])
    turns = turning.on_shadow(figure, cast, turn(fan, 2.0), [("", "")] * 73, line=False, pixels=360, start=0)
    assert max(turns.frames.items[0]["traces"]) < len(turns.data)
    assert len(pack(turns.parts())) < 400_000


def test_a_click_on_every_vertex_finds_it() -> None:
    fan = scene(8, 2, central=True)
    cast = shadow(fan)
    around = ring(fan, cast, 1.0)
    for row, (x, y) in enumerate(cast.points):
        assert flat.pick(cast, around, x, y) == ("vertex", row)
    place = flat.Place(cast, 360)
    for row, (start, end) in zip(*around, strict=True):
        x, y = place.circle(np.array([(start + end) / 2]), 1.3 * place.radius)[0]
        assert flat.pick(cast, around, x, y) == ("vertex", row)
    lonely = int(np.argmax(np.linalg.norm(cast.inner[:, None] - cast.points, axis=2).min(axis=1)))
    kind, at = flat.pick(cast, around, *cast.inner[lonely])
    assert kind == "inner" and np.allclose(cast.inner[at], cast.inner[lonely])


def test_polytope_figure() -> None:
    drawing = schlegel(5, 2)
    colours = cell_colours(presets.random_linear(5, 2, 1)[0], drawing.sets)
    hollow = np.arange(10) == 4
    figure = polytope.polytope_figure(drawing.points, drawing.edges, drawing.sets, colours, absent=hollow, selected=2)
    vertices = figure.data[polytope.VERTICES]
    assert [c == colours[i] for i, c in enumerate(vertices["marker"]["color"])] == (~hollow).tolist()
    assert len(figure.layout["scene"]["annotations"]) == 10
    assert "no cell" in vertices["text"][4]
    pack(figure.parts())


@pytest.mark.parametrize(("N", "k", "central"), [(3, 1, True), (8, 2, False), (16, 4, False), (16, 4, True)])
def test_surface_and_what_a_click_hits(N: int, k: int, central: bool) -> None:
    fan = scene(N, k, central=central)
    roof = tropical_surface(fan, 3)
    colours = cell_colours(fan.router.W, fan.active_sets)
    figure = tropical.surface_figure(roof, fan.active_sets, colours, selected=int(roof.ids[0]))
    triangles, _ = roof.triangles()
    for index in range(0, len(triangles), 3):
        x = roof.points[triangles[index]].mean(axis=0)[:2]
        row = tropical.surface_row(roof, {"trace": 0, "index": index})
        assert (fan.active_sets[row] == fan.router.active_sets(x[None])[0]).all()
        assert figure.data[0]["facecolor"][index] == colours[row] == figure.data[1]["facecolor"][index]
    assert tropical.surface_row(roof, {"trace": 3, "index": 0}) is None
    assert tropical.surface_row(roof, {"trace": 0, "index": 10**6}) is None


@pytest.mark.parametrize(("N", "k"), [(4, 2), (8, 2), (16, 4)])
def test_the_drawing_paints_the_nearest_facet_last(N: int, k: int) -> None:
    fan = scene(N, k)
    roof = tropical_surface(fan, 3)
    slopes, lifts = sums(fan.router, fan.active_sets)
    drawing = tropical.Drawing(roof, slopes)
    tropical.drawing_figure(drawing, fan.active_sets, ["#888888"] * len(slopes), selected=0)
    rng = np.random.default_rng(0)
    for x in rng.uniform(-3, 3, size=(200, 2)):
        height = float((slopes @ x + lifts).max())
        spot = drawing.project(np.array([[*x, height]]))[0]
        # along the line of sight the ground moves by -t away while the height grows: the nearest hit wins
        t = np.linspace(0, 20, 4001)[1:]
        ground = x - t[:, None] * drawing.away
        level = height + t * drawing.depth / (drawing.lift * drawing.scale)
        inside = (np.abs(ground) < 3).all(axis=1)
        graph = (ground @ slopes.T + lifts).max(axis=1)
        crossed = np.flatnonzero(inside & (np.sign(graph - level) != np.sign((graph - level)[0])))
        if len(crossed) == 0:  # nothing in front: the click finds the facet over x
            found = drawing.at(*spot)
            own = fan.router.active_sets(x[None])[0]
            assert found is not None and (fan.active_sets[found] == own).all()


def test_a_crowd_is_drawn_in_part_and_stays_a_small_message():
    """2 of 64 experts: more pieces than are drawn; a click on what is drawn still finds its set."""
    rng = np.random.default_rng(1)
    fan = RoutingFan(Router(rng.normal(size=(64, 2)), rng.normal(size=64), k=2))
    roof = tropical_surface(fan, 8)
    few = tropical.largest(roof, most=20)
    sizes = {i: shapely.area(s) for i, s in zip(*fan.polygons(8), strict=True)}
    assert len(few.ids) == 20 and len(few.creases) <= 60
    assert min(sizes[i] for i in few.ids) >= max(sizes[i] for i in set(roof.ids) - set(few.ids))
    for i in range(20):  # its corners are those of the whole surface
        at = int(np.flatnonzero(roof.ids == few.ids[i])[0])
        mine, whole = (s.points[s.starts[j] : s.starts[j + 1]] for s, j in ((few, i), (roof, at)))
        assert np.array_equal(mine, whole)
