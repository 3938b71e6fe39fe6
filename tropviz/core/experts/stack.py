"""MoE layers on top of one another, exactly, in the plane: linear regions and routing paths at every depth.

A layer maps x to x + (1/k) sum over its active experts of V_i relu(U_i x + c_i): residual, gates frozen at 1/k. In a
linear region of the layers so far the composed map is affine, x -> A x + a, so the next layer's router and hinges pull
back to lines, W A, W a + b and U A, U a + c: its fan is intersected with the region, and the hinges of the active
experts split what is left. Everything is a rational number; signs are certified (`pieces`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.experts.exact import Row, integer_rows
from tropviz.core.experts.layer import GENERIC_V, MoELayer
from tropviz.core.experts.pieces import Piece, Signs, box_piece, signs_at, split
from tropviz.core.window import as_window

Floats = NDArray[np.float64]
Matrix = tuple[Row, Row, Row]
Path = tuple[tuple[int, ...], ...]

#: Sizes a stack is made for, and the pieces after which it is refused.
MOST_EXPERTS, MOST_LAYERS, MOST_PIECES = 64, 3, 50_000
_IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Level:
    """A stack cut off after some layer.

    Attributes
    ----------
    polygons : tuple of ndarray (V, 2)
        Every linear region in the window, counter-clockwise; for drawing.
    path : ndarray of int (n,)
        Which of `paths` each region belongs to.
    paths : tuple of tuple of active sets
        The active sets of all layers so far, one after another.
    """

    polygons: tuple[Floats, ...]
    path: NDArray[np.int64]
    paths: tuple[Path, ...]

    def at(self, x: Any) -> int | None:
        """The region a point (2,) lies in, by the corners as drawn; None outside of the window.

        Examples
        --------
        >>> (level,) = Stack([MoELayer.dense([[1, 0]], [0])]).levels(3)
        >>> sorted(level.at(x) for x in ([1, 2], [-1, 2])), level.at([4, 0])
        ([0, 1], None)
        """
        if not self.polygons:
            return None
        sizes = np.array([len(ring) for ring in self.polygons])
        starts = np.cumsum(sizes) - sizes
        corners = np.concatenate(self.polygons)
        ends = np.concatenate([corners[1:], corners[:1]])
        ends[starts + sizes - 1] = corners[starts]
        along, away = ends - corners, np.asarray(x, dtype=np.float64) - corners
        inside = along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0] >= 0
        found = np.flatnonzero(np.logical_and.reduceat(inside, starts))
        return int(found[0]) if len(found) else None

    @property
    def regions(self) -> Count:
        """Linear regions after this layer."""
        return Count(len(self.polygons), "exact", "every region split by the next layer's walls and hinges", GENERIC_V)

    @property
    def path_count(self) -> Count:
        """Routing paths after this layer: sequences of active sets that some input of the window takes."""
        return Count(len(self.paths), "exact", "distinct sequences of active sets over all regions")


class Stack:
    """Up to three layers in the plane, one on top of another: x + (1/k) sum of the active experts, gates frozen.

    Parameters
    ----------
    layers : sequence of MoELayer
        1 to 3 layers with d = 2 and N <= 64; all but the last with output weights V (N, 2, H). A dense layer is one
        with a single expert.

    Raises
    ------
    ValueError
        One sentence that names the layer and the remedy.

    Examples
    --------
    >>> fold = MoELayer.dense([[1, 0]], [0], V=[[-2], [0]])  # x - 2 relu(x): folds the plane along an axis
    >>> stack = Stack([fold, MoELayer.dense([[1, 0]], [1])])
    >>> int(stack.regions(3)), [int(level.regions) for level in stack.levels(3)]
    (4, [2, 4])
    """

    def __init__(self, layers: Sequence[MoELayer]) -> None:
        self.layers = tuple(layers)
        if not 1 <= len(self.layers) <= MOST_LAYERS:
            raise ValueError(f"The stack has {len(self.layers)} layers: give 1 to {MOST_LAYERS}.")
        for number, layer in enumerate(self.layers):
            if not isinstance(layer, MoELayer):
                raise ValueError(f"layers[{number}] is a {type(layer).__name__}: give a MoELayer.")
            if layer.d != 2:
                raise ValueError(f"layers[{number}] has d = {layer.d}: stacks are counted in the plane, so give d = 2.")
            if layer.N > MOST_EXPERTS:
                raise ValueError(f"layers[{number}] has N = {layer.N}: stacks take at most {MOST_EXPERTS} experts.")
            if len(layer.shared[1]):
                raise ValueError(f"layers[{number}] has a shared expert, whose output has no weights: leave it out.")
            if number + 1 < len(self.layers) and (layer.V is None or layer.V.shape[1] != 2):
                given = "no V" if layer.V is None else f"V of shape {layer.V.shape}"
                raise ValueError(
                    f"layers[{number}] has {given}: give V ({layer.N}, 2, {layer.H}) to feed the next one."
                )
        self._kept: tuple[bytes, tuple[Level, ...]] | None = None

    def regions(self, window: Any) -> Count:
        """Number of linear regions of the whole stack in the open window.

        Parameters
        ----------
        window : float or ((low, high), (low, high))

        Returns
        -------
        Count of kind 'exact'.

        Raises
        ------
        ValueError
            If the window is none, or holds more than 50,000 regions (some ten seconds).
        """
        return self.levels(window)[-1].regions

    def paths(self, window: Any) -> Count:
        """Number of routing paths: sequences of one active set a layer that some input of the window takes."""
        return self.levels(window)[-1].path_count

    def levels(self, window: Any) -> tuple[Level, ...]:
        """Regions and paths after every layer; those of the last window are kept."""
        box = as_window(window, 2)
        if self._kept is None or self._kept[0] != box.tobytes():
            try:
                self._kept = box.tobytes(), tuple(self._run(box))
            except OverflowError:
                raise ValueError("The composed maps exceed the range of float64: divide V by a constant.") from None
        return self._kept[1]

    @cached_property
    def _exact(self) -> list[_Rational]:
        return [_Rational(layer) for layer in self.layers]

    def _run(self, box: Floats) -> Iterator[Level]:
        work: list[tuple[Piece, Matrix, Path]] = [(box_piece(box), _IDENTITY, ())]
        for number, layer in enumerate(self._exact):
            last, after = number + 1 == len(self.layers), []
            for piece, map_, path in work:
                for part, active, open_ in layer.parts(piece, map_):
                    after.append((part, _IDENTITY if last else layer.after(map_, active, open_), (*path, active)))
                if len(after) > MOST_PIECES:
                    raise ValueError(f"The window holds more than {MOST_PIECES:,} regions: choose a smaller window.")
            work = after
            names: dict[Path, int] = {}
            index = np.array([names.setdefault(path, len(names)) for _, _, path in work], dtype=np.int64)
            yield Level(tuple(piece.points[:, :2] for piece, _, _ in work), index, tuple(names))


class _Rational:
    """A layer with its weights as integers."""

    def __init__(self, layer: MoELayer) -> None:
        self.k, self.N, self.H = layer.k, layer.N, layer.H
        self.router = np.column_stack([layer.router.W, layer.router.b])
        self.router_rows = [tuple(layer.router.exact.row(i)) for i in range(self.N)]
        self.hinges = np.concatenate([layer.U, layer.c[..., None]], axis=2)
        exact = layer.exact_hinges  # of a slice they are not the floats
        whole = 1 << max(exact.exponent, 0)
        flat = [tuple(whole * x for x in exact.row(i)) for i in range(self.N * self.H)]
        self.hinge_rows = [flat[i * self.H : (i + 1) * self.H] for i in range(self.N)]
        self.unit = 1 << max(-exact.exponent, 0)
        if layer.V is not None:
            rows = integer_rows(layer.V.reshape(-1, self.H), together=True)
            self.out_rows = [rows[i * layer.V.shape[1] : (i + 1) * layer.V.shape[1]] for i in range(self.N)]
            self.unit *= _denominator(layer.V)

    def parts(self, piece: Piece, map_: Matrix) -> Iterator[tuple[Piece, tuple[int, ...], list[tuple[int, int]]]]:
        """Regions of this layer inside a piece on which the layers before are one affine map.

        Yields
        ------
        part : Piece
        active : tuple of int
        open_ : list of (expert, hinge) that are positive there
        """
        approximate = np.array([[x / map_[2][2] for x in row] for row in map_])
        for cell, active in self._cells(piece, map_, approximate):
            yield from self._cut(cell, map_, approximate, active)

    def after(self, map_: Matrix, active: tuple[int, ...], open_: list[tuple[int, int]]) -> Matrix:
        """The composed map, times a positive integer, behind this layer in one of its regions."""
        unit = self.unit * self.k
        rows = [[unit, 0, 0], [0, unit, 0]]
        for expert, hinge in open_:
            normal = self.hinge_rows[expert][hinge]
            for out, weights in zip(rows, self.out_rows[expert], strict=True):
                for column in range(3):
                    out[column] += weights[hinge] * normal[column]
        whole = [*(_pulled(tuple(row), map_) for row in rows), (0, 0, unit * map_[2][2])]
        divisor = gcd(*(x for row in whole for x in row))
        first, second, third = (tuple(x // divisor for x in row) for row in whole)
        return first, second, third

    def _cells(self, piece: Piece, map_: Matrix, approximate: Floats) -> list[tuple[Piece, tuple[int, ...]]]:
        """What the pulled back fan leaves of a piece: cells with interior and their active sets."""
        if self.k == self.N:
            return [(piece, tuple(range(self.N)))]
        found: dict[tuple[int, ...], list[Piece]] = {}
        todo = [piece]
        while todo:
            part = todo.pop()
            active = self._best(part, approximate)
            while True:
                verdict = self._walls(part, map_, approximate, active)
                if not isinstance(verdict, set):
                    break
                active = verdict
            if verdict is None:
                found.setdefault(tuple(sorted(active)), []).append(part)
            else:
                todo += verdict
        # A cell is convex: where it fell into several parts, its own walls cut it out in one.
        return [
            (parts[0] if len(parts) == 1 else self._clipped(piece, map_, approximate, active), active)
            for active, parts in found.items()
        ]

    def _best(self, part: Piece, approximate: Floats) -> set[int]:
        """The experts with the largest scores in the middle of a piece, but for rounding."""
        scores = self.router @ (approximate @ part.points.mean(axis=0))
        return set(np.argsort(-scores, kind="stable")[: self.k].tolist())

    def _pairs(
        self, part: Piece, map_: Matrix, approximate: Floats, active: set[int]
    ) -> tuple[list[tuple[int, int]], Signs]:
        """Pairs of an active and an inactive expert, and who leads at each corner."""
        inside = sorted(active)
        outside = [j for j in range(self.N) if j not in active]
        one, two = self.router[inside][:, None], self.router[outside][None]
        rows, size = (one - two).reshape(-1, 3), (np.abs(one) + np.abs(two)).reshape(-1, 3)
        pairs = [(i, j) for i in inside for j in outside]

        def exact(n: int) -> Row:
            return self._wall(*pairs[n], map_)

        return pairs, signs_at(part, rows @ approximate, size @ np.abs(approximate), exact)

    def _wall(self, i: int, j: int, map_: Matrix) -> Row:
        return _pulled(tuple(p - q for p, q in zip(self.router_rows[i], self.router_rows[j], strict=True)), map_)

    def _walls(
        self, part: Piece, map_: Matrix, approximate: Floats, active: set[int]
    ) -> set[int] | tuple[Piece, Piece] | None:
        """None where the piece lies in the cell of a set; else the two parts at a wall, or a better set."""
        pairs, signs = self._pairs(part, map_, approximate, active)
        low, high = signs.min(axis=1), signs.max(axis=1)
        crossing = np.flatnonzero((low < 0) & (high > 0))
        if len(crossing):
            n = int(crossing[0])
            return split(part, self._wall(*pairs[n], map_), signs[n].tolist())
        for n in np.flatnonzero(high <= 0).tolist():
            i, j = pairs[n]
            if low[n] < 0 or j < i:  # the other one leads everywhere, or ties everywhere and comes first
                return (active - {i}) | {j}
        return None

    def _clipped(self, piece: Piece, map_: Matrix, approximate: Floats, active: tuple[int, ...]) -> Piece:
        while True:
            pairs, signs = self._pairs(piece, map_, approximate, set(active))
            crossing = np.flatnonzero(signs.min(axis=1) < 0)
            if not len(crossing):
                return piece
            n = int(crossing[0])
            piece = split(piece, self._wall(*pairs[n], map_), signs[n].tolist())[0]

    def _cut(
        self, cell: Piece, map_: Matrix, approximate: Floats, active: tuple[int, ...]
    ) -> Iterator[tuple[Piece, tuple[int, ...], list[tuple[int, int]]]]:
        """The regions that the active experts' hinges make of a cell."""
        names = [(i, h) for i in active for h in range(self.H)]
        rows = self.hinges[list(active)].reshape(-1, 3)
        rows, size = rows @ approximate, np.abs(rows) @ np.abs(approximate)

        def exact(n: int) -> Row:
            expert, hinge = names[n]
            return _pulled(self.hinge_rows[expert][hinge], map_)

        signs = signs_at(cell, rows, size, exact)
        low, high = signs.min(axis=1), signs.max(axis=1)
        always = [names[n] for n in np.flatnonzero((low >= 0) & (high > 0)).tolist()]
        parts: list[tuple[Piece, list[tuple[int, int]]]] = [(cell, always)]
        for n in np.flatnonzero((low < 0) & (high > 0)).tolist():
            line, after = exact(n), []
            for part, open_ in parts:
                at = signs_at(part, rows[n : n + 1], size[n : n + 1], [line].__getitem__)[0].tolist()
                if min(at) >= 0:
                    after.append((part, [*open_, names[n]]))
                elif max(at) <= 0:
                    after.append((part, open_))
                else:
                    positive, negative = split(part, line, at)
                    after += [(positive, [*open_, names[n]]), (negative, open_)]
            parts = after
        return ((part, active, open_) for part, open_ in parts)


def _denominator(values: Floats) -> int:
    """What `integer_rows` multiplies all of some values by."""
    return max(x.as_integer_ratio()[1] for x in values.ravel().tolist())


def _pulled(row: Row, map_: Matrix) -> Row:
    """A line behind a map, as a line in front of it."""
    a, b, c = row
    return tuple(a * x + b * y + c * z for x, y, z in zip(*map_, strict=True))
