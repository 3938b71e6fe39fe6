"""Router: scores, ties, margins, and one sentence for every wrong input."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz import Router
from tropviz.core import router as module
from tropviz.core.router import merge


def slow_active_set(scores: np.ndarray, k: int) -> list[int]:
    return sorted(sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k])


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_active_sets_of_integers_equal_a_plain_sort(seed: int, N: int, d: int) -> None:
    random = np.random.default_rng(seed)
    W, b, X = random.integers(-2, 3, (N, d)), random.integers(-2, 3, N), random.integers(-2, 3, (30, d))
    k = int(random.integers(1, N + 1))
    router = Router(W, b, k)
    want = [slow_active_set(row, k) for row in X @ W.T + b]
    assert router.active_sets(X).tolist() == want
    assert router.scores(X).tolist() == (X @ W.T + b).tolist()
    assert router.tropical(X).tolist() == [sum(s[i] for i in c) for s, c in zip(X @ W.T + b, want, strict=True)]


@pytest.mark.parametrize("n", [3, 5000])
def test_torch_and_numpy_agree_with_ties_everywhere(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(n)
    W, X = random.integers(-1, 2, (20, 3)), random.integers(-2, 3, (n, 3)).astype(float)
    router = Router(W, None, 6)
    monkeypatch.setattr(module, "SMALL", 0)
    by_torch = router.active_sets(X)
    monkeypatch.setattr(module, "SMALL", 10**9)
    by_numpy = router.active_sets(X)
    assert (by_torch == by_numpy).all()
    assert by_numpy.tolist() == [slow_active_set(row, 6) for row in X @ W.T]


def test_identical_experts_never_split_whatever_the_batch() -> None:
    random = np.random.default_rng(0)
    base = random.normal(size=(40, 64))
    W = np.concatenate([base, base[::-1]])
    router = Router(W, None, 9)
    X = random.normal(size=(3000, 64))
    sets = router.active_sets(X)
    # Of twins i and 79 - i the lower index is taken first.
    for row in sets:
        high = row[row >= 40]
        assert np.isin(79 - high, row).all()
    assert (router.scores(X)[:, :40] == router.scores(X)[:, :39:-1]).all()


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    router, X = Router(random.normal(size=(12, 3)), random.normal(size=12), 4), random.normal(size=(100, 3))
    whole = [router.active_sets(X), router.scores(X), router.tropical(X), router.margin(X)]
    monkeypatch.setattr(module, "CHUNK", 50)
    parts = [router.active_sets(X), router.scores(X), router.tropical(X), router.margin(X)]
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_margin_is_the_distance_to_another_active_set() -> None:
    random = np.random.default_rng(2)
    router = Router(random.normal(size=(9, 2)), random.normal(size=9), 3)
    X = random.normal(size=(40, 2))
    angles = np.linspace(0, 2 * np.pi, 3601)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for x, margin in zip(X, router.margin(X), strict=True):
        here = router.active_sets(x[None])
        assert (router.active_sets(x + 0.999 * margin * circle) == here).all()
        assert (router.active_sets(x + 1.001 * margin * circle) != here).any()


def test_margin_skips_twins_and_parallel_experts() -> None:
    assert Router([[1.0, 0.0], [1.0, 0.0]], [0.0, 5.0], 1).margin([[3.0, 4.0]]).tolist() == [np.inf]
    assert Router([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]], None, 1).margin([[3.0, 4.0]]).tolist() == [3.0]
    assert Router([[1.0], [2.0]], None, 2).margin([[1.0]]).tolist() == [np.inf]


@pytest.mark.parametrize("factor", [2.0**-990, 2.0**-300, 2.0**300, 2.0**990])
def test_a_common_factor_changes_no_set_and_no_margin(factor: float) -> None:
    random = np.random.default_rng(3)
    W, b, X = random.normal(size=(9, 3)), random.normal(size=9), random.normal(size=(50, 3)) * 100
    one, other = Router(W, b, 3), Router(W * factor, b * factor, 3)
    assert (one.active_sets(X) == other.active_sets(X)).all()
    np.testing.assert_allclose(other.margin(X), one.margin(X), rtol=1e-12)


def test_tensors_lists_and_integers_become_float64() -> None:
    W = [[1, 2], [3, 4], [5, 7]]
    want = Router(W, [1, 2, 3], 1)
    for other in (np.array(W, dtype=np.int8), torch.tensor(W), torch.tensor(W, dtype=torch.bfloat16), np.float32(W)):
        assert (Router(other, torch.tensor([1.0, 2.0, 3.0], requires_grad=True), 1).W == want.W).all()
    assert want.W.dtype == np.float64
    assert want.active_sets(torch.zeros(4, 2, dtype=torch.bfloat16)).tolist() == [[2]] * 4
    with pytest.raises(ValueError, match="read-only"):
        want.W[0, 0] = 1


def test_the_weights_given_are_not_shared() -> None:
    W = np.zeros((2, 2))
    router = Router(W, None, 1)
    W[0, 0] = 9
    assert router.W[0, 0] == 0


@pytest.mark.parametrize(
    ("W", "b", "k", "words"),
    [
        ([1.0, 2.0], None, 1, "one row per expert"),
        (np.zeros((0, 2)), None, 1, "at least one expert"),
        (np.zeros((2, 0)), None, 1, "at least one expert"),
        ([[1.0], [2.0, 3.0]], None, 1, "equal length"),
        ([[1.0, 1j]], None, 1, "rectangular array of numbers"),
        ([["a", "b"]], None, 1, "rectangular array of numbers"),
        ([[1.0], [np.nan]], None, 1, r"W\[1, 0\] is nan"),
        ([[1.0], [2.0]], [0.0, np.inf], 1, r"b\[1\] is inf"),
        ([[1.0], [2.0]], [0.0], 1, "one number for each of the 2 rows"),
        ([[1.0], [2.0]], [[0.0], [1.0]], 1, "one number for each of the 2 rows"),
        ([[1.0], [2.0]], None, 0, "between 1 and the number of experts, 2"),
        ([[1.0], [2.0]], None, 3, "between 1 and the number of experts, 2"),
        ([[1.0], [2.0]], None, 1.0, "whole number"),
        ([[1.0], [2.0]], None, True, "whole number"),
        ([[1.0], [2.0]], None, "1", "whole number"),
        ([[10**400]], None, 1, "rectangular array of numbers"),
    ],
)
def test_wrong_routers_are_refused_with_the_entry_named(W: object, b: object, k: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Router(W, b, k)


@pytest.mark.parametrize("method", ["scores", "active_sets", "tropical", "margin"])
@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([1.0, 2.0], "one row of 2 numbers"),
        ([[1.0]], "one row of 2 numbers"),
        ([[1.0, 2.0], [3.0, np.nan]], r"X\[1, 1\] is nan"),
        ([[1.0, 2.0], [-np.inf, 1.0]], r"X\[1, 0\] is -inf"),
    ],
)
def test_wrong_points_are_refused(method: str, X: object, words: str) -> None:
    for W in (np.eye(2), np.zeros((3, 2)), -np.ones((3, 2))):
        with pytest.raises(ValueError, match=words):
            getattr(Router(W, None, 1), method)(X)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_torch_chunks_refuse_infinite_points_too(bad: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALL", 0)
    X = np.ones((9, 2))
    X[7, 1] = bad
    for W in (np.eye(2), np.zeros((3, 2)), -np.ones((3, 2)), [[1.0, 0.0], [2.0, 0.0]]):
        with pytest.raises(ValueError, match=r"X\[7, 1\]"):
            Router(W, None, 1).active_sets(X)
    with pytest.raises(ValueError, match="divide X"):
        Router(1e100 * np.eye(2), None, 1).active_sets(np.full((2, 2), 1e250))
    alike = Router(np.full((2, 2), 1e100), None, 1)  # nothing is compared
    assert alike.active_sets(np.full((2, 2), 1e250)).tolist() == [[0], [0]]


def test_no_points_give_no_rows() -> None:
    router = Router(np.eye(3), None, 2)
    none = np.zeros((0, 3))
    assert router.active_sets(none).shape == (0, 2)
    assert router.scores(none).shape == (0, 3)
    assert router.margin(none).shape == router.tropical(none).shape == (0,)


def test_small_batches_do_not_wait_for_torch() -> None:
    code = (
        "import sys, numpy as np; from tropviz import Router; r = Router(np.eye(8), None, 2);"
        "r.active_sets(np.ones((600, 8))); r.margin(np.ones((9, 8))); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_masked_expert_takes_no_digits_from_the_others() -> None:
    W, X = np.random.default_rng(0).normal(size=(5, 3)), np.random.default_rng(1).normal(size=(2000, 3))
    X[:, 0] = X[:, 1] * (1 + 1e-15 * X[:, 2])
    masked = Router(np.vstack([W, [1, 1, 1]]), [0, 0, 0, 0, 0, -np.finfo(float).max], 2)
    assert np.array_equal(masked.active_sets(X), Router(W, None, 2).active_sets(X))
    far = Router([[-3e-231, 1.0], [0.0, 3e200]], [-1e-21, -1e-94], 1)  # the small weight decides far out
    assert far.active_sets([[-1e211, 0.0], [1e211, 0.0]]).tolist() == [[0], [1]]


def test_merge_keeps_the_order_and_counts_copies() -> None:
    rows = np.array([[3.0], [1.0], [3.0], [-0.0], [0.0], [3.0]])
    distinct, class_of, place, copies = merge(rows)
    assert distinct.ravel().tolist() == [3, 1, 0]
    assert class_of.tolist() == [0, 1, 0, 2, 2, 0]
    assert place.tolist() == [0, 0, 1, 0, 1, 2]
    assert copies.tolist() == [3, 1, 2]


def test_results_are_read_only() -> None:
    router = Router([[1, 2], [3, 4], [0, -1]], k=2)
    X = [[0.5, 1.0], [2.0, -1.0]]
    for result in (router.active_sets(X), router.scores(X), router.tropical(X), router.margin(X)):
        assert not result.flags.writeable


def test_scores_beyond_float64_are_refused_not_returned_as_infinity() -> None:
    router = Router([[1e300, 0], [0, -1e300]], k=1)
    for ask in (router.scores, router.tropical):
        with pytest.raises(ValueError, match=r"The scores of X\[1\] exceed the range of float64"):
            ask([[1.0, 1.0], [1e10, 1e10]])


def test_a_margin_refuses_nan_also_where_every_expert_is_active() -> None:
    with pytest.raises(ValueError, match=r"X\[0, 1\] is nan"):
        Router([[1.0, 2], [3, 4]], k=2).margin([[0.0, np.nan]])


def test_a_torch_that_another_thread_is_importing_is_not_waited_for(monkeypatch):
    half = ModuleType("torch")
    half.__spec__ = ModuleSpec("torch", None)
    half.__spec__._initializing = True
    router = Router(np.random.default_rng(0).normal(size=(64, 2)), k=8)
    X = np.random.default_rng(1).normal(size=(600, 2))
    expected = router.active_sets(X)
    monkeypatch.setitem(sys.modules, "torch", half)
    monkeypatch.setattr(Router, "_select_torch", lambda *_: pytest.fail("waited for torch"))
    assert np.array_equal(router.active_sets(X), expected)
    half.__spec__._initializing = False
    assert module.torch_is_there()


@pytest.mark.parametrize("n", [40, 4000])  # so few that numpy answers, and more
@pytest.mark.parametrize("kind", ["lattice and a common 1e14", "one unit in the last place apart"])
def test_what_all_rows_have_in_common_costs_no_digits(kind, n):
    """Sets and margins against rational arithmetic, on the floats as they are."""
    random = np.random.default_rng(n)
    rows = random.integers(-3, 4, (9, 3)).astype(float)
    rows = 1e14 + rows if kind.startswith("lattice") else 1.0 + rows * 2.0**-52
    router = Router(rows[:, :2], rows[:, 2], k=3)
    points = np.concatenate([random.integers(-9, 10, (n - 20, 2)) / 4, random.integers(-9, 10, (20, 2)) * 1e5])
    sets, margins = router.active_sets(points), router.margin(points)
    exact = [[Fraction(v) for v in row] for row in rows.tolist()]
    for at in np.r_[:20, n - 20 : n]:
        x = [*map(Fraction, points[at].tolist()), Fraction(1)]
        scores = [sum(a * b for a, b in zip(row, x, strict=True)) for row in exact]
        order = sorted(range(9), key=lambda i: (-scores[i], i))
        assert sets[at].tolist() == sorted(order[:3])
        walls = [
            (scores[i] - scores[j]) ** 2 / sum((a - b) ** 2 for a, b in zip(exact[i][:2], exact[j][:2], strict=True))
            for i in order[:3]
            for j in order[3:]
            if exact[i][:2] != exact[j][:2]
        ]
        assert margins[at] == pytest.approx(float(min(walls)) ** 0.5, rel=1e-12, abs=1e-12)
