"""The rows (w, b) of a router as exact numbers, whatever made them.

A float is a dyadic rational. The rows of a router that was given are its floats; those of a slice are sums of products
of floats, which float64 rounds: they remember how they were made. A row is worked out as integers when a sign asks for
it; until then two floats stand for each entry, its rounding and what that left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import mul

import numpy as np
from numpy.typing import NDArray

from tropviz.core.tolerance import SAFE_EXPONENT, UNIT_ROUNDOFF

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Row = list[int]

#: Products of entries held at once.
CHUNK = 2**18
#: Splits a float into halves of 26 bits (Dekker 1971).
SPLITTER = 2.0**27 + 1
#: A difference known to this share of itself counts as rounded once.
KNOWN = 2.0**-55
#: Entries below this power of two leave a pair's second float no digits.
LOWEST = -900


def merge(rows: Floats) -> tuple[Floats, Ints, Ints, Ints]:
    """Distinct rows, and which of them each row is.

    Returns
    -------
    distinct : (C, c) float64
        In order of first appearance.
    class_of : (N,) int64
        Row i equals distinct[class_of[i]].
    place : (N,) int64
        How many equal rows come before row i.
    copies : (C,) int64
        Size of each class.

    Examples
    --------
    >>> _, class_of, place, copies = merge(np.array([[1.0], [2.0], [1.0]]))
    >>> class_of.tolist(), place.tolist(), copies.tolist()
    ([0, 1, 0], [0, 0, 1], [2, 1])
    """
    rows = rows + 0.0  # -0.0 becomes 0.0
    everyone = np.arange(len(rows))
    order = np.lexsort(rows.T)
    ordered = rows[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    if new.all():
        return rows, everyone, np.zeros_like(everyone), np.ones_like(everyone)
    group = np.empty_like(everyone)
    group[order] = np.cumsum(new) - 1
    first, class_of, place, copies = classes(group)
    return rows[first], class_of, place, copies


def classes(group: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Classes in order of first appearance: the first of each, the class of each, its place in it, sizes.

    >>> [x.tolist() for x in classes(np.array([7, 3, 7]))]
    [[0, 1], [0, 1, 0], [0, 0, 1], [2, 1]]
    """
    _, start, named, sizes = np.unique(group, return_index=True, return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(start))
    class_of = rank[named]
    order = np.argsort(class_of, kind="stable")
    copies = np.empty_like(sizes)
    copies[rank] = sizes
    place = np.empty_like(group)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(copies) - copies, copies)
    return np.sort(start), class_of, place, copies


def number(whole: int, exponent: int) -> float:
    """whole * 2**exponent rounded once; beyond float64 the largest or smallest there is.

    >>> number(3, -1), number(1, 5000), number(1, -5000)
    (1.5, 1.7976931348623157e+308, 0.0)
    >>> number(-(2**2000), 0)
    -1.7976931348623157e+308
    """
    try:
        return float(whole << exponent) if exponent >= 0 else whole / (1 << -exponent)
    except OverflowError:
        return float(np.finfo(np.float64).max) * (1 if whole > 0 else -1)


def unit_row(row: Row) -> list[float]:
    """An integer row times a power of two, the largest entry in [0.5, 1), every entry rounded once."""
    size = 1 << max(x.bit_length() for x in row)
    return [x / size for x in row]


class Dyadic:
    """Floats (n, c) as integers times 2**exponent, a row at a time.

    >>> whole = Dyadic(np.array([[0.5, 3.0], [0.0, -0.25]]))
    >>> whole.row(0), whole.row(1), whole.exponent
    ([2, 12], [0, -1], -2)
    """

    def __init__(self, array: Floats) -> None:
        share, power = np.frexp(array)
        whole = (share * 2.0**53).astype(np.int64)
        lowest = np.where(whole == 0, 1, whole & -whole)
        shift = power.astype(np.int64) - 54 + np.frexp(lowest.astype(np.float64))[1]
        self.exponent = int(shift[whole != 0].min()) if whole.any() else 0
        self._whole, self._shift = whole // lowest, np.where(whole == 0, 0, shift - self.exponent)

    def row(self, i: int) -> Row:
        """Row i as integers."""
        return [x << s for x, s in zip(self._whole[i].tolist(), self._shift[i].tolist(), strict=True)]


