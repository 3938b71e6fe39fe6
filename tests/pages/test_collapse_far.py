"""Angular collapse far out: the certificate is on the t axis, among the frames and in a link, however far it is."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tests.pages.reading import counts, open_page, scene_of, words
from tropviz import Router, collapse
from tropviz.core import presets
from tropviz.figures import collapse as drawn
from tropviz.ui.canvas import pack
from tropviz.ui.collapse import picture as collapse_picture
from tropviz.ui.collapse import study as collapse_study
from tropviz.ui.collapse import words as collapse_words
from tropviz.ui.limits import OFFSET_FAR
from tropviz.ui.scene import Scene, parse_link


def scene(**changes: object) -> Scene:
    return Scene.default().replace(**changes)[0]


FAR = (
    {"router": "digits"},
    {"seed": 6},
    {"seed": 5, "n": 64, "k": 8},
    {"dim": "3", "seed": 5},
    {"router": "linear", "n": 12, "seed": 2, "direction": -44.5},
)


@pytest.mark.parametrize("change", FAR)
def test_the_frame_at_the_certificate_has_one_colour_and_zooms_out_to_it(change: dict[str, object]) -> None:
    view = collapse_study.study(scene(**change))
    made = collapse_picture.picture_frames(view.scene, view.reach)
    stride, frames, sheets = made.stride, made.items, made.sheets
    t = collapse_study.offsets(view)[::stride]
    at = int(np.searchsorted(t, view.certified))
    assert t[at] == pytest.approx(view.certified, abs=0.001) and 0 < at < len(frames) - 1
    assert len(pack({"items": frames, "sheets": sheets})) < 1_500_000
    if view.far:  # the window follows, and a ground reaches to its edge
        halves = np.array([f["half"] for f in frames])
        assert (np.diff(halves) >= 0).all() and halves[-1] > 3 * halves[0]
        assert (t <= 0.63 * halves).all() and sheets[-1]["half"] >= halves[-1] and sheets[0]["half"] == halves[0]
    for index, frame in enumerate(frames[at:], at):
        assert frame["note"] == "saturation 100 %, 1 set"
        points = frame["data"][frame["traces"].index(drawn.LABELS - 2)]
        assert len(np.unique(points["marker"]["color"])) == 1  # every point wears one colour
        circle = frame["data"][drawn.BALL]["line"]  # dotted as the text calls it, and stronger from here on
        assert circle["dash"] == "dot" and circle["width"] > frames[0]["data"][drawn.BALL]["line"]["width"], index
    first = frames[0]["data"][drawn.LABELS - 2]
    assert len(np.unique(first["marker"]["color"])) > 3 and "saturation 100 %" not in frames[at // 2]["note"]


def test_the_lens_shows_the_cloud_in_the_cells_it_is_in() -> None:
    view = collapse_study.study(scene(seed=6, offset=14.0))
    place = collapse_picture.stand(view, 14.0, 0.0)
    assert place.magnified > 1 and len(place.lens) >= 2
    radius = place.magnified * view.radius
    assert np.hypot(*(place.places - place.at).T).max() <= radius * (1 + 1e-12)
    assert np.abs(place.at).max() + radius < place.half  # all of it is inside the picture
    for ring, row in place.lens:  # back at its own size, the middle of every piece is routed to the piece's set
        middle = place.at + (ring[:-1].mean(axis=0) - place.at) / place.magnified
        cells = collapse_picture.fan(view.scene).active_sets
        assert view.router.active_sets(middle[None])[0].tolist() == cells[row].tolist()


def test_the_shared_expert_brings_the_picture_back_from_far() -> None:
    away = collapse_study.study(scene(seed=6, offset=52.3))
    back = collapse_study.study(scene(seed=6, offset=52.3, shared=True))
    assert collapse_picture.half_at(away, 52.3, 0.0) > 2 * collapse_picture.first_half(away)
    assert collapse_picture.half_at(back, 52.3, 1.0) == collapse_picture.first_half(back)
    assert len(collapse_study.seen_now(away).hits) == 1 < 3 < len(collapse_study.seen_now(back).hits)
    assert len(np.unique(collapse_picture.stand(back, 52.3, 1.0).cells)) > 3


def test_a_link_far_out_is_taken_as_it_is_and_other_pages_bear_it() -> None:
    at = open_page("collapse", v="1", off="2021.125", seed="6")
    assert not at.exception and scene_of(at).offset == 2021.125
    assert "is shown" not in words(at) and "magnified" not in words(at)
    assert parse_link(dict(p.split("=") for p in scene_of(at).link("collapse").split("&")))[0] == scene_of(at)
    for page in ("fan", "hypersimplex", "collapse"):
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception and scene_of(at).offset == 2021.125
    above, notes = parse_link({"off": "1e12"})
    assert above.offset == OFFSET_FAR[1] and "outside 0 to 1e+09" in notes[0]


def test_go_to_the_certificate() -> None:
    at = open_page("collapse", v="1", seed="6")
    button = next(b for b in at.button if b.label.startswith("Go to t*"))
    assert button.label == "Go to t* = 52.21"
    button.click().run()
    assert scene_of(at).offset == 52.211
    assert counts(at)["Saturation"][0].startswith("100.0 %") and "beyond t* = 52.21 all of it is certain" in words(at)
    assert "Zoomed out" in words(at)


def exact_offset(W: np.ndarray, b: np.ndarray, u: list[Fraction], k: int, r: float) -> float:
    """t* by bisection on membership in exact arithmetic: the nearest wall of the set of t u is r away."""
    rows = [[Fraction(float(v)) for v in row] for row in W]
    bias = [Fraction(float(v)) for v in b]
    slope = [sum(w * v for w, v in zip(row, u, strict=True)) for row in rows]

    def holds(t: Fraction) -> bool:
        score = [t * s + c for s, c in zip(slope, bias, strict=True)]
        order = sorted(range(len(rows)), key=lambda i: (-score[i], i))
        for i, j in product(order[:k], order[k:]):
            gap, square = score[i] - score[j], sum((a - c) ** 2 for a, c in zip(rows[i], rows[j], strict=True))
            if gap * gap < Fraction(r) ** 2 * square:
                return False
        return True

    low, high = Fraction(0), Fraction(10**7)
    assert holds(high) and not holds(low)
    for _ in range(90):  # beyond the last failure; earlier intervals of certainty are stepped over by starting high
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return float(high)


@pytest.mark.parametrize(("seed", "dim"), [(11, "2"), (12, "2"), (13, "3"), (14, "2")])
def test_page_command_line_core_and_exact_bisection_agree(seed: int, dim: str, tmp_path: object) -> None:
    change = {"seed": seed, "dim": dim, "router": "linear", "cloud": "ball", "spread": 0.8, "n": 7, "k": 3}
    view = collapse_study.study(scene(**change))
    W, b = np.asarray(view.router.W), np.asarray(view.router.b)
    u = [Fraction(float(v)) for v in view.u]
    length = Fraction(float(np.sqrt(float(sum(v * v for v in u)))))
    slow = exact_offset(W, b, [v / length for v in u], 3, 0.8)
    assert view.certified == pytest.approx(slow, rel=1e-9)
    file = tmp_path / "router.json"
    file.write_text(json.dumps({"W": W.tolist(), "b": b.tolist(), "k": 3}))
    run = [sys.executable, "-m", "tropviz", "collapse", str(file), "--radius", "0.8"]
    run += ["--direction=" + ",".join(map(repr, view.u.tolist()))]
    said = json.loads(subprocess.run(run, capture_output=True, check=True, text=True).stdout)
    assert said["critical_offset"] == pytest.approx(slow, rel=1e-9)
    assert collapse.critical_offset(Router(W, b, 3), view.u, 0.8) == view.certified
    page = counts(open_page("collapse", v="1", r="linear", seed=str(seed), d=dim, cl="ball", sp="0.8", n="7", k="3"))
    assert page["Certified offset t*"] == (str(collapse_words.offset_count(slow, "")), "exact")


def test_a_gaussian_is_bounded_as_a_whole() -> None:
    change = {"router": "linear", "offset": 2.5, "points": 5000, "seed": 3, "spread": 0.5}
    view = collapse_study.study(scene(**change))
    low, high = collapse.gaussian_bounds(view.router, view.u, 0.5, 2.5)
    shown = counts(open_page("collapse", v="1", r="linear", off="2.5", pts="5000", seed="3", sp="0.5"))
    least, most = (shown[f"Whole Gaussian: with its mean, at {w}"] for w in ("least", "most"))
    assert least[1] == "lower" and most[1] == "upper"
    assert low - 0.001 <= float(least[0].split()[0]) / 100 <= low and high <= float(most[0].split()[0]) / 100
    # other draws than the sample of the page: the bounds are of the distribution
    x = 2.5 * view.u + 0.5 * np.random.default_rng(77).standard_normal((200_000, 2))
    here = view.router.active_sets((2.5 * view.u)[None])[0]
    share = float((view.router.active_sets(x) == here).all(axis=1).mean())
    assert low - 0.004 < share < high + 0.004 and low > 0.2
    ball = counts(open_page("collapse", v="1", cl="ball"))
    assert not any("Gaussian" in label for label in ball)


def test_space_has_an_elevation_and_the_fan_page_has_the_same_cloud() -> None:
    at = open_page("collapse", v="1", d="3", el="-40", dir="70", off="2")
    assert at.slider(key="w_elevation").value == -40
    view = collapse_study.study(scene(dim="3", elevation=-40.0, direction=70.0, offset=2.0))
    el, az = np.radians([-40, 70])
    u = [np.cos(el) * np.cos(az), np.cos(el) * np.sin(az), np.sin(el)]
    W, b = presets.random_affine(8, 3, 286)
    assert np.allclose(view.u, u) and np.allclose(view.turns_in @ view.turns_in.T, np.eye(2))
    assert view.certified == pytest.approx(collapse.critical_offset(Router(W, b, 2), u, view.radius))
    assert f"t* = {view.certified:.4g}" in words(at)
    at.slider(key="w_elevation").set_value(60.0).run()
    turned = collapse_study.study(scene(dim="3", elevation=60.0, direction=70.0, offset=2.0))
    assert f"t* = {turned.certified:.4g}" in words(at) and turned.certified != view.certified
    assert not [s for s in open_page("collapse", v="1").slider if s.key == "w_elevation"]
