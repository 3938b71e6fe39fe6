"""The record of a fan: what was found, and what follows from it without any further search."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.fan.skeleton import Skeleton, frozen
from tropviz.core.fan.witness import ExactVectors, witnesses
from tropviz.core.tolerance import NEARLY_PARALLEL

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Fan(Skeleton):
    """Every full-dimensional cell of a top-k router in R^d: what cuts, measures or checks cells takes this.

    Frozen; `dataclasses.replace` gives a changed copy. `RoutingFan` is one with conveniences on top, and describes the
    attributes.
    """

    @cached_property
    def bounded(self) -> NDArray[np.bool_]:
        """True for cells of finite extent."""
        _, starts = self.cell_directions
        if self.keeps_all:  # cones of N - 1 dimensions
            return frozen(np.zeros(len(self.active_sets), dtype=bool))
        return frozen((np.diff(starts) == 0) & (len(self.lineality) == 0))

    @property
    def tied(self) -> tuple[Ints, Ints] | None:
        """Independent experts whose scores are equal at each corner (V, d + 1) and along each direction (R, d).

        They name a corner exactly, its float64 coordinates do not. The corner of a central fan has none, its directions
        name it; None where the fan is flat or has no corners.
        """
        diagram, reduced = self.diagram, self.reduced
        if diagram is None or len(self.lineality):
            return None
        at, along = np.zeros((1, 0), dtype=np.int64), diagram.bases
        if reduced.half:
            at, along = diagram.bases, diagram.ray_bases
        if len(reduced.copies) < len(reduced.class_of):
            first = np.flatnonzero(reduced.place == 0)  # of each class of identical experts
            at, along = first[at], first[along]
        return at, along

    @cached_property
    def corners(self) -> list[Floats]:
        """Corners of each cell."""
        ids, starts = self.cell_vertices
        return pieces(self.vertices[ids], starts)

    @cached_property
    def _distinct_directions(self) -> tuple[Ints, Ints]:
        """`cell_directions` without directions that a cell has already: walls may be parallel at infinity."""
        ids, starts = self.cell_directions
        number = np.diff(starts)
        one, two = expand(np.repeat(starts[:-1], number), np.repeat(number, number))
        later = two > one
        one, two = one[later], two[later]
        near = np.abs(self.directions[ids[one]] - self.directions[ids[two]]).max(axis=1) < NEARLY_PARALLEL
        if not near.any():
            return ids, starts
        vectors = ExactVectors(self)
        first = len(self.vertices) if self.reduced.half else 0
        again = {
            q for p, q in zip(one[near], two[near], strict=True) if vectors[first + ids[p]] == vectors[first + ids[q]]
        }
        kept = np.setdiff1d(np.arange(len(ids)), list(again))
        cell = np.repeat(np.arange(len(number)), number)[kept]
        return ids[kept], np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=len(number)))])

    @cached_property
    def rays(self) -> list[Floats]:
        """Unit rays of each cell, parallel ones once, lineality included both ways."""
        ids, starts = self._distinct_directions
        parts = pieces(self.directions[ids], starts)
        if len(self.lineality):
            both = self.lineality / np.abs(self.lineality).max(axis=1, keepdims=True)
            both /= np.linalg.norm(both, axis=1, keepdims=True)
            parts = [frozen(np.concatenate([part, both, -both])) for part in parts]
        return parts

    @cached_property
    def witnesses(self) -> Floats:
        """A point inside each cell, chosen so that its score gap exceeds the rounding errors if any float64 does."""
        return frozen(witnesses(self))


def pieces(rows: Floats, starts: Ints) -> list[Floats]:
    """Consecutive read-only pieces rows[starts[c]:starts[c + 1]]."""
    rows, ends = frozen(rows), starts.tolist()
    return [rows[a:b] for a, b in pairwise(ends)]
