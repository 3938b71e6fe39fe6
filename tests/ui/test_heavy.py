"""Answers of derived functions from the pool: made elsewhere, kept here, shared, dropped when nobody waits."""

from __future__ import annotations

import os
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tropviz.language import current, speaking
from tropviz.ui import controls, heavy
from tropviz.ui.scene import Points, Scene, derived
from tropviz.ui.scene.board import Part
from tropviz.ui.scene.part import Wait
from tropviz.work import Budget, Limits, Pool


@derived
def who(scene: Scene, number: int) -> tuple[int, int, int]:
    """Which process made it, and of what."""
    return os.getpid(), scene.n, number


@derived
def nosy(scene: Scene) -> int:
    """Reads what is no part of any answer."""
    return len(scene.notes)


@pytest.fixture
def page(monkeypatch):
    """A page without a browser: who is on it, and what it is asked to do."""
    here = SimpleNamespace(page="lab", drawing=None, session="ada", shown=[], ran=[])
    monkeypatch.setattr(heavy, "board", lambda: here)
    monkeypatch.setattr(heavy, "session", lambda: here.session)
    monkeypatch.setattr(heavy, "show", lambda job, *_: here.shown.append(job))
    monkeypatch.setattr(heavy, "_POOLS", [Pool(Limits(idle=0), modules=heavy.MODULES)])
    yield here
    heavy.pool().close()


def until(ready) -> None:
    for _ in range(200):
        if ready():
            return
    raise AssertionError("it goes on and on")


def test_answers_are_made_in_another_process_and_kept_here(page):
    scene = Scene.default().replace(n=9)[0]
    calls = [(f"number {i}", who, (i,)) for i in range(5)]
    until(lambda: heavy.derive(scene, "count", calls, "Counting"))
    answers = [who.known(scene, i)[0] for i in range(5)]
    assert {pid for pid, *_ in answers}.isdisjoint({os.getpid()}) and [a[1:] for a in answers] == [
        (9, i) for i in range(5)
    ]
    assert who.known(scene.replace(window=2.0)[0], 1) is not None  # kept under what it read there
    assert who.known(scene.replace(n=10)[0], 1) is None
    assert heavy.pool().open() == 0 and not heavy.pool().slots


def test_two_sessions_are_one_computation_and_another_page_waits_for_nothing(page, monkeypatch):
    monkeypatch.setattr(Pool, "_start", lambda self: None)
    monkeypatch.setattr(heavy, "PATIENCE", 0)
    calls = [("it", who, (77,))]
    assert not heavy.derive(Scene.default(), "count", calls, "Counting")
    page.session = "bob"
    assert not heavy.derive(Scene(Scene.default()._values | {"notes": ("seen",)}), "count", calls, "Counting")
    assert page.shown[0] is page.shown[1] and heavy.pool().open() == 1
    page.page = "fan"
    heavy.page_turned()  # Bob has gone elsewhere, Ada has not
    assert page.shown[0].askers == {("ada", ("lab", "count"))}
    page.session = "ada"
    heavy.page_turned()
    assert page.shown[0].state == "stopped" and heavy.pool().open() == 0


def test_an_answer_of_what_sessions_do_not_share_is_a_fault(page):
    with pytest.raises(TypeError, match="do not share"):
        until(lambda: heavy.derive(Scene.default(), "count", [("it", nosy, ())], "Counting"))


def test_what_a_session_brought_travels_without_what_was_made_of_it():
    own: Any = Points("mine.csv", np.zeros((2, 2)))
    own.answers["key"] = np.zeros(1_000_000)
    data = pickle.dumps(own)
    there = pickle.loads(data)
    assert len(data) < 2000 and there.token == own.token and there.answers == {} and len(own.answers) == 1


@pytest.fixture
def drawing(page, monkeypatch):
    """A part of that page that is being drawn, on a server with others on it."""
    page.drawing = Part(True)
    page.parts = {"picture": page.drawing, "table": Part(False)}
    monkeypatch.setattr(heavy, "_served", lambda: True)
    return page


def needed(scene: Scene, calls: Any, seconds: float = 1.0) -> bool:
    try:
        heavy.need(scene, "It", calls, seconds)
    except Wait as wait:
        wait.show()
        return False
    return True


