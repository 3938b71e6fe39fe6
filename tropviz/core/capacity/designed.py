"""Designed weights: layers with many regions whose number is known, a third mark between the bound and the mean.

Every construction is a lower bound for the maximum over weights, and its number is the exact count of the layer
returned, in the whole space. The best one for a shape is taken:

- *polygon* (plane, k <= N/2): router rows on a regular polygon; the hinges of an expert are tangents of the unit
  circle near its own direction. All hinges of experts that are ever active together cross where both are.
  N + N H k + N C(H, 2) + N (k - 1) H^2; for k = 1 that is N r(H, 2), the product itself.
- *layout* (plane, some shapes): router and lines found by a search, in which more pairs of experts meet (`layouts`).
- *moment*: experts t = 0 .. N-1 in a row, the k nearest to the first coordinate are active; the hinges of expert t are
  osculating hyperplanes of the moment curve near t. Any d of them meet in a point whose first coordinate is the mean
  of their parameters, and any fewer in a flat that runs through all cells. (N - k + 1) r(kH, d - 1) + D, with D the
  d-subsets of hinges whose experts are all active at their mean.
- *groups*: floor(N / k) groups of k equal router rows, each with its whole arrangement inside its own cell:
  floor(N / k) r(kH, d). For k = 1 the product N r(H, d) is attained, in any dimension.
- *moment curve router*: in d' = min(2k, 2(N - k), N - 1) coordinates all C(N, k) cells exist; the hinges look at the
  other coordinates only: C(N, k) r(kH, d - d').
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.capacity.arrangements import hyperplane_regions
from tropviz.core.capacity.layouts import LAYOUTS
from tropviz.core.count import Count
from tropviz.core.slice_law.law import check_dimension, check_shape, check_width

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer

Array = NDArray[np.float64]
Weights = tuple[Array, Array, Array, Array]

#: Work up to which the d-subsets of the moment construction are counted, in steps of its table.
MOMENT_WORK = 2e6
#: Most numbers in the hinges of a designed layer (512 MB).
MOST_NUMBERS = 2**26
#: Length of the picture's half side, in which designed layers in the plane and in space lie.
REACH = 2.0


@dataclass(frozen=True)
class Design:
    """One construction for one shape.

    Attributes
    ----------
    name, formula : str
    regions : int
        Exact number of regions of the layer, in the whole space.
    weights : callable
        Makes (W (N, d), b (N,), U (N, H, d), c (N, H)).
    """

    name: str
    formula: str
    regions: int
    weights: Callable[[], Weights]


def designed(N: int, k: int, H: int, d: int) -> MoELayer:
    """A layer with chosen weights and many regions; `designed_count` is their exact number in the whole space.

    Parameters
    ----------
    N, k, H : int
        Experts, active experts, width of an expert.
    d : int
        Input dimension, d >= 1. Regions can be counted for d = 1, 2, 3; the number is proved in any d.

    Returns
    -------
    MoELayer
        Its `regions(None)` is the number; so is `regions(window)` for windows that hold all crossings.

    Raises
    ------
    ValueError
        For impossible shapes, d = 0, or more than 2^26 numbers.

    Notes
    -----
    What is reached, and what no weights exceed (`slice_bound`), as multiples of the dense network of equal active
    width, for (16, 4, 8): in the plane 10.96 (on a polygon 7.65) of at most 49, in space 8.09 of at most 279, on the
    line 4.27 of at most 8. Top-1, as (16, 1, 32) in the plane, reaches its whole promise, 16.

    Examples
    --------
    >>> layer = designed(6, 2, 3, 2)
    >>> int(layer.regions(None)), int(designed_count(6, 2, 3, 2))
    (114, 114)
    >>> int(designed(5, 1, 3, 3).regions(None)) == 5 * 8
    True
    """
    from tropviz.core.experts.layer import MoELayer
    from tropviz.core.router import Router

    (N, k), H, d = _checked(N, k, H, d)
    if N * H * d > MOST_NUMBERS:
        raise ValueError(f"N × H × d = {N} × {H} × {d} is more than {MOST_NUMBERS:,} numbers: choose smaller sizes.")
    W, b, U, c = best_design(N, k, H, d).weights()
    return MoELayer(Router(W, b, k), U, c)


def designed_count(N: int, k: int, H: int, d: int) -> Count:
    """Exact number of regions of the layer that `designed` returns, without making it.

    Parameters and errors are those of `designed`; d = 0 is one region.

    Examples
    --------
    >>> str(designed_count(16, 1, 32, 2)), int(designed_count(16, 4, 8, 2)) >= 4048
    ('8,464', True)
    """
    (N, k), H, d = check_shape(N, k), check_width(H), check_dimension(d)
    if d == 0:
        return Count(1, "exact", "a point", "")
    design = best_design(N, k, H, d)
    note = "of one layer with chosen weights, in the whole space: a lower bound for the maximum over weights"
    return Count(design.regions, "exact", f"{design.name}: {design.formula}", note)


def designed_window(N: int, k: int, H: int, d: int) -> float:
    """Half side of a window round the origin in which the layer that `designed` returns has all its regions.

    Parameters and errors are those of `designed`, d = 1, 2, 3.

    Returns
    -------
    float
        At most a quarter more than needed, from repeated counts: seconds for large layers and in space.

    Examples
    --------
    >>> designed_window(16, 1, 32, 2), int(designed(16, 1, 32, 2).regions(designed_window(16, 1, 32, 2)))
    (1.25, 8464)
    """
    layer = designed(N, k, H, d)
    wanted, window = int(layer.regions(None)), 1.25
    while int(layer.regions(window)) < wanted:
        window *= 1.25
    return window


def best_design(N: int, k: int, H: int, d: int) -> Design:
    """The construction with the most regions; of equals the first of `designs`."""
    return max(designs(N, k, H, d), key=lambda design: design.regions)


def designs(N: int, k: int, H: int, d: int) -> list[Design]:
    """Every construction there is for a shape, d >= 1.

    >>> [design.name for design in designs(16, 4, 8, 3)]
    ['moment', 'groups']
    """
    found = []
    if d == 2 and 2 * k <= N:
        number = N + N * H * k + N * math.comb(H, 2) + N * (k - 1) * H * H
        found.append(Design("polygon", "N + NHk + N C(H,2) + N(k-1)H²", number, lambda: _polygon(N, H)))
    if d == 2 and (layout := LAYOUTS.get((N, k))) is not None:
        found.append(Design("layout", layout.formula, layout.regions(H), lambda: layout.weights(H)))
    if k * k * d**3 <= MOMENT_WORK:
        number = (N - k + 1) * hyperplane_regions(k * H, d - 1) + _meeting(N, k, H, d)
        found.append(Design("moment", "(N-k+1) r(kH,d-1) + d-subsets that meet", number, lambda: _moment(N, k, H, d)))
    number = N // k * hyperplane_regions(k * H, d)
    found.append(Design("groups", f"{N // k} r({k * H},{d})", number, lambda: _groups(N, k, H, d)))
    least = min(2 * k, 2 * (N - k), N - 1)
    if 0 < least <= d:
        number = math.comb(N, k) * hyperplane_regions(k * H, d - least)
        formula = f"C({N},{k}) r({k * H},{d - least})"
        found.append(Design("moment curve router", formula, number, lambda: _all_sets(N, H, d, least)))
    return found


def _checked(N: Any, k: Any, H: Any, d: Any) -> tuple[tuple[int, int], int, int]:
    shape, H, d = check_shape(N, k), check_width(H), check_dimension(d)
    if d < 1:
        raise ValueError("d = 0: a layer needs an input, so choose a dimension of at least 1.")
    return shape, H, d


# --- in the plane: a regular polygon ----------------------------------------------------------------------------------


def _polygon(N: int, H: int) -> Weights:
    """Tangents of the unit circle. Those of experts i and j cross in the direction half way between their own, and
    walls lie at whole and half steps: a quarter of a step is as far from them as can be."""
    step, expert = 2 * math.pi / N, np.arange(N, dtype=np.float64)
    U = _on_circle(math.pi / 2 + step * (expert[:, None] + 0.25 + _spread(H, 0.2)))
    return _on_circle(math.pi / 2 + step * expert), np.zeros(N), U, np.full((N, H), -1.0)


def _on_circle(angle: Array) -> Array:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _spread(H: int, half: float) -> Array:
    """H different numbers in (-half, half), 0 for one."""
    return half * (2 * (np.arange(H) + 0.5) / H - 1)


# --- in any dimension: osculating hyperplanes of the moment curve -----------------------------------------------------


def _osculating(t: Array, d: int) -> tuple[Array, Array]:
    """Hyperplanes sum_j (-1)^j C(d, j) t^(d-j) X_j = 0, X_0 = 1: the points X whose polynomial has the root t."""
    powers = t[..., None] ** np.arange(d, -1, -1)
    rows = powers * np.array([(-1) ** j * math.comb(d, j) for j in range(d + 1)], dtype=np.float64)
    return rows[..., 1:] / REACH, rows[..., 0]


def _moment(N: int, k: int, H: int, d: int) -> Weights:
    place, unit = _places(N)
    t = (place[:, None] + 0.25 / d + _spread(H, 0.125 / d)) * unit
    U, c = _osculating(t, d)
    return *_nearest(place * unit, d), U, c


def _places(N: int) -> tuple[Array, float]:
    """Whole numbers in a row round 0, and the unit that takes them to [-1, 1]."""
    return np.arange(N, dtype=np.float64) - (N - 1) / 2, 2 / max(N, 2)


def _nearest(t: Array, d: int) -> tuple[Array, Array]:
    """The router whose largest scores belong to the t nearest to the first coordinate."""
    W = np.zeros((len(t), d))
    W[:, 0] = 2 * t / REACH
    return W, -(t**2)


def _meeting(N: int, k: int, H: int, d: int) -> int:
    """d-subsets of the hinges whose experts are all active at the mean of their parameters."""
    return sum(
        ways * _firsts(N, k, spread, (2 * d * k - 4 * rest - 1) // (4 * d))
        for spread, sums in enumerate(_subsets(k, H, d))
        for rest, ways in sums.items()
    )


def _firsts(N: int, k: int, spread: int, back: int) -> int:
    """For how many first experts all of a subset, to first + spread, are among the k active ones.

    These are lowest, ..., lowest + k - 1 with lowest = first - back, but no less than 0 and no more than N - k: the
    mean is first + (rest + 1/4) / d, and a cell begins at a whole number and k/2.
    """
    at_start = max(min(back, k - spread), 0)
    between = min(N - k + back, N - spread - 1) - back + 1 if 0 <= back < k - spread else 0
    at_end = N - spread - max(N - k + back + 1, N - k)
    return at_start + max(between, 0) + max(at_end, 0)


@lru_cache(maxsize=64)
def _subsets(k: int, H: int, d: int) -> list[dict[int, int]]:
    """For every spread up to k - 1: how many d-subsets of hinges have a first expert 0 and a last one `spread`, by the
    sum of their experts."""
    ways = [math.comb(H, n) for n in range(d + 1)]
    # state: hinges chosen so far (the first expert gives at least one), sum of their experts
    state = {(n, 0): ways[n] for n in range(1, d + 1) if ways[n]}
    out = [{0: ways[d]} if ways[d] else {}]
    for expert in range(1, k):
        ended: dict[int, int] = {}
        after = dict(state)
        for (n, total), number in state.items():
            for more in range(1, d - n + 1):
                if not ways[more]:
                    break
                key = (n + more, total + more * expert)
                after[key] = after.get(key, 0) + number * ways[more]
                if n + more == d:
                    ended[key[1]] = ended.get(key[1], 0) + number * ways[more]
        out.append(ended)
        state = after
    return out


def _groups(N: int, k: int, H: int, d: int) -> Weights:
    """Groups side by side; experts that are left over have the first group's row and a lower bias: never active."""
    groups = N // k
    place, unit = _places(groups)
    owner = np.minimum(np.arange(N) // k, groups - 1)
    owner[groups * k :] = 0
    W, b = _nearest(place * unit, d)
    W, b = W[owner], b[owner].copy()
    b[groups * k :] -= 1.0
    t = (place[owner][:, None] + 0.4 * _within(N, k, H)) * unit
    U, c = _osculating(t, d)
    return W, b, U, c


def _within(N: int, k: int, H: int) -> Array:
    """Different numbers in (-1, 1) for all hinges of a group."""
    return np.resize(_spread(k * H, 1.0), (-(-N // k), k, H)).reshape(-1, H)[:N]


def _all_sets(N: int, H: int, d: int, least: int) -> Weights:
    """Hinges in the coordinates that the router does not look at."""
    W = np.zeros((N, d))
    nodes = np.cos(math.pi * (np.arange(N) + 0.5) / N)
    W[:, :least] = np.polynomial.chebyshev.chebvander(nodes, least)[:, 1:]  # the moment curve, but for a linear map
    U, c = np.zeros((N, H, d)), np.ones((N, H))
    if d > least:
        t = np.resize(_spread(N * H, 1.0), (N, H))
        U[..., least:], c = _osculating(t, d - least)
    return W, np.zeros(N), U, c
