"""The finished fan in homogeneous coordinates, and how the pieces found at the corners are put together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.sides import Experts, Floats, Ints, Signs
from tropviz.core.sorting import distinct, groups

Hashes = NDArray[np.uint64]
#: Fields of a diagram that hold -1, 0 or 1.
PACKED = ("sides", "ray_sides")


@dataclass(frozen=True)
class Diagram:
    """Every cell of a set of experts, with its corners, rays and walls.

    Attributes
    ----------
    cells : (m, C) int
        How many copies of each expert are active.
    points, sides, bases, errors : (V, D) float, (V, C) int8, (V, D) int, (V,) float
        The corners: unit vector, side of every expert, independent tied experts, bound on the vector's error.
    incidence : (p, 2) int
        Pairs (cell, corner).
    walls : (e, 2) int
        Pairs of cells that share a wall, each once.
    rays, ray_sides, ray_bases, ray_errors : (R, D) float, (R, C) int8, (R, D-1) int, (R,) float
        The same of directions at infinity (last coordinate 0) of a half fan; empty for a whole one.
    ray_incidence : (q, 2) int
        Pairs (cell, ray).
    complete : bool
        False when the budget ran out or an edge could not be followed: then the cells are only some of them.
    """

    cells: Ints
    points: Floats
    sides: Signs
    bases: Ints
    errors: Floats
    incidence: Ints
    walls: Ints
    rays: Floats
    ray_sides: Signs
    ray_bases: Ints
    ray_errors: Floats
    ray_incidence: Ints
    complete: bool

    def __getstate__(self) -> dict[str, Any]:
        """The fields, sides in two bits each: of 256 experts they would be most of it."""
        state = dict(self.__dict__)
        for name in PACKED:
            sides = state[name]
            state[name] = (sides.shape, np.packbits(sides > 0), np.packbits(sides < 0))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in PACKED:
            shape, above, below = state[name]
            bits = [np.unpackbits(x, count=shape[0] * shape[1]).astype(np.int8) for x in (above, below)]
            state[name] = (bits[0] - bits[1]).reshape(shape)
        self.__dict__.update(state)


@dataclass
class Collector:
    """Gathers cells and walls corner by corner; names cells by hash until all are known."""

    experts: Experts
    _keys: list[Hashes] = field(default_factory=list)
    _owners: list[Ints] = field(default_factory=list)
    _blocks: list[tuple[int, Signs, Ints, Ints]] = field(default_factory=list)
    _walls: list[Ints] = field(default_factory=list)
    _size: int = 0

    def base_keys(self, sides: Signs) -> Hashes:
        """Hash of the fully active experts of each corner or ray, (n, C) -> (n,)."""
        return (sides == 1) @ (self.experts.hash_cell * self.experts.copies.astype(np.uint64))

    def cell_keys(self, sides: Signs, tied: Ints, patterns: Ints) -> Hashes:
        """Hash of each cell round each corner: (n, C), (n, t), (c, t) -> (n, c)."""
        local = self.experts.hash_cell[tied] @ patterns.T.astype(np.uint64)
        return local + self.base_keys(sides)[:, None]

    def add(self, corners: Ints, sides: Signs, tied: Ints, patterns: Ints, walls: Ints) -> Hashes:
        """Record the cells (c patterns) and walls (w pairs of patterns) round n corners of one kind."""
        keys = self.cell_keys(sides, tied, patterns)
        self._keys.append(keys.ravel())
        self._owners.append(np.repeat(corners, len(patterns)))
        self._blocks.append((self._size, sides, tied, patterns))
        offsets = self._size + len(patterns) * np.arange(len(corners))
        self._walls.append((offsets[:, None, None] + walls[None]).reshape(-1, 2))
        self._size += keys.size
        return keys

    def finish(self) -> tuple[Ints, Ints, Ints, Hashes]:
        """Cells (m, C), incidence (p, 2), walls (e, 2) and the sorted cell hashes (m,)."""
        copies = self.experts.copies
        keys, first, name, _ = groups(np.concatenate(self._keys))
        cells: NDArray[Any] = np.empty((len(keys), len(copies)), dtype=np.min_scalar_type(int(copies.max())))
        starts = np.array([b[0] for b in self._blocks])
        block_of = np.searchsorted(starts, first, side="right") - 1
        for number in distinct(block_of).tolist():
            start, sides, tied, patterns = self._blocks[number]
            wanted = np.flatnonzero(block_of == number)
            row, pattern = np.divmod(first[wanted] - start, len(patterns))
            cells[wanted] = (sides[row] == 1) * copies.astype(cells.dtype)
            cells[wanted[:, None], tied[row]] = patterns[pattern]
        incidence = np.stack([name, np.concatenate(self._owners)], axis=1)
        walls = unique_pairs(name[np.concatenate(self._walls)], len(keys))
        return cells, incidence, walls, keys


def unique_pairs(pairs: Ints, size: int) -> Ints:
    """Unordered pairs of numbers below `size`, each once, smaller number first, sorted."""
    low, high = np.minimum(pairs[:, 0], pairs[:, 1]), np.maximum(pairs[:, 0], pairs[:, 1])
    bits = size.bit_length()
    both = distinct((low << bits) | high)
    return np.stack([both >> bits, both & ((1 << bits) - 1)], axis=1)
