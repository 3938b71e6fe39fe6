"""Every corner of a fan in homogeneous dimension D >= 3, by walking from corner to corner along the edges.

Round by round, all open edges are followed at once in float64: the next corner on an edge is where another expert
reaches the threshold first. The float walk only proposes; a proposal is accepted when the sides of *all* experts at the
new corner, decided without rounding (`fan_sides`), show that it ends that very edge, and is otherwise replaced by an
exact pivot. When no edge is open, the graph of corners and edges, which is connected, is complete: that is the proof
that no cell is missing. Corners with more tied experts than D, where several boundaries happen to meet, are opened by
the same method one dimension lower.

Cost: one pass over all experts per edge, so O(edges N D), whatever C(N, k) is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tropviz.core.fan_diagram import Collector, Diagram, Hashes
from tropviz.core.fan_local import star
from tropviz.core.fan_pivot import exact_pivot, first_corner
from tropviz.core.fan_sides import Corners, Experts, Floats, Ints, Signs
from tropviz.core.fan_sweep import sweep

#: Floats held at once while following edges: keeps a round below about 100 MB.
BLOCK = 2_000_000


@dataclass
class Edges:
    """Edges leaving corners, one row each.

    Attributes
    ----------
    keys : (E,) uint64        the edge's name, the same seen from both its ends
    start : (E, D) float      the corner it leaves
    origin : (E,) int         number of that corner
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

    def take(self, rows: Ints) -> Edges:
        """The chosen rows."""
        return Edges(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    @staticmethod
    def join(parts: list[Edges]) -> Edges:
        """One table from several."""
        names = Edges.__dataclass_fields__
        return Edges(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def walk(experts: Experts, budget: int) -> Diagram:
    """Every cell, corner, edge and ray of `experts`, whose rows must span R^D, D >= 3.

    Parameters
    ----------
    experts : Experts
        Distinct rows with full affine rank D.
    budget : int
        Stop, with `complete` False, after about this many corners.
    """
    return Walk(experts, budget).run()


def solve(experts: Experts, budget: int) -> Diagram:
    """The fan in any homogeneous dimension D >= 2."""
    return sweep(experts) if experts.D == 2 else walk(experts, budget)


@dataclass
class Walk:
    """State of one walk."""

    experts: Experts
    budget: int
    collector: Collector = field(init=False)
    corners: list[Corners] = field(default_factory=list)
    bases: list[Ints] = field(default_factory=list)
    ray_parts: list[tuple[Floats, Edges]] = field(default_factory=list)
    hard_cells: dict[int, Hashes] = field(default_factory=dict)
    number: int = 0
    sound: bool = True

    def __post_init__(self) -> None:
        self.collector = Collector(self.experts)

    def run(self) -> Diagram:
        basis, found = first_corner(self.experts)
        edges = close_pairs(self.open_corners(basis, found))
        while len(edges):
            if self.number > self.budget:
                self.sound = False
                break
            edges = self.round(edges)
        return self.diagram()

    def round(self, edges: Edges) -> Edges:
        """Follow every open edge; return the edges that are open then."""
        step = max(1, BLOCK // self.experts.C)
        new_bases, new_corners = [], []
        for lo in range(0, len(edges), step):
            part = edges.take(np.arange(lo, min(lo + step, len(edges))))
            basis, found = self.follow(part)
            new_bases.append(basis)
            new_corners.append(found)
        basis = np.concatenate(new_bases)
        found = Corners.join(new_corners)
        names = self.corner_keys(found.sides)
        _, first = np.unique(names, return_index=True)
        first.sort()
        reached = found.take(first)
        fresh = self.open_corners(basis[first], reached)
        closed = np.isin(fresh.keys, edges.keys)
        self.check_closed(edges, fresh.keys[closed])
        return close_pairs(fresh.take(np.nonzero(~closed)[0]))

    def check_closed(self, edges: Edges, closed: Hashes) -> None:
        """Every followed edge ends in a ray or at a corner that knows it."""
        rays = sum(len(part) for _, part in self.ray_parts) - self.counted_rays
        self.counted_rays += rays
        if len(np.unique(closed)) + rays != len(edges):
            self.sound = False

    counted_rays: int = 0

    def corner_keys(self, sides: Signs) -> Hashes:
        """Name of each corner or edge from its sides."""
        zero = np.uint64(0)
        parts = np.where(sides == 1, self.experts.hash_above, np.where(sides == 0, self.experts.hash_tied, zero))
        return parts.sum(axis=1, dtype=np.uint64)

    # --- following edges -------------------------------------------------------------------------------------------

    def follow(self, edges: Edges) -> tuple[Ints, Corners]:
        """The corner at the other end of each edge; rays are put aside."""
        e = self.experts
        everyone = np.arange(len(edges))
        height = edges.start @ e.centred.T
        height -= height[everyone, edges.basis[:, 0]][:, None]
        slope = edges.towards @ e.centred.T
        slope -= slope[everyone, edges.basis[:, 0]][:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            np.divide(slope, height, out=slope)
            np.negative(slope, out=slope)
        slope[(edges.sides == 0) | ~np.isfinite(slope)] = -np.inf
        slope[everyone, edges.left] = -np.inf
        joins = slope.argmax(axis=1)
        when = slope[everyone, joins]
        endless = ~np.isfinite(when)
        if e.half:
            with np.errstate(divide="ignore", invalid="ignore"):
                horizon = -edges.towards[:, -1] / edges.start[:, -1]
            endless |= horizon > when
        when[endless] = 0.0
        target = edges.start * when[:, None] + edges.towards
        basis = np.concatenate([edges.basis, joins[:, None]], axis=1)
        basis.sort(axis=1)
        ends = np.nonzero(~endless)[0]
        once, back = unique_rows(basis[ends], target[ends], self.corner_hint(edges, joins)[ends])
        found = e.classify(basis[ends][once], target[ends][once])
        good = self.ends_edge(edges.take(ends), found.take(back))
        retry = np.concatenate([ends[~good], self.keep_rays(edges, np.nonzero(endless)[0])])
        used = np.unique(back[good])
        out_basis, out = basis[ends][once][used], found.take(used)
        if len(retry):
            more_basis, more = self.pivot_exactly(edges.take(np.sort(retry)))
            out_basis = np.concatenate([out_basis, more_basis])
            out = Corners.join([out, more])
        return out_basis, out

    def corner_hint(self, edges: Edges, joins: Ints) -> Hashes:
        """Expected name of the next corner, if only one expert joins there."""
        was_above = edges.sides[np.arange(len(edges)), joins] == 1
        above = np.where(was_above, self.experts.hash_above[joins], np.uint64(0))
        return edges.keys - above + self.experts.hash_tied[joins]

    def ends_edge(self, edges: Edges, found: Corners) -> np.ndarray:
        """True where the corner is the other end of the edge: no expert changed sides before it."""
        same = ((found.sides == 0) | (found.sides == edges.sides)).all(axis=1)
        moved = found.sides[np.arange(len(edges)), edges.left] != 0
        return found.ok & same & moved

    def keep_rays(self, edges: Edges, rows: Ints) -> Ints:
        """Record the edges that go to infinity; return the rows where that is not certain."""
        if not len(rows):
            return rows
        part = edges.take(rows)
        with np.errstate(divide="ignore", invalid="ignore"):
            when = -part.towards[:, -1] / part.start[:, -1]
        found = self.experts.classify(part.basis, part.start * when[:, None] + part.towards, infinite=True)
        good = self.ends_edge(part, found) if self.experts.half else np.zeros(len(rows), dtype=bool)
        sure = np.nonzero(good)[0]
        self.ray_parts.append((found.points[sure], part.take(sure)))
        return rows[~good]

    def pivot_exactly(self, edges: Edges) -> tuple[Ints, Corners]:
        """Follow edges one by one in exact integers, where floats could not tell which expert comes first."""
        e = self.experts
        bases, targets, rays = [], [], []
        for n in range(len(edges)):
            left = int(edges.left[n])
            basis, target = exact_pivot(
                e, edges.start[n], self.bases_flat(edges.origin[n]), edges.basis[n], left, int(edges.sides[n, left])
            )
            if basis is None:
                rays.append((n, target))
            else:
                bases.append(basis)
                targets.append(target)
        if rays:
            rows = np.array([n for n, _ in rays])
            part = edges.take(rows)
            found = e.classify(part.basis, np.array([t for _, t in rays]), infinite=True)
            good = self.ends_edge(part, found)
            self.sound &= bool(good.all())
            self.ray_parts.append((found.points, part))
        basis_array = np.array(bases, dtype=np.int64).reshape(-1, e.D)
        found = e.classify(basis_array, np.array(targets).reshape(-1, e.D))
        ends = [n for n in range(len(edges)) if n not in {r for r, _ in rays}]
        good = self.ends_edge(edges.take(np.array(ends, dtype=np.int64)), found)
        self.sound &= bool(good.all())
        return basis_array[good], found.take(good)

    def bases_flat(self, number: int) -> Ints:
        """Basis of an earlier corner by its number."""
        for block in self.bases:
            if number < len(block):
                return block[number]
            number -= len(block)
        raise IndexError(number)

    # --- opening corners -------------------------------------------------------------------------------------------

    def open_corners(self, bases: Ints, found: Corners) -> Edges:
        """Record new corners with the cells and walls round them; return all their edges."""
        if not len(bases):
            return self.no_edges()
        tied = (found.sides == 0).sum(axis=1)
        plain = (tied == self.experts.D) & found.sharp
        parts = []
        order = np.concatenate([np.nonzero(plain)[0], np.nonzero(~plain)[0]])
        bases, found = bases[order], found.take(order)
        count = int(plain.sum())
        active = self.experts.k - (np.where(found.sides == 1, self.experts.copies, 0)).sum(axis=1)
        if count:
            sub = found.take(np.arange(count))
            parts.append(self.open_plain(bases[:count], sub, active[:count]))
        parts += [self.open_hard(self.number + n, bases[n], found, n, int(active[n])) for n in range(count, len(bases))]
        self.corners.append(found)
        self.bases.append(bases)
        self.number += len(bases)
        return Edges.join(parts)

    def no_edges(self) -> Edges:
        """An empty table."""
        e = self.experts
        none, flat = np.zeros(0, dtype=np.int64), np.zeros((0, e.D))
        sides, basis = np.zeros((0, e.C), dtype=np.int8), np.zeros((0, e.D - 1), dtype=np.int64)
        return Edges(none.astype(np.uint64), flat, none, flat, sides, basis, none)

    def open_plain(self, tied: Ints, found: Corners, active: Ints) -> Edges:
        """Cells, walls and edges round corners with exactly D independent tied experts."""
        e = self.experts
        numbers = self.number + np.arange(len(tied))
        copies = e.copies[tied]
        kinds = np.concatenate([active[:, None], copies], axis=1)
        if e.single:
            values, kind = np.unique(active, return_inverse=True)
            firsts = [int(np.nonzero(kind == q)[0][0]) for q in range(len(values))]
        else:
            _, first, kind = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
            firsts = first.tolist()
        for q, sample in enumerate(firsts):
            rows = np.nonzero(kind.ravel() == q)[0]
            near = star(tuple(copies[sample].tolist()), int(active[sample]))
            self.collector.add(numbers[rows], found.sides[rows], tied[rows], near.cells, near.walls)
        down = leaving(e, tied, found.points)  # (n, D, D): expert p sinks below the others
        rest = copies.sum(axis=1, keepdims=True) - copies
        low = (active[:, None] > 0) & (active[:, None] < rest)
        high = (active[:, None] - copies > 0) & (active[:, None] - copies < rest)
        names = self.corner_keys(found.sides)
        parts = []
        for mask, side, turn in ((low, -1, 1.0), (high, 1, -1.0)):
            row, p = np.nonzero(mask)
            out = tied[row, p]
            sides = found.sides[row]
            sides[np.arange(len(row)), out] = side
            keys = names[row] - e.hash_tied[out]
            if side == 1:
                keys = keys + e.hash_above[out]
            basis = tied[row][np.arange(e.D)[None, :] != p[:, None]].reshape(len(row), e.D - 1)
            parts.append(Edges(keys, found.points[row], numbers[row], turn * down[row, p], sides, basis, out))
        return Edges.join(parts)

    def open_hard(self, number: int, basis: Ints, found: Corners, n: int, active: int) -> Edges:
        """The same for one corner with more tied experts, or an ill-conditioned one: a fan one dimension lower."""
        e = self.experts
        tied = np.nonzero(found.sides[n] == 0)[0]
        vector = e.exact_null(basis)
        dropped = max(range(e.D), key=lambda c: abs(vector[c]))
        kept = [c for c in range(e.D) if c != dropped]
        inner = Experts(np.ascontiguousarray(e.rows[tied][:, kept]), e.copies[tied], active, False, lambda: [
            [e.integers[i][c] for c in kept] for i in tied
        ])
        near = solve(inner, self.budget)
        self.sound &= near.complete
        sides = found.sides[n : n + 1]
        keys = self.collector.add(np.array([number]), sides, tied[None], near.cells, near.walls)[0]
        size = len(near.points)
        along = np.repeat(sides, size, axis=0)
        along[:, tied] = near.sides
        towards = np.zeros((size, e.D))
        towards[:, kept] = near.points
        names = self.corner_keys(along)
        for ray in range(size):
            self.hard_cells[int(names[ray])] = keys[near.incidence[near.incidence[:, 1] == ray, 0]]
        left = tied[(near.sides != 0).argmax(axis=1)]
        start = np.repeat(found.points[n : n + 1], size, axis=0)
        return Edges(names, start, np.full(size, number), towards, along, tied[near.bases], left)

    # --- the result ------------------------------------------------------------------------------------------------

    def diagram(self) -> Diagram:
        e = self.experts
        cells, incidence, walls, keys = self.collector.finish()
        found = Corners.join(self.corners)
        names = self.corner_keys(found.sides)
        if len(np.unique(names)) != len(names):
            self.sound = False
        rays, edges = np.zeros((0, e.D)), None
        ray_incidence = np.zeros((0, 2), dtype=np.int64)
        if self.ray_parts:
            rays = np.concatenate([points for points, _ in self.ray_parts])
            edges = Edges.join([part for _, part in self.ray_parts])
            ray_incidence = self.cells_of_rays(edges, keys)
        return Diagram(
            cells=cells,
            points=found.points,
            sides=found.sides,
            bases=np.concatenate(self.bases),
            incidence=incidence,
            walls=walls,
            rays=rays,
            ray_sides=edges.sides if edges is not None else np.zeros((0, e.C), dtype=np.int8),
            ray_bases=edges.basis if edges is not None else np.zeros((0, e.D - 1), dtype=np.int64),
            ray_incidence=ray_incidence,
            complete=self.sound,
        )

    def cells_of_rays(self, edges: Edges, cell_names: Hashes) -> Ints:
        """Pairs (cell, ray) for the edges that go to infinity."""
        e = self.experts
        owners, names = [], []
        hard = np.array([int(key) in self.hard_cells for key in edges.keys], dtype=bool)
        for ray in np.nonzero(hard)[0].tolist():
            cells = self.hard_cells[int(edges.keys[ray])]
            names.append(cells)
            owners.append(np.full(len(cells), ray))
        plain = np.nonzero(~hard)[0]
        active = e.k - np.where(edges.sides == 1, e.copies, 0).sum(axis=1)
        kinds = np.concatenate([active[:, None], e.copies[edges.basis]], axis=1)
        groups: dict[tuple[int, ...], list[int]] = {}
        for ray in plain.tolist():
            groups.setdefault(tuple(kinds[ray].tolist()), []).append(ray)
        for kind, members in groups.items():
            near = star(kind[1:], kind[0])
            rows = np.array(members)
            names.append(self.collector.cell_keys(edges.sides[rows], edges.basis[rows], near.cells).ravel())
            owners.append(np.repeat(rows, len(near.cells)))
        cell = np.searchsorted(cell_names, np.concatenate(names))
        return np.stack([cell, np.concatenate(owners)], axis=1)


def close_pairs(edges: Edges) -> Edges:
    """Drop the edges seen from both ends."""
    _, first, count = np.unique(edges.keys, return_index=True, return_counts=True)
    return edges.take(np.sort(first[count == 1]))


def unique_rows(basis: Ints, target: Floats, hint: Hashes) -> tuple[Ints, Ints]:
    """First row of each distinct expected corner, and for each row which of them it is."""
    _, first, back = np.unique(hint, return_index=True, return_inverse=True)
    return first, back


def leaving(experts: Experts, tied: Ints, points: Floats) -> Floats:
    """Directions (n, D, D) in which expert p alone sinks below the other tied experts, orthogonal to the corner."""
    matrices = experts.rows[tied[:, 1:]] - experts.rows[tied[:, :1]]
    power = np.frexp(np.abs(matrices).max(axis=2))[1]
    scaled = np.ldexp(matrices, -power[:, :, None])
    inverse = np.linalg.inv(np.concatenate([scaled, points[:, None, :]], axis=1))
    columns = inverse[:, :, :-1].transpose(0, 2, 1)  # (n, D-1, D): expert p+1 rises by one unit of its row
    lift = np.ldexp(1.0, power.max(axis=1, keepdims=True) - power)
    first = (columns * lift[:, :, None]).sum(axis=1)
    out = np.concatenate([first[:, None], -columns], axis=1)
    return out / np.linalg.norm(out, axis=2, keepdims=True)
