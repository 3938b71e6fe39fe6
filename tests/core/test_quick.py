"""Float32 with proof: what it is sure of is right, also next to a wall; points are taken as they come, in chunks."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz import Router
from tropviz.core import router as module
from tropviz.core.quick import Quick, full_precision


def near_walls(random, W, b, n, width):
    """Points at about `width` times their length from the wall of the k-th and the next expert."""
    X = random.normal(size=(n, W.shape[1]))
    order = np.argsort(-(X @ W.T + b), axis=1)
    normal = W[order[:, 1]] - W[order[:, 2]]
    gap = np.einsum("nd,nd->n", X, normal) + b[order[:, 1]] - b[order[:, 2]]
    X -= (gap / np.square(normal).sum(axis=1))[:, None] * normal
    return X + normal * (width * random.normal(size=n) / np.linalg.norm(normal, axis=1))[:, None]


@given(st.integers(0, 10**6), st.sampled_from([2, 60, 700]), st.sampled_from([1e-2, 1e-5, 1e-7, 1e-9]))
@settings(max_examples=40)
def test_what_float32_is_sure_of_is_right(seed, d, width):
    random = np.random.default_rng(seed)
    W, b = random.normal(size=(12, d)) * 10.0 ** random.integers(-3, 4), random.normal(size=12) * random.integers(0, 2)
    X = near_walls(random, W, b, 200, width * np.sqrt(d))
    members, doubtful = Quick(W, b).active_sets(torch.from_numpy(X).float(), 2)
    exact = np.sort(np.argsort(-(X @ W.T + b), axis=1, kind="stable")[:, :2], axis=1)
    sure = ~np.isin(np.arange(len(X)), doubtful)
    assert np.array_equal(members[sure], exact[sure])
    if width >= 1e-2:
        assert sure.mean() > 0.5
    else:
        ranked = -np.sort(-(X @ W.T + b), axis=1)
        close = ranked[:, 1] - ranked[:, 2] < 1e-8 * np.abs(ranked).max(axis=1)
        assert not sure[close].any()


@pytest.mark.parametrize("size", [1e-40, 1e-20, 1.0, 1e20, 1e60])
def test_any_unit_of_points_and_weights_gives_the_same_sets(size, monkeypatch):
    monkeypatch.setattr(module, "SMALL", 0)
    random = np.random.default_rng(0)
    W, X = random.normal(size=(20, 6)), random.normal(size=(300, 6))
    want = Router(W, None, 3).active_sets(X)
    assert np.array_equal(Router(W * size, None, 3).active_sets(X / 3), want)
    assert np.array_equal(Router(W, None, 3).active_sets(X * size), want)
    assert np.array_equal(Router(W * 1e-30, np.ones(20), 3).active_sets(X * 0), [[0, 1, 2]] * 300)


def test_points_of_every_kind_are_routed_alike(tmp_path):
    random = np.random.default_rng(1)
    router = Router(random.normal(size=(64, 300)), None, 4)
    X = random.normal(size=(6000, 300)).astype(np.float16).astype(np.float32)
    want = np.sort(np.argsort(-(X.astype(np.float64) @ router.W.T), axis=1)[:, :4], axis=1)
    np.save(tmp_path / "x.npy", X)
    kinds = [X, X.astype(np.float64), X.astype(np.float16), torch.from_numpy(X), X.astype(">f4"), X[:, ::-1][:, ::-1]]
    for points in [*kinds, np.load(tmp_path / "x.npy", mmap_mode="r"), torch.from_numpy(X).half()]:
        assert np.array_equal(router.active_sets(points), want)
    bad = X.copy()
    bad[5000, 7] = np.inf
    with pytest.raises(ValueError, match=r"X\[5000, 7\] is inf"):
        router.active_sets(bad)


def test_a_memory_map_is_taken_chunk_by_chunk(tmp_path):
    random = np.random.default_rng(2)
    X = random.normal(size=(60_000, 512)).astype(np.float32)  # 123 MB; four times that in the float64 of old
    np.save(tmp_path / "x.npy", X)
    router, mapped = Router(random.normal(size=(64, 512)), None, 4), np.load(tmp_path / "x.npy", mmap_mode="r")
    router.active_sets(mapped[:1000])
    tracemalloc.start()
    router.active_sets(mapped)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000


def test_lower_precision_of_torch_is_not_trusted(monkeypatch):
    assert full_precision()
    before = torch.backends.mkldnn.matmul.fp32_precision
    torch.backends.mkldnn.matmul.fp32_precision = "bf16"
    monkeypatch.setattr(Quick, "active_sets", lambda *_: pytest.fail("float32 was used"))
    random = np.random.default_rng(3)
    try:
        Router(random.normal(size=(64, 8)), None, 2).active_sets(random.normal(size=(9000, 8)))
    finally:
        torch.backends.mkldnn.matmul.fp32_precision = before
