"""Distinct active sets of a stream, in bounded memory: all of them while they are few, a fair sample of them after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
#: Sets kept; when more are seen only those whose code has one more trailing zero bit stay, and so on.
MOST = 2**16
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Sets:
    """Active sets seen and how often.

    Of all sets seen those are kept whose hash ends in `level` zero bits: every set alike, with all its tokens. With
    level 0 that is every set. What is kept depends on what was seen alone, so merging is associative and commutative.

    Attributes
    ----------
    codes : (m,) uint64, increasing
    members : (m, k) int16
    hits : (m,) int64
    level : int

    Examples
    --------
    >>> seen = Sets.of(np.array([[0, 1], [0, 1], [1, 2]]))
    >>> int(seen.hits.sum()), seen.distinct, seen.once, seen.twice
    (3, 2, 1, 1)
    """

    codes: NDArray[np.uint64]
    members: NDArray[np.int16]
    hits: Ints
    level: int = 0

    @classmethod
    def of(cls, choices: Any, level: int = 0) -> Sets:
        """The sets of one batch, (n, k) sorted rows; those kept at this level."""
        choices = np.asarray(choices)
        codes = set_hash(choices)
        if level:
            kept = (codes & np.uint64((1 << level) - 1)) == 0
            codes, choices = codes[kept], choices[kept]
        codes, first, hits = np.unique(codes, return_index=True, return_counts=True)
        return _trimmed(codes, choices[first].astype(np.int16), hits.astype(np.int64), level)

    def merge(self, other: Sets) -> Sets:
        """What both have seen."""
        level = max(self.level, other.level)
        codes = np.concatenate([self.codes, other.codes])
        members = np.concatenate([self.members, other.members])
        weights = np.concatenate([self.hits, other.hits])
        codes, first, place = np.unique(codes, return_index=True, return_inverse=True)
        hits = np.bincount(place.ravel(), weights=weights, minlength=len(codes)).astype(np.int64)
        return _trimmed(codes, members[first], hits, level)

    @property
    def complete(self) -> bool:
        """Whether every set seen is kept."""
        return self.level == 0

    @property
    def distinct(self) -> int:
        """Distinct sets seen; with a level above 0 an estimate, each kept set stands for 2^level."""
        return len(self.codes) << self.level

    @property
    def once(self) -> int:
        """Sets seen once."""
        return int((self.hits == 1).sum()) << self.level

    @property
    def twice(self) -> int:
        """Sets seen twice."""
        return int((self.hits == 2).sum()) << self.level

    def fullest(self, count: int = 10) -> tuple[NDArray[np.int16], Ints]:
        """The sets with most tokens among those kept, and their tokens."""
        order = np.lexsort((self.codes, -self.hits))[:count]
        return self.members[order], self.hits[order]


def set_hash(choices: Any) -> NDArray[np.uint64]:
    """A 64-bit hash of each sorted row; two of a million sets share one with a probability of 3e-8."""
    out = np.full(len(choices), 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in np.asarray(choices).T:
            out = (out ^ (column.astype(np.uint64) + np.uint64(1))) * _SPREAD
            out ^= out >> np.uint64(29)
        out *= np.uint64(0xBF58476D1CE4E5B9)
    return out ^ (out >> np.uint64(32))


def _trimmed(codes: NDArray[np.uint64], members: NDArray[np.int16], hits: Ints, level: int) -> Sets:
    kept = (codes & np.uint64((1 << level) - 1)) == 0
    while int(kept.sum()) > MOST:
        level += 1
        kept = (codes & np.uint64((1 << level) - 1)) == 0
    return Sets(codes[kept], members[kept], hits[kept], level)
