"""How many cells of a router a data manifold crosses; what the regions of its experts (`regions`) need, too.

Exact along curves (every zero of every score difference cuts the curve; the active sets of the pieces are counted),
exact on flat manifolds (the fan of the restricted router) and on spheres round the origin of a central router;
otherwise a lower bound from a sample, Chao1's. What would cost too much is sampled, too, and the count says so. Arrays
are made a block at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.budget import COUNT, Cost
from tropviz.core.count import Count
from tropviz.core.manifold import cost
from tropviz.core.manifold.richness import chao1
from tropviz.core.manifold.roots import chebyshev_zeros, trigonometric_zeros
from tropviz.core.manifold.shapes import Manifold, evaluate
from tropviz.core.router import Router
from tropviz.core.tolerance import SCORE_ROUNDING, TWIN_ZEROS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Points of a sampled count, unless told.
SAMPLES = 20_000
#: Scores held at a time.
_BLOCK = 2**22


def cells_crossed(
    router: Router, shape: Manifold, *, samples: int = SAMPLES, seed: int = 0, most: Cost = COUNT
) -> Count:
    """Number of routing cells a manifold passes through.

    Parameters
    ----------
    router : Router
        With d = shape.d_in.
    shape : Manifold
    samples, seed : int
        Used where no exact count is possible.
    most : Cost
        What an exact count may cost; what is estimated to cost more is sampled.

    Returns
    -------
    Count
        'exact' for curves, flat manifolds, and spheres under a central router; 'lower' where pieces of a curve could
        not be told apart in float64, and elsewhere: Chao1's bound from a sample, which holds in expectation.

    Raises
    ------
    ValueError
        If the router lives in another dimension.

    Examples
    --------
    >>> from tropviz.core.manifold.shapes import manifold
    >>> from tropviz.core.presets import random_linear
    >>> router = Router(*random_linear(16, 8, seed=1), k=4)
    >>> flat, curved = (manifold(kind, 1, 8, degree=3) for kind in ("flat", "trigonometric"))
    >>> int(cells_crossed(router, flat)), int(cells_crossed(router, curved)) > 20
    (2, True)
    """
    if router.d != shape.d_in:
        raise ValueError(f"The router has d = {router.d} but the manifold d_in = {shape.d_in}: make them equal.")
    flat = shape.basis is not None and (shape.kind == "flat" or (shape.kind == "sphere" and router.central))
    if shape.series is not None:
        if cost.along_curve(math.comb(router.N, 2), router.N, shape).within(most):
            return _along_curve(router, shape)
    elif flat and _fan_cost(router, shape).within(most):
        from tropviz.core.fan.routing_fan import RoutingFan
        from tropviz.core.slices import restrict

        assert shape.basis is not None
        count = RoutingFan(restrict(router, np.zeros(router.d), shape.basis)).count
        method = f"fan of the router on the {len(shape.basis)}-dimensional subspace"
        return Count(int(count), count.kind, method, count.assumption)
    sets = router.active_sets(shape.sample(samples, seed))
    return estimated(sets, samples, math.comb(router.N, router.k))


def _fan_cost(router: Router, shape: Manifold) -> Cost:
    """What the fan of a random router of this size costs on a flat."""
    from tropviz.core.slice_law import expected_cells

    assert shape.basis is not None
    d = min(len(shape.basis), max(1, router.N - 1))
    return cost.fan_cells(expected_cells(router.N, router.k, d, affine=not router.central).value, d)


def _along_curve(router: Router, shape: Manifold) -> Count:
    assert shape.series is not None
    scores = shape.series @ router.W.T
    scores[0] += router.b
    first, second = np.triu_indices(router.N, 1)
    pieces, width = curve_pieces((scores[:, first] - scores[:, second]).T, shape.trigonometric)
    # Twins are interchangeable: every expert goes by the name of its class, as often as it is active.
    _, twin = np.unique(np.column_stack([router.W, router.b]), axis=0, return_inverse=True)
    error = np.abs(scores).sum(axis=0).max() * SCORE_ROUNDING

    def named(values: Floats) -> tuple[NDArray[Any], Bools]:
        return top_classes(values, router.k, twin.ravel(), error)

    found = in_blocks(scores, shape.trigonometric, pieces, named)
    return distinct(found, width, "distinct active sets between all zeros of all score differences")


def in_blocks(
    series: Floats, trigonometric: bool, at: Floats, named: Callable[[Floats], tuple[NDArray[Any], Bools]]
) -> Iterator[tuple[NDArray[Any], Bools]]:
    """Names of the pieces and which of them are certain, so many at a time that their values fit a block."""
    step = max(1, _BLOCK // series.shape[1])
    for start in range(0, len(at), step):
        yield named(evaluate(series, trigonometric, at[start : start + step]))


def top_classes(values: Floats, k: int, twin: Ints, error: float) -> tuple[Ints, Bools]:
    """Classes of the k largest of each row, sorted, and whether no expert of another class could be among them."""
    order = np.argsort(-values, axis=1)
    last = np.take_along_axis(values, order[:, k - 1 : k], axis=1)
    near = np.abs(values - last) <= error
    outside = np.take_along_axis(near, order[:, k:], axis=1).any(axis=1)
    low, high = np.where(near, twin, len(twin)).min(axis=1), np.where(near, twin, -1).max(axis=1)
    return np.sort(twin[order[:, :k]], axis=1), ~outside | (low == high)


def curve_pieces(series: Floats, trigonometric: bool) -> tuple[Floats, Floats]:
    """A parameter inside every open piece that the zeros of some series (n, terms) cut a curve into, and its width."""
    zeros = trigonometric_zeros(series) if trigonometric else chebyshev_zeros(series)
    if trigonometric:  # the piece through the angle 0 is one piece
        ends = np.append(zeros, zeros[:1] + 2 * np.pi) if len(zeros) else np.array([0.0, 2 * np.pi])
    else:
        ends = np.concatenate([[-1.0], zeros, [1.0]])
    width = np.diff(ends)
    middle = ends[:-1] + width / 2
    # Near a double zero the middle of two computed zeros may miss the piece between the true ones: look around, too.
    near = np.flatnonzero(width < TWIN_ZEROS)
    more = np.concatenate([ends[near], ends[near + 1]])
    return np.concatenate([middle, more]), np.concatenate([width, np.zeros(len(more))])


def distinct(found: Iterator[tuple[NDArray[Any], Bools]], width: Floats, method: str) -> Count:
    """Distinct names among the pieces that are certain; a lower bound if a piece of some width is not.

    A name is kept as a digest of 16 bytes: that two of a million share one has probability 1e-27.
    """
    certain: set[bytes] = set()
    unclear, start = False, 0
    for names, sure in found:
        rows = np.ascontiguousarray(names[sure])
        certain |= {blake2b(row.tobytes(), digest_size=16).digest() for row in np.unique(rows, axis=0)}
        unclear |= bool((width[start : start + len(sure)][~sure] > TWIN_ZEROS).any())
        start += len(sure)
    note = "pieces on which two scores differ by rounding only are left out" if unclear else ""
    return Count(max(len(certain), 1), "lower" if unclear else "exact", method, note)


def estimated(keys: NDArray[Any], samples: int, most: int | None = None) -> Count:
    """How many there are at least, from a sample; what can have only `most`, and showed them all, is exact."""
    _, times = np.unique(keys, axis=0, return_counts=True)
    if len(times) == most:
        return Count(most, "exact", f"all {most:,} seen among {samples:,} points")
    bound = chao1(times)
    if bound == len(times):  # hardly any was seen once: nothing to estimate a rest from
        return Count(len(times), "lower", f"seen among {samples:,} points", "rare ones may be missing")
    method = f"Chao1 bound from {samples:,} points, {len(times):,} seen"
    note = "a lower bound in expectation, parameters uniform; what is far rarer than one point leaves no trace"
    return Count(math.floor(bound), "lower", method, note)
