"""`tropviz.plot` and what a notebook shows: figures Plotly accepts, with the counts the core gives."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest

import tropviz
from tropviz import Hypersimplex, MoELayer, Router, RoutingFan, collapse, slice_law
from tropviz.core.slices import principal_directions, restrict
from tropviz.home import asset

RNG = np.random.default_rng(7)


def router(N: int, d: int, k: int, affine: bool = True) -> Router:
    return Router(RNG.normal(size=(N, d)), RNG.normal(size=N) if affine else None, k)


def layer(N: int, d: int, k: int, H: int = 3) -> MoELayer:
    return MoELayer(router(N, d, k), RNG.normal(size=(N, H, d)), RNG.normal(size=(N, H)))


THINGS = {
    "router": router(5, 2, 2),
    "line": RoutingFan(router(5, 1, 2)),
    "plane": RoutingFan(router(6, 2, 2)),
    "central plane": RoutingFan(router(6, 2, 2, affine=False)),
    "space": RoutingFan(router(5, 3, 2)),
    "ball": RoutingFan(router(5, 3, 2, affine=False)),
    "five dimensions": RoutingFan(router(6, 5, 2)),
    "one cell": RoutingFan(Router(np.zeros((3, 2)), k=1)),
    "half-planes": RoutingFan(Router([[1, 0], [-1, 0]], k=1)),
    "layer on a line": layer(5, 1, 2),
    "layer": layer(5, 2, 2),
    "layer in space": layer(4, 3, 2),
    "dense": MoELayer.dense(RNG.normal(size=(4, 2)), RNG.normal(size=4)),
    "layer in four": layer(4, 4, 2),
    "triangle": Hypersimplex(3, 1),
    "octahedron": Hypersimplex(4, 2),
    "of six": Hypersimplex(6, 3),
    "point": Hypersimplex(2, 2),
    "law": slice_law.Law(16, 4),
    "affine law": slice_law.Law(8, 2, affine=True),
    "sweep": collapse.sweep(router(5, 2, 2), RNG.normal(size=(50, 2)), [1.0, 0.0], [0.0, 1.0, 4.0]),
}


@pytest.mark.parametrize("name", THINGS)
@pytest.mark.parametrize("dark", [False, True])
def test_everything_has_a_picture(name, dark):
    figure = tropviz.plot(THINGS[name], dark=dark)
    assert isinstance(figure, go.Figure) and figure.data and figure.layout.title.text
    assert "NaN" not in figure.to_json() and len(figure.to_json()) < 1_500_000


@pytest.mark.parametrize("name", [n for n, x in THINGS.items() if isinstance(x, (RoutingFan, MoELayer))])
def test_titles_carry_the_count_and_its_kind(name):
    thing = THINGS[name]
    fan = thing if isinstance(thing, RoutingFan) else thing.fan
    title = tropviz.plot(thing).layout.title.text
    assert re.search(rf"{re.escape(str(fan.count))} cells? \({fan.count.kind}\)", title)
    if isinstance(thing, MoELayer) and thing.d <= 3:
        regions = thing.regions()
        assert re.search(rf"{re.escape(str(regions))} linear regions? \({regions.kind}\)", title)


def test_what_one_reads_by_pointing_is_the_cells_set_and_area():
    fan = THINGS["plane"]
    ids, shapes = fan.polygons(2)
    told = next(trace for trace in tropviz.plot(fan, window=2).data if trace.hoverinfo == "text")
    wanted = [f"experts {set(S.tolist())}" for S in fan.active_sets[ids]]
    assert [text.split("<br>")[0] for text in told.text] == wanted
    areas = [float(re.search(r"area (\S+)", text)[1]) for text in told.text]
    assert np.allclose(areas, [shape.area for shape in shapes], rtol=1e-3)


def test_data_is_laid_over_the_cells_in_the_routers_space():
    fan = THINGS["five dimensions"]
    X = RNG.normal(size=(40, 5))
    basis = principal_directions(fan.router.W, 2)[1]
    places = [np.column_stack([t.x, t.y]) for t in tropviz.plot(fan, data=X).data if t.x is not None and len(t.x) == 40]
    assert any(np.allclose(p, X @ basis.T, atol=1e-5) for p in places)
    section = RoutingFan(restrict(fan.router, np.zeros(5), basis))
    assert len(section.active_sets) >= 1
    with pytest.raises(ValueError, match=r"give \(n, 5\) points"):
        tropviz.plot(fan, data=X[:, :2])


def test_options_and_objects_without_a_picture_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="takes no option 'colour'"):
        tropviz.plot(THINGS["plane"], colour="red")
    for wrong in (3, "fan", None, [1]):
        with pytest.raises(ValueError, match="has no picture: give a Router"):
            tropviz.plot(wrong)
    with pytest.raises(ValueError, match="more than the 3,000"):
        tropviz.plot(Hypersimplex(64, 8))


@pytest.mark.parametrize("name", [n for n, x in THINGS.items() if isinstance(x, (RoutingFan, MoELayer, Hypersimplex))])
def test_a_notebook_shows_the_object_with_its_counts(name):
    thing = THINGS[name]
    text = thing._repr_html_()
    assert len(text) < 200_000 and text.count("<div") == text.count("</div>")
    if isinstance(thing, Hypersimplex):
        assert f"<b>{thing.normalised_volume:,}</b>" in text
        return
    fan = thing if isinstance(thing, RoutingFan) else thing.fan
    assert f"<b>{fan.count}</b>" in text and "<svg" in text
    if fan.router.d == 2:
        drawn = re.findall(r"<title>(\{[\d, ]+\})</title>", text)
        assert len(drawn) == len(set(drawn)) and set(drawn) <= {str(set(S)) for S in fan.active_sets.tolist()}


def test_importing_tropviz_imports_no_plotly_and_plot_is_there():
    code = "import sys, tropviz; assert 'plotly' not in sys.modules; tropviz.plot; assert 'plot' in tropviz.__all__"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_tour_runs_as_it_stands_and_writes_its_pictures(tmp_path):
    tour = asset("examples", "tour.py")
    env = {**os.environ, "PYTHONPATH": str(tour.parents[2])}
    subprocess.run([sys.executable, tour, tmp_path], check=True, env=env)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["collapse", "fan", "hypersimplex", "law", "layer"]
