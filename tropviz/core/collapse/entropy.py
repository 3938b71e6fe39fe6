"""Routing entropy: of a sample, and of all data as far as a sample can tell.

The entropy of a sample is too low, because sets that were never hit are missing in it: 600 points cannot show more
than log2 600 bits. Where most of the probability has been seen, the rest is estimated and the estimate has an
interval; elsewhere only a lower bound is given.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tropviz.core.collapse.fullest import fullest_interval

#: Share of the probability that must have been seen, and points, for an interval with two ends.
SEEN_ENOUGH, POINTS_ENOUGH = 0.9, 100
#: Standard errors either way: more than 1.96, because the error is not quite normal.
ERRORS = 2.2
#: The upper end allows for a rest so many times the estimated one.
REST = 2.5
#: Standard errors of the lower bound alone.
ERRORS_BELOW = 1.96


def entropy_bits(counts: Any) -> float:
    """Entropy in bits of the shares counts / sum(counts).

    >>> entropy_bits([1, 1, 2]), entropy_bits([7])
    (1.5, 0.0)
    """
    c = np.asarray(counts, dtype=np.float64)
    c = c[c > 0]
    n = c.sum()
    return max(0.0, float(math.log2(n) - (c * np.log2(c)).sum() / n)) if n else 0.0


class Entropy(NamedTuple):
    """What a sample says about the entropy of all data, in bits."""

    #: estimate, with an allowance for the sets not hit
    estimate: float
    #: what lies below the entropy in 95 of 100 samples
    bound: float
    #: 95 % interval; None where too much has not been seen
    interval: tuple[float, float] | None


def estimated_entropy(counts: Any) -> Entropy:
    """Entropy of the distribution that a sample was drawn from.

    Parameters
    ----------
    counts : array-like of int, shape (m,)
        Points in each set that was hit; zeros are ignored.

    Raises
    ------
    ValueError
        For no points.

    Notes
    -----
    ``sum_i c_i/n (psi(n) - psi(c_i))`` is never above the entropy on average, and misses it by what sets rarer than
    about 1/n contribute; that rest is estimated from how many sets were hit once and twice (Chao, Wang, Jost). The
    error is that of leaving out each point in turn. The interval reaches from 2.2 errors below the first sum to 2.2
    above it with 2.5 times the rest; near collapse, where a few points outside the fullest set decide, at least to the
    entropy of as many of them as the interval of the fullest set allows. Where less than 90 % of the probability was
    seen (1 - sets hit once / n), or n < 100, there is no interval.

    Simulated with seeds for (8,2), (16,4), (64,8) and (256,8) in 2, 3 and 8 dimensions, offsets 0 to 20, two sets of
    0.01 % to 3 %, powers of a half and n = 50 to 2,000 (`tests/core/collapse/test_intervals.py`): what is given, the
    interval or the bound, held in 95 to 100 of 100.

    References
    ----------
    A. Chao, Y. T. Wang, L. Jost, Entropy and the species accumulation curve, Methods Ecol. Evol. 4 (2013).

    Examples
    --------
    >>> seen = estimated_entropy([150, 150, 300])
    >>> round(seen.estimate, 3), tuple(round(end, 2) for end in seen.interval)
    (1.502, (1.46, 1.55))
    >>> few = estimated_entropy([1] * 100)  # a hundred points in a hundred sets: it may be any number of sets
    >>> few.interval is None, round(few.bound, 1)
    (True, 7.5)
    """
    c = np.asarray(counts, dtype=np.int64)
    c = c[c > 0]
    n = int(c.sum())
    if not n:
        raise ValueError("counts holds no point: give the points in each set, at least one.")
    below, error = _below(c)
    rest = _rest(c)
    bound = max(0.0, below - ERRORS_BELOW * error)
    if n < POINTS_ENOUGH or 1 - np.count_nonzero(c == 1) / n < SEEN_ENOUGH:
        return Entropy(below + rest, bound, None)
    least = float(fullest_interval(int(c.max()), n)[0])
    others = np.delete(c, c.argmax())
    near = entropy_bits([least, 1 - least]) + (1 - least) * entropy_bits(others)
    high = max(below + REST * rest + ERRORS * error, near)
    return Entropy(below + rest, bound, (max(0.0, below - ERRORS * error), high))


def _below(c: NDArray[np.int64]) -> tuple[float, float]:
    """The sum that is never too high on average, and its standard error by leaving out each point in turn; bits."""
    from scipy.special import psi

    n = int(c.sum())
    size, times = np.unique(c, return_counts=True)
    value = float((size * times * (psi(n) - psi(size))).sum()) / n
    if n < 3:
        return value / math.log(2), value / math.log(2)
    whole = float((size * times * (psi(n - 1) - psi(size))).sum())
    less = (size - 1) * (psi(n - 1) - psi(np.maximum(size - 1, 1)))
    left_out = (whole - size * (psi(n - 1) - psi(size)) + less) / (n - 1)
    weight = size * times / n
    spread = float((weight * (left_out - (weight * left_out).sum()) ** 2).sum())
    return value / math.log(2), math.sqrt((n - 1) * spread) / math.log(2)


def _rest(c: NDArray[np.int64]) -> float:
    """Bits of sets rarer than one point, estimated from the sets hit once and twice."""
    n, once, twice = int(c.sum()), int((c == 1).sum()), int((c == 2).sum())
    if not once or (once == 1 and not twice) or n < 3:
        return 0.0
    a = 2 * twice / ((n - 1) * once + 2 * twice) if twice else 2 / ((n - 1) * (once - 1) + 2)
    # (1 - a)^(1 - n) (-log a - sum_{r < n} (1 - a)^r / r) is the sum over r >= n of (1 - a)^(r - n + 1) / r
    r = np.arange(1, n)
    tail = -math.log(a) - float(((1 - a) ** r / r).sum())
    return max(0.0, once / n * math.exp((1 - n) * math.log1p(-a)) * tail) / math.log(2)