def test_a_part_waits_only_for_what_takes_long(drawing):
    scene, calls = Scene.default().replace(n=11)[0], (("it", who, (1,)),)
    assert needed(scene, calls, 0.1) and who.known(scene, 1) is None  # quick: the part computes it itself
    until(lambda: needed(scene, calls))
    assert who.known(scene, 1)[0][0] != os.getpid() and not heavy.pool().slots
    drawing.drawing = None
    assert needed(scene, (("it", who, (2,)),))  # an event of a canvas is answered at once


def test_parts_wait_for_one_computation_and_one_of_them_says_so(drawing, monkeypatch):
    monkeypatch.setattr(Pool, "_start", lambda self: None)
    monkeypatch.setattr(heavy, "PATIENCE", 0)
    scene, calls = Scene.default().replace(n=12)[0], (("it", who, (1,)),)
    live = drawing.drawing
    assert not needed(scene, calls) and len(drawing.shown) == 1
    drawing.drawing = drawing.parts["table"]
    monkeypatch.setattr(heavy, "again", lambda: drawing.shown.append("again"))
    assert not needed(scene, calls) and heavy.pool().open() == 1 and drawing.shown[1:] == ["again"]
    heavy.leave("need table")
    drawing.drawing = live
    heavy._stop(live, heavy._key(scene, calls), "need picture")
    monkeypatch.setattr(heavy, "_resume", lambda part: drawing.shown.append("stopped"))
    assert not needed(scene, calls) and heavy.pool().open() == 0 and drawing.shown[-1] == "stopped"
    live.stopped = None  # "Go on"
    assert not needed(scene, calls) and heavy.pool().open() == 1


def test_parts_of_one_run_wait_together_and_not_in_turn(drawing, monkeypatch):
    monkeypatch.setattr(Pool, "_start", lambda self: None)
    monkeypatch.setattr(heavy, "PATIENCE", 0)
    monkeypatch.setattr(heavy, "again", lambda: None)
    scene, calls, waits = Scene.default().replace(n=12)[0], (("it", who, (1,)),), []
    first, second = drawing.parts.values()
    assert not needed(scene, calls)
    (job,) = heavy.pool().jobs.values()
    job.over = SimpleNamespace(wait=waits.append, is_set=lambda: False)
    drawing.drawing, drawing.ran = second, [first, second]
    assert not needed(scene, calls) and waits == []  # the first part has waited for both
    first.waited = second.waited = None  # as in the next run, which draws the second part alone
    assert not needed(scene, calls) and waits == [0]


def test_what_cannot_be_had_is_one_sentence(drawing, monkeypatch):
    monkeypatch.setattr(heavy, "NEEDED", Budget(cpu=60.0, wall=0.0))
    with pytest.raises(ValueError, match="longer than a computation may take"):
        until(lambda: needed(Scene.default().replace(n=13)[0], (("it", who, (1,)),)))


def spoken(content: bytes, name: str, end: bool) -> str:
    """Reads a file in the language of who asks, or does not come back."""
    if end:
        os._exit(1)
    return f"{current()} {name} {len(content)} {os.getpid() != int(content)}"


def test_a_large_file_is_read_elsewhere_in_the_language_of_who_asks(page, monkeypatch):
    content = str(os.getpid()).encode()
    assert controls.reads(spoken, content, "small", False) == f"en small {len(content)} False"
    monkeypatch.setattr(controls, "READ_HERE", 0)
    with speaking("it"):
        assert controls.reads(spoken, content, "large", False) == f"it large {len(content)} True"
    with pytest.raises(ValueError, match="ended from outside"):
        controls.reads(spoken, content, "large", True)
    assert heavy.pool().open() == 0 and not heavy.pool().slots


def test_files_of_the_lab_stay_here(page):
    scene = Scene({**Scene.default()._values, "own_model": Points("cannot travel", lambda: None)})
    calls = [("it", who, (1,))]
    until(lambda: heavy.derive(scene, "count", calls, "Counting"))
    assert who.known(scene, 1)[0][0] != os.getpid()
