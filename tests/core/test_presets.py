"""Presets: growing any size keeps what was there, shapes are right, wrong sizes are refused by name."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz import Router
from tropviz.core import presets

SIZES = st.tuples(st.integers(2, 12), st.integers(1, 4), st.integers(0, 2**63 - 1))


@settings(max_examples=40, deadline=None)
@given(SIZES, st.integers(0, 3), st.integers(0, 2), st.integers(1, 4))
def test_growing_keeps_earlier_experts(sizes, more_n, more_d, H):
    N, d, seed = sizes
    W, b = presets.random_affine(N, d, seed)
    bigger, b2 = presets.random_affine(N + more_n, d + more_d, seed)
    assert np.array_equal(bigger[:N, :d], W) and np.array_equal(b2[:N], b)
    assert np.array_equal(presets.random_linear(N, d, seed)[0], W)
    U, c = presets.random_experts(N, H, d, seed)
    U2, c2 = presets.random_experts(N + more_n, H + 1, d + more_d, seed)
    assert np.array_equal(U2[:N, :H, :d], U) and np.array_equal(c2[:N, :H], c)


def test_streams_are_independent_standard_normals():
    W, b = presets.random_affine(4000, 3, seed=5)
    U, c = presets.random_experts(500, 4, 2, seed=5)
    columns = np.column_stack([W, b])
    assert abs(np.corrcoef(columns.T) - np.eye(4)).max() < 0.07
    flat = np.column_stack([*(U[:, h, j] for h in range(4) for j in range(2)), *c.T])
    assert abs(np.corrcoef(flat.T) - np.eye(12)).max() < 0.25
    assert abs(columns.mean()) < 0.05 and abs(columns.std() - 1) < 0.05
    assert not np.array_equal(W, presets.random_affine(4000, 3, seed=6)[0])


@pytest.mark.parametrize("name", presets.PRESETS)
def test_a_preset_is_there_in_its_spaces_and_draws_only_from_its_seed(name):
    low, high = presets.spaces(name)
    for d in range(low, min(high, 6) + 1):
        try:
            first, other, more = (table(name, N, d, seed) for N, seed in ((9, 3), (9, 4), (12, 3)))
        except ValueError as problem:
            pytest.fail(f"{name} in d = {d}: {problem} Say in presets.SPACES where it is there.")
        assert first.shape == (9, d + 1)
        assert np.array_equal(first, other) != presets.seeded(name), f"{name} takes a seed if, and only if, it uses it"
        if presets.seeded(name):
            assert np.array_equal(more[:9], first), f"{name}: expert i of N = 9 is expert i of N = 12"


def table(name: str, N: int, d: int, seed: int) -> np.ndarray:
    """W and b side by side."""
    W, b = presets.preset(name, N, d, seed)
    return np.column_stack([W, np.zeros(N) if b is None else b])


@pytest.mark.parametrize("N", [3, 5, 8, 13])
def test_polygon_routes_equal_angles(N):
    W, _ = presets.regular_polygon(N)
    angle = 2 * np.pi * (np.arange(N * 200) + 0.5) / (N * 200)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    for k in range(1, N):
        sets, hits = np.unique(Router(W, None, k).active_sets(X), axis=0, return_counts=True)
        assert len(sets) == N and hits.min() == hits.max() == 200
    assert np.allclose(np.linalg.norm(presets.regular_polygon(N, 3)[0], axis=1), 1)


def test_sphere_set_is_evenly_spread():
    W, _ = presets.regular_polygon(100, 3)
    gap = np.sort(W @ W.T, axis=1)[:, -2]
    assert np.degrees(np.arccos(gap)).min() > 12  # a perfect packing of 100 points has about 20 degrees
    assert np.abs(W.mean(axis=0)).max() < 0.02


def test_moment_curve_is_an_affine_image_of_the_monomials():
    N, d = 9, 4
    W, _ = presets.moment_curve(N, d)
    t = W[:, 0] / np.sqrt(2)
    assert (np.diff(t) > 0).all()
    monomials = np.column_stack([t**j for j in range(d + 1)])
    fit, *_ = np.linalg.lstsq(monomials, W, rcond=None)
    assert np.allclose(monomials @ fit, W) and abs(np.linalg.det(fit[1:])) > 1


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: presets.random_linear(1, 2), "N"),
        (lambda: presets.random_linear(True, 2), "N"),
        (lambda: presets.random_linear(8.0, 2), "N"),
        (lambda: presets.random_linear(4097, 2), "N"),
        (lambda: presets.random_linear(8, 0), "d"),
        (lambda: presets.random_linear(4096, 16384 + 1), "d"),
        (lambda: presets.random_affine(8, 2, -1), "seed"),
        (lambda: presets.random_experts(8, 0, 2), "H"),
        (lambda: presets.random_experts(4096, 16384, 2), "N × H × d"),
        (lambda: presets.regular_polygon(8, 4), "d"),
        (lambda: presets.moment_curve(0), "N"),
    ],
)
def test_wrong_sizes_are_refused_by_name(call, name):
    with pytest.raises(ValueError, match=rf"^{name} .*: .*\.$"):
        call()


def test_results_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        presets.moment_curve(4)[0][0, 0] = 1
