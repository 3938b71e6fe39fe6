"""The Training page: what it trains is what the core trains, in a process of its own; a link opens the same run."""

from __future__ import annotations

import time
from functools import partial
from html import escape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import reading
from tests.pages.reading import counts, pictures, scene_of, words
from tropviz import RoutingFan
from tropviz.core.training import Order, Paired, Recipe, outcome, snapshots, train
from tropviz.figures import training as drawn
from tropviz.ui import heavy
from tropviz.ui.canvas.message import pack
from tropviz.ui.scene import taught
from tropviz.ui.training import remedies, run
from tropviz.ui.training.recipes import mark

open_page = partial(reading.open_page, "training")
SHORT = {"v": "1", "n": "6", "k": "2", "h": "3", "off": "4", "dir": "30", "sp": "1", "pts": "120"}
SHORT |= {"seed": "5", "ts": "50"}
RECIPE = Recipe(N=6, k=2, H=3, offset=4.0, points=120, angle=30.0, seed=5, steps=50)


def finished(at: AppTest) -> AppTest:
    """The page once its run is over; the pool says when."""
    for job in list(heavy.pool().jobs.values()):
        assert job.over.wait(120)
    return at.run()


@pytest.fixture(scope="module")
def trained() -> AppTest:
    at = open_page(**SHORT, vs="centred")
    assert "The layer before its first step" in words(at) and not at.exception
    next(button for button in at.button if button.label == "Train").click().run()
    return finished(at)


def test_what_is_shown_is_what_the_core_trains(trained):
    *_, last = train(RECIPE)
    found = outcome(last)
    shown = counts(trained)
    assert shown["Active sets used"] == (str(found.sets), "exact")
    assert shown["Cells in the plane"] == (str(RoutingFan(last.router).count), "exact")
    assert shown["Linear regions"] == (str(last.regions()), "exact")
    text = words(trained)
    *_, other = train(Recipe(**{**vars(RECIPE), "centred": True}))
    assert f"{found.loss:.3f}" in text and f"a loss of {other.loss:.3f}" in text
    assert "after 50 steps" in text.lower()


def test_two_pictures_and_the_curves_play_together(trained):
    this, other, curves = (p for p in pictures(trained) if p["meta"]["key"].startswith("training"))
    assert {p["frames"]["group"] for p in (this, other, curves)} == {"training"}
    assert this["meta"]["hears"] == ["seek"] and len(this["data"]) == len(other["data"])


@pytest.mark.parametrize("n", [8, 128])
def test_the_frames_of_a_picture_are_two_megabytes_at_most(n):
    made = Recipe(N=n, k=4, H=1, points=60, steps=20, checkpoints=12)
    seen = [*snapshots(made)] * 9  # as many as are recorded of a long run
    most = drawn.most_frames([seen])
    frames = [drawn.picture_frame(seen[i]) for i in drawn.shown(seen, most)]
    assert len(frames) == (48 if n == 8 else most) and most >= 2
    size = len(pack({"data": [], "layout": {}, "meta": {}, "frames": {"items": frames}}))
    assert 0.3e6 < size <= 2e6


def test_a_link_trains_again_and_shows_the_same():
    link = {**SHORT, "vs": "none", "tt": mark(RECIPE, "none")}
    at = finished(open_page(**link))
    *_, last = train(RECIPE)
    assert counts(at)["Active sets used"] == (str(outcome(last).sets), "exact") and not at.exception
    stale = open_page(**{**link, "seed": "6"})  # another recipe: not what the link says was trained
    assert "The layer before its first step" in words(stale)


def test_a_trained_router_is_the_router_of_every_page():
    text = taught.encode(RECIPE, 50)
    at = reading.open_page("fan", v="1", r="trained", tq=text)
    *_, last = train(RECIPE)
    assert not at.exception and (scene_of(at).n, scene_of(at).h) == (6, 3)
    assert counts(at)["Cells in the whole plane"][0] == str(last.fan.count)
    wrong = reading.open_page("fan", v="1", r="trained", tq="colour.3")
    assert "is no entry of a recipe" in words(wrong) and not wrong.exception


def test_what_each_remedy_did_is_what_the_core_trains():
    scene = scene_of(open_page(**SHORT)).replace(remedies="one")[0]
    for name in remedies.ROWS:
        remedies.came_to(scene, name, scene.learn, 0)
    assert remedies.missing(scene) == []
    for text, changed in (
        ("no remedy", {}),
        ("Router's input centred", {"centred": True}),
        ("Data at the origin", {"offset": 0.0}),
    ):
        *_, last = train(Recipe(**{**vars(RECIPE), **changed, "checkpoints": 2}))
        row = remedies.table(scene).split(f'<th scope="row">{escape(text)}</th>')[1].split("</tr>")[0]
        assert row.startswith(f"<td>{last.loss:.3f}</td><td>{int(outcome(last).sets)}</td>")


def test_the_order_is_told_from_the_runs():
    claims = dict.fromkeys(("collapse", "balance", "centred", "both_centred", "both_balance"), Paired(9, 10, 1, 0.5, 2))
    told = remedies.verdict(Order(claims, 8, 10), "Two moons")
    assert "in <b>8 of 10</b> seeds" in told and "no interval reaches zero" in told
    weak = remedies.verdict(Order({**claims, "both_centred": Paired(4, 10, -0.1, -1, 1)}, 4, 10), "Two moons")
    assert "Not shown by these seeds" in weak and "a lower loss than centring alone" in weak


def test_a_rate_that_diverges_is_said_and_what_was_there_stays():
    made = Recipe(**{**vars(RECIPE), "rate": 1e30})
    said = [value for _, value in _handed_over({"this": made}) if isinstance(value, str)]
    seen = [value for _, value in _handed_over({"this": made}) if not isinstance(value, str)]
    assert len(said) == 1 and "lower the learning rate" in said[0]
    assert seen and all(np.isfinite(s.outcome.loss) for s in seen)


def _handed_over(asked: dict[str, Recipe]) -> list:
    """What a worker would hand over."""
    from tropviz.work import report

    heard: list = []
    report.listen(lambda kind, value: heard.append(value) if kind == "part" else None)
    try:
        run.train_all(asked, None)
    finally:
        report.listen(None)
    return heard


def test_stop_keeps_what_there_is():
    at = open_page(**{**SHORT, "ts": "5000", "seed": "9"}, vs="none")
    next(button for button in at.button if button.label == "Train").click().run()
    (job,) = (job for job in heavy.pool().jobs.values() if not job.over.is_set())
    until = time.monotonic() + 120
    while not job.parts and time.monotonic() < until:
        time.sleep(0.05)
    at.run()
    next(button for button in at.button if button.label == "Stop").click().run()
    assert "Train again" in [button.label for button in at.button]
    assert "the loss went from" in words(at) and not at.exception
