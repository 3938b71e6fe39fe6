"""The slice law: how many cells, and linear regions, a random router is expected to keep in d dimensions."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

from tropviz.core.count import Count
from tropviz.core.slice_law.cone_angles import log_binomials, log_shares

Array = NDArray[np.float64]
#: Work budget in integrand evaluations, a few seconds: every k up to N = 512, k = 1 up to N = 4096, and much between.
BUDGET = 2e8
#: Up to this work (about 0.1 s) the law of a shape is computed for all dimensions at once,
CHEAP = 2e6
#: beyond it only up to one of these, so that one table still answers many questions.
TABLE_SIZES = (16, 64, 256, 1024)
#: Shapes whose law is remembered; each takes at most 4097 floats.
REMEMBERED = 128
#: What the quick formula for d* is too large by.
ESTIMATE_OFFSET = 0.6
#: Significant digits kept when an expected number is beyond the range of a float.
HONEST_DIGITS = 12
#: Numbers up to here are kept as floats, with room to spare below the largest one.
FLOAT_TOP = 10**300
CENTRAL = "rows of W independent Gaussian with one covariance of rank d, no bias"
AFFINE = "rows of W and biases independent Gaussian"


def whole(value: Any, least: int = 0) -> int | None:
    """A whole number of any kind (numpy, a float without a fraction) as a Python int; None if it is none.

    >>> whole(3.0), whole(np.int64(2)), whole(2.5), whole(float("nan")), whole("3"), whole(0, least=1)
    (3, 2, None, None, None, None)
    """
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if not isinstance(value, str) and number == value and number >= least else None


def check_shape(N: Any, k: Any) -> tuple[int, int]:
    """N and k as Python ints, which do not overflow; N < 1 and k outside 1 .. N are refused in one sentence."""
    experts, active = whole(N, 1), whole(k, 1)
    if experts is None:
        raise ValueError(f"N = {N}: the number of experts must be a whole number of at least 1.")
    if active is None or active > experts:
        raise ValueError(f"k = {k} with N = {N}: choose a whole number of active experts from 1 to {experts}.")
    return experts, active


def check_width(H: Any) -> int:
    """H as a Python int; less than one hidden unit is refused in one sentence."""
    width = whole(H, 1)
    if width is None:
        raise ValueError(f"H = {H}: give every expert a whole number of hidden units, at least one.")
    return width


def check_dimension(d: Any, name: str = "d") -> int:
    """A dimension as a Python int; anything but a whole number of at least 0 is refused in one sentence."""
    dimension = whole(d)
    if dimension is None:
        raise ValueError(f"{name} = {d}: a dimension must be a whole number of at least 0.")
    return dimension


def _cost(N: int, k: int, top: int) -> float:
    """Integrand evaluations that the law needs up to dimension `top`."""
    pairs = min(k * (N - k), top * (top - 1) / 2)
    return pairs * 32 * math.sqrt(N)


@lru_cache(maxsize=REMEMBERED)
def _table(N: int, k: int, top: int) -> Array:
    """log of the share kept in d = 0 .. top dimensions; the share at d = 0 is that of one set, 1 / C(N, k)."""
    shares = np.minimum(log_shares(N, k, top), 0.0)
    shares[0] = -math.log(math.comb(N, k))
    if top > 0:
        shares[1] = math.log(2) + shares[0]
    shares.setflags(write=False)
    return shares


def log_shares_up_to(N: int, k: int, top: int, affine: bool = False) -> Array:
    """Natural log of the expected share of the C(N, k) cells kept in d = 0 .. top dimensions.

    Parameters
    ----------
    N, k, top : int
    affine : bool
        Shares of A(d) instead of E(d).

    Returns
    -------
    (top + 1,) float64, nondecreasing, 0 from d = N - 1 on; a single point keeps one cell.

    Raises
    ------
    ValueError
        When the law would take more than the stated budget.
    """
    if affine:
        central = log_shares_up_to(N, k, top + 1)
        mean = np.logaddexp(central[:-1], central[1:]) - math.log(2)
        mean[0] = central[0]
        return np.asarray(mean)
    k = min(k, N - k)
    out = np.zeros(top + 1)
    if k == 0 or N == 1:
        return out
    needed = min(top, N - 2)  # from N - 1 on nothing is missing
    if needed <= 1:  # a point and a line need no quadrature
        out[: needed + 1] = (np.log([1.0, 2.0]) - math.log(math.comb(N, k)))[: needed + 1]
        return out
    size = N
    if _cost(N, k, N) > CHEAP:
        size = min(N, next((step for step in TABLE_SIZES if step >= needed), N))
        size = size if _cost(N, k, size) <= BUDGET else needed
    if _cost(N, k, size) > BUDGET:
        raise ValueError(
            f"the slice law of N = {N}, k = {k} in d = {needed} is beyond its budget: "
            "choose N <= 512, a smaller k or a smaller d."
        )
    out[: needed + 1] = _table(N, k, size)[: needed + 1]
    return out


def _log_share(N: int, k: int, d: int, affine: bool) -> float:
    if d >= N - 1:
        return 0.0
    return float(log_shares_up_to(N, k, d, affine)[d])


def value_of(log_value: float) -> float:
    """exp of a natural log: a float, or past the range of a float an int that holds the leading 12 digits.

    >>> value_of(0.0), value_of(1000.0) == int("197007111402" + 423 * "0")
    (1.0, True)
    """
    if log_value < math.log(FLOAT_TOP):
        return math.exp(log_value)
    log10 = log_value / math.log(10)
    power = math.floor(log10) - HONEST_DIGITS + 1
    return int(round(10 ** (log10 - power)) * 10**power)


def expected_cells(N: int, k: int, d: int, affine: bool = False) -> Count:
    """Expected number of routing cells of a random router in R^d.

    Parameters
    ----------
    N, k : int
        Experts and active experts, 1 <= k <= N.
    d : int
        Dimension of the slice, d >= 0; from N - 1 on all C(N, k) cells are there.
    affine : bool
        True: Gaussian biases of any scale, A(d) = (E(d) + E(d + 1)) / 2.

    Returns
    -------
    Count of kind 'expected'; a float, relative error below 1e-9. Past 10^300 an int with 12 true digits.

    Raises
    ------
    ValueError
        For k outside 1 .. N, a negative d, or a shape beyond the work budget.

    Notes
    -----
    Conic kinematic formula on the normal cone of the hypersimplex (Affentranger and Schneider 1992; Amelunxen, Lotz,
    McCoy and Tropp 2014). First call for (256, 8): about 0.1 s, then remembered.

    Examples
    --------
    >>> round(expected_cells(8, 2, 2).value, 2), round(expected_cells(16, 4, 3).value, 2)
    (8.07, 78.44)
    """
    (N, k), d = check_shape(N, k), check_dimension(d)
    method = "slice law, (E(d) + E(d+1)) / 2" if affine else "slice law, 2 C(N,k) (v_{N-d+1} + v_{N-d+3} + ...)"
    whole, share = math.comb(N, k), _log_share(N, k, d, affine)
    value: float
    if d == 0:
        value = 1.0
    elif whole <= FLOAT_TOP:
        value = whole * math.exp(share)
    else:
        value = whole if share == 0 else value_of(math.log(whole) + share)
    return Count(value, "expected", method, AFFINE if affine else CENTRAL)


def share_kept(N: int, k: int, d: int, affine: bool = False) -> float:
    """Expected share of the C(N, k) cells that a random router keeps in d dimensions, in [0, 1].

    Accurate also where C(N, k) itself is beyond a float; 0.0 only where the share is below 1e-307.

    >>> round(share_kept(16, 4, 6), 3), share_kept(16, 4, 15)
    (0.505, 1.0)
    """
    (N, k), d = check_shape(N, k), check_dimension(d)
    return min(1.0, math.exp(_log_share(N, k, d, affine)))


def _codimensions(N: int, k: int) -> Array:
    """The codimension law: probability of codimension 0 .. N-1, from the differences of the shares."""
    if k == N:
        return np.array([1.0])
    if _cost(N, min(k, N - k), N) > BUDGET:
        raise ValueError(
            f"the resilience dimension of N = {N}, k = {k} is beyond its budget: choose N <= 512 or a smaller k."
        )
    shares = np.exp(log_shares_up_to(N, k, N))
    shares[0] = 0.0
    return np.concatenate([shares[1:2], shares[2:] - shares[:-2]]) / 2


def resilience_dimension(N: int, k: int, affine: bool = False) -> float:
    """d*: the mean codimension, where about half of the C(N, k) cells are kept by a random router.

    A bias is worth half a dimension exactly: A(d) is the mean of E(d) and E(d + 1).

    >>> round(resilience_dimension(16, 4), 2), round(resilience_dimension(16, 4, affine=True), 2)
    (6.0, 5.5)
    """
    N, k = check_shape(N, k)
    law = _codimensions(N, k)
    return max(0.0, float(law @ np.arange(len(law))) - 0.5 * affine)


def resilience_spread(N: int, k: int) -> float:
    """Standard deviation of the codimension law: the share rises from 0 to 1 within about two of it around d*.

    >>> round(resilience_spread(16, 4), 1)
    1.9
    """
    N, k = check_shape(N, k)
    law, codimension = _codimensions(N, k), np.arange(N if k < N else 1)
    return float(np.sqrt(law @ (codimension - law @ codimension) ** 2))


def resilience_estimate(N: int, k: int) -> float:
    """d* of any size at once: min over c of k G(-c) + (N - k) G(c), less 0.6.

    Within 0.3 where 8 <= k <= N/2 and N <= 4,096, too small by up to 0.36 for one active expert of so many; the exact
    value is that of `resilience_dimension`.
    G(c) = (1 + c^2) Phi(-c) - c phi(c), the mean square by which a normal exceeds c.

    >>> round(resilience_estimate(256, 8), 1)
    29.9
    """
    N, k = check_shape(N, k)
    c = np.linspace(-6, 6, 4801)
    density = np.exp(-c * c / 2) / math.sqrt(2 * math.pi)
    above, below = (1 + c * c) * ndtr(-c) - c * density, (1 + c * c) * ndtr(c) + c * density
    return max(0.0, float((k * below + (N - k) * above).min()) - ESTIMATE_OFFSET)


def dimension_for(N: int, k: int, share: float, affine: bool = False) -> int:
    """Smallest dimension in which a random router is expected to keep at least this share of the cells.

    >>> dimension_for(16, 4, 0.5), dimension_for(16, 4, 0.99), dimension_for(16, 4, 0.99, affine=True)
    (6, 11, 10)
    """
    N, k = check_shape(N, k)
    if not 0 < share <= 1:
        raise ValueError(f"share = {share}: give a share above 0 and at most 1.")
    if share == 1:
        return 0 if k == N else N - 1  # below N - 1 something is always missing, if less than a float can tell
    low, high = 0, N - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if share_kept(N, k, middle, affine) >= share else (middle + 1, high)
    return low


def summary(N: int, k: int, d: int | None = None, affine: bool = False) -> dict[str, Any]:
    """The law of one shape, JSON-ready: d*, its spread, the dimensions for two shares, and a row per dimension.

    >>> law = summary(8, 2)
    >>> law["dimension_for"], len(law["dimensions"])
    ({'0.5': 3, '0.99': 6}, 7)
    """
    N, k = check_shape(N, k)
    if d is None:
        chosen = range(1, max(1, N - 1) + 1)
    else:
        d = check_dimension(d)
        chosen = range(d, d + 1)
    middle, spread = resilience_dimension(N, k, affine), resilience_spread(N, k)  # first: it refuses
    rows = []
    for at in chosen:
        cells, share = expected_cells(N, k, at, affine), share_kept(N, k, at, affine)
        rows.append({"d": at, "cells": cells.to_json(), "share": share})
        if share == 1:
            break
    return {
        "N": N,
        "k": k,
        "affine": affine,
        "all": Count(math.comb(N, k), "exact", f"C({N}, {k})").to_json(),
        "resilience_dimension": middle,
        "resilience_spread": spread,
        "dimension_for": {str(share): dimension_for(N, k, share, affine) for share in (0.5, 0.99)},
        "dimensions": rows,
    }


def expected_regions(N: int, k: int, H: int, d: int, affine: bool = False) -> Count:
    """Region law: expected linear regions of a random MoE layer on the whole of R^d.

    Parameters
    ----------
    N, k, H : int
        Experts, active experts, width of an expert (H >= 1).
    d : int
        Dimension of the slice, d >= 0.
    affine : bool
        Whether the router has Gaussian biases; the hinges of the experts always have.

    Returns
    -------
    Count of kind 'expected': E(d) + sum over j = 1 .. d of C(kH, j) A(d - j), first term A(d) for an affine router.

    Examples
    --------
    >>> round(expected_regions(16, 4, 8, 2).value, 1)
    817.5
    """
    (N, k), H, d = check_shape(N, k), check_width(H), check_dimension(d)
    hinges = log_binomials(k * H, d)
    method = "region law, E(d) + sum_j C(kH,j) A(d-j)"
    return Count(value_of(_log_regions(N, k, d, hinges, affine)), "expected", method, _assumption(affine))


def _assumption(affine: bool) -> str:
    return f"{AFFINE if affine else CENTRAL}; hinges independent of it, in general position"


def _log_regions(N: int, k: int, d: int, hinges: Array, affine: bool) -> float:
    """Natural log of the region law; `hinges` holds log C(kH, j)."""
    j = np.arange(1, min(d + 1, len(hinges)))
    terms = hinges[j] + log_shares_up_to(N, k, d, True)[d - j]
    first = log_shares_up_to(N, k, d, affine)[d]
    return math.log(math.comb(N, k)) + float(logsumexp(np.append(terms, first)))


def log_gain(N: int, k: int, d: int, hinges: Array, affine: bool = False) -> float:
    """Natural log of `expected_gain`; `hinges` holds log C(kH, j) for j = 0 .. d."""
    return _log_regions(N, k, d, hinges, affine) - float(logsumexp(hinges))


def expected_gain(N: int, k: int, H: int, d: int, affine: bool = False) -> Count:
    """What is left of the promised multiplier C(N, k): region law over r(kH, d), the dense network's regions.

    Parameters
    ----------
    N, k, H, d, affine
        As for `expected_regions`.

    Returns
    -------
    Count of kind 'expected', 1 in d = 0 and C(N, k) from d = kH + N - 1 on.

    Examples
    --------
    >>> round(expected_gain(16, 4, 8, 2).value, 3), round(expected_gain(16, 4, 8, 47).value, 6)
    (1.545, 1820.0)
    """
    (N, k), H, d = check_shape(N, k), check_width(H), check_dimension(d)
    gain = log_gain(N, k, d, log_binomials(k * H, d), affine)
    return Count(value_of(gain), "expected", "region law / r(kH, d)", _assumption(affine))
