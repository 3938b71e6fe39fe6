"""A person's own router and own data points on the Angular collapse page: shown, or refused in one sentence."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import counts, markup, open_page, rest, scene_of, words
from tropviz import Router, collapse
from tropviz.core import presets
from tropviz.figures.collapse_curves import offset_text
from tropviz.ui.collapse.study import study


def give(at: AppTest, key: str, name: str, content: bytes) -> AppTest:
    at.file_uploader(key=key).set_value((name, content, "application/octet-stream")).run()
    assert not at.exception, at.exception
    return rest(at)


def as_json(W: np.ndarray, b: np.ndarray) -> bytes:
    return json.dumps({"W": W.tolist(), "b": b.tolist(), "k": 2}).encode()


def as_npz(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def as_csv(rows: np.ndarray, head: str = "") -> bytes:
    return (head + "\n".join(",".join(map(repr, row)) for row in np.asarray(rows).tolist())).encode()


@pytest.mark.parametrize("d", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("form", ["json", "npz", "csv"])
def test_an_uploaded_router_is_certified_in_its_own_space(d: int, form: str) -> None:
    W, b = presets.random_affine(6, d, 10 + d)
    content = {
        "json": lambda: as_json(W, b),
        "npz": lambda: as_npz(W=W, b=b, k=np.array(2)),
        "csv": lambda: as_csv(np.column_stack([W, b]), ",".join([f"w{i}" for i in range(d)] + ["b"]) + "\n"),
    }[form]()
    at = give(open_page("collapse", v="1", pts="200", cl="ball"), "upload_router", f"own.{form}", content)
    view = study(scene_of(at))
    assert view.router.d == d and np.array_equal(view.router.W, W) and view.scene.k == 2
    star = collapse.critical_offset(Router(W, b, 2), view.u, view.radius)
    assert star == view.certified and offset_text(star) in words(at)
    at.toggle(key="w_shared").set_value(True).run()
    assert not at.exception and "centred" in words(at)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.json", b'{"W": [[1, 2], [3, NaN]]}', "bad.json: W[1, 1] is nan"),
        ("bad.csv", b"1,2\n3,\n", "bad.csv"),
        ("bad.npz", b"not a zip", "bad.npz"),
    ],
)
def test_a_bad_router_is_refused_and_the_scene_kept(name: str, content: bytes, said: str) -> None:
    at = open_page("collapse", v="1", off="2")
    before, scene = counts(at), scene_of(at).values
    give(at, "upload_router", name, content)
    assert said in words(at) and markup(at).count("tv-refused") == 1 and "Traceback" not in words(at)
    assert counts(at) == before and scene_of(at).values == scene


def points(n: int, mean: list[float], seed: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, len(mean))) * 0.5 + mean


@pytest.mark.parametrize("form", ["csv", "npy", "npz", "json"])
def test_own_points_are_carried_from_where_they_lie(form: str) -> None:
    X = points(300, [1.5, -2.0])
    file = io.BytesIO()
    np.save(file, X)
    content = {
        "csv": lambda: as_csv(X),
        "npy": file.getvalue,
        "npz": lambda: as_npz(hidden_states=X),
        "json": lambda: json.dumps(X.tolist()).encode(),
    }[form]()
    at = give(open_page("collapse", v="1"), "upload_points", f"cloud.{form}", content)
    router = Router(*presets.random_affine(8, 2, 286), 2)
    mean, z = collapse.centred(X)
    star = collapse.critical_offset(router, mean, np.linalg.norm(z, axis=1).max())
    seen = collapse.routed(router, X)
    text = words(at)
    assert offset_text(star) in text and f"{100 * float(seen.saturation):.1f} %" in counts(at)["Saturation"][0]
    assert f"They lie at offset {np.linalg.norm(mean):.3g}" in text and "Gaussian" not in " ".join(counts(at))
    at.slider(key="w_offset").set_value(0.0).run()
    assert counts(at)["Active sets hit"][0] == str(len(collapse.routed(router, z).hits))
    at.run()
    next(b for b in at.button if b.label == "Where the data really lies").click().run()
    assert counts(at)["Saturation"][0].startswith(f"{100 * float(seen.saturation):.1f} %")
    at.run()
    at.button(key="points_drop").click().run()
    assert not at.exception and "Whole Gaussian: with its mean, at least" in counts(at)


def test_hidden_states_of_a_router_of_its_own_dimension() -> None:
    W, b = presets.random_affine(9, 12, 5)
    X = points(500, [0.4] * 12)
    at = give(open_page("collapse", v="1"), "upload_router", "big.json", as_json(W, b))
    give(at, "upload_points", "states.npz", as_npz(X=X))
    mean, z = collapse.centred(X)
    star = collapse.critical_offset(Router(W, b, 2), mean, np.linalg.norm(z, axis=1).max())
    view = study(scene_of(at))
    assert view.certified == pytest.approx(star) and np.allclose(view.u, mean / np.linalg.norm(mean))
    assert "d = 12" in words(at) and "leading residual direction" in words(at)
    for page in ("fan", "collapse"):
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception
    assert study(scene_of(at)).certified == view.certified
    at.selectbox(key="w_router").set_value("affine").run()  # of two inputs: the points wait
    assert not at.exception and "they wait for one that takes 12" in " ".join(c.value for c in at.caption)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("nan.csv", b"1,2\n3,nan\n5,6\n", r"nan\.csv: .*nan"),
        ("inf.npz", as_npz(X=np.array([[1.0, np.inf], [0.0, 1.0]])), r"inf\.npz: X\[0, 1\] is inf"),
        ("wide.csv", b"1,2,3\n3,4,5\n", r"wide\.csv has 3 numbers a point and the router takes 2"),
        ("one.csv", b"1,2\n", r"one\.csv has one point"),
        ("empty.csv", b"", r"empty\.csv"),
        ("text.csv", b"a,b\nc,d\n", r"text\.csv"),
    ],
)
def test_bad_points_are_refused_in_one_sentence_and_the_scene_kept(name: str, content: bytes, said: str) -> None:
    good = points(60, [0.2, 0.1])
    at = give(open_page("collapse", v="1", off="1.5"), "upload_points", "good.csv", as_csv(good))
    before, scene = counts(at), scene_of(at).values
    give(at, "upload_points", name, content)
    assert re.search(said, words(at)) and "Still showing good.csv." in words(at) and "Traceback" not in words(at)
    assert markup(at).count("tv-refused") == 1
    assert counts(at) == before and scene_of(at).values == scene


def test_points_all_in_one_place_or_on_one_line_are_shown() -> None:
    at = give(open_page("collapse", v="1"), "upload_points", "same.csv", as_csv(np.tile([[2.0, 1.0]], (5, 1))))
    assert counts(at)["Saturation"][0].startswith("100.0 %")
    W, b = presets.random_affine(6, 5, 3)
    at = give(open_page("collapse", v="1"), "upload_router", "five.json", as_json(W, b))
    line = np.outer(np.linspace(-1, 2, 40), [1.0, 0, 0, 0, 0])
    give(at, "upload_points", "line.csv", as_csv(line))
    assert study(scene_of(at)).router.d == 5 and "t*" in words(at)


def test_one_sessions_points_never_reach_another() -> None:
    alone = counts(open_page("collapse", v="1"))
    give(open_page("collapse", v="1"), "upload_points", "cloud.csv", as_csv(points(99, [3.0, 1.0])))
    assert counts(open_page("collapse", v="1")) == alone
