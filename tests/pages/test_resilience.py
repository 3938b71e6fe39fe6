"""The Resilience page: law, counted and sampled shares, and the manifold experiment, from the core's numbers."""

from __future__ import annotations

import itertools
import math
import re
from functools import partial
from urllib.parse import unquote

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import reading
from tests.pages.reading import counts, markup, pictures, rest, words
from tropviz import MoELayer, Router, RoutingFan, capacity, manifold, slice_law
from tropviz.core import presets
from tropviz.core.manifold import KINDS
from tropviz.figures.resilience import LONGEST
from tropviz.ui.resilience import crossing, measure, rolled, routers, shares
from tropviz.ui.resilience.words import PARAGRAPHS
from tropviz.ui.scene import BY_NAME, Scene, parse_link
from tropviz.ui.scene.rows import ROUTERS
from tropviz.ui.scene.store import STORE

open_page = partial(reading.open_page, "resilience")
#: Every router there is without a file.
MADE = [name for name in ROUTERS if name != "file"]


def measured(at: AppTest) -> AppTest:
    """The page when all is measured."""
    for _ in range(100):
        if not any("Measuring" in bar.proto.text for bar in at.get("progress")):
            return rest(at)
        rest(at)
    raise AssertionError("it goes on and on")


def test_law_and_router_stand_side_by_side():
    at = measured(open_page(v="1", n="8", k="2", h="4", r="linear", mf="circle", me="1"))
    text = words(at)
    scene, _ = parse_link({"v": "1", "n": "8", "k": "2", "r": "linear"})
    own = RoutingFan(Router(presets.random_linear(8, 3, scene.seed)[0], k=2)).count
    assert not at.exception
    shown = counts(at)
    assert shown["Resilience dimension d*"] == ("≈ 2.692", "expected")
    assert (shown["First d that keeps 50%"][0], shown["First d that keeps 99%"][0]) == ("≈ 3", "≈ 6")
    assert shown["Random router: cells, d = 2"] == ("≈ 8.068", "expected")
    assert shown["This router: cells, d = 3"] == (str(own), "exact")
    for title, _text in PARAGRAPHS:
        assert title in text


def test_everything_planned_is_measured_and_close_to_the_law():
    scene, _ = parse_link({"v": "1", "n": "8", "k": "2", "r": "linear", "mf": "circle", "me": "1", "seed": "11"})
    for step in measure.steps(scene):
        step.make(scene, *step.args)
    view, crossed = shares.shares_of(scene), crossing.crossing_of(scene)
    assert not measure.steps(scene) and [p.d for p in view.own] == list(range(1, 8))
    for point in view.random:
        low, high = point.share.interval
        expected = slice_law.share_kept(8, 2, point.d)
        assert low - 0.5 * (high - low) <= expected <= high + 0.5 * (high - low)  # about 99.7 %, fourteen times
    assert {d: int(met.cells) for d, met in crossed.flat.items()} == dict.fromkeys(crossed.flat, 2)  # a line
    assert all(met.cells.kind == "exact" and int(met.cells) > 2 for met in crossed.curved.values())
    assert crossing.sentence(crossed).count("<b>") == 3
    for d, met in crossed.curved.items():  # cells beside cells, regions beside regions, of one layer
        layer = MoELayer(Router(*presets.random_linear(8, d, 11), k=2), *presets.random_experts(8, 4, d, 11))
        seen = manifold.crossed(layer, manifold.manifold("circle", 1, d, degree=3, seed=11))
        assert (met.cells, met.regions, met.wide, met.narrow) == (seen.cells, seen.regions, seen.wide, seen.narrow[0])
    measured, levels = ["flat", "curved", "dense", "narrow"], ["law", "designed", "promise"]
    assert [line.role for line in crossed.regions] == measured + levels
    table = capacity.table(8, 2, 4, 1)
    assert [line.counts[0] for line in crossed.regions[-3:]] == [
        table[name] for name in ("region_law", "designed", "moe_bound")
    ]


def said(scene: Scene) -> str:
    return shares.sentence(shares.shares_of(scene))


