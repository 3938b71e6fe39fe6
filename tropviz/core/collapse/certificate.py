"""The certificate of angular collapse: the offset from which on a whole ball is routed to one active set.

Data ``x = t u + z`` with ``|z| <= r``. The ball lies in one closed cell when every wall between an active and an
inactive expert is at least r away from ``t u``. A cap that shrinks to nothing proves no such thing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.collapse.clouds import unit
from tropviz.core.router import Array, Router, as_number
from tropviz.core.tolerance import UNIT_ROUNDOFF, WALL_ROUNDOFFS

#: Beyond this a difference of two entries could overflow.
LARGE = 2.0**1022


@dataclass(frozen=True)
class _Pairs:
    """Active against inactive experts along a ray, for the set S: one entry a pair that is not a pair of twins.

    ``slope`` is (w_i - w_j).u, exactly 0 where rounding cannot tell it from 0; ``gap`` is b_i - b_j; ``length`` is
    |w_i - w_j|. Each pair has a unit of its own, in which nothing overflows or vanishes; only quotients count.
    """

    inside: NDArray[np.int64]  # (p,) expert i in S
    outside: NDArray[np.int64]  # (p,) expert j not in S
    slope: Array  # (p,)
    gap: Array  # (p,)
    length: Array  # (p,)


def _scaled(router: Router) -> tuple[Array, Array]:
    """W and b, halved where differences of rows could overflow: neither changes a cell or an offset."""
    W, b = np.asarray(router.W, dtype=np.float64), np.asarray(router.b, dtype=np.float64)
    large = max(float(np.abs(W).max(initial=0.0)), float(np.abs(b).max(initial=0.0))) > LARGE
    return (np.ldexp(W, -2), np.ldexp(b, -2)) if large else (W, b)


def _slopes(W: Array, u: Array, i: int, others: NDArray[np.int64]) -> tuple[Array, Array, NDArray[np.int32]]:
    """(w_i - w_j).u and |w_i - w_j| for j in others, divided by two to the third result.

    The difference first, or a common mean would eat the digits.
    """
    delta = W[i] - W[others]
    power = np.frexp(np.abs(delta).max(axis=1, initial=0.0))[1]
    delta = np.ldexp(delta, -power[:, None])
    slope, length = (delta * u).sum(axis=1), np.sqrt((delta * delta).sum(axis=1))
    doubt = (WALL_ROUNDOFFS + math.sqrt(len(u))) * UNIT_ROUNDOFF * length
    return np.where(np.abs(slope) <= doubt, 0.0, slope), length, power


def _exact_order(W: Array, u: Array) -> list[int]:
    """Experts by w.u, highest first, in rational arithmetic: slow, for rows that differ by rounding only."""
    direction = [Fraction(float(v)) for v in u]
    scores = [sum((Fraction(float(w)) * v for w, v in zip(row, direction, strict=True)), Fraction(0)) for row in W]
    return sorted(range(len(W)), key=lambda i: (-scores[i], i))


def _final_order(W: Array, u: Array, b: Array) -> list[int]:
    """Experts by (w.u, then b, then lowest index), slopes within rounding of each other being equal."""
    reference = W - W[0]  # a common shift of the rows changes no order and would cost digits
    order = [int(i) for i in np.argsort(-(reference @ u), kind="stable")]
    steps = _steps(W, u, order)
    if steps.min(initial=0.0) < 0:
        order = _exact_order(W, u)
        steps = _steps(W, u, order)
    group = np.concatenate([[0], np.cumsum(steps > 0)])
    rank = dict(zip(order, group.tolist(), strict=True))
    return sorted(order, key=lambda i: (rank[i], -b[i], i))


def _steps(W: Array, u: Array, order: list[int]) -> Array:
    """How much higher each expert is than the next, in units of their own; 0 within rounding."""
    return np.array([_slopes(W, u, i, np.array([j]))[0][0] for i, j in pairwise(order)])


def _pairs(W: Array, b: Array, u: Array, inside: NDArray[np.int64]) -> _Pairs:
    """Every pair (i in the set, j outside), twins left out."""
    others = np.setdiff1d(np.arange(len(W)), inside)
    slopes, lengths = np.empty((len(inside), len(others))), np.empty((len(inside), len(others)))
    power = np.zeros(slopes.shape, dtype=np.int32)
    for row, i in enumerate(inside):
        slopes[row], lengths[row], power[row] = _slopes(W, u, int(i), others)
    with np.errstate(over="ignore"):  # a bias may be out of all proportion to the weights
        gaps = np.ldexp(b[inside][:, None] - b[others][None, :], -power)
    keep = ~((lengths == 0) & (gaps == 0))
    i, j = np.nonzero(keep)
    return _Pairs(inside[i], others[j], slopes[keep], gaps[keep], lengths[keep])


def _radius(r: Any) -> float:
    r = as_number(r, "r")
    if not (math.isfinite(r) and r >= 0):
        raise ValueError(f"r is {r}: give a finite radius of at least 0.")
    return r


@dataclass(frozen=True)
class Collapse:
    """From which offset on a ball around ``t u`` keeps to one active set, and which wall decides.

    Attributes
    ----------
    offset : float
        t*, in the unit of x; inf when it never happens.
    active_set : tuple of int
        S_inf, the set of ``t u`` for all large t.
    wall : (int, int) or None
        The pair (i in S, j not in S) whose wall is left last; None when no wall matters.
    margin : float
        rho(u), the smallest (w_i - w_j).u / |w_i - w_j| over the pairs; inf when there is no wall at all.
    """

    offset: float
    active_set: tuple[int, ...]
    wall: tuple[int, int] | None
    margin: float


def certify(router: Router, u: Any, r: float) -> Collapse:
    """The certified offset of :func:`critical_offset` with the set and the wall that decide it.

    Parameters
    ----------
    router : Router
    u : array-like, shape (d,)
        Any nonzero vector; only its direction counts.
    r : float
        Radius of the ball, at least 0.

    Raises
    ------
    ValueError
        For a zero direction or a negative radius.

    Examples
    --------
    >>> found = certify(Router([[1, 0], [-1, 0], [0, 1]], k=1), [3, 1], 1)
    >>> found.active_set, found.wall, round(found.offset, 6)
    ((0,), (0, 2), 2.236068)
    """
    u, r = unit(u, router.d), _radius(r)
    W, b = _scaled(router)
    top = np.sort(np.array(_final_order(W, u, b)[: router.k], dtype=np.int64))
    pairs = _pairs(W, b, u, top)
    members = tuple(int(i) for i in top)
    if not len(pairs.slope):
        return Collapse(0.0, members, None, math.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        margins = np.where(pairs.length > 0, pairs.slope / pairs.length, math.inf)
        needed = (r * pairs.length - pairs.gap) / pairs.slope
    parallel = pairs.slope == 0
    # a wall along u must be r away for good; the slack is the rounding of the product r |w_i - w_j|
    reach = r * pairs.length[parallel]
    fails = pairs.gap[parallel] < reach * (1 - WALL_ROUNDOFFS * UNIT_ROUNDOFF)
    needed[parallel] = np.where(fails, math.inf, 0.0)
    last = int(np.argmax(needed))
    offset = max(0.0, float(needed[last]))
    wall = (int(pairs.inside[last]), int(pairs.outside[last])) if offset > 0 else None
    return Collapse(offset, members, wall, float(margins.min()))


def critical_offset(router: Router, u: Any, r: float) -> float:
    """The offset t* from which on the whole ball B(t u, r) lies in one closed routing cell for good.

    Central router: ``t* = r / min over i in S, j not in S of (w_i-w_j).u/|w_i-w_j|``, S the active set of u.
    Affine: S is the set of ``t u`` for large t and
    ``t* = max(0, max (r |w_i-w_j| - (b_i-b_j)) / ((w_i-w_j).u))``; collapse can also hold on earlier intervals, see
    :func:`collapse_intervals`.

    Parameters
    ----------
    router : Router
    u : array-like, shape (d,)
        Any nonzero vector; it is normalised.
    r : float
        Radius of the ball, at least 0, in the unit of x.

    Returns
    -------
    float
        t* >= 0 in the unit of x; inf when u runs along a wall that is nearer than r.

    Raises
    ------
    ValueError
        For a zero direction or a negative radius.

    Notes
    -----
    Identical rows of (W, b) have no wall between them and are skipped. ``(w_i-w_j).u`` counts as zero when it is
    within a few roundings of ``|w_i-w_j|`` of zero: a direction such as (0.6, 0.8) is itself rounded. Cost
    O(N log N + k (N-k) d).

    Examples
    --------
    >>> critical_offset(Router([[1, 0], [-1, 0]], k=1), [1, 0], 2)
    2.0
    >>> critical_offset(Router([[1, 0], [-1, 0]], k=1), [0, 1], 2)
    inf
    """
    return certify(router, u, r).offset


def collapse_intervals(router: Router, u: Any, r: float) -> list[tuple[float, float, tuple[int, ...]]]:
    """All offsets at which the ball B(t u, r), r > 0, lies in one closed cell: (from, to, active set), in order.

    Along an affine ray there can be several; the last one runs to infinity unless t* is infinite. A central router
    has at most one.

    Parameters
    ----------
    router : Router
    u : array-like, shape (d,)
    r : float
        Radius, greater than 0: a point always lies in one closed cell.

    Returns
    -------
    list of (float, float, tuple of int)

    Notes
    -----
    Walks the active sets along the ray: from the set at t, the next is where an inactive score first overtakes an
    active one. At most N (N-1) / 2 steps of O(k (N-k)).

    Examples
    --------
    >>> router = Router([[0], [1], [2]], [0, -1, -6], k=1)  # cells meet at x = 1 and x = 5
    >>> collapse_intervals(router, [1], 1.5)
    [(2.5, 3.5, (1,)), (6.5, inf, (2,))]
    """
    u, r = unit(u, router.d), _radius(r)
    if r == 0:
        raise ValueError("r is 0: give a positive radius, because a single point always lies in one closed cell.")
    W, b = _scaled(router)
    # ties of b at t = 0 are broken by the slope: the set just after it
    rank = {i: n for n, i in enumerate(_final_order(W, u, b))}
    order = sorted(range(router.N), key=lambda i: (-b[i], rank[i]))
    inside = np.sort(np.array(order[: router.k], dtype=np.int64))
    found: list[tuple[float, float, tuple[int, ...]]] = []
    t, steps = 0.0, 0
    while steps <= router.N * router.N:
        pairs = _pairs(W, b, u, inside)
        low, high = _interval(pairs, r)
        if low <= high:
            found.append((low, high, tuple(int(i) for i in inside)))
        falling = pairs.slope < 0
        if not falling.any():
            return found
        crossings = np.maximum(pairs.gap[falling] / -pairs.slope[falling], t)
        first = int(np.argmin(crossings))
        t = float(crossings[first])
        i, j = int(pairs.inside[falling][first]), int(pairs.outside[falling][first])
        inside = np.sort(np.append(inside[inside != i], j))
        steps += 1
    raise ArithmeticError("The walk along the ray did not end.")  # pragma: no cover


def _interval(pairs: _Pairs, r: float) -> tuple[float, float]:
    """The offsets t >= 0 with slope t + gap >= r length for all pairs; low > high when there is none."""
    low, high = 0.0, math.inf
    room = r * pairs.length - pairs.gap
    rising, falling = pairs.slope > 0, pairs.slope < 0
    if (room[~rising & ~falling] > WALL_ROUNDOFFS * UNIT_ROUNDOFF * r * pairs.length[~rising & ~falling]).any():
        return math.inf, 0.0
    if rising.any():
        low = max(low, float((room[rising] / pairs.slope[rising]).max()))
    if falling.any():
        high = float((room[falling] / pairs.slope[falling]).min())
    return low, high


def gaussian_bounds(router: Router, u: Any, sigma: float, t: float) -> tuple[float, float]:
    """Bounds on the probability that ``x = t u + z``, z Gaussian of spread sigma, is routed like ``t u``.

    ``1 - sum_ij Phi(-m_ij / sigma) <= P(S(x) = S(t u)) <= Phi(min m_ij / sigma)``, m_ij the distances from ``t u``
    to the walls of its cell (for a central router t times their value at u).

    Parameters
    ----------
    router : Router
    u : array-like, shape (d,)
    sigma : float
        Standard deviation of each coordinate, greater than 0.
    t : float
        Offset, at least 0.

    Returns
    -------
    (float, float)

    Examples
    --------
    >>> low, high = gaussian_bounds(Router([[1, 0], [-1, 0]], k=1), [1, 0], 1, 2)
    >>> round(low, 6), round(high, 6)
    (0.97725, 0.97725)
    """
    from scipy.special import ndtr

    sigma, t = as_number(sigma, "sigma"), as_number(t, "t")
    if not (math.isfinite(sigma) and sigma > 0):
        raise ValueError(f"sigma is {sigma}: give a positive spread.")
    if not (math.isfinite(t) and t >= 0):
        raise ValueError(f"t is {t}: give a finite offset of at least 0.")
    u = unit(u, router.d)
    W, b = _scaled(router)
    inside = router.active_sets((t * u)[None])[0] if t > 0 else np.sort(np.argsort(-b, kind="stable")[: router.k])
    pairs = _pairs(W, b, u, np.asarray(inside, dtype=np.int64))
    apart = pairs.length > 0
    margins = (t * pairs.slope[apart] + pairs.gap[apart]) / pairs.length[apart]
    if not len(margins):
        return 1.0, 1.0
    low = 1.0 - float(ndtr(-margins / sigma).sum())
    return max(0.0, low), float(ndtr(margins.min() / sigma))
