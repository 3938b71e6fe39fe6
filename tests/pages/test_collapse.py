"""The Angular collapse page without a browser: its numbers are the core's, nothing bad breaks it."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import markup, scene_of
from tropviz import Router, collapse
from tropviz.core import presets
from tropviz.figures import collapse as drawn
from tropviz.ui import heavy
from tropviz.ui.collapse import curves as collapse_curves
from tropviz.ui.collapse import export as collapse_export
from tropviz.ui.collapse import picture as collapse_picture
from tropviz.ui.collapse import study as collapse_study
from tropviz.ui.collapse import undo as collapse_undo
from tropviz.ui.collapse import words as collapse_words
from tropviz.ui.limits import OFFSET
from tropviz.ui.scene import Scene

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(**query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=120)
    at.query_params.update({"v": "1", **query})
    at.run()
    return at.switch_page("pages/collapse.py").run()


def words(at: AppTest) -> str:
    text = re.sub(r"<[^>]+>", " ", markup(at))
    return re.sub(r"\s+", " ", unescape(text))


def scene(**changes: object) -> Scene:
    return Scene.default().replace(**changes)[0]


def test_first_visit_shows_the_certificate_and_two_groups_of_numbers() -> None:
    at = open_page()
    assert not at.exception
    s = Scene.default()
    router = Router(*presets.random_affine(s.n, 2, s.seed), s.k)
    z = collapse.residuals(s.points, 2, spread=s.spread, seed=s.seed)
    u = [np.cos(np.radians(s.direction)), np.sin(np.radians(s.direction))]
    star = collapse.critical_offset(router, u, np.linalg.norm(z, axis=1).max())
    seen = collapse.routed(router, z + s.offset * np.array(u))
    text = words(at)
    assert f"t* = {star:.3g}" in text and f"{100 * float(seen.saturation):.1f} %" in text
    assert "Angular collapse" in text and "Load imbalance" in text and str(seen.imbalance) in text
    assert star < OFFSET[1] / 2  # the first scene does collapse on screen


@pytest.mark.parametrize(
    "query",
    [
        {"n": "2", "k": "1"},
        {"n": "16", "k": "4", "r": "linear", "cl": "ball", "pts": "2000"},
        {"n": "9", "k": "8", "r": "polygon", "cl": "anisotropic"},
        {"n": "64", "k": "8", "cl": "mixture", "sx": "1", "lam": "0.5"},
        {"cl": "opposed", "sx": "1"},
        {"r": "digits", "n": "8", "k": "2", "h": "6"},
        {"r": "moment", "n": "12", "k": "3", "off": "20"},
        {"off": "0", "sp": "5", "slide": "1"},
        {"d": "3", "r": "linear", "sx": "1"},
        {"d": "3", "off": "6"},
    ],
)
def test_every_kind_of_scene_shows(query: dict[str, str]) -> None:
    at = open_page(**query)
    assert not at.exception
    shown = ["picture", "curves", *(["sphere"] if "d" in query else []), *([] if "slide" in query else ["directions"])]
    parts = {part.key for part in at.get("bidi_component")}
    assert parts == {"beacon", *(f"collapse_{name}" for name in shown)}
    for part in at.get("bidi_component"):
        assert part.proto.ByteSize() < 1_500_000
    assert "inf" not in re.findall(r"[a-z]+", words(at))


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ({"pts": "1000000000"}, "Data points"),
        ({"pts": "0"}, "Data points"),
        ({"sp": "-1"}, "Data spread"),
        ({"lam": "7"}, "Strength"),
        ({"sx": "maybe"}, "sx"),
        ({"dir": "nan"}, "dir"),
        ({"off": "-3"}, "Data offset"),
    ],
)
def test_bad_links_are_clamped_in_one_sentence(query: dict[str, str], note: str) -> None:
    at = open_page(**query)
    assert not at.exception
    assert note in words(at)


def test_the_shared_expert_brings_the_sets_back() -> None:
    at = open_page(off="7")
    assert "in 1 active set," in words(at) and "100.0 %" in words(at)
    at.toggle(key="w_shared").set_value(True).run()
    text = words(at)
    assert "The shared expert carries the mean" in text and "100.0 %" not in text.split("What would undo it")[0]
    assert scene_of(at).shared is True


def test_leaving_and_coming_back_changes_nothing() -> None:
    at = open_page(off="3.5", dir="-40", sx="1", lam="0.75")
    before = scene_of(at).values
    at.switch_page("pages/fan.py").run()
    at.switch_page("pages/collapse.py").run()
    assert not at.exception and scene_of(at).values == before


def test_a_ball_in_the_plane_has_an_exact_share() -> None:
    at = open_page(cl="ball", r="linear", sp="1", off="1.5")
    s = scene(cloud="ball", router="linear", spread=1.0, offset=1.5)
    view = collapse_study.study(s)
    share = collapse.disk_shares(view.router, 1.5 * view.u, 1.0)[1][0]
    assert f"{100 * share:.1f} %" in words(at) and "of the whole disk" in words(at)


def lines(view: collapse_study.Study) -> dict[str, collapse_undo.Line]:
    return {line.name: line for group in collapse_undo.variants(view) for line in group}


def test_remedies_agree_with_core_and_all_follow_or_none() -> None:
    s = scene(router="linear", offset=4.0, n=8, k=2)
    view = collapse_study.study(s)
    rows, X = lines(view), view.seen_at(4.0, 0.0)
    plain, shared = rows["As it is"], rows["Shared expert carries the mean, λ = 1"]
    bias, wide = rows["The same as a bias, b − λWμ"], rows["Twice the spread"]
    assert plain.certified == collapse.critical_offset(view.router, view.u, view.radius)
    assert shared.certified == bias.certified == rows["Centring"].certified == np.inf
    assert np.array_equal(shared.seen.hits, bias.seen.hits) and wide.certified == pytest.approx(2 * plain.certified)
    balanced = collapse.routed(Router(view.router.W, collapse.balancing_bias(view.router, X), 2), X)
    assert np.array_equal(rows["Balancing bias"].seen.hits, balanced.hits)
    assert {"k = 1", "k = 4", "16 experts"} <= set(rows)
    html = collapse_undo.table_html(view)
    assert "never" in html and "all follow the data" in html
    assert (
        f"<td>{float(plain.seen.effective_sets):.3g}</td>" in html
    )  # the number beside the picture, no other estimate
    frozen = lines(collapse_study.study(s.replace(frozen=4.0)[0]))
    for name in ("Centring", "Shared expert carries the mean, λ = 1", "The same as a bias, b − λWμ"):
        assert frozen[name].certified == pytest.approx(4.0 + plain.certified)  # moved out by the offset it knows
        assert np.array_equal(frozen[name].seen.hits, shared.seen.hits)
    moved = lines(collapse_study.study(s.replace(frozen=4.0, offset=40.0)[0]))
    assert moved["Centring"].seen.hits[0] == moved["As it is"].seen.hits[0] == view.z.shape[0]


def test_what_gets_worse_is_marked_and_the_claim_is_answered() -> None:
    view = collapse_study.study(scene(router="linear", n=16, k=4, offset=20.0))
    made = {row.name: row for row in collapse.remedies(view.router, view.seen_at(20.0, 0.0), mean=20.0 * view.u)}
    html = collapse_undo.table_html(view)
    found = [line for line in lines(view).values() if line.worse]
    assert html.count("▲ worse") == len(found)
    assert sum(line.regions is not None for line in found) == sum(bool(row.worse) for row in made.values())
    stale = collapse_study.study(scene(router="linear", n=16, k=4, offset=0.0, frozen=20.0))
    assert "saturation" in lines(stale)["Centring"].worse and "▲ worse: saturation" in collapse_undo.table_html(stale)
    assert "not necessary" in collapse_undo.verdict(view)


def test_a_router_with_a_bias_is_said_to_see_more_than_directions() -> None:
    s = Scene.default()
    view = collapse_study.study(s)
    X = view.seen_at(s.offset, 0.0)
    share = (view.router.active_sets(X) != view.router.active_sets(2 * X)).any(axis=1).mean()
    at = open_page()
    assert f"{share:.0%} of this data would be sent elsewhere" in words(at).replace(" %", "%") and share > 0
    next(button for button in at.button if button.label == "Take the bias away").click().run()
    assert scene_of(at).router == "linear" and "would be sent elsewhere" not in words(at.run())


def test_downloads_read_back() -> None:
    view = collapse_study.study(scene())
    rows = list(csv.DictReader(io.StringIO(collapse_export.as_csv(view))))
    assert len(rows) == collapse_study.OFFSETS and float(rows[-1]["saturation"]) == 1
    found = json.loads(collapse_export.as_json(view))
    assert found["certified_offset"]["value"] == view.certified and len(found["curves"]) == len(rows)
    page = collapse_export.as_animation(view)
    assert (
        page.startswith("<!doctype html>") and "Plotly.newPlot" in page and "https://" not in page.split("const D=")[1]
    )
    payload = json.loads(re.search(r"const D=(\{.*\});\s*const S=", page, re.S).group(1).replace("<\\/", "</"))
    assert len(payload["left"]["frames"]) == len(payload["right"]["frames"]) == len(payload["notes"]) > 20


def test_full_space_numbers_behind_a_plane() -> None:
    view = collapse_study.study(scene(router="digits", direction=0.0))
    assert view.router.d == 16 and view.own is not None
    assert np.allclose(view.axes @ view.axes.T, np.eye(2), atol=1e-9)
    assert abs(view.z.mean(axis=0)).max() < 1e-9
    seen = collapse_study.seen_now(view)
    assert np.array_equal(seen.hits, collapse.routed(view.router, view.z + view.scene.offset * view.u).hits)
    assert "d = 16" in collapse_words.plane_note(view)


def test_beyond_two_dimensions_the_picture_is_u_and_the_leading_residual_direction() -> None:
    for angle in (50.0, -120.0):
        view = collapse_study.study(scene(dim="3", direction=angle))
        heading = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        assert np.allclose(view.heading, heading) and np.allclose(view.axes @ view.axes.T, np.eye(2))
        centred = view.router.W - view.router.W.mean(axis=0)
        rest = centred @ (np.eye(3) - np.outer(view.u, view.u))
        _, vector = np.linalg.eigh(rest.T @ rest)  # another way than the singular values used there
        assert np.allclose(np.abs(vector[:, -1] @ view.axes.T @ [-heading[1], heading[0]]), 1)
        assert "leading residual direction" in collapse_words.plane_note(view)
    for angle in np.linspace(-180, 180, 9):  # the side is kept: the picture does not flip over
        view = collapse_study.study(scene(dim="3", direction=float(angle)))
        across = np.array([-view.heading[1], view.heading[0]])
        assert (across @ view.axes) @ (across @ view.turns_in) >= 0


def test_the_t_axis_holds_the_certificate_however_far_it_is() -> None:
    for change in ({"router": "digits"}, {}, {"seed": 6}, {"dim": "3", "seed": 5}, {"cloud": "opposed", "seed": 3}):
        view = collapse_study.study(scene(**change))
        t = collapse_study.offsets(view)
        assert len(t) == collapse_study.OFFSETS and (np.diff(t) > 0).all()
        at = int(np.searchsorted(t, view.certified))
        assert all(at % stride == 0 for stride in collapse_study.STRIDES)  # always a frame
        assert view.certified <= t[at] <= view.certified + 0.001 and t[-1] < 4 * view.certified
        plain, _ = collapse_study.sweeps(view)
        if not view.two_sided:
            assert (plain.saturation[at:] == 1).all()
        assert view.far == (t[-1] > 12 * view.radius)
    far, near = collapse_study.study(scene(router="digits")), collapse_study.study(scene())
    assert far.certified > 100 and far.far and not near.far
    figure, frames = collapse_curves.curve_figure(far, 2)
    mark = next(m for m in figure["layout"]["annotations"] if "t*" in m["text"])
    assert figure["layout"]["xaxis"]["type"] == "log" and mark["x"] == pytest.approx(np.log10(far.certified))
    assert min(float(f["data"][0]["x"].min()) for f in frames) > 0  # a logarithmic axis has no zero
    assert collapse_curves.curve_figure(near, 2)[0]["layout"]["xaxis"]["type"] == "linear"


def test_never_is_one_word_everywhere_and_the_old_curve_fades() -> None:
    at = open_page(sx="1")
    text = words(at)
    assert "unbounded" not in text and "Certified offset t* exact never" in text
    view = collapse_study.study(scene(shared=True))
    figure, _ = collapse_curves.curve_figure(view, 2)
    marks = [m["text"] for m in figure["layout"]["annotations"] if "t*" in m["text"]]
    assert marks == ["without it: certified t* = 6.205", "with the shared expert: t*: never"]
    line = next(trace for trace in figure["data"] if trace.get("name") == "saturation")
    assert line["line"]["color"].startswith("rgba")


def test_the_page_says_how_to_read_the_circle_the_curve_and_the_orange_arc() -> None:
    text = words(open_page())
    assert "whole dotted circle" in text and "can reach 100 % earlier, never later" in text
    assert "Orange : the cap" in text
    assert "1 active set," in words(open_page(off="7"))


def test_no_label_lies_on_the_circle_of_directions() -> None:
    for angle in (50.0, 0.0, 170.0):
        view = collapse_study.study(scene(direction=angle, shared=True, offset=4.0))
        base = collapse_picture.ground(view, collapse_picture.first_half(view))
        figure = drawn.scene_figure(base, collapse_picture.stand(view, 4.0, 1.0))
        labels = figure.data[-1]
        far = np.hypot(labels["x"], labels["y"]) / base.half
        assert len(labels["text"]) == len(far) > 3 and (np.abs(far - drawn.RING) > 0.07).all()


def test_a_balancing_bias_of_much_data_is_found_in_the_pool_and_can_be_stopped() -> None:
    at = open_page(n="64", k="4", pts="400", h="1")
    assert "Is a shared expert necessary" not in words(at)
    next(button for button in at.button if button.label == "Stop").click().run()
    next(button for button in at.button if button.label == "Measure the remedies").click().run()
    until = time.monotonic() + 120
    while "Is a shared expert necessary" not in (text := words(at.run())) and time.monotonic() < until:
        for job in list(heavy.pool().jobs.values()):
            job.over.wait(1)
    assert "Measured here" in text and not at.exception
