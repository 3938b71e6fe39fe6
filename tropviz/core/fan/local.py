"""What the fan looks like close to a corner where D affinely independent experts are tied.

There the cells are the vertices of a box-shaped hypersimplex {0 <= y <= copies, sum y = j}, for single experts the
hypersimplex Delta(j, D); walls between cells are its edges and the corner's own edges are its facets.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Star(NamedTuple):
    """The cells round a corner with independent tied experts.

    Attributes
    ----------
    cells : (c, t) int
        How many copies of each tied expert are active in the cell.
    walls : (w, 2) int
        Pairs of cells that share a wall.
    """

    cells: NDArray[np.int64]
    walls: NDArray[np.int64]


@lru_cache(maxsize=4096)
def star(copies: tuple[int, ...], active: int) -> Star:
    """Vertices and edges of {0 <= y <= copies, sum y = active}; for independent tied experts only.

    A vertex has at most one entry strictly between its bounds. Two vertices are joined by an edge exactly when they
    differ in two entries and every other entry is at a bound.

    >>> star((1, 1, 1), 1).cells.tolist()
    [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    >>> star((1, 2), 1).cells.tolist(), star((1, 2), 1).walls.tolist()
    ([[0, 1], [1, 0]], [[0, 1]])
    """
    found = set()
    everyone = range(len(copies))
    for size in range(len(copies) + 1):
        for full in combinations(everyone, size):
            left = active - sum(copies[i] for i in full)
            if left < 0:
                continue
            base = [copies[i] if i in full else 0 for i in everyone]
            if left == 0:
                found.add(tuple(base))
            for p in everyone:
                if p not in full and 0 < left < copies[p]:
                    found.add(tuple(left if i == p else base[i] for i in everyone))
    cells = sorted(found)
    walls = []
    for a, b in combinations(range(len(cells)), 2):
        differ = [i for i in everyone if cells[a][i] != cells[b][i]]
        if len(differ) == 2 and all(cells[a][i] in (0, copies[i]) for i in everyone if i not in differ):
            walls.append((a, b))
    return Star(
        np.array(cells, dtype=np.int64).reshape(-1, len(copies)), np.array(walls, dtype=np.int64).reshape(-1, 2)
    )
