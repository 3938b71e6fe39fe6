"""The Router fan page without a browser: its numbers are the core's, and no link and no control breaks it."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import markup, pictures
from tropviz import Router, RoutingFan
from tropviz.core import planar, presets
from tropviz.ui.fan import export, seen
from tropviz.ui.fan import plane as plane_view
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.fan.chosen import cell_name
from tropviz.ui.fan.counts import counts as cell_counts
from tropviz.ui.fan.view import View
from tropviz.ui.scene import Scene, model

ROOT = Path(__file__).resolve().parents[2]
APP = str(ROOT / "app.py")


def open_page(**query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=120)
    at.query_params.update(query)
    at.run()
    assert not at.exception, at.exception
    return at


def words(at: AppTest) -> str:
    """All text that the page wrote itself."""
    return unescape(re.sub(r"<[^>]+>", " ", markup(at)))


def picture(at: AppTest) -> dict:
    """The message on the canvas."""
    return pictures(at)[0]


def default_fan(N: int = 8, k: int = 2) -> RoutingFan:
    return RoutingFan(Router(*presets.random_affine(N, 2, Scene.default().seed), k=k))


@pytest.fixture(scope="module")
def first() -> AppTest:
    return open_page()


def test_the_first_screen_shows_picture_promise_and_fact(first: AppTest) -> None:
    fan, text = default_fan(), words(first)
    assert f"Of 28 choices {fan.count} exist" in re.sub(r"\s+", " ", text)
    for label in ("Cells promised", "Cells in the whole plane", "Cells in the window", "Cells reached", "Saturation"):
        assert label in text
    assert picture(first)["meta"]["alt"].startswith("Routing cells of 8 experts, 2 active")


def test_the_page_says_its_name_and_its_question_but_not_on_a_slide(first: AppTest) -> None:
    assert "Router fan Where does the router send which input?" in re.sub(r"\s+", " ", words(first))
    assert "Where does the router send" not in words(open_page(slide="1"))


def test_cells_reached_is_one_number_said_one_way(first: AppTest) -> None:
    view = plane_view.plane(Scene.default())
    reached = len({tuple(active) for active in view.fan.router.active_sets(view.points).tolist()})
    text = re.sub(r"\s+", " ", words(first))
    assert f"the data reaches {reached} ." in text
    assert f"Cells reached by the data exact {reached} Different" in text
    assert "distinct active sets among the 600 points drawn" in text


def test_every_point_that_is_dragged_can_take_the_colour_of_its_region(first: AppTest) -> None:
    shown = picture(first)
    cloud, trace = shown["cloud"], shown["data"][shown["cloud"]["trace"]]
    assert trace["mode"] == "markers" and len(trace["x"]) == 600
    assert len(cloud["fills"]) == len(shown["regions"]["starts"]) - 1


def test_the_regions_drawn_are_the_polygons_of_core(first: AppTest) -> None:
    fan, regions = default_fan(), picture(first)["regions"]
    ids, shapes = fan.polygons(3.0)
    assert len(regions["starts"]) == len(ids) + 1
    corners = np.column_stack([regions["x"], regions["y"]])
    starts = regions["starts"]
    areas = [shoelace(corners[a:b]) for a, b in itertools.pairwise(starts)]
    assert areas == pytest.approx([shape.area for shape in shapes], rel=1e-4)
    assert sum(areas) == pytest.approx(36.0, rel=1e-5)


def shoelace(ring: np.ndarray) -> float:
    x, y = ring.T.astype(float)
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def test_the_message_of_the_first_scene_is_small(first: AppTest) -> None:
    sizes = [len(e.proto.SerializeToString()) for e in first.get("bidi_component")]
    assert sum(sizes) < 100_000


def test_a_slider_changes_picture_and_counts_together() -> None:
    at = open_page()
    at.select_slider(key="w_n").set_value(12).run()
    assert not at.exception
    assert "Of 66 choices" in re.sub(r"\s+", " ", words(at))
    assert len(picture(at)["regions"]["starts"]) - 1 == len(default_fan(12).polygons(3.0)[0])


def test_k_is_kept_valid_when_n_shrinks_and_the_page_says_so() -> None:
    at = open_page(n="20", k="15")
    at.select_slider(key="w_n").set_value(6).run()
    assert not at.exception
    assert "Active experts k" in words(at) and "5 is shown" in words(at)
    at.run()  # in a browser the controls follow by themselves when the picture stands still
    assert at.slider(key="w_k").value == 5


def test_the_selected_cell_is_described() -> None:
    fan = default_fan()
    row = int(planar.locate(fan, [[2.0, -2.5]])[0])
    active = fan.active_sets[row]
    at = open_page(cell=cell_name(active))
    text = words(at)
    assert f"Cell {{{', '.join(map(str, active))}}}" in text
    assert f"s {active[0]}" in text and "Margin" in text and "Share of the data" in text
    walls = int((fan.neighbours == row).sum())
    assert f"{walls} walls" in " ".join(element.label for element in at.get("button_group"))


def test_a_cell_that_does_not_exist_is_said() -> None:
    fan = default_fan()
    known = {tuple(active) for active in fan.active_sets.tolist()}
    missing = next((i, j) for i in range(8) for j in range(i + 1, 8) if (i, j) not in known)
    assert "nowhere here" in words(open_page(cell=cell_name(missing)))


def test_an_experts_domain_lights_up_with_its_non_convexity() -> None:
    fan = default_fan()
    domain = planar.expert_domain(fan, *fan.polygons(3.0), 3)
    text = words(open_page(e="3"))
    assert f"non-convexity {domain.non_convexity:.3g}" in text and "in one piece" in text
    assert planar.expert_domain(fan, *fan.polygons(3.0), 1).pieces == 3 and "in 3 pieces" in words(open_page(e="1"))


@pytest.mark.parametrize(
    "query",
    [
        {"v": "9"},
        {"n": "100000", "k": "-3", "win": "0", "off": "1e9"},
        {"cell": "zzz"},
        {"cell": "1-99", "e": "500"},
        {"r": "polygon", "n": "9", "k": "4"},
        {"r": "moment", "n": "20", "k": "19"},
        {"r": "linear", "n": "2", "k": "1"},
        {"r": "digits", "k": "2", "off": "0"},
        {"r": "file"},
        {"cl": "opposed", "pts": "50"},
        {"slide": "1"},
    ],
)
def test_no_link_breaks_the_page(query: dict[str, str]) -> None:
    at = open_page(**query)
    assert "Cells promised" in words(at)


def test_a_second_visit_to_the_page_shows_the_same_scene() -> None:
    at = open_page(n="11", off="1.5", seed="4")
    at.switch_page("pages/fan.py").run()  # the page alone: the heading above it belongs to app.py
    before = words(at)
    at.switch_page("pages/capacity.py").run()
    at.switch_page("pages/fan.py").run()
    assert not at.exception
    assert words(at) == before
    assert at.select_slider(key="w_n").value == 11


def test_an_uploaded_router_is_shown_and_a_bad_one_refused_in_one_sentence() -> None:
    at = open_page()
    weights = {"W": [[1, 0, 2], [0, 1, 3], [1, 1, 0], [-1, 2, 0]], "k": 2}
    at.file_uploader(key="upload_router").set_value(
        ("mine.json", json.dumps(weights).encode(), "application/json")
    ).run()
    assert not at.exception
    assert "mine.json: 4 experts in 3 dimensions." in words(at)
    at.file_uploader(key="upload_router").set_value(("bad.json", b'{"W": [[1, 2], [3]]}', "application/json")).run()
    assert not at.exception
    text = words(at)
    assert "bad.json" in text and "choice of 2 experts out of 4" in re.sub(r"\s+", " ", text), "the scene is kept"


@pytest.mark.parametrize("changes", [{}, {"router": "digits", "offset": 0.5}, {"n": 12, "k": 3, "cloud": "ball"}])
def test_the_python_snippet_finds_the_numbers_of_the_page(changes: dict, tmp_path: Path) -> None:
    scene, _ = Scene.default().replace(**changes)
    view = plane_view.plane(scene)
    script = tmp_path / "scene.py"
    script.write_text(export.as_python(view), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)})
    assert ran.returncode == 0, ran.stderr
    found = {line.split()[-1] for line in ran.stdout.splitlines()}
    rows = [*cell_counts(view), *regions_view.counts(scene)]
    shown = {row[0]: str(row[1]).split()[-1] for row in rows if "Routed alike" not in row[0]}
    assert set(list(shown.values())[:5]) <= found
    assert found <= set(shown.values())


def test_the_downloads_hold_every_cell() -> None:
    view = plane_view.plane(Scene.default())
    lines = export.as_csv(view).splitlines()
    data = json.loads(export.as_json(view))
    assert len(lines) - 1 == len(data["cells"]) == int(view.fan.count)
    assert sum(cell["area_in_the_window"] for cell in data["cells"]) == pytest.approx(36.0)
    assert sum(cell["data_points"] for cell in data["cells"]) == len(view.points)
    assert data["counts"]["Cells in the whole plane"]["value"] == int(view.fan.count)


def test_a_walk_with_the_keys_stays_on_neighbours_and_turns_where_asked() -> None:
    view = plane_view.plane(Scene.default())
    here = int(view.cells.ids[view.cells.areas.argmax()])
    for direction in ([1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]):
        there = view.step(here, np.array(direction))
        if there is not None:
            assert there in view.neighbours(here)
            gap = view.cells.middles[view.place(there)] - view.cells.middles[view.place(here)]
            assert gap @ np.array(direction) > 0


def test_the_window_that_fits_holds_the_data() -> None:
    scene, _ = Scene.default().replace(offset=6.0)
    view = plane_view.plane(scene)
    assert view.outside > 0
    fitted, _ = scene.replace(window=seen.fit_window(view.points))
    assert plane_view.plane(fitted).outside == 0


class Around(View):
    """Cells all around one, each its neighbour, with their middles where a test wants them."""

    def neighbours(self, row: int) -> np.ndarray:
        return np.arange(1, len(self.cells.ids))


@pytest.mark.parametrize("d", [2, 3])
def test_an_arrow_key_prefers_what_lies_straight_ahead_to_what_is_nearer_but_aside(d: int) -> None:
    aside, ahead, steep, behind = (1.0, 0.9), (1.4, 0.0), (0.2, 1.2), (-0.1, 0.0)
    nothing = np.zeros(5)

    def step(*middles: tuple[float, float]) -> int | None:
        places = np.zeros((1 + len(middles), d))
        places[1:, :2] = middles
        cells = model.PlaneCells(np.arange(len(places)), nothing, nothing, places)
        view = Around(Scene.default(), None, cells, nothing, nothing, None, None, None)
        return view.step(0, np.eye(d)[0])

    assert step(aside, ahead) == 2 and step(ahead, aside) == 1
    assert step(aside, steep) == 1 and step(steep, behind) is None
