"""The page Your router: its numbers are the core's, bad files get one sentence, and nobody sees another's upload."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from functools import partial

import numpy as np
import pytest
from safetensors.numpy import save
from streamlit.testing.v1 import AppTest

from tests.pages import reading
from tests.pages.reading import counts, pictures, scene_of, words
from tropviz import io as files
from tropviz.core.capture import of_states
from tropviz.core.collapse import remedies
from tropviz.core.gates import Gate, Rule
from tropviz.io.shelf import VARIABLE
from tropviz.report import numbers
from tropviz.report.words import percent
from tropviz.ui import controls, heavy
from tropviz.ui.lab import data, export, health, model, seen
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import FAILED

open_page = partial(reading.open_page, "your_router")
RANDOM = np.random.default_rng(4)
W, X = RANDOM.normal(size=(6, 5)), RANDOM.normal(size=(80, 5)) + 0.5
GATE = "model.layers.1.mlp.gate.weight"
CONFIG = {"model_type": "deepseek_v3", "n_routed_experts": 8, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1}
CONFIG |= {"num_hidden_layers": 2}


def npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def give(at: AppTest, key: str, *given: tuple[str, bytes]) -> AppTest:
    """Files dropped on an uploader."""
    loader = next(box for box in at.get("file_uploader") if box.key == key)
    loader.set_value([(name, content, "application/octet-stream") for name, content in given])
    return at.run()


def finished(at: AppTest) -> AppTest:
    """The page once what it asked of the pool is over."""
    for job in list(heavy.pool().jobs.values()):
        assert job.over.wait(120)
    return at.run()


@pytest.fixture(scope="module")
def sample() -> AppTest:
    return finished(open_page(v="1"))


def test_the_shipped_sample_is_told_as_the_core_tells_it(sample):
    row = numbers(files.lab())["layers"][0]
    shown = counts(sample)
    assert not sample.exception
    assert shown["Dead experts"] == (str(len(row["dead"])), "exact")
    assert shown["Coverage"] == (percent(row["coverage"]), "sampled")
    assert shown["In the fullest set"] == (percent(row["fullest_set"]), "sampled")
    assert shown["Active sets seen"] == (str(row["sets_seen"]), "exact")
    text = words(sample)
    assert "router saturation" not in text.replace("not router saturation", "").lower()
    layer = files.lab().layers[0]
    balanced = remedies(layer.gate.router(), layer.sample.y[: health.MEASURED].astype(float))[-1].seen
    assert percent(balanced.saturation) in text
    assert f"{row['certified_offset']:.3g} times on" in text


def test_the_picture_is_the_exact_section_with_every_token_on_it(sample):
    scene = scene_of(sample)
    (made,) = (p for p in pictures(sample) if p["meta"]["key"] == "router_slice")
    origin, basis = seen.frame(scene)
    gate, box = files.lab().layers[0].gate, seen.window(scene)
    rows = {tuple(row) for row in seen.fan(scene).active_sets.tolist()}
    places = RANDOM.uniform(box[:, 0], box[:, 1], size=(300, 2))
    assert {tuple(row) for row in gate.active_sets(origin + places @ basis).tolist()} <= rows
    marks = next(trace for trace in made["data"] if trace.get("hovertext"))
    assert len(marks["hovertext"]) == 1797 and "token 0" in marks["hovertext"][0]
    np.testing.assert_allclose(basis @ basis.T, np.eye(2), atol=1e-12)


def test_a_link_brings_layer_plane_and_token():
    at = open_page(v="1", yl="1", yp="experts", ye="2-5", ym="7")
    assert not at.exception and "Layer 1: 8 experts" in words(at) and "Token 7" in words(at)
    at = open_page(v="1", yp="tokens", yt="3-3-4")
    assert "three tokens are needed" in words(at) and not at.exception


def test_own_router_and_tokens_with_texts():
    at = give(open_page(v="1"), "upload_model", ("mine.npz", npz(W=W, k=2)))
    assert "Health is told from tokens" in words(at)
    texts = np.array([f"word{i}" for i in range(len(X))])
    at = finished(give(at, "upload_tokens", ("said.npz", npz(X=X, texts=texts))))
    row = numbers(of_states([Gate(0, "mine", W, 2, Rule("identity"))], [X]))["layers"][0]
    assert counts(at)["Coverage"] == (percent(row["coverage"]), "sampled") and not at.exception
    shown = seen.tokens(scene_of(at))
    np.testing.assert_array_equal(shown.sets, Gate(0, "mine", W, 2).active_sets(X))
    np.testing.assert_allclose(shown.margin, Gate(0, "mine", W, 2).plain.margin(X), rtol=1e-9)
    assert shown.names == tuple(texts.tolist()) and "Click a word" in words(at)
    assert json.loads(export.as_text(scene_of(at)))["layers"][0]["tokens"] == len(X)
    assert "<html" in export.as_html(scene_of(at)) and export.as_csv(scene_of(at)).count("\n") == 2


def test_a_curved_gate_is_drawn_by_evaluation_and_says_so():
    beta = 0.3 * RANDOM.normal(size=8)
    tensors = {GATE: RANDOM.normal(size=(8, 5)), GATE.replace("weight", "e_score_correction_bias"): beta}
    shard = ("part.safetensors", save({n: v.astype(np.float32) for n, v in tensors.items()}))
    at = give(open_page(v="1"), "upload_model", shard, ("config.json", json.dumps(CONFIG).encode()))
    at = finished(give(at, "upload_tokens", ("x.npy", _npy(X))))
    (gate,) = model.gates(scene_of(at))
    assert gate.kind == "C" and "Sampled, curved" in words(at) and not at.exception
    away = 100 * gate.elsewhere(X).value
    assert f"{away:.1f} % of your tokens would go elsewhere by plain top-k" in words(at)
    grid, (origin, basis), box = seen.sampled(scene_of(at)), seen.frame(scene_of(at)), seen.window(scene_of(at))
    step = (box[:, 1] - box[:, 0]) / seen.GRID
    place = box[:, 0] + step * (np.array([17, 101]) + 0.5)  # column 17, row 101
    found = seen.gate_of(scene_of(at)).active_sets((origin + place @ basis)[None])[0]
    assert grid.sets[grid.at[101, 17]].tolist() == found.tolist()


def test_an_unknown_model_is_asked_about_never_guessed():
    shard = ("part.safetensors", save({"a.router.weight": W.astype(np.float32), "b": np.eye(3, dtype=np.float32)}))
    at = give(open_page(v="1"), "upload_model", shard)
    assert "neither the rule nor k is known" in words(at) and not at.exception
    boxes = {box.label: box for box in at.selectbox}
    assert any("a.router.weight" in option for option in boxes["Which tensor?"].options)
    assert not [p for p in pictures(at) if p["meta"]["key"] == "router_slice"]
    linked = open_page(v="1", yf="part.safetensors~00000000", yw="a.router.weight", yr="plain", yk="2")
    assert "This link needs part.safetensors" in words(linked)
    mark = model.fingerprint(shard[1])
    linked = open_page(v="1", yf=f"part.safetensors~{mark}", yw="a.router.weight", yr="plain", yk="2", yp="experts")
    linked = give(linked, "upload_model", shard)
    assert "as the link says" in words(linked) and scene_of(linked).lab_slice == "experts"
    assert model.gates(scene_of(linked))[0].k == 2 and not linked.exception


def _npy(values: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


def _lying() -> bytes:
    """A capture whose array says that it has 10^12 numbers."""
    out = io.BytesIO()
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("about.npy", header.getvalue() + bytes(64))
    return out.getvalue()


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.npy", bytes(10**8))
    return out.getvalue()


@pytest.mark.parametrize(
    ("weights", "config", "said"),
    [
        ((16, 5), {}, "config.json says 8 experts and .* has 16 rows: give the config of this file"),
        ((8, 5), {"hidden_size": 4096}, "config.json says 4096 inputs and .* has 5 columns: give the config"),
        ((8, 5), {"num_experts_per_tok": 9}, "num_experts_per_tok is 9: it must lie between 1 and 8"),
        ((8, 5), {"n_routed_experts": 10**5}, "n_routed_experts is 100000: give a number from 2 to 65,536"),
        ((2, 4, 5), {}, r"has shape \(2, 4, 5\): give a matrix with one row per expert"),
        (np.nan, {}, r"\[0, 0\] is nan: replace it by a finite number"),
        (np.inf, {}, r"\[0, 0\] is inf: replace it by a finite number"),
        (True, {}, "holds BOOL entries: save real numbers"),
    ],
)
def test_a_shard_that_no_answer_could_mend_leaves_what_was_there(weights, config, said):
    W = np.ones(weights, np.float32) if isinstance(weights, tuple) else np.full((8, 5), weights)
    tensors = {GATE: W, GATE.replace("weight", "e_score_correction_bias"): np.zeros(8, np.float32)}
    config = json.dumps(CONFIG | config).encode()
    given = [("part.safetensors", save(tensors)), ("config.json", config)]
    with pytest.raises(ValueError, match=rf"^part\.safetensors: [^\n]*{said}[^\n]*$"):
        data.took_model(Scene.default(), given)


@pytest.mark.parametrize(
    ("key", "name", "content", "said"),
    [
        ("upload_model", "lie.npz", _lying(), "this is no capture"),
        ("upload_model", "bomb.npz", _bomb(), "it unpacks to more than"),
        ("upload_model", "cut.safetensors", b"\x10" + bytes(30), "cut.safetensors: "),
        ("upload_model", "code.pt", b"\x80\x02cos\nsystem\n.", "code.pt: "),
        ("upload_model", "config.json", b"{}", "config.json alone was given"),
        ("upload_tokens", "x.npy", _npy(np.eye(2)), "A capture has its own tokens"),
        ("upload_other", "w.npz", npz(W=W, k=2), "is no capture"),
    ],
)
def test_a_bad_file_gets_one_sentence_and_what_was_there_stays(key, name, content, said):
    scene = Scene.default()
    took = {"upload_model": data.took_model, "upload_tokens": data.took_tokens, "upload_other": data.took_other}
    with pytest.raises(ValueError, match=r"^[^\n]+$") as problem:
        took[key](scene, [(name, content)])
    assert said in str(problem.value)


def test_a_bad_file_on_the_page(sample):
    at = give(open_page(v="1"), "upload_model", ("bomb.npz", _bomb()))
    assert "it unpacks to more than" in words(at) and "Still showing A small model" in words(at)
    assert counts(at)["Tokens"] == ("1,797", "exact") and not at.exception


def test_a_corrected_file_takes_the_place_of_a_refused_one():
    bad, good, tensors = ("mine.npz", _bomb()), ("mine2.npz", npz(W=W, k=2)), {GATE: np.ones((8, 5), np.float32)}
    tensors[GATE.replace("weight", "e_score_correction_bias")] = np.zeros(8, np.float32)
    at = give(open_page(v="1"), "upload_model", bad)
    assert "it unpacks to more than" in words(at)
    at = give(at.run(), "upload_model", bad, good)  # the box goes on holding the refused one
    assert "mine2.npz is shown" in words(at) and model.gates(scene_of(at))[0].N == 6 and not at.exception
    at = give(at.run(), "upload_tokens", ("short.npy", _npy(X[:1])), ("x.npy", _npy(X)))
    assert "80 tokens" in words(at)
    given = [
        good,
        ("part.safetensors", save(tensors)),
        ("config.json", b"{}"),
        ("config.json", json.dumps(CONFIG).encode()),
    ]
    assert data.read_model(given).name == "part.safetensors"


@pytest.fixture
def elsewhere(monkeypatch):
    """Every file is large; how many were read in a process of their own."""
    read, wait = [], heavy.wait

    def waited(what, function, content, name, *more):
        read.append(name)
        return wait(what, function, content, name, *more)

    monkeypatch.setattr(controls, "READ_HERE", 0)
    monkeypatch.setattr(heavy, "wait", waited)
    return read


def _read(files) -> tuple[model.Model, list[np.ndarray]]:
    found = data.read_model(files)
    scene = Scene({**Scene.default()._values, "own_model": found})
    return found, [gate.W for gate in model.gates(scene)]


def test_large_files_are_read_in_a_process_of_their_own(elsewhere, tmp_path):
    files.lab().save(tmp_path / "lab.npz")
    config = {"model_type": "mixtral", "num_local_experts": 6, "num_experts_per_tok": 2}
    shard = save({"model.layers.1.block_sparse_moe.gate.weight": W.astype(np.float32)})
    given = {
        "capture": [("lab.npz", (tmp_path / "lab.npz").read_bytes())],
        "file": [("mine.npz", npz(W=W, k=2))],
        "shard": [("part.safetensors", shard), ("config.json", json.dumps(config).encode())],
    }
    for kind, some in given.items():
        found, there = _read(some)
        with pytest.MonkeyPatch.context() as small:
            small.setattr(controls, "READ_HERE", 10**9)
            same, here = _read(some)
        assert getattr(found, kind) is not None and found.mark == same.mark
        assert len(there) == len(here) > 0 and all(map(np.array_equal, there, here))
        travelled = pickle.loads(pickle.dumps(found))  # a shard goes as its bytes
        assert travelled.token == found.token and travelled.name == found.name
    assert elsewhere == ["lab.npz", "mine.npz", "part.safetensors"]
    for problem, said in (("bomb.npz", "it unpacks to more than"), ("cut.pt", "cut.pt: ")):
        with pytest.raises(ValueError, match=said):
            data.read_model([(problem, _bomb() if "bomb" in problem else b"PK")])
    scene = Scene({**Scene.default()._values, "own_model": _read(given["file"])[0]})
    tokens = data.took_tokens(scene, [("said.npz", npz(X=X, texts=np.array(["word"] * len(X))))])["own_tokens"]
    np.testing.assert_array_equal(tokens.X, X)
    assert tokens.texts == ("word",) * len(X) and elsewhere[-1] == "said.npz"


def test_what_a_file_makes_in_a_session_is_bounded(monkeypatch):
    scene = Scene({**Scene.default()._values, "own_model": data.read_model([("mine.npz", npz(W=W, k=2))])})
    monkeypatch.setattr(controls, "BROUGHT", 8 * X.size)
    assert data.took_tokens(scene, [("x.npy", _npy(X))])["own_tokens"].X.shape == X.shape
    for name, content in (("x.npz", npz(X=X, texts=np.array(["word"] * len(X)))), ("long.npy", _npy(np.eye(700, 5)))):
        with pytest.raises(ValueError, match=rf"{name} makes [0-9,]+ bytes in this session"):
            data.took_tokens(scene, [(name, content)])
    with pytest.raises(ValueError, match=r"wide\.npz makes [0-9,]+ bytes in this session"):
        data.read_model([("wide.npz", npz(W=np.eye(60), k=2))])


def test_uploads_of_two_people_never_mix():
    one = give(open_page(v="1"), "upload_model", ("mine.npz", npz(W=W, k=2)))
    two = give(open_page(v="1"), "upload_model", ("mine.npz", npz(W=-W[:4], k=1)))
    three = open_page(v="1")
    one, two = (finished(give(at, "upload_tokens", ("x.npy", _npy(X)))) for at in (one, two))
    assert model.gates(scene_of(one))[0].N == 6 and model.gates(scene_of(two))[0].N == 4
    assert "6 experts, 2 active" in words(one) and "4 experts, 1 active" in words(two)
    assert "handwritten digits" in words(three) and scene_of(three).own_tokens is None
    first, second = (health.health(scene_of(at)) for at in (one, two))
    assert first.row["N"] == 6 and second.row["N"] == 4


def test_numbers_that_take_long_are_waited_for_in_one_place(monkeypatch):
    monkeypatch.setattr(health, "QUICK", 0)
    at = give(open_page(v="1"), "upload_model", ("slow.npz", npz(W=W, k=2)))
    at = give(at, "upload_tokens", ("x.npy", _npy(X)))
    assert FAILED not in words(at) and not at.exception
    at = finished(at)
    assert counts(at)["Tokens"] == ("80", "exact") and FAILED not in words(at)


def test_two_captures_are_compared(tmp_path):
    files.lab().save(tmp_path / "again.npz")
    at = give(open_page(v="1"), "upload_other", ("again.npz", (tmp_path / "again.npz").read_bytes()))
    assert "router saturation" in words(at) and "100.0 %" in words(at) and not at.exception


def test_the_servers_folder_is_listed_and_never_left(tmp_path, monkeypatch):
    shelf, outside = tmp_path / "shelf", tmp_path / "secret.npz"
    shelf.mkdir()
    outside.write_bytes(b"")
    files.lab().save(shelf / "digits.npz")
    (shelf / "link.npz").symlink_to(outside)
    monkeypatch.setenv(VARIABLE, str(shelf))
    at = open_page(v="1", ys="digits.npz")
    box = next(box for box in at.selectbox if box.label == "On this server")
    assert "digits.npz" in box.options and "link.npz" not in box.options and "digits.npzLayer 0" in words(at)
    for page in ("about", "your_router"):  # under the key of its box another page has left nothing
        at.switch_page(str(reading.ROOT / "pages" / f"{page}.py")).run()
    assert next(box for box in at.selectbox if box.label == "On this server").value == "digits.npz"
    assert scene_of(at).lab_stored == "digits.npz" and "digits.npzLayer 0" in words(at)
    for name in ("link.npz", "..", "../secret.npz"):
        at = open_page(v="1", ys=name)
        assert not at.exception and "secret" not in words(at).replace(name, "")
        with pytest.raises(ValueError, match="is not in the server's folder"):
            model.on_shelf(name)
