"""A uniform sample of the tokens of a stream, with their true choices, that merges without regard to order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Rows kept.
SIZE = 10_000


@dataclass(frozen=True)
class Reservoir:
    """The rows with the lowest random priorities.

    Attributes
    ----------
    priority : (m,) float64, increasing
    y : (m, r) float32
        Points in router coordinates.
    chosen : (m, k) int16
        The captured choice, sorted; -1 where a token was dropped.
    ours : (m, k) int16
        The choice recomputed in float64 from the weights; -1 where there are none.
    margin : (m,) float32
        Distance to the nearest wall of plain top-k; NaN where there is none.
    source : (m,) int16
        Number of the token's source.
    token : (m,) int32
        Its id in the vocabulary; -1 where nobody told.
    """

    priority: NDArray[np.float64]
    y: NDArray[np.float32]
    chosen: NDArray[np.int16]
    ours: NDArray[np.int16]
    margin: NDArray[np.float32]
    source: NDArray[np.int16]
    token: NDArray[np.int32]

    @classmethod
    def empty(cls, r: int, k: int) -> Reservoir:
        """No rows of r coordinates and k experts."""
        sets = np.zeros((0, k), np.int16)
        none = np.zeros(0, np.float32)
        small, ids = np.zeros(0, np.int16), np.zeros(0, np.int32)
        return cls(np.zeros(0), np.zeros((0, r), np.float32), sets, sets, none, small, ids)

    def __len__(self) -> int:
        return len(self.priority)

    @property
    def threshold(self) -> float:
        """Rows with this priority or more need not be offered."""
        return float(self.priority[-1]) if len(self) >= SIZE else np.inf

    def merge(self, other: Reservoir) -> Reservoir:
        """The lowest priorities of both."""
        order = np.argsort(np.concatenate([self.priority, other.priority]), kind="stable")[:SIZE]
        return Reservoir(*(np.concatenate([a, b])[order] for a, b in zip(self.columns(), other.columns(), strict=True)))

    def columns(self) -> tuple[NDArray, ...]:
        """The arrays, in the order of the attributes."""
        return self.priority, self.y, self.chosen, self.ours, self.margin, self.source, self.token
