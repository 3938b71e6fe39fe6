"""Captures: the hooks, sums that merge in any order, files that come back as they were, and what is refused."""

from __future__ import annotations

import json
import zipfile
from dataclasses import fields

import numpy as np
import pytest
import torch

import tropviz
from tropviz.core.capture import Capture, Stream, load, merge, of_choices, of_logits, of_states
from tropviz.core.capture import sets as sets_module
from tropviz.core.capture.sets import Sets
from tropviz.core.gates import Gate, Rule

RANDOM = np.random.default_rng(0)
GATE = Gate(0, "g", RANDOM.normal(size=(8, 20)), 2, Rule("sigmoid"), beta=RANDOM.normal(0, 0.1, 8))
PLAIN = Gate(0, "p", RANDOM.normal(size=(30, 20)), 4)
X = (RANDOM.normal(size=(3000, 20)) + 0.5).astype(np.float32)
routed = GATE.active_sets(X)


def captured(rows, shard=0, sources=("",)):
    stream = Stream(GATE, "g", (0, shard))
    for lo in range(0, len(rows), 700):
        part = rows[lo : lo + 700]
        stream.add(torch.from_numpy(X[part]), routed[part])
    return Capture((stream.layer,), sources)


def same(a: Capture, b: Capture, close=1e-9):
    for one, other in zip(a.layers, b.layers, strict=True):
        for name in ("n", "dropped", "recomputed"):
            assert getattr(one, name) == getattr(other, name)
        for name in ("load", "tokens", "together"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("codes", "members", "hits", "level"):
            assert np.array_equal(getattr(one.sets, name), getattr(other.sets, name))
        for name in ("priority", "chosen", "ours", "source", "y", "margin", "token"):
            assert np.array_equal(getattr(one.sample, name), getattr(other.sample, name), equal_nan=True)
        for field in fields(one.moments):
            mine, theirs = getattr(one.moments, field.name), getattr(other.moments, field.name)
            np.testing.assert_allclose(mine, theirs, rtol=close, atol=close)


def test_statistics_are_those_of_all_rows_at_once():
    layer = captured(np.arange(3000)).layers[0]
    assert layer.n == 3000 and layer.tokens.tolist() == [3000]
    assert layer.load[0].tolist() == [(routed == i).any(axis=1).sum() for i in range(8)]
    both = [[((routed == i).any(1) & (routed == j).any(1)).sum() for j in range(8)] for i in range(8)]
    assert layer.together.tolist() == both
    rows, hits = np.unique(routed, axis=0, return_counts=True)
    assert layer.sets.distinct == len(rows) and layer.sets.once == (hits == 1).sum()
    assert sorted(layer.sets.fullest(3)[1].tolist()) == sorted(hits)[-3:]
    y = X.astype(np.float64) @ GATE.coordinates.T
    np.testing.assert_allclose(layer.moments.yy, y.T @ y, rtol=1e-4, atol=0.05)
    np.testing.assert_allclose(layer.moments.total, X.sum(axis=0), rtol=1e-4)
    assert layer.moments.square == pytest.approx(np.square(X.astype(float)).sum(), rel=1e-5)
    assert np.array_equal(layer.sample.ours, layer.sample.chosen) and len(layer.sample) == 3000
    assert np.array_equal(layer.gate.active_sets(layer.sample.y), layer.sample.chosen)  # in router coordinates


def test_merging_is_associative_and_commutative(monkeypatch):
    monkeypatch.setattr("tropviz.core.capture.reservoir.SIZE", 500)
    monkeypatch.setattr(sets_module, "MOST", 8)  # more sets than are kept: some are left out on the way
    a, b, c = (captured(np.arange(i, 3000, 3), shard=i) for i in range(3))
    left, right = a.merge(b).merge(c), a.merge(b.merge(c))
    same(left, right)
    same(left, merge(c, a, b))
    assert left.layers[0].n == 3000 and len(left.layers[0].sample) == 500 and left.layers[0].sets.level > 0


def test_sources_keep_their_names_through_a_merge():
    a, b = captured(np.arange(10), sources=("news",)), captured(np.arange(10, 40), sources=("code",))
    both = a.merge(b)
    assert both.sources == ("news", "code") and both.layers[0].tokens.tolist() == [10, 30]
    assert b.merge(a).layers[0].tokens.tolist() == [30, 10]
    assert np.bincount(both.layers[0].sample.source).tolist() == [10, 30]


def test_the_sketch_of_sets_estimates_what_it_cannot_keep(monkeypatch):
    monkeypatch.setattr(sets_module, "MOST", 500)
    rows = np.sort(np.argsort(RANDOM.random((20_000, 20)), axis=1)[:, :6], axis=1)
    seen = Sets.of(rows)
    true = len(np.unique(rows, axis=0))
    assert seen.level > 3 and len(seen.codes) <= 500
    assert abs(seen.distinct / true - 1) < 4 / np.sqrt(len(seen.codes))


def test_a_file_comes_back_as_it_was(tmp_path):
    one = captured(np.arange(2000), sources=("news",))
    one.save(tmp_path / "c.npz")
    back = load(tmp_path / "c.npz")
    same(one, back, close=0)
    gate = back.layers[0].gate
    assert back.sources == ("news",) and gate.kind == "C" and gate.rule == GATE.rule
    assert np.array_equal(gate.active_sets(one.layers[0].sample.y), one.layers[0].sample.ours)


@pytest.mark.parametrize("harm", ["text", "other", "cut", "pickle", "shape", "gone"])
def test_what_is_no_capture_is_refused(tmp_path, harm):
    path = tmp_path / "c.npz"
    captured(np.arange(50)).save(path)
    if harm == "text":
        path.write_text("x")
    elif harm == "other":
        np.savez(path, W=np.eye(3))
    elif harm == "cut":
        path.write_bytes(path.read_bytes()[:-2000])
    elif harm == "pickle":
        np.savez(path, about=np.array([{"format": 1}], dtype=object))
    elif harm == "shape":
        with np.load(path) as file:
            arrays = dict(file)
        np.savez(path, **(arrays | {"0.together": np.zeros((3, 3), np.int64)}))
    else:
        path.unlink()
    with pytest.raises(ValueError, match=r"^c\.npz: (this is no capture|there is no such file).*: give what tropviz"):
        load(path)


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("tropviz.core.capture.record.LARGEST", 10**6)
    with zipfile.ZipFile(tmp_path / "c.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.npy", b"\0" * 10**7)
    with pytest.raises(ValueError, match="it unpacks to more than"):
        load(tmp_path / "c.npz")


# --- hooks ------------------------------------------------------------------------------------------------------------


class Toy(torch.nn.Module):
    """Two gates; the second tells its choice."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.Linear(6, 5, bias=False)
        self.second = torch.nn.Linear(6, 5)
        self.config = {"model_type": "toy"}

    def forward(self, x):
        self.first(x)
        return self.second(x)


def test_any_model_is_captured_by_the_names_of_its_gates(tmp_path):
    model, x, mask = Toy(), torch.randn(2, 9, 6), torch.ones(2, 9)
    mask[1, 4:] = 0
    with tropviz.capture(model, gates={"first": 2, "second": 1}) as c:
        c.source = "a"
        model(x)
        c.source, c.mask, c.tokens = "b", mask, torch.arange(18).reshape(2, 9)
        model(x)
        c.save(tmp_path / "c.npz")
    model(x)  # the hooks are gone
    first, second = c.capture.layers
    assert c.capture.sources == ("a", "b") and first.tokens.tolist() == second.tokens.tolist() == [18, 13]
    assert (first.gate.k, second.gate.k, second.gate.kind, first.recomputed) == (2, 1, "A+", 31)
    want = model.first(x).reshape(18, 5).topk(2).indices.numpy()
    assert first.load[0].tolist() == [(want == i).sum() for i in range(5)]
    kept = set(torch.arange(18)[mask.reshape(-1) > 0].tolist()) | {-1}
    assert set(first.sample.token.tolist()) == kept == set(load(tmp_path / "c.npz").layers[1].sample.token.tolist())
    assert [layer.n for layer in load(tmp_path / "c.npz").layers] == [31, 31]  # saved before the block ended


def test_agreement_in_bfloat16_is_told_not_hidden():
    gate = torch.nn.Linear(64, 32, bias=False).bfloat16()
    model = torch.nn.Sequential(gate)
    with tropviz.capture(model, gates={"0": 4}) as c:
        model(torch.randn(4000, 64).bfloat16())
    sample = c.capture.layers[0].sample
    agree = (sample.ours == sample.chosen).all(axis=1)
    assert 0.9 < agree.mean() < 1 and np.median(sample.margin[~agree]) < np.median(sample.margin[agree]) / 5


@pytest.mark.parametrize(
    ("gates", "x", "mask", "message"),
    [
        ({"first": 1}, torch.ones(2, 6), "ids", "tokens are 3 int64 and the model saw 2: give their ids"),
        (None, None, None, "the model type 'toy' is not known: name its gates"),
        ({"third": 1}, None, None, "the model has no module 'third'"),
        ({"first": 9}, None, None, "k is 9: it must lie between 1 and the number of experts, 5"),
        ({"first": 1}, torch.full((1, 6), torch.inf), None, "first: the input of token 0 is inf at 0"),
        ({"first": 1}, torch.ones(2, 6), torch.ones(3), "mask has 3 entries and the model saw 2 tokens"),
        ({"first": 1}, torch.ones(2, 6), torch.zeros(2), "mask leaves out every token"),
    ],
)
def test_what_cannot_be_captured_is_refused(gates, x, mask, message):
    model = Toy()
    with pytest.raises(ValueError, match=message), tropviz.capture(model, gates=gates) as c:
        c.mask, c.tokens = (None, torch.arange(3)) if mask == "ids" else (mask, None)
        model(x)
    assert not model.first._forward_hooks


def test_states_that_are_all_equal_have_one_set_and_no_spread():
    stream = Stream(GATE, "g")
    stream.add(torch.ones(100, 20), np.repeat(GATE.active_sets(np.ones((1, 20))), 100, axis=0))
    layer = stream.layer
    assert layer.sets.distinct == 1 and layer.sets.hits.tolist() == [100]
    cov = layer.moments.yy / 100 - np.outer(layer.moments.y, layer.moments.y) / 1e4
    assert np.abs(cov).max() < 1e-4


# --- recorded choices -------------------------------------------------------------------------------------------------


def test_choices_of_a_serving_engine_are_taken_from_a_memory_map(tmp_path):
    choices = np.sort(np.argsort(RANDOM.random((500, 3, 8)), axis=2)[:, :, :2], axis=2).astype(np.int16)
    choices[7, 1] = -1  # a token that was dropped there
    np.save(tmp_path / "c.npy", choices)
    found = of_choices(np.load(tmp_path / "c.npy", mmap_mode="r"))
    assert [(one.n, one.dropped) for one in found.layers] == [(500, 0), (499, 1), (500, 0)]
    assert found.layers[2].load.sum() == 1000 and found.layers[2].gate.kind == "X" and found.layers[2].moments is None
    found.save(tmp_path / "c.npz")
    assert load(tmp_path / "c.npz").layers[1].dropped == 1
    for bad in (np.zeros((3, 4)), np.zeros((3, 2, 2)), np.zeros((0, 1, 1), int), np.full((1, 1, 1), 10**6)):
        with pytest.raises(ValueError, match=r"^choices (have|name) "):
            of_choices(bad)


def test_captures_of_different_models_do_not_merge():
    one, other = of_choices(np.zeros((4, 1, 1), int), 3), of_choices(np.zeros((4, 2, 1), int), 3)
    with pytest.raises(ValueError, match="The captures are of different routers"):
        one.merge(other)
    with pytest.raises(ValueError, match="nothing to merge"):
        merge()
    assert json.dumps(one.layers[0].load.tolist())


def test_saved_inputs_are_routed_as_hooks_would_have(tmp_path):
    np.save(tmp_path / "x.npy", X)
    told = []
    seen = of_states([GATE], [np.load(tmp_path / "x.npy", mmap_mode="r")], progress=told.append)
    assert seen.layers[0].together.tolist() == captured(np.arange(3000)).layers[0].together.tolist()
    assert told[-1] == 1 and seen.layers[0].recomputed == 3000
    mask = np.ones((3, 1000))
    mask[2, 500:] = 0
    part = of_states([GATE], [torch.from_numpy(X).reshape(3, 1000, 20)], mask)
    assert part.layers[0].n == 2500 and np.array_equal(part.layers[0].load[0], np.bincount(routed[:2500].ravel()))
    more = of_states([GATE], [X[2500:]], shard=1, start=part)  # stopped, and taken up again
    assert np.array_equal(more.layers[0].together, seen.layers[0].together)


def test_router_logits_are_taken_as_models_return_them():
    logits = torch.from_numpy(X.astype(np.float64) @ GATE.W.T)
    seen = of_logits((None, logits), 2, rule=None)
    want = np.argsort(-logits.numpy(), axis=1)[:, :2]
    assert seen.layers[0].gate.layer == 1 and np.array_equal(seen.layers[0].load[0], np.bincount(want.ravel()))
    same_rule = Rule("sigmoid")
    z = logits.numpy()
    assert of_logits([z.reshape(2, 1500, 8)], 3, rule=same_rule).layers[0].n == 3000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: of_states([GATE], [X[:, :5]]), r"the inputs of g have shape \(3000, 5\)"),
        (lambda: of_states([GATE], []), "There are 1 gates and 0 arrays"),
        (lambda: of_states([GATE], [X], mask=np.zeros(3000)), "mask leaves out every token"),
        (
            lambda: of_states([GATE], [np.full((2, 20), np.float16(np.inf))]),
            r"g: the input of token 0 is inf at 0: run the model in",
        ),
        (lambda: of_states([PLAIN], [np.full((2, 20), np.float16(np.inf))]), r"p: the input of token 0 is inf at 0"),
        (lambda: of_choices(np.full((1, 1, 1), 99_999)), "choices name 100,000 experts in 1 layers"),
        (lambda: of_choices(np.full((1, 40, 1), 2047)), "at most 134,217,728 pairs in all"),
        (
            lambda: of_logits([np.zeros((1, 10**5))], 2),
            "layer 0 has 100,000 experts: pairs are counted of at most 4,096",
        ),
        (lambda: of_logits([], 2), "There are no logits"),
        (lambda: of_logits([np.full((2, 4), np.nan)], 2), "layer 0 hold NaN"),
        (lambda: of_logits([np.zeros((2, 4))], 5), r"have shape \(2, 4\)"),
    ],
)
def test_inputs_that_cannot_be_routed_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def counted(layer, names=("load", "tokens", "together")):
    return [getattr(layer, name).tolist() for name in names] + [layer.n, layer.sets.hits.tolist()]


def test_the_own_choice_of_a_gate_and_its_sums_are_those_of_float64(monkeypatch):
    monkeypatch.setattr("tropviz.core.capture.stream.WAITING_SETS", 900)
    rows, random = X.astype(np.float64), np.random.default_rng(3)
    twins = np.concatenate([PLAIN.W, PLAIN.W[:3]])  # of which the first wins
    for gate in (PLAIN, Gate(0, "t", twins, 5), Gate(0, "b", PLAIN.W, 4, b=random.normal(size=30)), GATE):
        one, other = Stream(gate, "g"), Stream(gate, "g")
        for lo in range(0, 3000, 500):
            one.add(torch.from_numpy(X[lo : lo + 500]))
            other.add(torch.from_numpy(X[lo : lo + 500]), gate.active_sets(rows[lo : lo + 500]), recomputed=True)
        assert counted(one.layer) == counted(other.layer)
        assert np.array_equal(one.layer.sample.y, other.layer.sample.y)
        y, found = rows @ gate.coordinates.T, one.layer.moments
        np.testing.assert_allclose(found.yy, y.T @ y, rtol=1e-4, atol=1e-5 * np.trace(y.T @ y))
        np.testing.assert_allclose(found.y, y.sum(axis=0), atol=1e-5 * np.abs(y).sum())
        np.testing.assert_allclose([found.square, *found.total], [np.square(rows).sum(), *rows.sum(axis=0)], rtol=1e-4)


def test_scores_tell_the_coordinates_only_where_no_direction_is_weak():
    from tropviz.core.capture.inputs import Inputs

    weak = PLAIN.W[:8].copy()
    weak[1] = weak[0] + 1e-6 * weak[2]
    good, bad = (Inputs(gate, gate.coordinates) for gate in (PLAIN, Gate(0, "w", weak, 3)))
    assert good._back is not None and bad._back is None and len(bad.Q) == 7
    rows = torch.from_numpy(X)
    bad.choose(rows)
    y = X.astype(np.float64) @ bad.Q.T
    np.testing.assert_allclose(np.diag(bad.moments.yy), np.square(y).sum(axis=0), rtol=1e-3)


def test_work_that_was_stopped_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr("tropviz.core.capture.states.CHUNK", 20 * 400)
    monkeypatch.setattr("tropviz.core.capture.reservoir.SIZE", 700)
    gates, states, keep = [PLAIN, GATE], [X, X[::-1]], tmp_path / "kept.npz"
    whole, told = of_states(gates, states), []

    def stop(share):
        told.append(share)
        if len(told) in (3, 4, 11):
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            of_states(gates, states, progress=stop, keep=keep)
        assert keep.exists()
    with pytest.raises(ValueError, match=r"kept\.npz holds other work: give another name"):
        of_states(gates, states, seed=1, keep=keep)
    same(of_states(gates, states, progress=stop, keep=keep), whole)
    assert len(told) == 16 and told == sorted(set(told)) and not list(tmp_path.iterdir())


def test_a_copy_is_kept_now_and_then(tmp_path, monkeypatch):
    monkeypatch.setattr("tropviz.core.capture.kept.EVERY", -1.0)
    monkeypatch.setattr("tropviz.core.capture.states.CHUNK", 20 * 400)
    keep, bad = tmp_path / "kept.npz", X.copy()
    bad[1000, 3] = np.nan
    with pytest.raises(ValueError, match="is nan at 3"):
        of_states([PLAIN], [bad], keep=keep)
    assert load(keep).layers[0].n == 800
    same(of_states([PLAIN], [X], keep=keep), of_states([PLAIN], [X]))