class ExactRows:
    """Rows (w, b) of N experts as exact numbers.

    Attributes
    ----------
    high, low : (N, d + 1) float64
        high + low is the entry but for `blur`; high is it rounded.
    blur : (d + 1,) float64
        Bound on what is left, column by column.
    given : bool
        The floats `high` are the numbers: low and blur are zero.
    exponent : int
    classes : (first, class_of, place, copies)
        Exactly identical experts, as the function `classes` says.
    """

    high: Floats
    low: Floats
    blur: Floats
    given: bool
    exponent: int
    classes: tuple[Ints, Ints, Ints, Ints]

    def row(self, i: int) -> Row:
        """Entries of row i as integers, to be multiplied with 2**exponent."""
        raise NotImplementedError

    def wall(self, i: int, j: int) -> Row:
        """Row i less row j as integers."""
        return [x - y for x, y in zip(self.row(i), self.row(j), strict=True)]

    @cached_property
    def wide(self) -> bool:
        """Whether products of entries, the smallest beside the largest, or what a pair adds, may leave the range."""
        used = np.abs(self.high[self.high != 0])
        power = np.frexp(used)[1]
        clipped = bool(len(used)) and used.max() == np.finfo(np.float64).max
        if not len(power):
            return False
        tiny = not self.given and power.max() < LOWEST
        return clipped or tiny or bool(np.ptp(power) > SAFE_EXPONENT or power.max() > 1022)

    def walls(self, i: Ints, j: Ints) -> Floats:
        """Rows i less rows j, (n,) -> (n, d + 1), each times a power of two that brings its largest entry into
        [0.5, 1); every entry is within two roundings of the exact one."""
        if self.wide:
            rows = [unit_row(self.wall(p, q)) for p, q in zip(i.tolist(), j.tolist(), strict=True)]
            return np.array(rows).reshape(len(i), self.high.shape[1])
        out = self.high[i] - self.high[j]
        if not self.given:
            out += self.low[i] - self.low[j]
            for n, c in np.argwhere(np.abs(out) * KNOWN < 2 * self.blur).tolist():
                out[n, c] = number(self.row(int(i[n]))[c] - self.row(int(j[n]))[c], self.exponent)
        return np.ldexp(out, -np.frexp(np.abs(out).max(axis=1, initial=0.0))[1][:, None])


class Given(ExactRows):
    """Rows that are floats.

    Parameters
    ----------
    rows : (N, d + 1) float64
    """

    given = True

    def __init__(self, rows: Floats) -> None:
        self.high, self.low, self.blur = rows, np.zeros_like(rows[:1]), np.zeros(rows.shape[1])

    def __reduce__(self) -> tuple[type[Given], tuple[Floats]]:
        return Given, (self.high,)

    @cached_property
    def classes(self) -> tuple[Ints, Ints, Ints, Ints]:  # type: ignore[override]
        """Identical experts."""
        _, class_of, place, copies = merge(self.high)
        return np.flatnonzero(place == 0), class_of, place, copies

    @cached_property
    def _whole(self) -> Dyadic:
        return Dyadic(self.high)

    @property
    def exponent(self) -> int:  # type: ignore[override]
        """Power of two of the integers."""
        return self._whole.exponent

    def row(self, i: int) -> Row:
        """Entries of row i as integers, to be multiplied with 2**exponent."""
        return self._whole.row(i)