def test_a_bias_is_worth_half_a_dimension():
    central, biased = (parse_link({"v": "1", "n": "16", "k": "4", "r": kind})[0] for kind in ("linear", "affine"))
    assert "d* = 6.00" in said(central) and "d* = 5.50" in said(biased)
    assert slice_law.dimension_for(16, 4, 0.99, affine=True) == 10
    assert slice_law.share_kept(16, 4, 10, affine=True) >= 0.99 > slice_law.share_kept(16, 4, 9, affine=True)


def test_one_resilience_dimension_is_said_on_both_pages():
    link = {"v": "1", "n": "8", "k": "2", "h": "4"}  # a router with a bias
    here, there = open_page(**link), reading.open_page("capacity", **link)
    assert counts(here)["Resilience dimension d*"] == ("≈ 2.192", "expected")
    low, high = (100 * slice_law.share_kept(8, 2, d, affine=True) for d in (2, 3))
    assert "a whole number of them: 3" in words(here) and low < 50 < high
    assert f"{low:.1f} % in d = 2 and {high:.1f} % in d = 3" in markup(here)
    for at in (here, there):
        assert set(re.findall(r"d\* = (\d+\.\d+)", words(at))) - {"6.00"} == {"2.19"}  # 6.00: the paper's example
        assert not re.search(r"d\* ?−", words(at))


def test_the_law_does_not_wait_for_what_is_measured():
    scene, _ = parse_link({"v": "1", "n": "9", "k": "3", "r": "linear", "seed": "77"})
    STORE.clear()
    first = shares.chart(shares.shares_of(scene), False)
    assert measure.steps(scene)[0].text == "published shapes" and len(first["data"]) == 1
    assert len(measure.published(scene)) > 10
    later = shares.chart(shares.shares_of(scene), False)
    assert later["layout"]["xaxis"]["range"] == first["layout"]["xaxis"]["range"]  # nothing jumps
    assert max(c.dimensions[-1] for c in measure.published(scene)) == LONGEST
    assert "published shapes" not in {step.text for step in measure.steps(scene)}


def test_measuring_stops_and_goes_on_and_shows_what_there_is():
    at = open_page(v="1", n="20", k="4", h="2", r="linear", seed="71", mf="circle", me="1")
    first = next(bar.proto.text for bar in at.get("progress"))
    next(button for button in at.button if button.label == "Stop").click().run()
    stopped = next(button for button in at.button if button.label.startswith("Go on measuring"))
    assert "Measuring" in first and not at.get("progress")
    assert stopped.label == next(button for button in rest(at).button if "Go on" in button.label).label
    stopped.click().run()
    assert at.get("progress") and len(pictures(measured(at))) == 5


def test_the_words_hold_no_raw_markup():
    for at in (open_page(v="1", n="6"), reading.open_page("capacity", v="1", n="6")):
        assert not re.search(r"d_eff|d_in|\^", words(at))


def test_counting_stops_where_it_would_take_long():
    scene, _ = parse_link({"v": "1", "n": "64", "k": "8", "r": "linear"})
    counted, sampled = routers.plan(scene)
    assert counted == [1, 2, 3] and min(sampled) > 3
    star = slice_law.resilience_dimension(64, 8)
    assert min(sampled) < star < max(sampled)


def test_the_plane_of_the_page_is_the_plane_of_the_app():
    for kind in MADE:
        scene, _ = parse_link({"v": "1", "r": kind, "tq": "steps.50"})
        from tropviz.ui.scene import model

        here = RoutingFan(routers.own_router(scene, 2)).count
        assert int(here) == int(model.scene_fan(scene).count), kind


def test_an_unknown_preset_is_refused_and_no_other_router_is_measured_in_its_place():
    scene = Scene({**Scene.default().values, "router": "spiral"})
    for d in (2, 5):
        with pytest.raises(ValueError, match="preset 'spiral' is not known: choose among affine"):
            routers.own_router(scene, d)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"mf": "torus"}, "Curved data (mf=torus) is not one of"),
        ({"mf": "swiss roll", "me": "3"}, "A swiss roll has dimension 2: that is shown."),
        ({"deg": "99"}, "Degree (deg) is 99, outside 1 to 8"),
        ({"me": "x"}, "me='x' is not a number"),
        ({"n": "2", "k": "1"}, "d* = 0.00"),
    ],
)
def test_bad_and_small_links_are_answered_in_words(query, says):
    at = open_page(**({"v": "1", "n": "4", "k": "2", "h": "2"} | query))
    assert not at.exception and says in words(at)


