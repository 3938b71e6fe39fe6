"""The Router fan page in space without a browser: its numbers are core's, every control leaves it whole."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.pages.reading import pictures
from tests.pages.test_fan import open_page, words
from tropviz import Router, RoutingFan
from tropviz.core import presets
from tropviz.core.planar import locate
from tropviz.ui.fan import space as space_view
from tropviz.ui.scene import Scene

SEED = Scene.default().seed


def fan_of(n: int, k: int, affine: bool) -> RoutingFan:
    W, b = presets.random_affine(n, 3, SEED) if affine else presets.random_linear(n, 3, SEED)
    return RoutingFan(Router(W, b, k=k))


@pytest.mark.parametrize("affine", [True, False])
def test_picture_section_and_counts(affine: bool) -> None:
    at = open_page(v="1", d="3", r="affine" if affine else "linear", cut="1")
    fan, text = fan_of(8, 2, affine), re.sub(r"\s+", " ", words(at))
    assert f"Of 28 choices {fan.count} exist in space" in text
    assert ("Cells in the window" in text) == affine and "Cells on the cut" in text
    solid, flat = pictures(at)
    assert solid["data"][0]["type"] == "mesh3d" and len(solid["faces"]["cell"]) == len(solid["data"][0]["i"])
    assert "scene" not in flat["layout"] and len(flat["regions"]["rows"]) > 1
    assert set(solid["meta"]["cameras"]) == {"Iso", "Front", "Top"}


def test_the_section_is_there_when_it_is_asked_for() -> None:
    at = open_page(v="1", d="3")
    assert len(pictures(at)) == 1 and not at.toggle(key="w_cut").value
    at.toggle(key="w_cut").set_value(True).run()
    assert len(pictures(at)) == 2


@pytest.mark.parametrize("query", [{"r": "linear"}, {"ap": "0.3"}, {"ap": "0.3", "sh": "box", "cut": "1", "pl": "0.2"}])
def test_the_message_of_many_cells_is_small_and_what_is_hidden_is_said(query: dict[str, str]) -> None:
    at = open_page(v="1", d="3", n="64", k="8", **query)
    sizes = [len(e.proto.bytes) for e in at.get("bidi_component") if e.proto.component_name == "tropviz_canvas"]
    assert sizes[0] <= 800_000
    drawn = len(pictures(at)[0]["faces"]["labels"])
    if "ap" in query:
        said = re.search(r"The ([\d,]+) largest of [\d,]+ cells are drawn, and no edges", words(at))
        assert said and int(said[1].replace(",", "")) >= drawn  # of those, some lie beyond the plane
        assert sizes[0] >= 600_000  # no more is hidden than must be
    else:
        assert "largest of" not in words(at)


def test_every_control_changes_what_it_says() -> None:
    at = open_page(v="1", d="3")
    whole = pictures(at)[0]["faces"]
    at.slider(key="w_peel").set_value(0.5).run()
    peeled = pictures(at)[0]["faces"]
    assert 0 < len(peeled["labels"]) < len(whole["labels"])
    apart = pictures(open_page(v="1", d="3", ap="0.4"))[0]
    assert len(apart["faces"]["cell"]) > len(whole["cell"])  # the walls between the cells are seen now
    grazing = open_page(v="1", d="3", r="linear", cut="1", ca="1")  # the plane only touches the ball
    assert "The plane does not meet the cells" in words(grazing)


def test_an_experts_domain_is_all_that_is_drawn() -> None:
    at = open_page(v="1", d="3", e="3", ap="0.2")
    labels = pictures(at)[0]["faces"]["labels"]
    assert labels and all("3" in re.findall(r"\d+", label) for label in labels)
    assert "Active on" in words(at) and "in one piece" in words(at)
    assert "in 3 pieces" in words(open_page(v="1", d="3", r="linear", n="6", k="2", seed="2", e="4"))


def test_more_experts_than_space_holds() -> None:
    at = open_page(v="1", d="3", n="128", k="2", r="linear")
    assert "In space up to 64 experts are shown; there were 128." in words(at)
    assert at.select_slider(key="w_n").value == 64


def test_a_router_whose_rows_are_all_equal_and_one_of_rank_two() -> None:
    at = open_page(v="1", d="3", n="2", k="1", r="linear")
    assert "Of 2 choices 2 exist in space" in re.sub(r"\s+", " ", words(at))
    assert not at.exception


def test_facts_of_a_cell_and_its_link() -> None:
    fan = fan_of(8, 2, False)
    name = "-".join(map(str, fan.active_sets[3]))
    at = open_page(v="1", d="3", r="linear", cell=name)
    text = words(at)
    angle = fan.solid_angles()[3]
    assert "Solid angle" in text and f"{angle:.4g}" in text and "Tropical monomial" in text


def test_the_walk_goes_to_a_neighbour_that_lies_that_way() -> None:
    scene, _ = Scene.default().replace(dim="3", router="linear")
    view = space_view.space(scene)
    for direction in np.vstack([np.eye(3), -np.eye(3)]):
        for row in range(len(view.fan.active_sets)):
            found = view.step(row, direction)
            if found is not None:
                assert found in view.neighbours(row)
                assert (view.cells.middles[found] - view.cells.middles[row]) @ direction > 0


def test_clicks_select_what_was_hit() -> None:
    scene, _ = Scene.default().replace(dim="3", cut=True)
    view = space_view.space(scene)
    labels = space_view.figure(view).faces.labels
    for label in (labels[0], labels[-1]):
        chosen = space_view.clicked(scene, {"trace": 0, "index": 0, "label": label})
        assert chosen["cell"] == "-".join(re.findall(r"\d+", label)), "the face's own name, whatever is drawn by now"
        assert space_view.clicked(scene.replace(**chosen)[0], {"label": label})["cell"] == "", "again: let it go"
    assert not space_view.clicked(scene, {"trace": 1, "index": 0, "label": None})
    assert not space_view.clicked(scene, {"label": "{0, 99}"})
    centre = view.cut.shapes[0].centroid
    row = locate(view.fan, view.cut.lift(np.array([[centre.x, centre.y]])))[0]
    assert row == view.cut.rows[0]
    found = space_view.clicked_section(scene, {"x": centre.x, "y": centre.y})
    assert found["cell"] == "-".join(map(str, view.fan.active_sets[row]))


def test_a_cell_hidden_by_others_is_seen_through_them() -> None:
    outer, inner = (
        [trace for trace in pictures(open_page(v="1", d="3", cell=cell))[0]["data"]] for cell in ("2-3", "1-3")
    )
    assert "opacity" not in outer[0] and sum(trace["type"] == "mesh3d" for trace in outer) == 1
    assert inner[0]["opacity"] < 0.3 and sum(trace["type"] == "mesh3d" for trace in inner) == 2
