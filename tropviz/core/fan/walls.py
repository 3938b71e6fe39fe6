"""The walls of a fan as half-spaces: everything that is cut out of space is cut out with these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import number
from tropviz.core.fan.ranges import expand
from tropviz.core.fan.record import Fan
from tropviz.core.router import Router

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Walls:
    """Half-spaces of all cells.

    Wall w lies on {x : normals[w] . x + offsets[w] = 0}; the left side, cell `pairs[w, 0]`, is where this is >= 0.
    The half-spaces of cell c are entries start[c]:start[c+1] of `wall` and `sign`: sign * (normal . x + offset) >= 0.
    """

    pairs: Ints  # (e, 2)
    normals: Floats  # (e, d), unit
    offsets: Floats  # (e,)
    start: Ints  # (m + 1,)
    wall: Ints  # (2e,)
    sign: Floats  # (2e,)

    @property
    def degree(self) -> Ints:
        """Number of walls of every cell (m,)."""
        return np.diff(self.start)

    def others(self, walls: Ints, sides: Ints) -> tuple[Ints, Ints]:
        """All other half-spaces of one side of each given wall.

        Parameters
        ----------
        walls : ndarray (n,)
        sides : ndarray (n,)
            The cell of each wall whose half-spaces are wanted.

        Returns
        -------
        row : ndarray (t,)
            Position in `walls`, in ascending order.
        entry : ndarray (t,)
            Index into `wall` and `sign`.
        """
        row, entry = expand(self.start[sides], self.degree[sides])
        keep = self.wall[entry] != walls[row]
        return row[keep], entry[keep]


def walls_of(fan: Fan) -> Walls:
    """Half-spaces of every cell of a fan, from its neighbour pairs.

    Cells S and T that share a wall are parted by `sum over S \\ T of (w.x + b) = sum over T \\ S of (w.x + b)`, however
    many experts are swapped. The experts they share never enter, so nothing cancels; the sums are exact.
    """
    pairs = np.asarray(fan.neighbours, dtype=np.int64).reshape(-1, 2)
    sets = np.asarray(fan.active_sets, dtype=np.int64)
    normals, offsets = _half_spaces(fan.router, sets, pairs)
    ends = pairs.T.ravel()
    order = np.argsort(ends, kind="stable")
    start = np.zeros(len(sets) + 1, dtype=np.int64)
    np.cumsum(np.bincount(ends, minlength=len(sets)), out=start[1:])
    e = len(pairs)
    return Walls(pairs, normals, offsets, start, order % max(e, 1), np.where(order < e, 1.0, -1.0))


def _half_spaces(router: Router, sets: Ints, pairs: Ints) -> tuple[Floats, Floats]:
    """Unit normals (e, d) and offsets (e,) of the half-spaces of the first cells; beyond float64 these are infinite."""
    member = np.zeros((len(sets), router.N), dtype=bool)
    np.put_along_axis(member, sets, True, axis=1)
    swap = member[pairs[:, 0]].astype(np.int64) - member[pairs[:, 1]]
    normals, offsets = np.empty((len(pairs), router.d)), np.empty(len(pairs))
    plain = (np.count_nonzero(swap, axis=1) == 2) & (not router.exact.wide)
    rows = router.exact.walls(swap[plain].argmax(axis=1), swap[plain].argmin(axis=1))
    with np.errstate(over="ignore"):
        peak = np.abs(rows[:, :-1]).max(axis=1, initial=0.0)
        normals[plain] = rows[:, :-1] / peak[:, None]
        offsets[plain] = rows[:, -1] / peak
        for n in np.flatnonzero(~plain).tolist():
            normals[n], offsets[n] = _sum(router, swap[n])
        size = np.sqrt(np.einsum("nx,nx->n", normals, normals))
        return normals / size[:, None], offsets / size


def _sum(router: Router, swap: Ints) -> tuple[list[float], float]:
    """The same of one pair from integers, the longest entry of the normal near 1."""
    signed = [(router.exact.row(i), int(swap[i])) for i in np.flatnonzero(swap).tolist()]
    whole = [sum(sign * row[c] for row, sign in signed) for c in range(router.d + 1)]
    power = max(x.bit_length() for x in whole[:-1])
    return [x / (1 << power) for x in whole[:-1]], number(whole[-1], -power)
