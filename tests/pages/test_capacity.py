"""The Capacity page: its numbers are the core's, and no link and no control breaks it."""

from __future__ import annotations

import math
import re
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import reading
from tests.pages.reading import counts, markup, scene_of, words
from tropviz import Count, MoELayer, Router, RoutingFan, capacity, slice_law
from tropviz.core import presets
from tropviz.core.capacity.designs import grouped_choices
from tropviz.io.architectures import architectures
from tropviz.ui.capacity import depth, models
from tropviz.ui.capacity import words as words_of
from tropviz.ui.capacity.view import gain_marks, view_of
from tropviz.ui.scene import Scene, parse_link

open_page = partial(reading.open_page, "capacity")
EXAMPLE = {"v": "1", "n": "16", "k": "4", "h": "8", "r": "linear"}


@pytest.fixture(scope="module")
def example() -> AppTest:
    return open_page(**EXAMPLE)


def test_the_papers_numbers_stand_beside_what_the_plane_keeps(example):
    text = words(example)
    assert not example.exception
    for number in (
        "1,820",
        "16×",
        "4×",
        "529",
        "≤ 962,780",
        "≤ 26,103",
        "817.5",
        "1.55×",
        "5,797",
        "10.96×",
        "8,257",
        "17.03",
        "29,120",
        "26,021",
    ):
        assert number in text, number
    assert "d* = 6.0" in text and "dgain = 22" in text and "d = kH + N − 1 = 47" in text
    for kind in ("exact", "upper bound", "expected"):
        assert kind in text


def test_exact_facts_are_those_of_the_library(example):
    scene, _ = parse_link(EXAMPLE)
    W, _b = presets.random_linear(16, 2, scene.seed)
    router = Router(W, k=4)
    layer = MoELayer(router, *presets.random_experts(16, 8, 2, scene.seed))
    shown = counts(example)
    assert shown["This router: cells in the plane"] == (str(RoutingFan(router).count), "exact")
    assert shown["This router, whole plane"] == (str(layer.regions()), "exact")
    assert shown["This router, in the window"] == (str(layer.regions(scene.window)), "exact")
    assert shown["Slice bound, maximum over weights"] == ("≤ 26,103", "upper")
    assert shown["Promised, maximum over weights"] == ("≤ 962,780", "upper")
    assert shown["Random, mean over weights"] == ("≈ 817.5", "expected")


def test_the_default_scene_has_a_bias_and_its_own_law():
    at = open_page()
    text = words(at)
    shown = counts(at)
    assert shown["Random router, mean: cells"] == ("≈ 12.59", "expected")
    assert shown["Random, mean over weights"] == (str(slice_law.expected_regions(8, 2, 4, 2, affine=True)), "expected")
    assert shown["Random, mean over weights"][0] == "≈ 80.86" and shown["Random, mean, times dense"][0] == "≈ 2.185"
    assert "≈ 2.185×" in text and "2.063" not in text and "router with a bias" in text
    assert shown["Slice bound, maximum over weights"] == ("≤ 1,420", "upper")
    assert shown["Promised, maximum over weights"] == ("≤ 1,036", "upper")
    assert "1,820" in text and "817.5" in text  # the paper's example is told whatever the scene


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"n": "8", "h": "8", "m": "3"}, "m = 3 does not cut H = 8 evenly: m = 2 is shown"),
        ({"sl": "0"}, "Slice dimension d (sl) is 0, outside 1 to 256"),
        ({"sl": "1e9"}, "outside 1 to 256: 256 is shown"),
        ({"sl": "x"}, "sl='x' is not a number"),
        ({"din": "nan"}, "din='nan' is not a finite number"),
        ({"sl": "9", "din": "2"}, "cannot be smaller than the slice's: 9 is taken"),
        ({"h": "0"}, "Expert width H (h) is 0"),
        ({"n": "4", "k": "9"}, "Active experts k is 9"),
        ({"n": "256", "k": "128", "sl": "3", "r": "linear"}, "The router on screen is not counted here"),
    ],
)
def test_bad_and_large_links_are_answered_in_words(query, says):
    at = open_page(v="1", **query)
    assert not at.exception and says in words(at)


@pytest.mark.parametrize(
    "query", [{"r": "digits"}, {"n": "256", "k": "255", "h": "1", "sl": "256"}, {"n": "2", "k": "1", "h": "1"}]
)
def test_extreme_scenes_are_shown(query):
    at = open_page(v="1", **query)
    assert not at.exception and "nan" not in words(at) and "inf" not in words(at).replace("infin", "")


