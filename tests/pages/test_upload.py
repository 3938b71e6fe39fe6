"""A person's own file on the Router fan page: what is shown of it, and what is said when it cannot be."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.io.files import npy, npz, zipped
from tests.pages.reading import counts, markup, open_page, rest, words
from tropviz import Router, RoutingFan
from tropviz.core import presets, slices
from tropviz.io import read_layer
from tropviz.ui.controls import took_router
from tropviz.ui.fan import page
from tropviz.ui.scene import Scene, model
from tropviz.ui.scene.board import FAILED


def give(at: AppTest, name: str, content: bytes) -> AppTest:
    at.file_uploader(key="upload_router").set_value((name, content, "application/octet-stream")).run()
    assert not at.exception, at.exception
    return rest(at)


def layer_file(d: int, N: int = 6, H: int = 3, seed: int = 3) -> bytes:
    (W, b), (U, c) = presets.random_affine(N, d, seed), presets.random_experts(N, H, d, seed + 1)
    parts = {"W": W.tolist(), "b": b.tolist(), "k": 2, "U": U.tolist(), "c": c.tolist()}
    return json.dumps(parts).encode()


def test_experts_in_a_file_are_those_on_screen() -> None:
    content = layer_file(2)
    at = give(open_page("fan"), "moe.json", content)
    report = read_layer(content, "moe.json").layer().report(((-3.0, 3.0), (-3.0, 3.0)))
    shown = counts(at)
    assert "its own U and c, H = 3" in words(at)
    assert shown["This router, in the window"] == (f"{report['regions']['value']:,}", "exact")
    assert "Expert width H" in [box.label for box in at.number_input if box.disabled]


def test_experts_of_six_dimensions_are_cut_along_the_plane_on_screen() -> None:
    content = layer_file(6)
    at = give(open_page("fan"), "moe.json", content)
    file = read_layer(content, "moe.json")
    _, basis = slices.principal_directions(file.W, 2)
    plane = slices.restrict(Router(file.W, file.b, 2), np.zeros(6), basis)
    own = type(file.layer())(plane, file.U @ basis.T, file.c)
    shown = counts(at)
    assert shown["This router, whole plane"] == (f"{own.regions(None)}", "exact")
    assert shown["In its own 6 dimensions"] == (f"{RoutingFan(Router(file.W, file.b, 2)).count}", "exact")


def test_without_experts_the_random_ones_are_named() -> None:
    W, b = presets.random_affine(5, 2, 1)
    at = give(open_page("fan"), "own.json", json.dumps({"W": W.tolist(), "b": b.tolist()}).encode())
    assert "random ones (seed 286)" in words(at)


def test_a_refusal_looks_like_one_and_names_what_is_still_shown() -> None:
    at = give(open_page("fan"), "moe.json", layer_file(2))
    assert "tv-refused" not in markup(at)
    give(at, "bad.json", b'{"W": [[1, 2], [3]]}')
    assert re.search(r"tv-refused.*bad\.json.*Still showing moe\.json\.", markup(at))
    give(at, "dense.json", b'{"U": [[1, 0]], "c": [0]}')
    assert "dense.json: W is missing, so nothing is routed" in words(at)
    at = give(open_page("fan"), "bad.json", b"{")
    assert "Still showing the router “Random, with a bias”." in words(at)


@pytest.mark.parametrize("problem", [ValueError("it spans too much"), RuntimeError("inside")])
def test_a_second_file_that_cannot_be_shown_leaves_the_first_and_every_step_goes_on(
    monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    at = give(open_page("fan"), "first.json", layer_file(2))
    before, shown = counts(at), page.view_of

    def view_of(scene: Scene) -> object:
        if scene.own_router is not None and scene.own_router.file.name == "second.json":
            raise problem
        return shown(scene)

    monkeypatch.setattr(page, "view_of", view_of)
    at = give(at, "second.json", layer_file(2, seed=9))
    said = str(problem) if isinstance(problem, ValueError) else FAILED
    assert said in words(at) and counts(at) == before
    at.slider(key="w_k").set_value(3).run()
    assert not at.exception and said not in words(rest(at))
    assert counts(at) != before


def test_many_notes_take_one_line() -> None:
    at = open_page("fan", zz="1", n="999", k="0", win="0", off="-99")
    assert "<b>5 notes</b>" in markup(at) and markup(at).count('class="tv-notes"') == 1


def test_experts_that_tie_are_said_to_tie() -> None:
    at = give(open_page("fan"), "same.json", b'{"W": [[1, 0], [1, 0], [1, 0]], "k": 1}')
    text = words(at)
    assert "watch it fall into fewer cells" not in text
    assert re.search(r"Experts 0, 1 and 2 are the same: they tie everywhere", text)


def test_ties_are_found_among_any_experts() -> None:
    scene, _ = Scene.default().replace(n=5)
    assert model.ties(scene) == []


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"W": np.eye(257)}, "big.npz has 257 experts: the most is 256."),
        ({"W": np.eye(2, 16_385)}, "big.npz has 16,385 inputs: the most is 16,384, give one row per expert."),
        (
            {"W": np.eye(2), "U": np.ones((2, 32_769, 2)), "c": np.ones((2, 32_769))},
            "big.npz has 65,538 hinges: the most is 65,536.",
        ),
        (
            {"W": np.eye(64, 70), "U": np.ones((64, 1000, 70), dtype="i1"), "c": np.ones((64, 1000))},
            "big.npz has 4,480,000 numbers in U: the most on screen is 4,194,304.",
        ),
    ],
)
def test_what_no_page_could_show_is_refused_before_anything_is_computed(arrays: dict, said: str) -> None:
    content = zipped({f"{n}.npy": npy(a) for n, a in arrays.items()}, packed=False)
    with pytest.raises(ValueError, match=re.escape(said)):
        took_router(Scene.default(), "big.npz", content)


def test_random_hinges_of_a_wide_file_are_drawn_on_the_subspace_shown() -> None:
    changes = took_router(Scene.default(), "wide.npz", npz(W=np.random.default_rng(0).normal(size=(64, 2048))))
    del changes["notes"], changes["h"]
    scene, _ = Scene.default().replace(**changes, h=256)
    U, c = model.scene_experts(scene)
    assert np.array_equal(model.scene_layer(scene).U, U)
    assert U.shape == (64, 256, 2) and c.shape == (64, 256)
    assert abs(U.var() - presets.random_experts(64, 256, 2, 1)[0].var()) < 0.05
