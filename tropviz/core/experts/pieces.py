"""Convex pieces of the plane with exact corners, split by lines whose coefficients are exact rationals.

A piece is a ring of lines and the corners between them, as integers; beside each corner its value in float64, correctly
rounded. A sign is decided in float64 where an error bound allows it and in integers elsewhere, so that every split is
the true one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.exact import Row, cross, dot
from tropviz.core.tolerance import DETERMINANT_FLOOR, LINE_ROUNDING

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]


@dataclass(frozen=True)
class Piece:
    """A convex polygon, counter-clockwise.

    Attributes
    ----------
    lines : list of integer rows
        Line t runs from corner t - 1 to corner t; its sign is of no account.
    corners : list of integer rows (X, Y, weight), weight > 0
    points : ndarray (V, 3)
        The corners as (x, y, 1), each coordinate rounded once.
    """

    lines: list[Row]
    corners: list[Row]
    points: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", np.array([(x / w, y / w, 1.0) for x, y, w in self.corners]))


def box_piece(window: Floats) -> Piece:
    """A window (2, 2) as a piece.

    >>> box_piece(np.array([[0.0, 2.0], [-1.0, 0.5]])).points[:, :2].tolist()
    [[2.0, -1.0], [2.0, 0.5], [0.0, 0.5], [0.0, -1.0]]
    """
    (x0, x1), (y0, y1) = ([end.as_integer_ratio() for end in axis] for axis in window.tolist())
    sides: list[Row] = [(0, y0[1], -y0[0]), (x1[1], 0, -x1[0]), (0, y1[1], -y1[0]), (x0[1], 0, -x0[0])]
    return Piece(sides, [cross(sides[t], sides[(t + 1) % 4]) for t in range(4)])


def signs_at(piece: Piece, rows: Floats, size: Floats, exact: Callable[[int], Row]) -> Signs:
    """Signs (n, V) of many lines at the corners of a piece.

    Parameters
    ----------
    rows : ndarray (n, 3)
        In float64, each times anything positive.
    size : ndarray (n, 3)
        Magnitudes that their entries were summed from: an error of one is a few roundings of these.
    exact : callable
        The integer row with a given number, asked for only where float64 does not decide.
    """
    value, bound = rows @ piece.points.T, size @ np.abs(piece.points.T) * LINE_ROUNDING + DETERMINANT_FLOOR
    out = np.sign(value).astype(np.int8)
    unsure = np.abs(value) <= bound
    if unsure.any():
        for n in np.flatnonzero(unsure.any(axis=1)).tolist():
            row = exact(n)
            for t in np.flatnonzero(unsure[n]).tolist():
                true = dot(row, piece.corners[t])
                out[n, t] = (true > 0) - (true < 0)
    return out


def split(piece: Piece, row: Row, signs: list[int]) -> tuple[Piece, Piece]:
    """The parts of a piece where a line is positive, and where it is negative; it has corners on both sides.

    >>> square = box_piece(np.array([[-1.0, 1.0]] * 2))
    >>> right, left = split(square, (1, 0, 0), [1, 1, -1, -1])
    >>> right.points[:, 0].tolist(), len(left.corners)
    ([0.0, 1.0, 1.0, 0.0], 4)
    """
    return _side(piece, row, signs), _side(piece, row, [-s for s in signs])


def _side(piece: Piece, row: Row, signs: list[int]) -> Piece:
    lines: list[Row] = []
    corners: list[Row] = []
    for t, line in enumerate(piece.lines):
        before, here = signs[t - 1], signs[t]
        if before <= 0 < here:  # the new line ends where this one comes in
            lines.append(row)
            corners.append(piece.corners[t - 1] if before == 0 else cross(row, line))
        if before > 0 or here > 0:
            lines.append(line)
            corners.append(piece.corners[t] if here >= 0 else cross(line, row))
    return Piece(lines, corners)