def test_granularity_follows_its_slider():
    at = open_page(**EXAMPLE)
    at.select_slider(key="w_pieces").set_value(4).run()
    assert not at.exception
    fine = capacity.granularity(16, 4, 8, 4, 2)
    assert counts(at)["Active sets C(64, 16)"] == (str(fine.shape.multiplier), "exact")
    assert scene_of(at).pieces == 4


def test_one_click_shows_the_papers_example():
    at = open_page()
    at.button(key="example").click().run()
    scene, shown = scene_of(at).values, counts(at)
    assert [scene[name] for name in ("router", "n", "k", "h", "slice")] == ["linear", 16, 4, 8, 2]
    assert (shown["Promised, C(N,k)"][0], shown["Random, mean over weights"][0]) == ("1,820", "≈ 817.5")
    assert shown["Random, mean, times dense"][0] == "≈ 1.545" and at.button(key="example").disabled


def test_one_click_loads_a_published_shape():
    at = open_page()
    at.pills(key="load_shape").set_value("OLMoE 1B-7B").run()
    scene = scene_of(at).values
    assert not at.exception and (scene["n"], scene["k"]) == (64, 8)
    assert "Its experts are 1,024 wide" in words(at)


def test_the_table_of_architectures_holds_the_cores_numbers():
    rows = {row["Model"]: row for row in models.model_rows()}
    assert set(rows) == {a.name for a in architectures()}
    v3 = rows["DeepSeek-V3"]
    assert v3["C(N,k), exact"] == "409,663,695,276,000" and v3["d*: half of the sets"] == pytest.approx(30.04, abs=0.01)
    assert str(Count(grouped_choices(256, 8, 8, 4), "exact", "")) in v3["How it differs from plain top-k"]
    assert v3["Bits, exact"] == pytest.approx(math.log2(math.comb(256, 8)))
    assert all(row["Source"] for row in rows.values())
    gain = "Gain at its own hidden size, mean"
    assert rows["Mixtral 8x7B"][gain] == "≈ 1.923" and rows["gpt-oss-120b"][gain] == "≈ 291.1"
    assert rows["Mixtral 8x7B"]["d_gain: half of the regions' gain"] == 12338


def test_depth_stands_beside_what_is_paid_and_what_is_stored(example):
    view = view_of(scene_of(example))
    layer = MoELayer(Router(*presets.random_linear(16, 2, 286), k=4), *presets.random_experts(16, 8, 2, 286))
    expected = capacity.depths(16, 4, 8, 2, this=layer.regions())
    assert depth.rows(view) == expected and [row.mark for row in expected][-1] == "this"
    table = depth.html(view, expected)
    assert re.findall(r"<td>([^<]*)</td>", table)[:3] == ["≤ 962,780", "1,388", "3"]
    assert "kH = 32" in table and "NH = 128" in table and "8,257" in table
    assert table in markup(example)


def test_marks_of_the_chart_are_the_table_of_each_dimension():
    scene, _ = parse_link(EXAMPLE)
    marks = gain_marks(scene)
    for at, limit, designed, total in zip(marks.dimensions, marks.limit, marks.designed, marks.total, strict=True):
        rows = capacity.table(16, 4, 8, int(at))
        dense = int(rows["dense_baseline"])
        assert 10**limit == pytest.approx(min(int(rows["slice_bound"]) / dense, 1820))
        assert 10**designed == pytest.approx(int(rows["designed"]) / dense)
        assert 10**total == pytest.approx(int(rows["dense_total"]) / dense)
    assert marks.dimensions[-1] == 47


def test_a_designed_layer_is_counted_here_too():
    at = open_page(**EXAMPLE | {"r": "designed", "k": "1", "h": "32"})
    assert counts(at)["This router, whole plane"] == counts(at)["Designed, chosen weights"] == ("8,464", "exact")
    assert counts(at)["This router, times dense"] == ("16.00", "exact")


def test_contents_lead_to_every_section(example):
    anchors = {heading.proto.anchor for heading in example.header}
    assert anchors == {anchor for anchor, _ in words_of.SECTIONS}
    assert all(f'href="#{anchor}"' in markup(example) for anchor in anchors)


def test_shapes_too_wide_for_a_page_keep_the_width():
    for router in ("trained", "digits"):  # of a size of their own
        assert models.load(Scene.default().replace(router=router)[0], "Mixtral 8x7B")["router"] == "linear"
    changes = models.load(Scene.default(), "Mixtral 8x7B")
    assert changes["n"] == 8 and "h" not in changes and "14,336" in changes["notes"][0]
    assert "Switch-C" not in models.loadable() and models.load(Scene.default(), None) is None