class Image(ExactRows):
    """Rows of another router times a matrix: what its experts are on a slice.

    Parameters
    ----------
    parent : ExactRows
        Of N experts in R^d.
    parts : sequence of (r + 1, d + 1) float64
        The matrix is their exact sum M; the rows are those of the parent times the transpose of M.
    biased : bool
        M is (1, d + 1) and makes the biases; the weights are those of the parent.
    """

    given = False

    def __init__(self, parent: ExactRows, parts: Sequence[Floats], biased: bool = False) -> None:
        self.parent, self.parts, self.biased = parent, tuple(parts), biased
        self._rows: dict[int, Row] = {}
        first = parent.classes[0]
        if parent.given and not any(map(_is_far, (parent.high, *self.parts))):
            high, low, bound = dot(np.tile(parent.high[first], len(self.parts)), np.concatenate(self.parts, axis=1))
            if biased:
                same = parent.high[first, :-1]
                high, low = np.column_stack([same, high]), np.column_stack([0 * same, low])
                bound = np.column_stack([0 * same, bound])
            self._sharpen(first, high, low, bound)
        else:
            width = parent.high.shape[1] if biased else len(self.parts[0])
            high, low = self._pairs(first, np.ones((len(first), width), dtype=bool))
            bound = np.abs(high) * 2.0**-104 + np.finfo(np.float64).tiny
        self.blur = bound.max(axis=0)
        group = self._equal(first, high, low)
        class_of = parent.classes[1]
        self.classes = classes(group[class_of])
        chosen = np.searchsorted(first, self.classes[0])[self.classes[1]]  # the first of a class stands for all
        self.high, self.low = high[chosen], low[chosen]

    def __reduce__(self) -> tuple[type[Image], tuple[ExactRows, tuple[Floats, ...], bool]]:
        return Image, (self.parent, self.parts, self.biased)

    @cached_property
    def _matrix(self) -> tuple[list[Row], int]:
        """M as integers times a power of two."""
        parts = [Dyadic(part) for part in self.parts]
        exponent = min(0, *(part.exponent for part in parts))
        rows = range(len(self.parts[0]))
        terms = [[[x << (p.exponent - exponent) for x in p.row(r)] for r in rows] for p in parts]
        return [[sum(entries) for entries in zip(*same, strict=True)] for same in zip(*terms, strict=True)], exponent

    @property
    def exponent(self) -> int:  # type: ignore[override]
        """Power of two of the integers."""
        return self.parent.exponent + self._matrix[1]

    def row(self, i: int) -> Row:
        """Entries of row i as integers, to be multiplied with 2**exponent."""
        if i not in self._rows:
            row = self.parent.row(i)
            lines, power = self._matrix
            kept = [x << -power for x in row[:-1]] if self.biased else []
            self._rows[i] = kept + [sum(map(mul, row, line)) for line in lines]
        return self._rows[i]

    def _pairs(self, first: Ints, which: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Chosen entries as a float and what it leaves out."""
        high, low = np.zeros(which.shape), np.zeros(which.shape)
        for n, c in np.argwhere(which).tolist():
            whole, power = self.row(int(first[n]))[c], self.exponent
            high[n, c] = number(whole, power)
            top, below = high[n, c].as_integer_ratio()
            left = (whole << max(power, 0)) * below - (top << max(-power, 0))
            low[n, c] = number(left, min(power, 0) - below.bit_length() + 1)
        return high, low

    def _sharpen(self, first: Ints, high: Floats, low: Floats, bound: Floats) -> None:
        """Entries that cancelled are worked out exactly, in place."""
        vague = np.abs(high) * KNOWN < bound
        if vague.any():
            exact_high, exact_low = self._pairs(first, vague)
            high[vague], low[vague] = exact_high[vague], exact_low[vague]

    def _equal(self, first: Ints, high: Floats, low: Floats) -> Ints:
        """Number of the class of exactly equal rows that each row is in, (C,)."""
        group = np.zeros(len(first), dtype=np.int64)
        for c in range(high.shape[1]):
            order = np.lexsort((low[:, c], high[:, c], group))
            step = np.abs(np.diff(high[order, c]) + np.diff(low[order, c])) > 4 * self.blur[c]
            group[order] = np.concatenate([[0], np.cumsum(step | (np.diff(group[order]) > 0))])
        many = np.flatnonzero(np.bincount(group)[group] > 1)
        names: dict[tuple[int, ...], int] = {}
        for n in many.tolist():
            group[n] = names.setdefault(tuple(self.row(int(first[n]))), len(group) + n)
        return group


def _is_far(rows: Floats) -> bool:
    """Whether a product of an entry with another like it may leave the range of float64."""
    power = np.frexp(rows[rows != 0])[1]
    return bool(len(power)) and bool(power.max() > SAFE_EXPONENT // 2 or power.min() < -SAFE_EXPONENT // 2)


def exactly(x: Floats, y: Floats) -> bool:
    """Whether every sum of products in x @ y.T, added in any order, is exact in float64.

    >>> exactly(np.array([[1.0, 3.0]]), np.array([[0.5, -2.0]])), exactly(np.array([[1 / 3]]), np.array([[1 / 3]]))
    (True, False)
    """
    if not x.any() or not y.any():
        return True
    spans = [np.frexp(np.abs(a).max())[1] - Dyadic(a).exponent for a in (x, y)]
    range_ = [np.abs(np.frexp(a[a != 0])[1]).max() for a in (x, y)]
    return bool(sum(spans) + np.log2(x.shape[1]) <= 53 and max(range_) < SAFE_EXPONENT - 53)


def dot(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """x @ y.T as sums of two floats, (n, p), (c, p) -> (n, c) twice, and bounds on their errors.

    Products and sums carry their rounding errors along (Ogita, Rump and Oishi 2005, Dot2): as if in 106 bits.

    >>> high, low, _ = dot(np.array([[1.0, 1e-20]]), np.array([[1.0, 1.0]]))
    >>> high.tolist(), low.tolist()
    ([[1.0]], [[1e-20]])
    """
    high, low = np.empty((len(x), len(y))), np.empty((len(x), len(y)))
    step = max(1, CHUNK // max(1, y.size))
    for lo in range(0, len(x), step):
        part = slice(lo, lo + step)
        high[part], low[part] = _sums(*products(x[part, None, :], y[None]))
    bound = 2 * ((x.shape[1] + 2) * UNIT_ROUNDOFF) ** 2 * (np.abs(x) @ np.abs(y).T) + np.finfo(np.float64).tiny
    return high, low, bound


def products(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Products and their rounding errors."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    large = SPLITTER * a
    high = large - (large - a)
    return high, a - high


def _sums(terms: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Sums over the last axis, and what they leave out."""
    left = errors.sum(axis=-1)
    while terms.shape[-1] > 1:
        half = terms.shape[-1] // 2
        a, b = terms[..., :half], terms[..., half : 2 * half]
        total = a + b
        back = total - a
        left += ((a - (total - back)) + (b - back)).sum(axis=-1)
        terms = np.concatenate([total, terms[..., 2 * half :]], axis=-1)
    high = terms[..., 0] + left
    return high, left - (high - terms[..., 0])
