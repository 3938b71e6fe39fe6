"""Exact integer counts that hold for any weights: hyperplane arrangements, cell bounds, the slice bound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice


def binomials(n: int) -> Iterator[int]:
    """C(n, 0), C(n, 1), ... exactly, each from the one before; zero for ever after C(n, n).

    >>> list(islice(binomials(4), 7))
    [1, 4, 6, 4, 1, 0, 0]
    """
    value = 1
    for j in range(n):
        yield value
        value = value * (n - j) // (j + 1)
    yield value
    while True:
        yield 0


def hyperplane_regions(m: int, d: int) -> int:
    """r(m, d): regions of m hyperplanes in general position in R^d (Zaslavsky 1975).

    Parameters
    ----------
    m, d : int
        Hyperplanes and dimension, both >= 0.

    Returns
    -------
    int, sum over j <= min(m, d) of C(m, j), of any size; 2^m once d >= m.

    Examples
    --------
    >>> hyperplane_regions(32, 2), hyperplane_regions(4, 2), hyperplane_regions(3, 9)
    (529, 11, 8)
    """
    if d >= m:
        return 1 << m
    return sum(islice(binomials(m), d + 1))


def central_regions(m: int, d: int) -> int:
    """Regions of m hyperplanes through one point of R^d, otherwise in general position.

    >>> central_regions(5, 2), central_regions(0, 2)
    (10, 1)
    """
    if m == 0 or d == 0:
        return 1
    return 2 * hyperplane_regions(m - 1, d - 1)


def cell_bounds(N: int, k: int, d: int) -> list[int]:
    """kappa_0 .. kappa_d: no router of N experts, top-k, has more cells than kappa_m in an m-dimensional slice.

    kappa_0 = 1, kappa_m = min(C(N, k), sum over i = 1 .. m + 1 of C(N, i) - 1): the sum is the count of all k together,
    for routers in general position.

    >>> cell_bounds(16, 4, 3)
    [1, 135, 695, 1820]
    """
    most = math.comb(N, k)
    out, total = [1], N - 1
    for choose in islice(binomials(N), 2, d + 2):
        total += choose
        out.append(max(1, min(most, total)))
    return out


def slice_bound(N: int, k: int, H: int, d: int) -> int:
    """Linear regions that no weights in general position exceed in d dimensions: sum_j C(NH, j) kappa_{d-j}.

    >>> slice_bound(16, 4, 8, 2)
    26103
    """
    kappa = cell_bounds(N, k, d)
    return sum(choose * kappa[d - j] for j, choose in enumerate(islice(binomials(N * H), d + 1)) if choose)