def test_wide_routers_wait_to_be_asked():
    scene = Scene.default().replace(n=256, k=8)[0]
    names = {step.text.split(" in ")[0] for step in measure.every_step(scene)}
    asked = {step.text.split(" in ")[0] for step in measure.every_step(scene, asked=True)}
    assert "curved data" not in names and "curved data" in asked


def test_every_choice_of_manifold_is_one_of_the_core():
    assert set(BY_NAME["manifold"].choices) == set(KINDS) - {"flat"}
    for kind in BY_NAME["manifold"].choices:
        for d in (1, 2, 3):
            scene = Scene.default().replace(manifold=kind, manifold_dim=d)[0]
            shown, d_eff, note = measure.shape(scene)
            assert d_eff in KINDS[shown] and (note is None) == (d in KINDS[shown])
            assert measure.spaces(shown, d_eff)


def test_published_lines_are_the_law():
    curves = measure.published(Scene.default())
    v3 = next(c for c in curves if c.name == "DeepSeek-V3")
    assert np.isclose(v3.shares[29], slice_law.share_kept(256, 8, 30))
    assert all((np.diff(c.shares) >= 0).all() and c.shares[-1] > 0.99 for c in curves)
    assert math.isclose(next(c for c in curves if "DBRX" in c.name).shares[1], 17.0304 / 1820, rel_tol=1e-4)


@pytest.mark.parametrize("router", MADE)
@pytest.mark.parametrize("n", [2, 6])
def test_every_router_has_its_page_and_is_measured_wherever_the_plan_says(router, n):
    at = open_page(r=router, n=str(n), k="1", tq="steps.50")
    assert not at.exception and "Resilience dimension d*" in counts(at)
    scene = reading.scene_of(at)
    for d in itertools.chain(*routers.plan(scene)):
        assert routers.own_router(scene, d).d == d, "give the dimensions of a preset in presets.SPACES"


def test_two_dimensions_are_said_of_sets_and_of_regions():
    scene, _ = parse_link({"v": "1", "n": "16", "k": "4", "h": "8", "r": "linear"})
    view = shares.shares_of(scene)
    assert int(view.gain) == slice_law.gain_dimension(16, 4, 8) == 22 and view.whole == 6
    assert float(view.here) == pytest.approx(float(slice_law.expected_gain(16, 4, 8, 6)))
    text = shares.sentence(view)
    assert (
        "most active <i>sets</i> do not" in text
        and "the <i>regions</i> is there only from d<sub>gain</sub> = <b>22</b>" in text
    )


@pytest.mark.parametrize("kind", manifold.SHEETS)
def test_a_sheet_is_coloured_by_the_cells_of_the_router_in_space(kind):
    scene, _ = parse_link({"v": "1", "n": "16", "k": "4", "r": "linear", "st": kind})
    found, (space, flat) = rolled.rolled(scene), rolled.pictures(scene)
    router = Router(*presets.random_linear(16, 3, scene.seed), k=4)
    points = manifold.sheet(kind, rolled.GRID).points
    assert (found.sets[found.cell[5, 7]] == router.active_sets(points[5, 7][None])[0]).all()
    fan = RoutingFan(router).count
    assert 17 < len(found.sets) <= int(fan) and int(found.regions) > int(found.dense) > len(found.sets)
    pieces = manifold.patches(manifold.sheet(kind, rolled.GRID), router, found.cell, found.sets)
    assert len(space.faces.cell) == len(pieces.triangles) and len(space.faces.colours) == len(space.faces.labels)
    assert unquote(flat.layout["images"][0]["source"]).count("<path") == len(found.sets)
    assert f"<b>{len(found.sets)}</b> cells" in rolled.sentence(scene)
