"""Equal keys brought together, and numbers put in order: by sorts of plain numbers alone.

numpy sorts plain numbers with vector instructions, five to ten times as fast as it sorts stably, by two keys or through
a hash table, which is what `unique`, `lexsort` and a stable `argsort` do. Cells, corners and walls are named by numbers
and told apart by sorting them; in a fan that is most of what is left beside its arithmetic.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Groups(NamedTuple):
    """Equal keys.

    Attributes
    ----------
    keys : (g,)
        The distinct keys, ascending.
    first : (g,) int
        Where each comes first.
    name : (n,) int
        Which of them each key is.
    size : (g,) int
        How often each comes.
    """

    keys: NDArray[Any]
    first: Ints
    name: Ints
    size: Ints


def groups(keys: NDArray[Any]) -> Groups:
    """What `np.unique` returns, all of it.

    >>> [part.tolist() for part in groups(np.array([7, 3, 7, 5]))]
    [[3, 5, 7], [1, 3, 0], [2, 0, 2, 1], [1, 1, 2]]
    """
    order = np.argsort(keys)
    sorted_ = keys[order]
    new = starts_of_runs(sorted_)
    name = np.empty(len(keys), dtype=np.int64)
    name[order] = np.cumsum(new) - 1
    start = np.flatnonzero(new)
    first = np.minimum.reduceat(order, start) if len(start) else start
    return Groups(sorted_[start], first, name, sizes(start, len(keys)))


def distinct(keys: NDArray[Any]) -> NDArray[Any]:
    """The distinct keys, ascending.

    >>> distinct(np.array([7, 3, 7])).tolist()
    [3, 7]
    """
    keys = np.sort(keys)
    return keys[starts_of_runs(keys)]


def starts_of_runs(values: NDArray[Any]) -> NDArray[np.bool_]:
    """True where a value differs from the one before it."""
    new = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new


def sizes(start: Ints, end: int) -> Ints:
    """Lengths of consecutive runs, the last of which stops before `end`; what `np.diff` does, without its overhead."""
    out = np.empty(len(start), dtype=np.int64)
    np.subtract(start[1:], start[:-1], out=out[:-1])
    out[-1:] = end - start[-1:]
    return out


def by_owner(owner: Ints) -> tuple[Ints, Ints]:
    """The stable order of small whole numbers of at least 0, and these in that order.

    >>> [part.tolist() for part in by_owner(np.array([2, 0, 2, 1]))]
    [[1, 3, 0, 2], [0, 1, 2, 2]]
    """
    return pairs_in_order(owner, np.arange(len(owner)), len(owner))[::-1]


def pairs_in_order(major: Ints, minor: Ints, bound: int) -> tuple[Ints, Ints]:
    """Pairs of whole numbers of at least 0 in order of the first, then of the second, which is below `bound`.

    Their bits must fit in 63, which no list that fits in memory comes near: both number its entries.

    >>> [part.tolist() for part in pairs_in_order(np.array([1, 0, 1]), np.array([5, 9, 4]), 10)]
    [[0, 1, 1], [9, 4, 5]]
    """
    bits = max(int(bound) - 1, 0).bit_length()
    both = np.sort((major << bits) | minor)
    return both >> bits, both & ((1 << bits) - 1)


def unpaired(keys: NDArray[Any]) -> Ints:
    """Which keys do not come exactly twice, ascending.

    >>> unpaired(np.array([7, 3, 7, 5, 4, 4, 4])).tolist()
    [1, 3, 4, 5, 6]
    """
    order = np.argsort(keys)
    start = np.flatnonzero(starts_of_runs(keys[order]))
    size = sizes(start, len(keys))
    return np.sort(order[np.repeat(size != 2, size)])


def lexicographic(rows: Ints, bound: int) -> Ints:
    """The order of rows of whole numbers of at least 0 and below `bound`, as many columns to a key as fit in 64 bits.

    >>> lexicographic(np.array([[2, 0], [0, 9], [0, 3]]), 10).tolist()
    [2, 1, 0]
    """
    bits = max(bound - 1, 1).bit_length()
    together = max(64 // bits, 1)
    keys = []
    for low in range(0, rows.shape[1], together):
        key = np.zeros(len(rows), dtype=np.uint64)
        for column in rows[:, low : low + together].T:
            key = (key << np.uint64(bits)) | column.astype(np.uint64)
        keys.append(key)
    return np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])
