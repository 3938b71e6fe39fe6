"""The Hypersimplex page without a browser: every shape shows, one set is lit in all views, the check is honest."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import markup, scene_of
from tropviz import Hypersimplex
from tropviz.core.hypersimplex.monomials import Agreement
from tropviz.figures import polytope
from tropviz.figures import shadow as flat
from tropviz.figures.plane import set_text
from tropviz.ui.hypersimplex import check, pictures
from tropviz.ui.hypersimplex.views import Views, views_of
from tropviz.ui.scene import Scene

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(**query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=120)
    at.query_params.update({"v": "1", **query})
    at.run()
    return at.switch_page("pages/hypersimplex.py").run()


def words(at: AppTest) -> str:
    return unescape(re.sub(r"<[^>]+>", "", markup(at)))


def lit(at: AppTest) -> list[str]:
    """The sets named in the titles of the three views."""
    return re.findall(r'data-lit="([^"]*)"', markup(at))


@pytest.mark.parametrize(
    "query",
    [
        {"n": "2", "k": "1"},
        {"n": "3", "k": "2"},
        {"n": "4", "k": "2"},
        {"n": "4", "k": "3", "hv": "shadow"},
        {"n": "5", "k": "4"},
        {"n": "8", "k": "7", "r": "polygon"},
        {"n": "16", "k": "4", "r": "linear", "slide": "1"},
    ],
)
def test_every_shape_shows_one_set_in_three_views(query: dict[str, str]) -> None:
    at = open_page(**query)
    assert not at.exception
    assert len(lit(at)) == 3 and len(set(lit(at))) == 1
    assert len(at.get("bidi_component")) >= 4  # three canvases and the link
    if "slide" not in query:
        assert "agreed / tested: 1,000 / 1,000" in words(at)


def test_choosing_a_set_lights_it_everywhere_and_stands_in_the_link() -> None:
    at = open_page(n="4", k="2")
    box = at.selectbox(key="w_hs_set")
    assert len(box.options) == 6
    box.set_value((0, 3)).run()
    assert lit(at) == ["{0, 3}"] * 3
    assert scene_of(at).cell == "0-3"
    assert "s3 ≥ s2" in words(at) and "e0, e3, −e1, −e2" in words(at)


def test_a_linked_set_that_never_wins_is_shown_as_such() -> None:
    at = open_page(n="16", k="4", r="linear", cell="0-1-2-3")
    text = words(at)
    assert lit(at) == ["{0, 1, 2, 3}"] * 3
    assert "never reaches furthest" in text and "misses the slice" in text and "never attains the maximum" in text


def test_numbers_are_the_cores() -> None:
    text = words(open_page(n="8", k="2"))
    shape = Hypersimplex(8, 2)
    assert f"({', '.join(map(str, shape.f_vector))})" in text
    assert str(shape.normalised_volume) in text and "28 terms" in text
    assert "all 28 monomials" in text
    text = words(open_page(n="64", k="8"))
    assert re.search(r"2,\d{3} of 4,426,165,368 monomials", text)  # the sample and all cells


def test_the_aside_names_a_pluecker_coordinate() -> None:
    at = open_page(n="5", k="2", cell="1-3")
    assert any("p_{13}" in m.value and "octahedron" in m.value for m in at.markdown)


def views(**changes: object) -> Views:
    return views_of(Scene.default().replace(**changes)[0])


@pytest.mark.parametrize(
    "changes",
    [{}, {"cell": "3-6"}, {"router": "linear"}, {"n": 3}, {"n": 4}, {"n": 4, "cell": "1-3"}, {"router": "polygon"}],
)
def test_x_starts_in_the_lit_cell(changes: dict[str, object]) -> None:
    view = views(**changes)
    assert view.meets and view.turn.rows[view.start] == view.row(view.fan.active_sets)
    assert pictures.steps(view)[view.start][1] == set_text(view.chosen)


def test_the_sphere_opens_on_the_chosen_cone() -> None:
    for S in views(n=4).fan.active_sets.tolist():
        view = views(n=4, cell="-".join(map(str, S)))
        inside = view.fan.witnesses[view.row(view.fan.active_sets)]
        camera = pictures.second(view, False, 360).layout["scene"]["camera"]["eye"]
        eye = np.array([camera[axis] for axis in "xyz"])
        assert eye @ inside > 0.6 * np.linalg.norm(eye) * np.linalg.norm(inside)
    home = [polytope.EYE[axis] for axis in "xyz"]
    straight_up = polytope.eye_towards([0, 0, 2.0])
    assert polytope.eye_towards().tolist() == home and abs(straight_up[2]) < 0.96 * np.linalg.norm(straight_up)


@pytest.mark.parametrize("changes", [{"n": 5}, {"n": 8}, {"n": 8, "router": "linear"}])
def test_in_space_the_graph_shows_the_chosen_cell(changes: dict[str, object]) -> None:
    levels = set()
    for S in views(dim="3", **changes).fan.active_sets.tolist():
        view = views(dim="3", cell="-".join(map(str, S)), **changes)
        assert view.row(view.ground.active_sets) is not None
        levels.add(view.level)
        own = view.ground.router.active_sets(np.array([[0.3, -0.2]]))
        assert (own == view.router.active_sets(np.array([[0.3, -0.2, view.level]]))).all()
    assert 0.0 in levels and len(levels) > 1


def test_labels_of_the_shadow_touch_neither_one_another_nor_a_vertex() -> None:
    for cell in ("3-6", "4-6", "1-3"):
        view = views(cell=cell)
        place, points = flat.Place(view.shadow, 360), view.shadow.points
        texts, row = [set_text(S) for S in view.shadow.active_sets], view.row(view.shadow.active_sets)
        placed = flat._place_labels(place, points, texts, [row, *view.shadow.outer.tolist()], row)
        assert row in placed and len(placed) > 8
        boxes = {i: np.array([0.5 * 6.2 * len(texts[i]), 6.5]) * place.pixel for i in placed}
        for i, at in placed.items():
            assert not (np.abs(points - at) < boxes[i]).all(axis=1).any()
            for j, other in placed.items():
                assert i == j or (np.abs(at - other) >= 0.999 * (boxes[i] + boxes[j])).any()


def test_a_checked_sample_is_called_sampled() -> None:
    label, count, _, form = check.check_row(Agreement(998, 1000, 0, 28, 28))
    assert "998 of 1,000" in label and form == "share" and count.kind == "sampled"
    assert count.interval[0] < 0.998 < count.interval[1] < 1


def test_a_bias_is_spoken_of_and_easier_examples_are_one_click_away() -> None:
    at = open_page(cell="3-6")
    assert "lifted by its biases" in words(at) and "Inside the outline, yet a corner" in words(at)
    at.button[[b.label.split(":")[0] for b in at.button].index("Without biases")].click().run()
    assert scene_of(at).router == "linear" and scene_of(at).cell == ""
    assert "biases" not in words(at) and "all corners on the outline" not in [b.label for b in at.button]
    at.button[[b.label.split(":")[0] for b in at.button].index("Easiest")].click().run()
    assert not at.exception and scene_of(at).n == 4 and "octahedron" not in [b.label for b in at.button]
