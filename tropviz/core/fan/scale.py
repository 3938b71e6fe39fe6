"""Distinct rows of a router, each column divided by a power of two so that differences of rows are at most about 1.

Rows that are floats stay floats. Others, and those whose products could leave the range of float64, are taken less the
first of them and kept as two floats an entry; what these leave out is bounded, and the integers know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import ExactRows
from tropviz.core.fan import exact
from tropviz.core.fan.sides import Experts, Floats, Ints

#: Columns whose differences are not this many times what is unknown of them are worked out in integers.
CLEAR = 2.0**40


@dataclass(frozen=True)
class Scaled:
    """Scaled rows.

    Attributes
    ----------
    rows : ExactRows
    first : (C,) int
        Which of them.
    high, low : (C, d + 1) float64
        The scaled entries; `low` is None where there is nothing to add.
    blur : float
        Bound on what high + low leave out of an entry.
    exponents : (d + 1,) int
        Column c was divided by 2**exponents[c].
    varies : (d + 1,) bool
        Columns that are not constant.
    """

    rows: ExactRows
    first: Ints
    high: Floats
    low: Floats | None
    blur: float
    exponents: Ints
    varies: NDArray[np.bool_]

    def integers(self) -> list[exact.Row]:
        """The scaled rows as integers up to one common factor."""
        return integers(self.rows, self.first, self.exponents)

    def experts(self, columns: Sequence[int], copies: Ints, k: int, half: bool) -> Experts:
        """The rows in some of the columns as experts."""
        chosen = list(columns)
        high, low = self.high[:, chosen], None if self.low is None else self.low[:, chosen]
        whole = partial(integers, self.rows, self.first, self.exponents, chosen)
        return Experts(np.ascontiguousarray(high), copies, k, half, whole, low, self.blur)


def integers(rows: ExactRows, first: Ints, exponents: Ints, columns: Sequence[int] | None = None) -> list[exact.Row]:
    """Some rows with scaled columns as integers up to one common factor."""
    chosen = range(len(exponents)) if columns is None else columns
    raised = [int(exponents[c]) for c in chosen]
    by = [max(raised) - e for e in raised]
    whole = (rows.row(i) for i in first.tolist())
    return [[row[c] << s for c, s in zip(chosen, by, strict=True)] for row in whole]


def scale(rows: ExactRows, first: Ints) -> Scaled:
    """The chosen rows, scaled."""
    if rows.given and not rows.wide:
        high = rows.high[first]
        once = np.frexp(np.abs(high).max(axis=0))[1]
        high = np.ldexp(high, -once)
        twice = np.frexp(np.abs(high - high[0]).max(axis=0))[1]
        high = np.ldexp(high, -twice)
        varies = (high != high[0]).any(axis=0)
        return Scaled(rows, first, high, None, 0.0, (once + twice).astype(np.int64), varies)
    pair = None if rows.wide else _of_pairs(rows, first)
    return pair or _of_integers(rows, first)


def _of_pairs(rows: ExactRows, first: Ints) -> Scaled | None:
    """Rows less the first from their pairs of floats; None where too much cancels."""
    high, low = rows.high[first], rows.low[first]
    gap = high - high[0]
    back = gap - high
    low = ((high - (gap - back)) - (high[0] + back)) + (low - low[0])
    high = gap + low
    low -= high - gap
    top = np.abs(high).max(axis=0)
    blur = 2 * rows.blur + top * 2.0**-104
    if (top <= CLEAR * blur).any():
        return None
    power = np.frexp(top)[1]
    unknown = float(np.ldexp(blur, -power).max())
    scaled = np.ldexp(high, -power), np.ldexp(low, -power)
    return Scaled(rows, first, *scaled, unknown, power.astype(np.int64), np.ones(len(top), dtype=bool))


def _of_integers(rows: ExactRows, first: Ints) -> Scaled:
    """Rows less the first from their integers."""
    whole = [rows.wall(i, int(first[0])) for i in first.tolist()]
    sizes = [max(abs(x) for x in column).bit_length() for column in zip(*whole, strict=True)]
    high = np.array([[x / (1 << s) for x, s in zip(row, sizes, strict=True)] for row in whole])
    left = [
        [_rest(x, h, s) for x, h, s in zip(row, near, sizes, strict=True)]
        for row, near in zip(whole, high.tolist(), strict=True)
    ]
    varies = np.array(sizes) > 0
    exponents = np.where(varies, np.array(sizes) + rows.exponent, 0)
    return Scaled(rows, first, high, np.array(left), 2.0**-105, exponents.astype(np.int64), varies)


def _rest(whole: int, near: float, size: int) -> float:
    """whole / 2**size less a float near it."""
    top, below = near.as_integer_ratio()
    return (whole * below - (top << size)) / (below << size)
