"""Hinges and walls as float64 rows of unit size, and which of them float64 cannot hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import ExactRows, Given, Image, Row, exactly, unit_row
from tropviz.core.tolerance import SAFE_EXPONENT

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: An entry below this, beside one of about 1, may leave nothing in a product of four.
FAINT = 2.0**-250


def scaled(rows: Floats) -> Floats:
    """Rows times a power of two each, so that the largest entry is in [0.5, 1): exact, and safe from overflow."""
    _, exponent = np.frexp(np.abs(rows).max(axis=-1, initial=0.0))
    if exponent.min(initial=0) < -2 * SAFE_EXPONENT:  # the factor itself would overflow
        return np.ldexp(rows, -exponent[..., None])
    return rows * np.ldexp(1.0, -exponent)[..., None]


def unit_rows(exact: ExactRows) -> tuple[Floats, Bools]:
    """Rows times powers of two that bring their largest entries into [0.5, 1); those with an entry too small for that.

    >>> rows, lost = unit_rows(Given(np.array([[2.0, 0.0], [1e200, 1e-200]])))
    >>> rows.round(2).tolist(), lost.tolist()
    ([[0.5, 0.0], [0.65, 0.0]], [False, True])
    """
    if exact.wide:
        return _from_integers([exact.row(i) for i in range(len(exact.high))], exact.high.shape[1])
    rows = scaled(exact.high)
    return rows, _faint(rows)


def unit_walls(exact: ExactRows, i: Ints, j: Ints) -> tuple[Floats, Bools]:
    """Rows i less rows j in the same form, (n,) -> (n, d + 1), (n,)."""
    if exact.wide:
        pairs = zip(i.tolist(), j.tolist(), strict=True)
        return _from_integers([exact.wall(p, q) for p, q in pairs], exact.high.shape[1])
    rows = exact.walls(i, j)
    return rows, _faint(rows)


def _faint(rows: Floats) -> Bools:
    size = np.abs(rows)
    if size.min(initial=np.inf) >= FAINT:
        return np.zeros(len(rows), dtype=bool)
    return np.asarray(((size != 0) & (size < FAINT)).any(axis=1))


def _from_integers(rows: list[Row], width: int) -> tuple[Floats, Bools]:
    out = np.array([unit_row(row) if any(row) else [0.0] * width for row in rows]).reshape(-1, width)
    present = np.array([[bool(x) for x in row] for row in rows], dtype=bool).reshape(-1, width)
    return out, _faint(out) | (present & (out == 0)).any(axis=1)


def on_slice(exact: ExactRows, matrix: Floats) -> ExactRows:
    """The same rows on a slice: each times the transpose of the matrix, (r + 1, d + 1), exactly."""
    if exact.given and exactly(exact.high, matrix):
        return Given(exact.high @ matrix.T)
    return Image(exact, [matrix])
