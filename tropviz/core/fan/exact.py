"""Exact integer linear algebra for what float64 cannot decide: every float is a dyadic rational."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd

import numpy as np
from numpy.typing import NDArray

Row = list[int]


def to_integers(rows: NDArray[np.float64], exponents: NDArray[np.int64] | None = None) -> list[Row]:
    """The rows times one common power of two, as Python integers, without any rounding.

    Column c is first multiplied by 2**-exponents[c], also exactly.

    >>> to_integers(np.array([[0.5, 3.0], [0.0, -0.25]]))
    [[2, 12], [0, -1]]
    """
    shift = [0] * rows.shape[1] if exponents is None else exponents.tolist()
    pairs = [[float(x).as_integer_ratio() for x in row] for row in rows]
    # x 2**-e = num 2**-(log2 den + e): bring all entries to the largest of these powers.
    powers = [[den.bit_length() - 1 + e for (_, den), e in zip(row, shift, strict=True)] for row in pairs]
    largest = max((p for row in powers for p in row), default=0)
    return [
        [num << (largest - p) for (num, _), p in zip(row, power, strict=True)]
        for row, power in zip(pairs, powers, strict=True)
    ]


def columns(rows: Sequence[Row], chosen: Sequence[int]) -> list[Row]:
    """Some columns of integer rows.

    >>> columns([[1, 2, 3], [4, 5, 6]], [0, 2])
    [[1, 3], [4, 6]]
    """
    return [[row[c] for c in chosen] for row in rows]


def null_vector(matrix: Sequence[Row]) -> Row:
    """The integer vector orthogonal to D-1 integer rows in Z^D (all zeros when the rows are dependent).

    The signed minors, by Laplace expansion along the rows, divided by their common factor.

    >>> null_vector([[1, 1, 0], [0, 1, 1]])
    [1, -1, 1]
    """
    dim = len(matrix) + 1
    minors: dict[tuple[int, ...], int] = {(): 1}
    for size, row in enumerate(matrix, start=1):
        minors = {
            cols: sum((-1) ** (size - 1 + p) * row[c] * minors[cols[:p] + cols[p + 1 :]] for p, c in enumerate(cols))
            for cols in combinations(range(dim), size)
        }
    everything = tuple(range(dim))
    out = [(-1) ** c * minors[everything[:c] + everything[c + 1 :]] for c in range(dim)]
    divisor = gcd(*out)
    return [x // divisor for x in out] if divisor > 1 else out


def dot(a: Row, b: Row) -> int:
    """Inner product of integer vectors."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def minus(a: Row, b: Row) -> Row:
    """Difference of integer vectors."""
    return [x - y for x, y in zip(a, b, strict=True)]


def sign(x: int) -> int:
    """-1, 0 or 1."""
    return (x > 0) - (x < 0)


def to_unit(vector: Row) -> NDArray[np.float64]:
    """A non-zero integer vector of any size as a float64 unit vector."""
    largest = max(abs(x) for x in vector)
    out = np.array([x / largest for x in vector])  # int / int rounds correctly at any size
    return out / np.linalg.norm(out)


def independent_columns(rows: Sequence[Row]) -> tuple[list[int], list[list[Fraction]]]:
    """Greedy leftmost independent columns, and every column as a combination of them.

    Returns
    -------
    pivots : list of int
        The independent columns, leftmost first.
    combination : list of D lists
        Column c of `rows` is the sum over p of combination[c][p] times column pivots[p].

    >>> independent_columns([[1, 2, 0], [2, 4, 1]])
    ([0, 2], [[Fraction(1, 1), Fraction(0, 1)], [Fraction(2, 1), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 1)]])
    """
    work = [[Fraction(x) for x in row] for row in rows]
    width = len(rows[0]) if rows else 0
    pivots: list[int] = []
    for c in range(width):
        depth = len(pivots)
        found = next((i for i in range(depth, len(work)) if work[i][c]), None)
        if found is None:
            continue
        work[depth], work[found] = work[found], work[depth]
        head = [x / work[depth][c] for x in work[depth]]
        work[depth] = head
        for i, row in enumerate(work):
            if i != depth and row[c]:
                factor = row[c]
                work[i] = [x - factor * y for x, y in zip(row, head, strict=True)]
        pivots.append(c)
    return pivots, [[work[p][c] for p in range(len(pivots))] for c in range(width)]
