"""What a curve crosses, exactly: its pieces between all zeros of score differences and of hinges, by their names.

In float64 some things cannot be told: a piece on which two values differ by rounding only, or a point where two borders
meet up to rounding, so that a piece too short to be seen may lie between them. The count is then a lower bound.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.experts.reached import name_rows
from tropviz.core.manifold.roots import chebyshev_zeros, trigonometric_zeros
from tropviz.core.manifold.shapes import Manifold, evaluate
from tropviz.core.router import Router
from tropviz.core.tolerance import SAME_ZERO, SCORE_ROUNDING, TWIN_ZEROS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Names = NDArray[np.uint8]

#: Values held at a time.
_BLOCK = 2**22


class Curve:
    """A router, and hinges if there are any, along a curve.

    Parameters
    ----------
    router : Router
    shape : Manifold
        With a series.
    own : ndarray (N, H, d + 1), optional
        Hinge rows (U, c) of every expert.
    always : ndarray (H_s, d + 1), optional
        Hinge rows of an expert that is always active.
    """

    def __init__(
        self, router: Router, shape: Manifold, own: Floats | None = None, always: Floats | None = None
    ) -> None:
        assert shape.series is not None
        self.k, self.trigonometric = router.k, shape.trigonometric
        hinges = np.zeros((router.N, 0, router.d + 1)) if own is None else own
        shared = np.zeros((0, router.d + 1)) if always is None else always
        self.H, self.named_by_class = hinges.shape[1], own is None
        # Twins are interchangeable for the router, but not their hinges: the lowest of a class are active.
        rows, twin = np.unique(np.column_stack([router.W, router.b]), axis=0, return_inverse=True)
        self.twin, self.classes = twin.ravel(), len(rows)
        self.scores = _along(shape.series, rows)
        lines = np.concatenate([hinges.reshape(-1, router.d + 1), shared])
        self.hinges = _along(shape.series, lines)
        _, self.same = np.unique(lines, axis=0, return_inverse=True)
        self.error = np.abs(self.scores).sum(axis=0).max() * SCORE_ROUNDING
        self.bound = np.abs(self.hinges).sum(axis=0) * SCORE_ROUNDING

    def count(self, method: str) -> Count:
        """How many different pieces the curve has."""
        first, second = np.triu_indices(self.classes, 1)
        borders = np.concatenate([self.scores[:, first] - self.scores[:, second], self.hinges], axis=1)
        at, width, close = curve_pieces(borders.T, self.trigonometric)
        series = np.concatenate([self.scores, self.hinges], axis=1)
        step = max(1, _BLOCK // series.shape[1])
        certain: set[bytes] = set()
        unclear = False
        for start in range(0, len(at), step):
            values = evaluate(series, self.trigonometric, at[start : start + step])
            names, sure = self._named(values)
            # A name is kept as a digest of 16 bytes: that two of a million share one has probability 1e-27.
            certain |= {blake2b(row.tobytes(), digest_size=16).digest() for row in np.unique(names[sure], axis=0)}
            unclear |= bool((width[start : start + step][~sure] > 0).any())
        for start in range(0, len(close), step):
            unclear |= bool(self._pinched(evaluate(series, self.trigonometric, close[start : start + step])).any())
        note = "pieces on which two values differ by rounding only are left out" if unclear else ""
        return Count(max(len(certain), 1), "lower" if unclear else "exact", method, note)

    def _named(self, values: Floats) -> tuple[Names, Bools]:
        """Names of points, and whether each is certain."""
        ranked, n = values[:, : self.classes][:, self.twin], len(values)
        order = np.argsort(-ranked, axis=1, kind="stable")
        near = np.abs(ranked - np.take_along_axis(ranked, order[:, self.k - 1 : self.k], axis=1)) <= self.error
        outside = np.take_along_axis(near, order[:, self.k :], axis=1).any(axis=1)
        alike = np.where(near, self.twin, self.classes).min(axis=1) == np.where(near, self.twin, -1).max(axis=1)
        active = np.sort(order[:, : self.k], axis=1)
        if self.named_by_class:
            return name_rows(np.sort(self.twin[active], axis=1), np.zeros((n, 0), dtype=bool)), ~outside | alike
        place = self._cutting(active)
        value, bound = np.take_along_axis(values[:, self.classes :], place, axis=1), self.bound[place]
        clear = (np.abs(value) > bound) | (bound == 0)
        return name_rows(active, value > 0), (~outside | alike) & clear.all(axis=1)

    def _cutting(self, active: Ints) -> Ints:
        """Which hinges cut where these experts are active."""
        n, own = len(active), len(self.twin) * self.H
        mine = (active[:, :, None] * self.H + np.arange(self.H)).reshape(n, -1)
        always = np.broadcast_to(np.arange(own, self.hinges.shape[1]), (n, self.hinges.shape[1] - own))
        return np.concatenate([mine, always], axis=1)

    def _pinched(self, values: Floats) -> Bools:
        """Whether more than one border that counts runs through a point, up to rounding."""
        scores = values[:, : self.classes]
        ranked = scores[:, self.twin]
        ordered = -np.sort(-ranked, axis=1)
        last, out = ordered[:, self.k - 1 : self.k], ordered[:, self.k : self.k + 1]
        tied = (np.abs(scores - last) <= 2 * self.error).sum(axis=1) - 1  # two classes tie: one border
        tied *= (last - out <= 2 * self.error).any(axis=1)  # and none, if nobody outside is among them
        active = ranked >= last - 2 * self.error
        cuts = np.repeat(active, self.H, axis=1)
        cuts = np.concatenate([cuts, np.ones((len(values), self.hinges.shape[1] - cuts.shape[1]), dtype=bool)], axis=1)
        cuts &= (np.abs(values[:, self.classes :]) <= 2 * self.bound) & (self.bound > 0)
        found = np.zeros((len(values), self.same.max(initial=-1) + 1), dtype=bool)
        for hinge in np.flatnonzero(cuts.any(axis=0)).tolist():  # of equal hinges one counts
            found[:, self.same[hinge]] |= cuts[:, hinge]
        return np.asarray(tied + found.sum(axis=1) > 1)


def _along(series: Floats, rows: Floats) -> Floats:
    """Linear forms (n, d + 1) along a curve, as series (terms, n)."""
    out = series @ rows[:, :-1].T
    out[0] += rows[:, -1]
    return np.asarray(out)


def curve_pieces(series: Floats, trigonometric: bool) -> tuple[Floats, Floats, Floats]:
    """How the zeros of some series (n, terms) cut a curve.

    Returns
    -------
    at, width : ndarray (p,)
        A parameter inside every open piece, and how long it is; after them more parameters, of width 0.
    close : ndarray (c,)
        Where two zeros are the same up to rounding.
    """
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
    at, width = np.concatenate([middle, more]), np.concatenate([width, np.zeros(len(more))])
    return at, width, middle[np.diff(ends) <= SAME_ZERO] if len(zeros) > 1 else np.zeros(0)
