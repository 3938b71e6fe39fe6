"""The shipped digits model is what its README says, and its plane is the exact restriction."""

import re

import numpy as np
import pytest

from tropviz.io import lab, read_checkpoint
from tropviz.io.samples import DIGITS, LAB, digits


@pytest.fixture(scope="module")
def raw():
    return dict(np.load(DIGITS, allow_pickle=False))


def test_accuracy_in_the_readme_is_recomputed_from_the_file(raw):
    """An independent forward pass in numpy, from the shipped hidden states to the held-out accuracy."""
    scores = raw["X"] @ raw["W"].T + raw["b"]
    chosen = np.argsort(-scores, axis=1, kind="stable")[:, : int(raw["k"])]
    best = np.take_along_axis(scores, chosen, axis=1)
    gates = np.exp(best - best.max(axis=1, keepdims=True))
    gates /= gates.sum(axis=1, keepdims=True)
    out = np.zeros((len(scores), 10))
    for place in range(chosen.shape[1]):
        experts = chosen[:, place]
        hinges = np.maximum(np.einsum("nhd,nd->nh", raw["U"][experts], raw["X"]) + raw["c"][experts], 0)
        out += gates[:, place, None] * np.einsum("noh,nh->no", raw["V"][experts], hinges)
    held_out = raw["test"].astype(bool)
    right = int((out.argmax(axis=1) == raw["labels"])[held_out].sum())
    text = (DIGITS.parent / "README.md").read_text(encoding="utf-8")
    said = re.search(r"\((\d+) of (\d+)\)", text)
    assert said and (right, int(held_out.sum())) == tuple(map(int, said.groups()))
    assert f"{100 * right / held_out.sum():.1f} %" in text
    load = np.bincount(chosen.ravel(), minlength=8) / len(scores)
    low, high = re.search(r"between (\d+) % and (\d+) %", text).groups()
    assert (round(100 * load.min()), round(100 * load.max())) == (int(low), int(high))
    assert f"{len(np.unique(np.sort(chosen), axis=0))} of\nthe 28 active sets" in text


def test_loader(raw):
    found = digits()
    assert np.array_equal(found.W, raw["W"]) and found.W.dtype == np.float64 and found.k == 2
    assert np.array_equal(np.unique(found.labels), np.arange(10)) and found.labels.dtype == np.int64
    assert not any(a.flags.writeable for a in (found.W, found.b, found.X, found.labels))
    assert DIGITS.stat().st_size < 300_000


def test_labels_and_states_belong_together():
    """Nearest other hidden state mostly has the same label."""
    X, labels = digits().X, digits().labels
    distance = ((X[:300, None] - X[None]) ** 2).sum(axis=2)
    distance[np.arange(300), np.arange(300)] = np.inf
    assert (labels[distance.argmin(axis=1)] == labels[:300]).mean() > 0.9


def test_the_lab_holds_a_checkpoint_and_a_capture_of_the_same_routers():
    capture, gates = lab(), read_checkpoint(LAB)
    assert [gate.kind for gate in gates] == ["A", "A"] and capture.sources == tuple("0123456789")
    for layer, gate in zip(capture.layers, gates, strict=True):
        assert layer.n == 1797 and layer.tokens.min() > 170 and layer.dropped == 0
        assert np.array_equal(layer.sample.ours, layer.sample.chosen)
        np.testing.assert_allclose(layer.gate.W, gate.W @ gate.coordinates.T, atol=1e-9)
    text = (LAB / "README.md").read_text(encoding="utf-8")
    right, of = map(int, re.search(r"names (\d+) of the (\d+) held-out", text).groups())
    assert of == 597 and right / of > 0.95
