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
#: What either end of the number of sets hit once, or twice, may miss.
TAIL = 0.025
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


def estimated_entropy(counts: Any, most: float = math.inf) -> Entropy:
    """Entropy of the distribution that a sample was drawn from.

    Parameters
    ----------
    counts : array-like of int, shape (m,)
        Points in each set that was hit; zeros are ignored.
    most : float
        Largest entropy there can be, log2 of the number of all sets; where it is not known there is no interval.

    Raises
    ------
    ValueError
        For no points.

    Notes
    -----
    ``sum_i c_i/n (psi(n) - psi(c_i))`` is never above the entropy on average, and misses it by what sets rarer than
    about 1/n contribute; that rest is estimated from how many sets were hit once and twice (Chao, Wang, Jost). The
    error is that of leaving out each point in turn, and of the sets being used about evenly, where leaving one out
    changes nothing: the sum then falls short by a chi squared of m - 1 over 2n. The interval reaches from 2.2 errors
    below the first sum to 2.2 above it with 2.5 times the rest; and at least so far as if all that is rare were spread
    over as many sets as there can be and the sets hit twice allow. Near collapse, where a few points outside the
    fullest set decide, it reaches at least to the entropy of as many of them as the interval of the fullest set allows.
    Where less than 90 % of the probability was seen (1 - sets hit once / n), or n < 100, there is no interval.

    Simulated with seeds for (8,2), (16,4), (64,8) and (256,8) in 2, 3 and 8 dimensions, offsets 0 to 20, two sets of
    0.01 % to 3 %, two to 500 even ones, powers of a half, few sets beside 5 to 10 % spread over 50 to 2,000, and n = 3
    to 2,000 (`tests/core/collapse/test_intervals.py`): what is given, the interval or the bound, held in 95 to 100 of
    100.

    References
    ----------
    A. Chao, Y. T. Wang, L. Jost, Entropy and the species accumulation curve, Methods Ecol. Evol. 4 (2013).

    Examples
    --------
    >>> seen = estimated_entropy([150, 150, 300], most=math.log2(28))
    >>> round(seen.estimate, 3), tuple(round(end, 2) for end in seen.interval)
    (1.502, (1.46, 1.58))
    >>> few = estimated_entropy([1] * 100, most=10)  # a hundred points in a hundred sets: it may be any number of sets
    >>> few.interval is None, round(few.bound, 1)
    (True, 7.3)
    """
    c = np.asarray(counts, dtype=np.int64)
    c = c[c > 0]
    n = int(c.sum())
    if not n:
        raise ValueError("counts holds no point: give the points in each set, at least one.")
    below, error = _below(c)
    rest, bound = _rest(c), max(0.0, below - ERRORS_BELOW * error)
    if not math.isfinite(most) or n < POINTS_ENOUGH or 1 - np.count_nonzero(c == 1) / n < SEEN_ENOUGH:
        return Entropy(min(below + rest, most), min(bound, most), None)
    least = float(fullest_interval(int(c.max()), n)[0])
    others = np.delete(c, c.argmax())
    near = entropy_bits([least, 1 - least]) + (1 - least) * entropy_bits(others)
    high = max(below + REST * rest + ERRORS * error, below + _spread(c, most), near)
    low, high = (min(max(end, 0.0), most) for end in (below - ERRORS * error, high))
    return Entropy(min(below + rest, most), min(bound, most), (low, high))


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
    even = math.sqrt((len(c) - 1) / 2) / n
    return value / math.log(2), math.hypot(math.sqrt((n - 1) * spread), even) / math.log(2)


def _rest(c: NDArray[np.int64]) -> float:
    """Bits of sets rarer than one point, estimated from the sets hit once and twice."""
    n, once, twice = int(c.sum()), int((c == 1).sum()), int((c == 2).sum())
    if not once or (once == 1 and not twice) or n < 3:
        return 0.0
    a = 2 * twice / ((n - 1) * once + 2 * twice) if twice else 2 / ((n - 1) * (once - 1) + 2)
    return once / n * _missing(math.log(a), n)


def _spread(c: NDArray[np.int64], most: float) -> float:
    """Bits that may be missing: as much probability as the sets hit once allow, in sets as rare as those hit twice do.

    None of them is taken to be rarer than if there were 2^most of them.
    """
    from scipy.special import gammaincinv, psi

    n, once, twice = int(c.sum()), int((c == 1).sum()), int((c == 2).sum())
    often = float(gammaincinv(once + 1, 1 - TAIL))
    least = 2 * float(gammaincinv(twice, TAIL)) if twice else 0.0
    log_a = math.log(often / n) - most * math.log(2)
    if least:
        log_a = max(log_a, math.log(least / ((n - 1) * max(once, 1) + least)))
    return (often - once) / n * float(psi(n) - psi(1)) / math.log(2) + often / n * _missing(min(log_a, -1.0), n)


def _missing(log_a: float, n: int) -> float:
    """Bits that the sum of `_below` over n points misses of a set of probability a, over a."""
    # (1 - a)^(1 - n) (-log a - sum_{r < n} (1 - a)^r / r) is the sum over r >= n of (1 - a)^(r - n + 1) / r
    a, r = math.exp(log_a), np.arange(1, n)
    tail = -log_a - float(((1 - a) ** r / r).sum())
    return max(0.0, math.exp((1 - n) * math.log1p(-a)) * tail) / math.log(2)
