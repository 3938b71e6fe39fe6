"""How unevenly experts are loaded: coefficient of variation and Switch loss, of a sample and of all data.

Both are quadratic in shares, so a sample shows more imbalance than there is: an even router looks uneven. The interval
is that of the unbiased form, which counts pairs of different points, and its error is found by leaving out each point.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.router import Array

#: Standard errors either way.
ERRORS = 1.96
#: What happens to this many points of all n on average is missed by a sample in 2.5 %: it may be as far off as can be.
MISSED = 3.69


def imbalance(load: Any) -> float:
    """Coefficient of variation of the experts' loads, population form: standard deviation over mean.

    >>> imbalance([2, 2, 2]), imbalance([1, 0])
    (0.0, 1.0)
    """
    x = np.asarray(load, dtype=np.float64)
    return float(x.std() / x.mean()) if x.sum() else 0.0


def switch_loss(load: Any, mean_gate: Any) -> float:
    """``N sum f_i P_i``: f_i the share of the n k choices that went to expert i, P_i its mean softmax probability.

    1 for a perfectly even router, up to N.

    References
    ----------
    Fedus, Zoph, Shazeer, Switch Transformers, JMLR 23 (2022), equation 4, with f_i over all k choices.

    Examples
    --------
    >>> switch_loss([5, 5], [0.5, 0.5]), switch_loss([10, 0], [1.0, 0.0])
    (1.0, 2.0)
    """
    f = np.asarray(load, dtype=np.float64)
    p = np.asarray(mean_gate, dtype=np.float64)
    return float(len(f) * (f / f.sum()) @ p) if f.sum() else 0.0


def sampled_imbalance(sets: NDArray[np.int64], hits: NDArray[np.int64], N: int) -> Count:
    """Coefficient of variation with a 95 % interval for all data.

    Parameters
    ----------
    sets : (m, k) int64
        Active sets that were hit.
    hits : (m,) int64
        Points in each.
    N : int

    Notes
    -----
    ``CV^2 = N/k^2 sum q_i^2 - 1``, q_i the share of the points that use expert i; the interval is 1.96 errors round the
    unbiased form of it, holds the sample's own value, and allows for what was too rare to be seen. Simulated as for
    `estimated_entropy`, even routers (CV = 0) included: it covered in 95 to 100 of 100.

    Examples
    --------
    >>> cv = sampled_imbalance(np.array([[0], [1]]), np.array([330, 270]), 2)
    >>> cv.value, tuple(round(end, 2) for end in cv.interval)
    (0.1, (0.0, 0.16))
    """
    n, k = int(hits.sum()), sets.shape[1]
    load = np.bincount(sets.ravel(), weights=np.repeat(hits, k), minlength=N)
    value, most = imbalance(load), math.sqrt((N - k) / k)
    what = "standard deviation over mean of the experts' loads"
    if n < 3:
        return Count(value, "sampled", what, "fewer than three points say nothing about the rest", (0.0, most))
    pairs = float((load * (load - 1)).sum())
    square = N * pairs / (k * k * n * (n - 1)) - 1
    shared = (load - 1)[sets].sum(axis=1)  # points that a point of this set shares experts with
    left_out = N * (pairs - 2 * shared) / (k * k * (n - 1) * (n - 2)) - 1
    half = ERRORS * _error(left_out, hits)
    low, high = (math.sqrt(max(0.0, square + side * half)) for side in (-1, 1))
    rare = MISSED * most / n
    interval = (max(0.0, min(low, value) - rare), min(most, max(high, value) + rare))
    return Count(value, "sampled", what, "95 % interval, by leaving out each point", interval)


def sampled_switch_loss(members: NDArray[np.int64], gates: Array) -> Count:
    """Switch loss with a 95 % interval for all data.

    Parameters
    ----------
    members : (n, k) int64
        Active set of every point.
    gates : (n, N) float64
        Softmax of every point.

    Notes
    -----
    As `sampled_imbalance`, for ``N sum f_i P_i``.

    Examples
    --------
    >>> even = sampled_switch_loss(np.array([[0], [1]] * 50), np.array([[0.7, 0.3], [0.3, 0.7]] * 50))
    >>> even.value, even.interval[0] <= 1 <= even.interval[1]
    (1.0, True)
    """
    (n, N), k = gates.shape, members.shape[1]
    load, total = np.bincount(members.ravel(), minlength=N).astype(np.float64), gates.sum(axis=0)
    value = switch_loss(load, total / n)
    what = "N times the sum of f_i P_i"
    if n < 3:
        return Count(value, "sampled", what, "fewer than three points say nothing about the rest", (0.0, N / k))
    own = np.take_along_axis(gates, members, axis=1).sum(axis=1)
    pairs = float(load @ total - own.sum())
    mixed = total[members].sum(axis=1) + gates @ load - 2 * own  # of all pairs, those with this point
    loss = N * pairs / (k * n * (n - 1))
    left_out = N * (pairs - mixed) / (k * (n - 1) * (n - 2))
    most = N / k  # no share of the choices exceeds 1 / k
    half = ERRORS * _error(left_out, np.ones(n)) + MISSED * most / n
    interval = (max(0.0, min(loss - half, value)), min(most, max(loss + half, value)))
    return Count(value, "sampled", what, "95 % interval, by leaving out each point", interval)


def _error(left_out: Array, times: Any) -> float:
    """Jackknife standard error from the values without one point, each that many times."""
    n = float(np.sum(times))
    mean = float((times * left_out).sum()) / n
    return math.sqrt((n - 1) / n * float((times * (left_out - mean) ** 2).sum()))
