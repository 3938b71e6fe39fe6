"""Many ranges of indices at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def expand(start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Every index of many ranges at once: the range each belongs to, and the index.

    >>> [a.tolist() for a in expand(np.array([5, 0]), np.array([2, 3]))]
    [[0, 0, 1, 1, 1], [5, 6, 0, 1, 2]]
    """
    row = np.repeat(np.arange(len(start)), length)
    before = np.cumsum(length) - length
    return row, np.arange(len(row)) - before[row] + start[row]
