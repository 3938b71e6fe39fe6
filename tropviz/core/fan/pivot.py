"""Where a walk over a fan starts: all corners, many guesses or one; and one edge followed in exact integers."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from tropviz.core.fan import exact
from tropviz.core.fan.edges import Edges, Hashes, first_to_join, names
from tropviz.core.fan.sides import Corners, Experts, Floats, Ints, null_vectors
from tropviz.core.sorting import distinct, groups

#: Random points per expert from which corners are guessed before walking.
GUESSES = 2
#: Attempts at sliding to a first corner in floats, then in integers.
FLOAT_SLIDES, EXACT_SLIDES = 10, 100


def real_corners(e: Experts, bases: Ints, found: Corners) -> tuple[Ints, Corners, Hashes]:
    """Those classified bases that are corners of the fan at its threshold k, each corner once, and their names."""
    active, level = e.active(found.sides), found.sides == 0
    tied = np.count_nonzero(level, axis=1) if e.single else level @ e.copies
    real = np.flatnonzero(found.ok & (active > 0) & (active < tied))
    if len(real) < len(bases):
        bases, found = bases[real], found.take(real)
    name = names(e, found.sides)
    if len(distinct(name)) < len(name):
        first = groups(name).first
        bases, found, name = bases[first], found.take(first), name[first]
    return bases, found, name


@lru_cache(maxsize=32)
def all_bases(experts: int, size: int) -> Ints:
    """Every choice of `size` out of `experts`, (n, size)."""
    return np.array(list(combinations(range(experts), size)), dtype=np.int64).reshape(-1, size)


def all_corners(e: Experts) -> tuple[Ints, Corners, Hashes]:
    """Every corner, by classifying every basis: for few experts only."""
    bases = all_bases(e.C, e.D)
    if e.half:  # of two opposite rays only one has a positive last coordinate
        return real_corners(e, bases, e.classify(bases, None))
    found = e.classify(bases, None)
    other = found._replace(points=-found.points, sides=-found.sides)
    return real_corners(e, np.concatenate([bases, bases]), Corners.join([found, other]))


def guess_corners(e: Experts) -> tuple[Ints, Corners, Hashes]:
    """Some corners: random points are moved to the closest tie at the threshold and from there to its ends."""
    count = GUESSES * e.C
    points = np.random.default_rng(2).normal(size=(count, e.D))
    if e.half:
        points[:, -1] = np.abs(points[:, -1])
    tied = threshold_experts(e, points @ e.centred.T, e.D - 1)
    gaps = e.rows[tied[:, 1:]] - e.rows[tied[:, :1]]
    if e.D == 3:
        gap = gaps[:, 0]
        points -= gap * (np.einsum("nd,nd->n", gap, points) / np.einsum("nd,nd->n", gap, gap))[:, None]
    else:
        across = np.linalg.qr(gaps.transpose(0, 2, 1))[0]
        points -= np.einsum("ndp,np->nd", across, np.einsum("ndp,nd->np", across, points))
    scores = points @ e.centred.T
    scores -= scores[np.arange(count), tied[:, 0]][:, None]
    sides = np.sign(scores).astype(np.int8)
    np.put_along_axis(sides, tied, 0, axis=1)
    above = (sides == 1) @ e.copies
    fine = (above < e.k) & (e.k < above + e.copies[tied].sum(axis=1))
    if e.half:
        fine &= points[:, -1] > 0
    some = np.flatnonzero(fine)[groups(names(e, sides[fine])).first]
    points, tied, sides = points[some], tied[some], sides[some]
    towards = null_vectors(np.concatenate([gaps[some], points[:, None]], axis=1))
    none = np.zeros(2 * len(some), dtype=np.int64)
    start, basis = np.concatenate([points, points]), np.concatenate([tied, tied])
    edges = Edges(
        none.astype(np.uint64),
        start,
        none[:, None],
        np.concatenate([towards, -towards]),
        np.concatenate([sides, sides]),
        basis,
        basis[:, 0],
    )
    joins, when = first_to_join(e, edges)
    ends = np.isfinite(when)
    bases = np.sort(np.concatenate([basis, joins[:, None]], axis=1), axis=1)[ends]
    found = e.classify(bases, start[ends] * when[ends, None] + edges.towards[ends])
    return real_corners(e, bases, found)


def threshold_experts(e: Experts, scores: Floats, count: int) -> Ints:
    """For each row of scores, `count` experts of consecutive ranks about the threshold."""
    if e.single:
        start = min(max(e.k - 1 - (count - 2) // 2, 0), e.C - count)
        ranks = np.arange(start, start + count)
        return np.sort(np.argpartition(-scores, ranks, axis=1)[:, ranks], axis=1)
    order = np.argsort(-scores, axis=1)
    last = (np.cumsum(e.copies[order], axis=1) < e.k).sum(axis=1)
    start = np.clip(last - (count - 2) // 2, 0, e.C - count)
    return np.sort(np.take_along_axis(order, start[:, None] + np.arange(count), axis=1), axis=1)


def exact_pivot(
    experts: Experts, start: Floats, corner: Ints, basis: Ints, left: int, side: int
) -> tuple[Ints | None, Floats]:
    """Next corner on an edge in exact arithmetic.

    Parameters
    ----------
    start : (D,) float
        The corner the edge leaves, for its orientation.
    corner, basis : (D,), (D-1,) int
        Independent experts tied at that corner, and along the edge.
    left, side : int
        An expert tied at the corner but not along the edge, and its side there.

    Returns
    -------
    basis : (D,) int or None
        None when the edge goes to infinity.
    target : (D,) float
        Unit vector of the corner or of the direction at infinity.
    """
    rows = experts.integers
    vector = experts.exact_null(corner)
    if exact.to_unit(vector) @ start < 0:
        vector = [-x for x in vector]
    base = rows[basis[0]]
    tied = [exact.minus(rows[i], base) for i in basis[1:]]
    pivot = max(range(experts.D), key=lambda c: abs(vector[c]))
    along = exact.null_vector([*tied, [int(c == pivot) for c in range(experts.D)]])
    if exact.sign(exact.dot(exact.minus(rows[left], base), along)) != side:
        along = [-x for x in along]
    best: Fraction | None = None
    joins = -1
    for i in range(experts.C):
        gap = exact.minus(rows[i], base)
        height = exact.dot(gap, vector)
        if height:
            when = Fraction(-exact.dot(gap, along), height)
            if best is None or when > best:
                best, joins = when, i
    if experts.half:
        horizon = Fraction(-along[-1], vector[-1])
        if best is None or horizon >= best:
            best, joins = horizon, -1
    if best is None:
        raise AssertionError("an edge without an end: the rows do not span the space")
    target = exact.to_unit([best.numerator * v + best.denominator * u for v, u in zip(vector, along, strict=True)])
    if joins < 0:
        return None, target
    return np.sort(np.append(basis, joins)), target


def first_corner(e: Experts) -> tuple[Ints, Corners, Hashes]:
    """Some corner, reached from a random point by sliding along one more boundary at a time; in integers if need be."""
    random = np.random.default_rng(1)
    for attempt in range(FLOAT_SLIDES + EXACT_SLIDES):
        basis, point = slide(e, random) if attempt < FLOAT_SLIDES else slide_exactly(e, random)
        if basis is None:
            continue
        corner, found, name = real_corners(e, basis[None], e.classify(basis[None], point[None]))
        if len(corner):
            return corner, found, name
    raise ArithmeticError("no corner found: the rows do not span the space")


def whole_numbers(random: np.random.Generator, top: int, count: int) -> exact.Row:
    """Random integers from -top to top."""
    return [int(random.integers(-top, top + 1)) for _ in range(count)]


def slide_exactly(e: Experts, random: np.random.Generator) -> tuple[Ints | None, Floats]:
    """`slide` in integers: for rows of such different lengths that floats lose their way."""
    rows = e.integers
    point = whole_numbers(random, 2**20, e.D)
    point[-1] = abs(point[-1]) + 1
    scores = [exact.dot(row, point) for row in rows]
    order = sorted(range(e.C), key=lambda i: -scores[i])
    reach = np.cumsum(e.copies[order])
    last = int(np.searchsorted(reach, e.k))
    outside = order[last + 1 :] if reach[last] == e.k else order[last:]
    pairs = [(i, j) for i in order[: last + 1] for j in outside if i != j]
    tied: list[int] = []
    for _ in range(e.D - 1):
        across = [exact.minus(rows[i], rows[tied[0]]) for i in tied[1:]]
        others = [whole_numbers(random, 99, e.D) for _ in range(e.D - 1 - len(across))]
        towards = exact.null_vector([*across, *others])
        if tied:
            pairs = [(i, tied[0]) for i in range(e.C) if i not in tied]
        turns = []
        for i, j in pairs:
            gap = exact.minus(rows[i], rows[j])
            height = exact.dot(gap, point)
            if height:
                turns.append((Fraction(-exact.dot(gap, towards), height), i, j))
        if not turns:
            return None, exact.to_unit(point)
        if e.half and Fraction(-towards[-1], point[-1]) >= max(turns)[0]:
            towards = [-x for x in towards]
            turns = [(-when, i, j) for when, i, j in turns]
            if Fraction(-towards[-1], point[-1]) >= max(turns)[0]:
                return None, exact.to_unit(point)
        when, i, j = max(turns)
        tied += [i] if tied else [i, j]
        point = [when.numerator * v + when.denominator * u for v, u in zip(point, towards, strict=True)]
    return np.sort(np.array(tied)), exact.to_unit(point)


def slide(experts: Experts, random: np.random.Generator) -> tuple[Ints | None, Floats]:
    """One attempt: a basis and a float direction, or None when the attempt ran off to infinity."""
    e = experts
    point: Floats = np.asarray(random.normal(size=e.D))
    if e.half:
        point[-1] = abs(point[-1])
    scores = e.centred @ point
    order = np.argsort(-scores)
    reach = np.cumsum(e.copies[order])
    last = int(np.searchsorted(reach, e.k))  # position of the lowest active expert
    inside = order[: last + 1]
    outside = order[last + 1 :] if reach[last] == e.k else order[last:]
    pairs = np.array([(i, j) for i in inside for j in outside if i != j])
    tied: list[int] = []
    for _ in range(e.D - 1):
        towards: Floats = np.asarray(random.normal(size=e.D))
        if tied:
            basis = np.linalg.qr((e.rows[tied[1:]] - e.rows[tied[0]]).T)[0]
            towards -= basis @ (basis.T @ towards)
            point = point - basis @ (basis.T @ point)
        if not tied:
            gaps = e.centred[pairs[:, 0]] - e.centred[pairs[:, 1]]
            candidates = pairs
        else:
            others = np.array([i for i in range(e.C) if i not in tied])
            gaps = e.centred[others] - e.centred[tied[0]]
            candidates = others[:, None]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            when = -(gaps @ towards) / (gaps @ point)
        when[~np.isfinite(when)] = -np.inf
        if e.half and -towards[-1] / point[-1] > when.max():
            towards = -towards
            when = np.where(np.isfinite(when), -when, -np.inf)
            if -towards[-1] / point[-1] > when.max():
                return None, point
        best = int(when.argmax())
        tied += [int(i) for i in candidates[best]]
        point = point * when[best] + towards
        point /= np.linalg.norm(point)
    return np.sort(np.array(tied)), point
