"""Scenes that are opened in a session: of the history, presets, and lists."""

from __future__ import annotations

from urllib.parse import parse_qsl

from hypothesis import given

from tests.ui.test_scene import scenes
from tropviz.ui.scene import Scene, parse_link
from tropviz.ui.scene.board import Board, World
from tropviz.ui.scene.link import opened


@given(scenes())
def test_a_short_link_is_the_same_scene_as_the_whole_one(scene: Scene) -> None:
    for page in ("fan", "collapse", "training"):
        short, whole = scene.link(page, short=True), scene.link(page)
        assert len(short) <= len(whole) and short.startswith("v=1")
        assert parse_link(dict(parse_qsl(short))) == parse_link(dict(parse_qsl(whole, keep_blank_values=True)))


def test_what_is_another_pages_stays_and_what_is_missing_is_the_default() -> None:
    scene, _ = Scene.default().replace(n=12, k=3, lam=0.5, apart=0.4)
    there, notes = scene.replace(**{k: v for k, v in opened(scene, "fan", "v=1&k=4").items() if k != "notes"})
    assert (there.n, there.k, there.apart, there.lam, notes) == (8, 4, 0.0, 0.5, ())


def test_an_empty_link_is_the_scene_on_which_the_page_opens() -> None:
    assert opened(Scene.default(), "hypersimplex", "")["n"] == 4
    assert opened(Scene.default(), "fan", "")["n"] == 8


def test_the_sessions_own_router_stays_where_the_link_means_it() -> None:
    scene = Scene({**Scene.default().values, "own_router": object()})
    assert opened(scene, "fan", "v=1&r=file")["router"] == "file"
    changes = opened(Scene.default(), "fan", "v=1&r=file")
    assert changes["router"] != "file" and changes["notes"]


def test_the_browser_opens_a_scene_and_a_hostile_link_is_said() -> None:
    board = Board(World({**Scene.default()._values}))
    board.page = "fan"
    assert board._hear(board.world, {"name": "open", "link": "v=1&n=11"}).values["n"] == 11
    heard = board._hear(board.world, {"name": "open", "link": "v=1&n=" + "9" * 50_000})
    assert heard.values["n"] == 8 and all(len(note) < 400 for note in heard.values["notes"])
