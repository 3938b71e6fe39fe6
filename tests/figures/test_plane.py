"""The plane's figure: every cell once in its own colour, labels inside their cells, payload small."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np
import pytest
import shapely

from tests.oracles.slow_fan import slow_fan
from tropviz.core.fan import Fan
from tropviz.core.planar import expert_domain, locate, polygons
from tropviz.core.presets import random_affine
from tropviz.core.router import Router
from tropviz.figures import plane
from tropviz.figures.colour import cell_colours


@pytest.fixture(scope="module")
def fan() -> Fan:
    return slow_fan(Router(*random_affine(8, 2, 7), k=2))


def draw(fan, window=3, dark=False, **more):
    ids, shapes = polygons(fan, window)
    colours = cell_colours(fan.router.W, fan.active_sets, dark)
    return (
        ids,
        shapes,
        colours,
        plane.plane_figure(ids, shapes, fan.active_sets, colours, window=window, dark=dark, **more),
    )


def paths(figure):
    svg = unquote(figure.layout["images"][0]["source"])
    return re.findall(r"fill='(#\w+)' d='M([\d ]+)z'", svg)


@pytest.mark.parametrize("window", [3, ((-1, 4), (0, 2))])
def test_the_image_is_the_cells(fan, window):
    ids, shapes, colours, figure = draw(fan, window)
    drawn = paths(figure)
    assert [fill for fill, _ in drawn] == [colours[i] for i in ids]
    low_x, low_y, high_x, high_y = shapely.total_bounds(shapes)
    for (_, d), shape in zip(drawn, shapes, strict=True):
        corners = np.array(d.split(), float).reshape(-1, 2) / 100_000
        back = shapely.Polygon(
            np.c_[low_x + corners[:, 0] * (high_x - low_x), high_y - corners[:, 1] * (high_y - low_y)]
        )
        assert back.symmetric_difference(shape).area < 1e-3
    image = figure.layout["images"][0]
    assert (image["x"], image["y"], image["sizex"], image["sizey"]) == (low_x, high_y, high_x - low_x, high_y - low_y)


def test_regions_are_the_polygons(fan):
    ids, shapes, _, figure = draw(fan)
    regions = figure.regions
    assert regions.rows.tolist() == ids.tolist()
    for i, shape in enumerate(shapes):
        part = slice(regions.starts[i], regions.starts[i + 1])
        got = shapely.Polygon(np.c_[regions.x[part], regions.y[part]])
        assert np.isclose(got.area, shape.area, rtol=1e-5)
    assert regions.labels[0] == plane.set_text(fan.active_sets[ids[0]])


def test_labels_lie_inside_their_cells(fan):
    _, shapes, _, _ = draw(fan)
    texts = ["{0, 1}"] * len(shapes)
    which, where = plane.fitting_labels(shapes, texts, 6 / 700)
    assert 0 < len(which) <= len(shapes)
    assert shapely.contains(shapes[which], shapely.points(where)).all()
    long = plane.fitting_labels(shapes, ["x" * 200] * len(shapes), 6 / 700)[0]
    assert len(long) == 0


def test_domain_makes_the_rest_pale_and_points_take_their_cells_colour(fan):
    ids, shapes = polygons(fan, 3)
    domain = expert_domain(fan, ids, shapes, 4)
    X = np.random.default_rng(0).standard_normal((50, 2))
    _, _, _, figure = draw(fan, domain=domain.outline, domain_cells=domain.ids, points=X, point_cells=locate(fan, X))
    svg = unquote(figure.layout["images"][0]["source"])
    assert svg.count("opacity='.25'") == len(ids) - len(domain.ids) > 0
    marker = next(t for t in figure.data if t["mode"] == "markers")["marker"]
    assert len(marker["color"]) == 50 and marker["color"].max() == marker["cmax"]


def test_selection_arrow_and_segments(fan):
    ids, shapes, _, plain = draw(fan)
    _, _, _, figure = draw(
        fan, selected=int(ids[0]), neighbours=ids[1:3].tolist(), arrow=(1, 1), segments=np.zeros((6000, 2, 2))
    )
    assert figure.hidden == 1000 and plain.hidden == 0
    assert len(figure.layout["annotations"]) == 1 and not plain.layout["annotations"]
    heavy = next(t for t in figure.data if t.get("line", {}).get("width") == 3)
    assert len(heavy["x"]) == len(shapes[0].exterior.coords) + 1


def test_more_cells_than_can_be_drawn(fan, monkeypatch):
    monkeypatch.setattr(plane, "MOST_CELLS", 4)
    ids, shapes, _, figure = draw(fan)
    assert figure.hidden == len(ids) - 4 and len(paths(figure)) == 4
    assert set(figure.regions.rows) == set(ids[np.argsort(-shapely.area(shapes))[:4]])


def test_walls_of_neighbours_are_dotted_inside_the_window_only(fan):
    rows = polygons(fan, 3)[0].tolist()
    figure = draw(fan, neighbours=rows)[-1]
    dotted = next(t for t in figure.data if t.get("line", {}).get("dash") == "dot")
    line = np.column_stack([dotted["x"], dotted["y"]]).astype(float)
    both = np.isfinite(line[:-1]).all(axis=1) & np.isfinite(line[1:]).all(axis=1)
    assert both.sum() > len(rows)
    on_edge = np.isclose(np.abs(line), 3, atol=1e-4)
    assert not ((on_edge[:-1] & on_edge[1:]).any(axis=1) & both & (line[:-1] == line[1:]).any(axis=1)).any()


def test_no_label_lies_under_the_drag_handle_and_its_word(fan):
    shown = draw(fan)[-1].data[-1]
    under = np.array([shown["x"][0], shown["y"][0]], dtype=float)
    moved = draw(fan, arrow=under)[-1].data[-1]
    gap = (np.column_stack([moved["x"], moved["y"]]) - under) / (6 / 700)
    assert not ((gap[:, 0] > -15) & (gap[:, 0] < 50) & (np.abs(gap[:, 1]) < 15)).any()
