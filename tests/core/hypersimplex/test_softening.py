"""e_k at a temperature against the sum over all active sets, and its bounds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp, softmax

from tropviz.core.hypersimplex.softening import most_added, sharp_top, soft_top


@given(st.integers(2, 9), st.integers(1, 8), st.integers(0, 999), st.sampled_from([1e-3, 0.05, 0.7, 4.0, 1e4]))
def test_against_the_sum_over_all_sets(N: int, k: int, seed: int, tau: float) -> None:
    k = min(k, N - 1)
    s = np.random.default_rng(seed).normal(size=(5, N)) * 3
    sets = np.array(list(combinations(range(N), k)))
    value, share = soft_top(s, k, tau)
    sums = s[:, sets].sum(axis=2)
    np.testing.assert_allclose(value, tau * logsumexp(sums / tau, axis=1), rtol=1e-10, atol=1e-10 * tau)
    corners = np.zeros((len(sets), N))
    np.put_along_axis(corners, sets, 1.0, axis=1)
    np.testing.assert_allclose(share, softmax(sums / tau, axis=1) @ corners, atol=1e-9)
    np.testing.assert_allclose(share.sum(axis=1), k, rtol=1e-9)
    added = value - sharp_top(s, k)
    assert (added >= -1e-9 * (1 + tau)).all() and (added <= most_added(N, k, tau) * (1 + 1e-9)).all()


def test_from_the_middle_to_a_corner_and_the_most_is_attained():
    s = np.array([[3.0, -1, 2, 0.5, 0.4]])
    np.testing.assert_allclose(soft_top(s, 2, 1e9)[1], 0.4, rtol=1e-6)
    np.testing.assert_allclose(soft_top(s, 2, 1e-3)[1], [[1, 0, 1, 0, 0]], atol=1e-12)
    value = soft_top(np.full((1, 16), 7.0), 4, 0.3)[0]
    np.testing.assert_allclose(value - 28, most_added(16, 4, 0.3), rtol=1e-12)


def test_wide_routers_and_scores_of_any_size():
    s = np.random.default_rng(1).normal(size=(3, 256))
    for scale in (1e-200, 1.0, 1e200):
        value, share = soft_top(s * scale, 128, scale)
        assert np.isfinite(value).all()
        np.testing.assert_allclose(share.sum(axis=1), 128, rtol=1e-9)


@pytest.mark.parametrize(
    ("scores", "k", "tau", "said"),
    [([[1, 2]], 2, 1, "k = 2"), ([[1, 2]], 1, 0, "tau = 0"), ([[1, np.nan]], 1, 1, "finite")],
)
def test_bad_input(scores, k, tau, said):
    with pytest.raises(ValueError, match=said):
        soft_top(scores, k, tau)
