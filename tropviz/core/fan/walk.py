"""Every corner of a fan in homogeneous dimension D >= 3, by walking from corner to corner along the edges.

Round by round, all open edges are followed at once in float64: the next corner on an edge is where another expert
reaches the threshold first. The float walk only proposes; a proposal is accepted when the sides of *all* experts at the
new corner, decided without rounding (`core.fan.sides`), show that it ends that very edge, and is otherwise replaced by
an exact pivot. When no edge is open, the graph of corners and edges, which is connected, is complete: that is the proof
that no cell is missing. Corners with more tied experts than D, where several boundaries happen to meet, are opened by
the same method one dimension lower.

Cost: one pass over all experts per edge, so O(edges N D), whatever C(N, k) is. With few experts, all C(N, D) bases are
classified in one batch instead, and the edges only say which corners go to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple

import numpy as np

from tropviz.core.fan.diagram import Collector, Diagram, Hashes
from tropviz.core.fan.edges import Edges, ends_edge, first_to_join, names, plain_edges
from tropviz.core.fan.lines import swept_corners
from tropviz.core.fan.local import star
from tropviz.core.fan.pivot import all_corners, exact_pivot, first_corner, guess_corners, real_corners
from tropviz.core.fan.prune import contenders, maybe_active, only, widened
from tropviz.core.fan.sides import Corners, Experts, Ints
from tropviz.core.fan.sweep import sweep
from tropviz.core.sorting import distinct, groups

#: Numbers held at once while following edges: keeps a round below about 100 MB.
BLOCK = 2_000_000
#: Up to this many (basis, expert) pairs, classifying every basis at once beats walking.
BRUTE = 60_000

#: Signs left to integers after which a search stops like one whose budget of corners ran out: half a minute of work.
MOST_SETTLED = 2_000_000
#: Walks tried without the experts that seem to be never active.
TRIALS = 2


class Hard(NamedTuple):
    """A corner opened one dimension lower: its number, tied experts and what is round it."""

    number: int
    tied: Ints
    near: Diagram


def solve(experts: Experts, budget: int) -> Diagram:
    """The fan in any homogeneous dimension D >= 2; see `walk`. In R^3 without experts that are never active."""
    e = experts
    if e.D == 2:
        return sweep(e)
    few = contenders(e) if e.D == 3 else None
    for _ in range(TRIALS):
        fewer = only(e, few) if few is not None else None
        if few is None or fewer is None:
            break
        found = walk(fewer, budget)
        if not found.complete:
            break
        late = maybe_active(e, few, found)
        if not len(late):
            return widened(e, few, found)
        few = np.sort(np.concatenate([few, late]))
    return walk(e, budget)


def walk(experts: Experts, budget: int) -> Diagram:
    """Every cell, corner, edge and ray of `experts`, whose rows must span R^D, D >= 3.

    Parameters
    ----------
    experts : Experts
        Distinct rows with full affine rank D.
    budget : int
        Stop, with `complete` False, after about this many corners.
    """
    return Walk(experts, budget).run(brute=comb(experts.C, experts.D) * experts.C <= BRUTE)


@dataclass
class Walk:
    """State of one walk: corners found, edges known to go to infinity, whether everything added up."""

    experts: Experts
    budget: int
    corners: list[Corners] = field(default_factory=list)
    bases: list[Ints] = field(default_factory=list)
    names: list[Hashes] = field(default_factory=list)
    active: list[Ints] = field(default_factory=list)
    hard: list[Hard] = field(default_factory=list)
    maybe_endless: list[Edges] = field(default_factory=list)
    endless: list[tuple[Corners, Edges]] = field(default_factory=list)
    number: int = 0
    sound: bool = True

    def run(self, brute: bool) -> Diagram:
        """Find everything; `brute` starts from all bases instead of a few corners."""
        e = self.experts
        basis, found, name = self.first_corners(brute)
        if not len(basis):
            basis, found, name = first_corner(e)
        edges = self.unmatched(np.zeros(0, dtype=np.uint64), self.open_corners(basis, found, name))
        if brute and e.half:
            self.maybe_endless, edges = [edges], edges.take(np.zeros(0, dtype=np.int64))
        while True:
            while len(edges) and self.number <= self.budget and e.settled <= MOST_SETTLED:
                edges = self.arrive(*self.follow_all(edges))
            if len(edges):
                self.sound = False
                self.keep_rays()
                break
            lost = self.keep_rays()
            if not len(lost):
                break
            edges = self.arrive(*self.pivot_exactly(lost))
        return self.diagram()

    def first_corners(self, brute: bool) -> tuple[Ints, Corners, Hashes]:
        """All corners, nearly all or some, as the size allows."""
        e = self.experts
        if brute:
            return all_corners(e)
        if e.D > 3:
            return guess_corners(e)
        basis, towards = swept_corners(e)
        return real_corners(e, basis, e.classify(basis, towards))

    def follow_all(self, edges: Edges) -> tuple[Ints, Corners, Hashes]:
        """`follow` in blocks."""
        step = max(1, BLOCK // self.experts.C)
        if len(edges) <= step:
            return self.follow(edges)
        spans = [np.arange(lo, min(lo + step, len(edges))) for lo in range(0, len(edges), step)]
        bases, found, arrived = zip(*(self.follow(edges.take(span)) for span in spans), strict=True)
        return np.concatenate(bases), Corners.join(found), np.concatenate(arrived)

    def arrive(self, basis: Ints, found: Corners, arrived: Hashes) -> Edges:
        """Open the corners that the named edges led to; return the edges that are open then."""
        if not len(basis):
            return Edges.none(self.experts)
        name, first, _, _ = groups(names(self.experts, found.sides))
        return self.unmatched(arrived, self.open_corners(basis[first], found.take(first), name))

    def unmatched(self, arrived: Hashes, fresh: Edges) -> Edges:
        """The fresh edges seen from one end only, given the names of the edges that led here."""
        aside = [part.keys for part in self.maybe_endless]
        before = len(arrived) + sum(map(len, aside))
        _, first, _, count = groups(np.concatenate([arrived, *aside, fresh.keys]))
        alone = np.sort(first[count == 1])
        twice = first[count == 2]
        if (alone < len(arrived)).any() or (count > 2).any():  # an edge led to a corner that does not know it
            self.sound = False
        met = twice[(twice >= len(arrived)) & (twice < before)] - len(arrived)
        if len(met):  # floats took these edges for endless, but their other ends have turned up
            left = Edges.join(self.maybe_endless)
            self.maybe_endless = [left.take(np.setdiff1d(np.arange(len(left)), met))]
        return fresh.take(alone[alone >= before] - before)

    # --- following edges -------------------------------------------------------------------------------------------

    def follow(self, edges: Edges) -> tuple[Ints, Corners, Hashes]:
        """The corner at the other end of each edge that has one, and the names of these edges."""
        joins, when = first_to_join(self.experts, edges, crowded=bool(self.hard))
        endless = when == -np.inf
        if self.experts.half:
            with np.errstate(divide="ignore", invalid="ignore"):
                endless |= -edges.towards[:, -1] > when * edges.start[:, -1]
        if endless.any():
            self.maybe_endless.append(edges.take(endless))
            edges, joins, when = edges.take(~endless), joins[~endless], when[~endless]
        if not len(edges):
            return np.zeros((0, self.experts.D), dtype=np.int64), Corners.none(self.experts), edges.keys
        basis = np.sort(np.concatenate([edges.basis, joins[:, None]], axis=1), axis=1)
        with np.errstate(invalid="ignore", over="ignore"):  # a meaningless proposal is refused below
            target = edges.start * when[:, None] + edges.towards
        target[~np.isfinite(target)] = 0.0
        found = self.experts.classify(basis, target)
        good = ends_edge(edges, found)
        if good.all():
            return basis, found, edges.keys
        more = self.pivot_exactly(edges.take(~good))
        basis, arrived = np.concatenate([basis[good], more[0]]), np.concatenate([edges.keys[good], more[2]])
        return basis, Corners.join([found.take(good), more[1]]), arrived

    def keep_rays(self) -> Edges:
        """Record the edges that certainly go to infinity; return those that floats were wrong about."""
        if not self.maybe_endless:
            return Edges.none(self.experts)
        edges = Edges.join(self.maybe_endless)
        self.maybe_endless = []
        if not self.experts.half:
            return edges
        target = edges.towards * edges.start[:, -1:] - edges.start * edges.towards[:, -1:]
        found = self.experts.classify(edges.basis, target, infinite=True)
        good = ends_edge(edges, found)
        if good.all():
            self.endless.append((found, edges))
            return Edges.none(self.experts)
        self.endless.append((found.take(good), edges.take(good)))
        return edges.take(~good)

    def pivot_exactly(self, edges: Edges) -> tuple[Ints, Corners, Hashes]:
        """Follow edges one by one in exact integers, where floats could not tell which expert comes first."""
        e = self.experts
        bases, targets = np.zeros((len(edges), e.D), dtype=np.int64), np.zeros((len(edges), e.D))
        endless = np.zeros(len(edges), dtype=bool)
        for n in range(len(edges)):
            left = int(edges.left[n])
            basis, targets[n] = exact_pivot(
                e, edges.start[n], edges.origin[n], edges.basis[n], left, int(edges.sides[n, left])
            )
            endless[n] = basis is None
            if basis is not None:
                bases[n] = basis
        rays, rest = edges.take(endless), edges.take(~endless)
        at_infinity = e.classify(rays.basis, targets[endless], infinite=True)
        self.endless.append((at_infinity, rays))
        found = e.classify(bases[~endless], targets[~endless])
        good = ends_edge(rest, found)
        self.sound &= bool(good.all()) and bool(ends_edge(rays, at_infinity).all())
        return bases[~endless][good], found.take(good), rest.keys[good]

    # --- opening corners -------------------------------------------------------------------------------------------

    def open_corners(self, bases: Ints, found: Corners, name: Hashes) -> Edges:
        """Record new corners, whose names are given; return all their edges."""
        e = self.experts
        if not len(bases):
            return Edges.none(e)
        plain = ((found.sides == 0).sum(axis=1) == e.D) & found.sharp
        hard = np.nonzero(~plain)[0].tolist()
        active = e.active(found.sides)
        parts = [self.open_hard(self.number + n, bases[n], found, n, int(active[n])) for n in hard]
        if not hard:
            parts.append(plain_edges(e, bases, found, active, name))
        elif plain.any():
            parts.append(plain_edges(e, bases[plain], found.take(plain), active[plain], name[plain]))
        self.corners.append(found)
        self.bases.append(bases)
        self.names.append(name)
        self.active.append(active)
        self.number += len(bases)
        return Edges.join(parts)

    def open_hard(self, number: int, basis: Ints, found: Corners, n: int, active: int) -> Edges:
        """Edges of a corner with more tied experts, or an ill-conditioned one: a fan one dimension lower."""
        e = self.experts
        tied = np.nonzero(found.sides[n] == 0)[0]
        vector = e.exact_null(basis)
        dropped = max(range(e.D), key=lambda c: abs(vector[c]))
        kept = [c for c in range(e.D) if c != dropped]
        near = solve(e.some(tied, active, False, kept), self.budget)
        self.sound &= near.complete
        self.hard.append(Hard(number, tied, near))
        size = len(near.points)
        sides = np.repeat(found.sides[n : n + 1], size, axis=0)
        sides[:, tied] = near.sides
        towards = np.zeros((size, e.D))
        towards[:, kept] = near.points
        start, origin = np.repeat(found.points[n : n + 1], size, axis=0), np.repeat(basis[None], size, axis=0)
        left = tied[(near.sides != 0).argmax(axis=1)]
        return Edges(names(e, sides), start, origin, towards, sides, tied[near.bases], left)

    # --- the result ------------------------------------------------------------------------------------------------

    def diagram(self) -> Diagram:
        """Put the cells together from what is round each corner."""
        e = self.experts
        found, bases = Corners.join(self.corners), np.concatenate(self.bases)
        collector = Collector(e)
        plain = np.delete(np.arange(len(bases)), [h.number for h in self.hard])
        for rows, active, copies in kinds(e, np.concatenate(self.active), bases, plain):
            near = star(copies, active)
            collector.add(rows, found.sides[rows], bases[rows], near.cells, near.walls)
        round_edges: dict[int, Hashes] = {}
        for number, tied, local in self.hard:
            sides = found.sides[number : number + 1]
            keys = collector.add(np.array([number]), sides, tied[None], local.cells, local.walls)[0]
            along = np.repeat(sides, len(local.points), axis=0)
            along[:, tied] = local.sides
            for ray, name in enumerate(names(e, along).tolist()):
                round_edges[name] = keys[local.incidence[local.incidence[:, 1] == ray, 0]]
        cells, incidence, walls, keys = collector.finish()
        corner_names = np.concatenate(self.names)
        self.sound &= len(distinct(corner_names)) == len(corner_names)
        edges = Edges.join([part for _, part in self.endless]) if self.endless else Edges.none(e)
        at_infinity = Corners.join([part for part, _ in self.endless]) if self.endless else Corners.none(e)
        return Diagram(
            cells=cells,
            points=found.points,
            sides=found.sides,
            bases=bases,
            errors=found.errors,
            incidence=incidence,
            walls=walls,
            rays=at_infinity.points,
            ray_sides=edges.sides,
            ray_bases=edges.basis,
            ray_errors=at_infinity.errors,
            ray_incidence=self.cells_of_rays(collector, edges, round_edges, keys),
            complete=self.sound,
        )

    def cells_of_rays(self, collector: Collector, edges: Edges, known: dict[int, Hashes], cells: Hashes) -> Ints:
        """Pairs (cell, ray) for the edges that go to infinity."""
        if not len(edges):
            return np.zeros((0, 2), dtype=np.int64)
        keys = edges.keys.tolist()
        owners: list[Ints] = []
        found: list[Hashes] = []
        for ray, key in enumerate(keys) if known else ():
            if key in known:
                found.append(known[key])
                owners.append(np.full(len(known[key]), ray))
        plain = np.arange(len(keys))
        if known:
            plain = np.array([ray for ray, key in enumerate(keys) if key not in known], dtype=np.int64)
        for rows, active, copies in kinds(self.experts, self.experts.active(edges.sides), edges.basis, plain):
            near = star(copies, active)
            found.append(collector.cell_keys(edges.sides[rows], edges.basis[rows], near.cells).ravel())
            owners.append(np.repeat(rows, len(near.cells)))
        return np.stack([np.searchsorted(cells, np.concatenate(found)), np.concatenate(owners)], axis=1)


def kinds(e: Experts, active: Ints, tied: Ints, rows: Ints) -> list[tuple[Ints, int, tuple[int, ...]]]:
    """The rows grouped by how many of the tied experts are active and how many copies these have."""
    if not len(rows):
        return []
    active = active[rows]
    if e.single:
        ones = (1,) * tied.shape[1]
        return [(rows[active == j], int(j), ones) for j in np.flatnonzero(np.bincount(active))]
    table = np.concatenate([active[:, None], e.copies[tied[rows]]], axis=1)
    values, kind = np.unique(table, axis=0, return_inverse=True)
    kind = kind.ravel()
    return [(rows[kind == q], int(v[0]), tuple(v[1:].tolist())) for q, v in enumerate(values)]
