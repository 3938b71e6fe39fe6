"""Edges of a fan seen from a corner: their names, directions and the sides of all experts along them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.sides import CACHED, SHORT, Corners, Experts, Floats, Ints, Signs, null_vectors
from tropviz.core.sorting import distinct, unpaired
from tropviz.core.tolerance import STILL_TIED

Hashes = NDArray[np.uint64]


@dataclass
class Edges:
    """Edges leaving corners, one row each.

    Attributes
    ----------
    keys : (E,) uint64        the edge's name, the same seen from both its ends
    start : (E, D) float      the corner it leaves
    origin : (E, D) int       independent experts tied at that corner
    towards : (E, D) float    direction in which it leaves
    sides : (E, C) int8       side of every expert along the edge; 0 = tied
    basis : (E, D-1) int      independent experts tied along the edge
    left : (E,) int           an expert tied at the corner but not along the edge
    """

    keys: Hashes
    start: Floats
    origin: Ints
    towards: Floats
    sides: Signs
    basis: Ints
    left: Ints

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: Ints | NDArray[np.bool_]) -> Edges:
        """The chosen rows."""
        return Edges(
            self.keys[rows],
            self.start[rows],
            self.origin[rows],
            self.towards[rows],
            self.sides[rows],
            self.basis[rows],
            self.left[rows],
        )

    @staticmethod
    def join(parts: list[Edges]) -> Edges:
        """One table from several."""
        if len(parts) == 1:
            return parts[0]
        names = Edges.__dataclass_fields__
        return Edges(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    @staticmethod
    def none(e: Experts) -> Edges:
        """An empty table."""
        whole, real = np.zeros(0, dtype=np.int64), np.zeros((0, e.D))
        sides, basis = np.zeros((0, e.C), dtype=np.int8), np.zeros((0, e.D), dtype=np.int64)
        return Edges(whole.astype(np.uint64), real, basis, real, sides, basis[:, 1:], whole)


def names(e: Experts, sides: Signs) -> Hashes:
    """Name of each corner or edge, from the sides of all experts."""
    return (sides == 1) @ e.hash_above + (sides == 0) @ e.hash_tied


def plain_edges(e: Experts, tied: Ints, found: Corners, active: Ints, keys: Hashes) -> Edges:
    """Edges of corners with exactly D independent tied experts: one of these leaves the tie, down or up.

    Those met from both ends among these very corners are left out: they are finished.
    """
    copies = e.copies[tied]
    rest = copies.sum(axis=1, keepdims=True) - copies
    left_active = np.stack([np.repeat(active[:, None], e.D, axis=1), active[:, None] - copies])
    found_at = np.flatnonzero((left_active > 0) & (left_active < rest))
    rises, at = np.divmod(found_at, tied.size)
    out = tied.reshape(-1)[at]
    gain = np.concatenate([-e.hash_tied, e.hash_above - e.hash_tied])  # modulo 2^64
    name = keys[at // e.D] + gain[out + e.C * rises]
    left = unpaired(name)
    rises, at, out, name = rises[left], at[left], out[left], name[left]
    row, p = np.divmod(at, e.D)
    everyone = np.arange(len(row))
    sides = found.sides[row]
    sides[everyone, out] = 2 * rises - 1
    basis = tied[row][np.arange(e.D) != p[:, None]].reshape(len(row), e.D - 1)
    start, origin = found.points[row], tied[row]
    if e.D <= SHORT:
        towards = sinking(e, basis, out, start)
    else:  # all directions of a corner at once
        corner = distinct(row)
        towards = leaving(e, tied[corner], found.points[corner])[np.searchsorted(corner, row), p]
    towards[rises == 1] *= -1
    return Edges(name, start, origin, towards, sides, basis, out)


def sinking(e: Experts, basis: Ints, out: Ints, points: Floats) -> Floats:
    """Directions (n, D) in which expert `out` sinks below those of the basis (n, D-1), orthogonal to the corner."""
    matrices = np.concatenate([e.less(basis[:, 1:], basis[:, :1]), points[:, None]], axis=1)
    direction = null_vectors(matrices)
    direction[np.einsum("nd,nd->n", e.less(out, basis[:, 0]), direction) > 0] *= -1
    return direction


def leaving(e: Experts, tied: Ints, points: Floats) -> Floats:
    """Directions (n, D, D) in which expert p alone sinks below the other tied experts, orthogonal to the corner."""
    matrices = e.less(tied[:, 1:], tied[:, :1])
    power = np.frexp(np.abs(matrices).max(axis=2))[1]
    scaled = np.ldexp(matrices, -power[:, :, None])
    square = np.concatenate([scaled, points[:, None, :]], axis=1)
    try:
        inverse = np.linalg.inv(square)
    except np.linalg.LinAlgError:  # entries that underflow: a poor proposal, which an exact pivot replaces
        inverse = np.linalg.pinv(square)
    columns = inverse[:, :, :-1].transpose(0, 2, 1)  # (n, D-1, D): expert p+1 rises by one unit of its row
    lift = np.ldexp(1.0, power.min(axis=1, keepdims=True) - power)
    out = np.empty((len(tied), e.D, e.D))
    out[:, 0] = (columns * lift[:, :, None]).sum(axis=1)
    np.negative(columns, out=out[:, 1:])
    return out


def first_to_join(e: Experts, edges: Edges, crowded: bool = False) -> tuple[Ints, Floats]:
    """Float proposal: which expert reaches the threshold first along each edge, and the parameter where it does.

    The point start * t + towards runs from the corner (t = inf) along the edge as t falls; -inf stands for never.
    `crowded`: some corners have more tied experts than D; those that leave the tie there must not seem to rejoin it.
    """
    joins, best = np.empty(len(edges), dtype=np.int64), np.empty(len(edges))
    step = max(1, CACHED // e.C)
    for low in range(0, len(edges), step):
        part = slice(low, low + step)
        basis = edges.basis[part]
        everyone, base = np.arange(len(basis)), basis[:, 0]
        height = edges.start[part] @ e.centred.T
        height -= height[everyone, base][:, None]
        when = edges.towards[part] @ e.centred.T
        np.subtract(when[everyone, base][:, None], when, out=when)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            when /= height
        when[everyone[:, None], basis] = -np.inf
        when[everyone, edges.left[part]] = -np.inf
        if crowded:
            when[(np.abs(height) <= STILL_TIED * e.norms.max()) | (edges.sides[part] == 0)] = -np.inf
        joins[part] = when.argmax(axis=1)
        best[part] = when[everyone, joins[part]]
    return joins, best


def ends_edge(edges: Edges, found: Corners) -> NDArray[np.bool_]:
    """True where the corner is the other end of the edge: no expert changed sides before it."""
    same = ((found.sides == edges.sides) | (found.sides == 0)).all(axis=1)
    moved = found.sides[np.arange(len(edges)), edges.left] != 0
    return found.ok & same & moved
