"""Where a sample of tokens lies among the walls of its router, in router coordinates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.special import gammaincinv

from tropviz.core.count import Count
from tropviz.core.router import Array, Router, as_float64

#: Relative rounding of a bfloat16 number (8 binary digits).
BF16 = 2.0**-8
#: Neighbours of the likelihood estimate.
NEIGHBOURS = 10
#: Points it takes: of fewer, so many neighbours are no longer near, and the interval would lie below the dimension.
FEWEST = 100
#: Points whose neighbours are searched.
MOST_POINTS = 4000


def sample_offset(router: Router, u: Any, Z: Any) -> float:
    """From which offset t on are all points t u + z of a sample in one active set, for good?

    Exact for the sample, where the certified offset of `collapse` holds for the whole ball around it.

    Parameters
    ----------
    router : Router
    u : (d,) array-like
        Direction, of any length: t counts in units of u.
    Z : (n, d) array-like

    Returns
    -------
    float
        Infinite when the points part along u: some pair has equal slopes and the wrong order.

    Examples
    --------
    >>> sample_offset(Router([[1, 0], [0, 1]], k=1), [1, 0], [[0, 2], [0, -1]])
    2.0
    """
    direction, points = as_float64(u, "u"), as_float64(Z, "Z")
    slopes = (router.W - router.W[0]) @ direction
    heights = np.asarray(router.scores(points))
    order = np.lexsort((np.arange(router.N), -router.b, -slopes))
    inside, outside = order[: router.k], order[router.k :]
    worst = 0.0
    for i in inside:
        for j in outside:
            lead = float(slopes[i] - slopes[j])
            behind = float((heights[:, j] - heights[:, i]).max())
            if behind > 0 and lead <= 0:
                return math.inf
            if behind > 0:
                worst = max(worst, behind / lead)
    return worst


def near_rounding(scores: Array, k: int) -> NDArray[np.bool_]:
    """Tokens whose k-th and next score may change places when logits are rounded to bfloat16, (n, N) -> (n,).

    Each of the two may be off by `BF16` of itself. Of gates with groups these are walls inside the groups chosen.
    """
    if scores.shape[1] <= k:
        return np.zeros(len(scores), dtype=bool)
    ranked = -np.partition(-scores, (k - 1, k), axis=1)
    inside, outside = ranked[:, k - 1], ranked[:, k]
    with np.errstate(invalid="ignore"):  # experts that do not compete have a score of minus infinity
        near = inside - outside <= BF16 * (np.abs(inside) + np.abs(outside))
    return np.asarray(near & np.isfinite(outside))


def intrinsic_dimension(points: Any) -> Count | None:
    """TwoNN: the dimension from the ratio of each point's second to its first neighbour's distance.

    With d the dimension, d times the sum of n independent log ratios is a Gamma variable of n. Points share neighbours,
    so half of the ratios are counted as independent: in simulations the interval then covers. It assumes that density
    is even over two neighbours. None for fewer than three different points.

    References
    ----------
    Facco, d'Errico, Rodriguez, Laio, Scientific Reports 7 (2017), 12140.

    Examples
    --------
    >>> plane = np.random.default_rng(0).random((2000, 2)) @ np.random.default_rng(1).random((2, 20))
    >>> 1.8 < intrinsic_dimension(plane).value < 2.2
    True
    """
    return _dimension(neighbours(points, 2), "TwoNN, maximum likelihood", "density even at two neighbours")


def likely_dimension(points: Any) -> Count | None:
    """The maximum likelihood estimate of Levina and Bickel from `NEIGHBOURS` neighbours, averaged as MacKay does.

    It sees further than TwoNN, is steadier, and low where density changes over that distance: in a cube of 5 dimensions
    by a tenth. As there, half of the ratios are counted as independent. None for fewer than 100 different points.

    References
    ----------
    Levina, Bickel, NIPS 17 (2004); MacKay, Ghahramani, comments on it (2005).

    Examples
    --------
    >>> plane = np.random.default_rng(0).random((2000, 2)) @ np.random.default_rng(1).random((2, 20))
    >>> 1.8 < likely_dimension(plane).value < 2.2
    True
    """
    near = neighbours(points, NEIGHBOURS)
    if len(near) < FEWEST:
        return None
    return _dimension(near, f"maximum likelihood, {NEIGHBOURS} neighbours", f"density even at {NEIGHBOURS} neighbours")


def neighbours(points: Any, count: int) -> Array:
    """Distances to the nearest neighbours, (n, count), nearest first; no rows where there are too few points."""
    distinct = np.unique(np.asarray(points, dtype=np.float64)[:MOST_POINTS], axis=0)
    if len(distinct) <= count:
        return np.zeros((0, count))
    return np.asarray(cKDTree(distinct).query(distinct, k=count + 1)[0])[:, 1:]


def _dimension(near: Array, method: str, assumption: str) -> Count | None:
    """From ratios of the last distance to those before: with d the dimension their logs are exponential of mean 1/d."""
    logs = np.log(near[:, -1:] / near[:, :-1])
    total, n = float(logs.sum()), logs.size
    if total <= 0:
        return None
    low, high = (2.0 * float(gammaincinv(n / 2, p)) / total for p in (0.025, 0.975))  # quantiles of chi squared
    return Count(n / total, "sampled", method, assumption, (low, high))


def plane_share(yy: Array) -> float:
    """Share of the variance that the two leading principal directions show."""
    sizes = np.linalg.eigvalsh(yy)[::-1]
    total = float(np.maximum(sizes, 0.0).sum())
    return float(sizes[:2].sum() / total) if total > 0 else 1.0
