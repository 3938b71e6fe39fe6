"""Sets of k experts as rows of integers: all of them while that is affordable, else a uniform sample."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def all_sets(N: int, k: int) -> Ints:
    """All C(N,k) sets in lexicographic order, (C(N,k), k).

    >>> all_sets(3, 2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    flat = itertools.chain.from_iterable(itertools.combinations(range(N), k))
    return np.fromiter(flat, dtype=np.int64, count=math.comb(N, k) * k).reshape(-1, k)


def some_sets(N: int, k: int, most: int, seed: int) -> Ints:
    """All sets if there are at most `most`; else that many different ones drawn uniformly. Rows sorted.

    >>> some_sets(64, 8, 5, seed=1).shape
    (5, 8)
    """
    total, rng = math.comb(N, k), np.random.default_rng(seed)
    if total <= most:
        return all_sets(N, k)
    if total <= 4 * most:
        return all_sets(N, k)[np.sort(rng.choice(total, most, replace=False))]
    found: set[tuple[int, ...]] = set()
    while len(found) < most:  # three of four drawn sets are new
        draw = np.sort(np.argpartition(rng.random((most, N)), k - 1, axis=1)[:, :k], axis=1)
        found.update(map(tuple, draw.tolist()))
    return np.array(sorted(found), dtype=np.int64)[np.sort(rng.permutation(len(found))[:most])]


def without(sets: Ints, known: Any) -> Ints:
    """The rows of `sets` that are not rows of `known`; rows sorted.

    >>> without(all_sets(3, 2), [[0, 2]]).tolist()
    [[0, 1], [1, 2]]
    """
    gone = set(map(tuple, np.asarray(known).tolist()))
    return sets[[tuple(row) not in gone for row in sets.tolist()]]
