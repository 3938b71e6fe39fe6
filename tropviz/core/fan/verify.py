"""Checks of a finished fan that do not use how it was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan import exact
from tropviz.core.fan.local import star
from tropviz.core.fan.record import Fan
from tropviz.core.fan.witness import clearance, copies_used, exact_sum, inside_exactly, items_of, lifted, owners
from tropviz.core.tolerance import CORNER_ROUNDING, SCORE_ROUNDING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Failures of one kind that are spelled out; the rest is counted.
SPELLED_OUT = 10
#: Random points per cell, and at most, whose active set must be one of the cells.
PROBES, MOST_PROBES = 20, 20_000


@dataclass(frozen=True)
class Report:
    """Outcome of a verification.

    Attributes
    ----------
    ok : bool
        True when nothing failed.
    failures : tuple of str
        One sentence for each failure, and for what is undecided.
    """

    ok: bool
    failures: tuple[str, ...]


def verify(fan: Fan) -> Report:
    """Check a fan.

    - the search was not cut short;
    - the active sets are well formed, different, sorted, named by the lowest twins;
    - every witness lies in its cell, certified against rounding or in rational arithmetic;
    - every corner and ray belongs to the cells it is listed for;
    - every pair of neighbours has a point in common where just these two cells meet, and nothing but their wall passes;
    - no cell is missing: Euler's formula in the plane and on the line, the number of cells round every corner with
      independent ties in any dimension, and random points.
    """
    failures: list[str] = []
    if fan.count.kind != "exact":
        failures.append(f"The search was cut short: only {len(fan.active_sets)} cells are certain.")
    if int(fan.count) != len(fan.active_sets):
        failures.append(f"The count is {int(fan.count)}, but {len(fan.active_sets)} cells are listed.")
    malformed = list(_sets(fan)) or list(_lists(fan))
    failures += malformed
    if malformed:
        return Report(False, tuple(failures))
    complete = fan.count.kind == "exact"
    checks = [_witnesses(fan), _bounded(fan), _members(fan)]
    if complete:  # otherwise some corners of the cells, which these checks need, were never reached
        checks += [_neighbours(fan), _euler(fan), _stars(fan), _probes(fan)]
    for check in checks:
        found = list(check)
        failures += found[:SPELLED_OUT]
        if len(found) > SPELLED_OUT:
            failures.append(f"... and {len(found) - SPELLED_OUT} more of this kind.")
    return Report(not failures, tuple(failures))


def _sets(fan: Fan) -> Iterator[str]:
    """Active sets: shape, range, order, names."""
    sets, router = fan.active_sets, fan.router
    if sets.ndim != 2 or sets.shape[1] != router.k or not len(sets):
        yield f"active_sets has shape {sets.shape}: each row must hold {router.k} experts."
        return
    if (np.diff(sets, axis=1) <= 0).any() or sets.min() < 0 or sets.max() >= router.N:
        yield "An active set is not an increasing list of experts."
        return
    if (sets[np.lexsort(sets.T[::-1])] != sets).any():
        yield "The active sets are not in lexicographic order."
    if len(np.unique(sets, axis=0)) != len(sets):
        yield "An active set is listed twice."
    reduced = fan.reduced
    for c in np.flatnonzero((reduced.name(copies_used(reduced, sets)) != sets).any(axis=1)).tolist():
        yield f"Cell {c} is not named by the lowest of its identical experts."


def _lists(fan: Fan) -> Iterator[str]:
    """Corners and rays listed for just these cells."""
    m = len(fan.active_sets)
    for (_, starts), word in ((fan.cell_vertices, "corner"), (fan.cell_directions, "ray")):
        if len(starts) != m + 1:
            yield f"The {word}s are listed for {len(starts) - 1} cells, not {m}."


def _witnesses(fan: Fan) -> Iterator[str]:
    """Every witness inside its cell; a cell without a float64 point is proved by its exact corners."""
    reduced = fan.reduced
    used = copies_used(reduced, fan.active_sets)
    if fan.witnesses.shape != (len(used), fan.router.d):
        yield f"witnesses has shape {fan.witnesses.shape}: one point for each cell is needed."
        return
    sure = clearance(fan.router, reduced, used, fan.witnesses)
    for c in np.flatnonzero(~(sure > 1)).tolist():
        if not inside_exactly(fan.router, used[c], reduced, fan.witnesses[c]) and not _real(fan, c, used[c]):
            yield f"The witness of cell {c} is not inside it."


def _real(fan: Fan, cell: int, used: Ints) -> bool:
    """True when the cell is too thin or too far away for its witness, but the exact sum of its corners is inside.

    A witness that a float64 point could replace is not excused: the exact point must round to the witness.
    """
    diagram, reduced, e = fan.diagram, fan.reduced, fan.reduced.experts
    if diagram is None or e is None:
        return False
    total = exact_sum(fan, cell)
    if total is None or (reduced.half and total[-1] <= 0):
        return False
    scores = [exact.dot(row, total) for row in e.integers]
    inside = [i for i in range(e.C) if used[i] > 0]
    outside = [j for j in range(e.C) if used[j] < e.copies[j]]
    if not all(scores[i] > scores[j] for i in inside for j in outside if i != j):
        return False
    return not inside_exactly(fan.router, used, reduced, lifted(reduced, total))


def _bounded(fan: Fan) -> Iterator[str]:
    """Bounded exactly when there is no ray."""
    endless = np.array([len(rays) > 0 for rays in fan.rays])
    for c in np.flatnonzero(endless == fan.bounded).tolist():
        yield f"Cell {c} is called {'bounded' if fan.bounded[c] else 'unbounded'}, against its rays."


def _members(fan: Fan) -> Iterator[str]:
    """At a corner of a cell, and along its rays, no inactive expert is above an active one."""
    router = fan.router
    used = copies_used(fan.reduced, fan.active_sets)
    copies = fan.reduced.copies
    first = np.unique(fan.reduced.class_of, return_index=True)[1]
    own, (rows, shifts) = router._classes[1][first], router._scaled  # in subnormals a score has no digits to compare
    weights, bias = rows[own], shifts[own]
    listed = ((fan.cell_vertices, fan.vertices, bias, "corner"), (fan.cell_directions, fan.directions, 0 * bias, "ray"))
    for (ids, starts), points, offset, word in listed:
        with np.errstate(all="ignore"):
            scores = points @ weights.T + offset
            size = (np.abs(points) @ np.abs(weights.T) + np.abs(offset)).max(axis=1)
        cell = owners(starts)
        step = max(1, 2_000_000 // len(first))
        for lo in range(0, len(ids), step):
            item = ids[lo : lo + step]
            s, y = scores[item], used[cell[lo : lo + step]]
            lowest = np.where(y > 0, s, np.inf).min(axis=1)
            highest = np.where(y < copies, s, -np.inf).max(axis=1)
            with np.errstate(invalid="ignore"):  # corners beyond the range of float64
                wrong = lowest < highest - CORNER_ROUNDING * size[item]
            for n in np.flatnonzero(wrong).tolist():
                yield f"Cell {cell[lo + n]} does not reach its {word} {item[n]}."


def _neighbours(fan: Fan) -> Iterator[str]:
    """The sum of the common corners and rays of two neighbours is a point where just these two cells meet."""
    pairs, m = fan.neighbours, len(fan.active_sets)
    if len(pairs) and (pairs.min() < 0 or pairs.max() >= m or (pairs[:, 0] >= pairs[:, 1]).any()):
        yield "Neighbours are not pairs i < j of cells."
        return
    if len(np.unique(pairs, axis=0)) != len(pairs):
        yield "A pair of neighbours is listed twice."
    items, e = items_of(fan), fan.reduced.experts
    if items is None or e is None:
        if len(pairs) != m - 1:
            yield f"{len(pairs)} pairs of neighbours among {m} cells on a line through the origin."
        return
    table, points = items
    used = copies_used(fan.reduced, fan.active_sets)
    middle = table[pairs[:, 0]].multiply(table[pairs[:, 1]]) @ points
    for n in np.flatnonzero(~_clear_walls(fan, used, middle)).tolist():
        if not _exact_wall(fan, int(pairs[n, 0]), int(pairs[n, 1]), used):
            yield f"Cells {pairs[n, 0]} and {pairs[n, 1]} share no wall."


def _clear_walls(fan: Fan, used: Ints, middle: Floats) -> NDArray[np.bool_]:
    """True where float64 proves the wall: one expert replaces one other, and all the rest are clearly on their sides.

    Moving the point onto s_i = s_j changes every other score by at most the length of that move times a row.
    """
    e = fan.reduced.experts
    assert e is not None
    before, after = used[fan.neighbours[:, 0]], used[fan.neighbours[:, 1]]
    length = np.linalg.norm(middle, axis=1)
    scores = (middle / np.where(length > 0, length, 1.0)[:, None]) @ e.centred.T
    change = before - after
    plain = (np.abs(change).sum(axis=1) == 2) & ((change != 0).sum(axis=1) == 2) & (length > 0)
    row = np.arange(len(change))
    i, j = change.argmax(axis=1), change.argmin(axis=1)
    at_bounds = ((before == 0) | (before == e.copies) | (change != 0)).all(axis=1)
    fixed = change == 0
    above = np.where(fixed & (before == e.copies), scores, np.inf).min(axis=1)
    below = np.where(fixed & (before == 0), scores, -np.inf).max(axis=1)
    level = np.maximum(scores[row, i], scores[row, j])
    low = np.minimum(scores[row, i], scores[row, j])
    rounding = SCORE_ROUNDING * e.norms.max()
    gap = np.linalg.norm(e.rows[i] - e.rows[j], axis=1)
    move = (level - low + rounding) / np.where(gap > 0, gap, 1.0)
    slack = 2 * move * e.norms.max() + rounding
    return plain & at_bounds & (gap > 0) & (above - level > slack) & (low - below > slack)


def _exact_wall(fan: Fan, first: int, second: int, used: Ints) -> bool:
    """The same in integers, for walls where several experts change places or scores are close."""
    e = fan.reduced.experts
    total = exact_sum(fan, first, second)
    if total is None or e is None or not any(total):
        return False
    before, after = used[first], used[second]
    scores = [exact.dot(row, total) for row in e.integers]
    change = np.flatnonzero(before != after).tolist()
    level = scores[change[0]]
    tied = [i for i in range(e.C) if scores[i] == level]
    for i in range(e.C):
        if scores[i] != level and not (before[i] == after[i] == (e.copies[i] if scores[i] > level else 0)):
            return False
    across = exact.minus(e.integers[tied[1]], e.integers[tied[0]])
    lead = next(c for c in range(e.D) if across[c])
    for i in tied:
        gap = exact.minus(e.integers[i], e.integers[tied[0]])
        if any(gap[c] * across[lead] != across[c] * gap[lead] for c in range(e.D)):
            return False  # more than a wall passes through this point
    order = sorted(tied, key=lambda i: e.integers[i][lead])
    active = int(sum(before[i] for i in tied))
    sides = []
    for turn in (order, order[::-1]):
        left, cell = active, dict.fromkeys(tied, 0)
        for i in turn:
            cell[i] = min(int(e.copies[i]), left)
            left -= cell[i]
        sides.append(cell)
    return {i: int(before[i]) for i in tied} in sides and {i: int(after[i]) for i in tied} in sides


def _euler(fan: Fan) -> Iterator[str]:
    """cells - walls + corners = 1 in the plane, cells - walls = 1 along a line."""
    cells, walls = len(fan.active_sets), len(fan.neighbours)
    rank = fan.router.d - len(fan.lineality)
    if rank == 2 and cells - walls + len(fan.vertices) != 1:
        yield f"Euler's formula fails: {cells} cells - {walls} walls + {len(fan.vertices)} corners is not 1."
    if rank <= 1 and cells - walls != 1:
        yield f"{cells} cells on a line need {cells - 1} walls, not {walls}."


def _stars(fan: Fan) -> Iterator[str]:
    """Round a corner with D independent tied experts there are as many cells as the hypersimplex has vertices."""
    items, e, diagram = items_of(fan), fan.reduced.experts, fan.diagram
    if items is None or e is None or diagram is None:
        return
    tied = diagram.sides == 0
    degree = np.bincount(items[0].indices, minlength=len(items[1]))
    active = e.k - (diagram.sides == 1) @ e.copies
    for n in np.flatnonzero(tied.sum(axis=1) == e.D).tolist():
        want = len(star(tuple(e.copies[tied[n]].tolist()), int(active[n])).cells)
        if degree[n] != want:
            yield f"Corner {n} lies on {want} cells, but {degree[n]} are listed."


def _probes(fan: Fan) -> Iterator[str]:
    """Random points near and between the witnesses fall into listed cells."""
    if not np.isfinite(fan.witnesses).all():
        return
    random = np.random.default_rng(3)
    m = len(fan.witnesses)
    count = min(PROBES * m, MOST_PROBES)
    one, two = fan.witnesses[random.integers(m, size=count)], fan.witnesses[random.integers(m, size=count)]
    points = one + random.normal(size=(count, 1)) * (two - one) + random.normal(size=one.shape) * np.abs(two - one)
    sets = fan.router.active_sets(points)
    known = {row.tobytes() for row in fan.active_sets}
    strange = np.array([n for n, row in enumerate(np.ascontiguousarray(sets)) if row.tobytes() not in known], dtype=int)
    if len(strange):
        sure = clearance(fan.router, fan.reduced, copies_used(fan.reduced, sets[strange]), points[strange])
        for n in strange[sure > 1].tolist():
            yield f"The cell with experts {sets[n].tolist()} is missing."
