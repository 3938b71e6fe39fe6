"""Checks of a finished fan that do not use how it was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan import closure, exact
from tropviz.core.fan.every import failures_of
from tropviz.core.fan.exact_members import exact_members
from tropviz.core.fan.record import Fan
from tropviz.core.fan.reduce import reduce
from tropviz.core.fan.witness import clearance, copies_used, exact_sum, inside_exactly, items_of, owners, witnesses
from tropviz.core.tolerance import CORNER_ROUNDING, SAME_DIRECTION, SCORE_ROUNDING, UNIT_ROUNDOFF

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Check = Callable[[Fan], Iterator[str]]

#: Failures of one kind that are spelled out; the rest is counted.
SPELLED_OUT = 10
#: Rounding of a score difference along a direction of lineality that is itself rounded, for each of its terms.
LINE_ROUNDING = 4 * UNIT_ROUNDOFF
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
    """Check a fan; whatever it holds, the outcome is a report.

    - the search was not cut short;
    - the active sets are well formed, different, sorted, named by the lowest twins;
    - every witness lies in its cell, certified against rounding or in rational arithmetic;
    - every corner and ray belongs to just the cells it is listed for (`closure`), and lies where it is said to be;
    - lineality is all that nothing changes along;
    - every pair of neighbours has a point in common where just these two cells meet, and nothing but their wall passes;
    - every cell has as many neighbours as walls (`closure`);
    - no cell is missing: Euler's formula in the plane and on the line, the number of cells round every corner and ray
      with independent ties in any dimension, and random points.
    """
    if fan.keeps_all:
        found = failures_of(fan)
        return Report(not found, tuple(found))
    failures: list[str] = []
    if fan.count.kind != "exact":
        failures.append(f"The search was cut short: only {len(fan.active_sets)} cells are certain.")
    if int(fan.count) != len(fan.active_sets):
        failures.append(f"The count is {int(fan.count)}, but {len(fan.active_sets)} cells are listed.")
    malformed = _found(_sets, fan) or _found(_lists, fan)
    if malformed:
        return Report(False, (*failures, *malformed))
    checks: list[Check] = [_witnesses, _bounded, _members, _lineality]
    if fan.count.kind == "exact":  # otherwise some corners of the cells, which these checks need, were never reached
        checks += [_flat, closure.incidences, _neighbours, closure.walls, _euler, _probes]
    for check in checks:
        failures += _found(check, fan)
    return Report(not failures, tuple(failures))


def _found(check: Check, fan: Fan) -> list[str]:
    """What a check complains of; a record so broken that the check itself fails is a complaint, too."""
    found: list[str] = []
    try:
        found.extend(check(fan))
    except Exception as problem:  # a report is owed for any record
        what = check.__name__.strip("_")
        found.append(f"The check of {what} could not be finished: {type(problem).__name__}: {problem}")
    rest = len(found) - SPELLED_OUT
    return found if rest <= 0 else [*found[:SPELLED_OUT], f"... and {rest} more of this kind."]


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
    """Corners and rays listed for just these cells, each once."""
    m = len(fan.active_sets)
    lists = ((fan.cell_vertices, len(fan.vertices), "corner"), (fan.cell_directions, len(fan.directions), "ray"))
    for (ids, starts), number, word in lists:
        if len(starts) != m + 1 or starts[0] != 0 or starts[-1] != len(ids) or (np.diff(starts) < 0).any():
            yield f"The {word}s are listed for {len(starts) - 1} cells, not {m}."
        elif len(ids) and (ids.min() < 0 or ids.max() >= number):
            yield f"A cell lists a {word} that is none of the {number}."
        elif len(np.unique(owners(starts) * (number + 1) + ids)) != len(ids):
            yield f"A cell lists a {word} twice."
    diagram, half = fan.diagram, fan.reduced.half
    if diagram is not None:
        want = (len(diagram.points), len(diagram.rays)) if half else (1, len(diagram.points))
        if (len(fan.vertices), len(fan.directions)) != want:
            yield f"There are {len(fan.vertices)} corners and {len(fan.directions)} rays, not {want[0]} and {want[1]}."


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

    Then the witness is no point of choice: it must be the one that is made from the cell's own corners.
    """
    reduced, e = fan.reduced, fan.reduced.experts
    if e is None:
        return False
    total = exact_sum(fan, cell)
    if total is None or (reduced.half and total[-1] <= 0):
        return False
    scores = [exact.dot(row, total) for row in e.integers]
    inside = [i for i in range(e.C) if used[i] > 0]
    outside = [j for j in range(e.C) if used[j] < e.copies[j]]
    if not all(scores[i] > scores[j] for i in inside for j in outside if i != j):
        return False
    return bool(np.array_equal(fan.witnesses[cell], witnesses(fan)[cell], equal_nan=True))


def _bounded(fan: Fan) -> Iterator[str]:
    """Bounded exactly when there is no ray."""
    endless = np.array([len(rays) > 0 for rays in fan.rays])
    for c in np.flatnonzero(endless == fan.bounded).tolist():
        yield f"Cell {c} is called {'bounded' if fan.bounded[c] else 'unbounded'}, against its rays."


def _lineality(fan: Fan) -> Iterator[str]:
    """Independent directions along which no score difference changes, and all of them."""
    router, lines = fan.router, fan.lineality
    want = router.d - reduce(router).rank
    if lines.shape != (want, router.d):
        yield f"lineality has shape {lines.shape}: there are {want} directions along which nothing changes."
        return
    if not want:
        return
    with np.errstate(all="ignore"):
        size = np.abs(lines).max(axis=1, keepdims=True)
        units = lines / size
        units /= np.linalg.norm(units, axis=1, keepdims=True)
    if not np.isfinite(units).all() or np.linalg.svd(units, compute_uv=False)[-1] <= SAME_DIRECTION:
        yield "The directions of lineality are not independent."
        return
    first = router.exact.classes[0]
    if router.k < router.N and len(first) > 1:
        others = first[1:]
        gaps = router.exact.walls(others, np.full(len(others), first[0]))[:, :-1]  # exact but for two roundings
        with np.errstate(all="ignore"):
            change = gaps @ units.T
            terms = np.abs(gaps) @ np.abs(units.T)
        bound = LINE_ROUNDING * router.d * terms + np.finfo(np.float64).tiny
        for n in np.flatnonzero((np.abs(change) > bound).any(axis=0)).tolist():
            yield f"Scores change along direction {n} of lineality."


def _flat(fan: Fan) -> Iterator[str]:
    """What has no corners of its own: one cell without walls, or two on either side of one wall."""
    m, (_, corners), (_, rays) = len(fan.active_sets), fan.cell_vertices, fan.cell_directions
    if fan.diagram is None:
        if m > 2 or len(fan.neighbours) != m - 1:
            yield f"{m} cells and {len(fan.neighbours)} walls: without corners there is one cell, or two and a wall."
        elif (np.diff(rays) != m - 1).any():
            yield "Of two cells either has one ray." if m == 2 else "A single cell has no ray but its lineality."
    if (fan.diagram is None or not fan.reduced.half) and (np.diff(corners) != 1).any():
        yield "A cell does not list the one corner there is."


def _members(fan: Fan) -> Iterator[str]:
    """At a corner of a cell, and along its rays, no inactive expert is above an active one."""
    if fan.reduced.wide:
        yield from exact_members(fan)
        return
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


def _probes(fan: Fan) -> Iterator[str]:
    """Random points near and between the witnesses fall into listed cells."""
    if not np.isfinite(fan.witnesses).all():
        return
    random, router = np.random.default_rng(3), fan.router
    m = len(fan.witnesses)
    count = min(PROBES * m, MOST_PROBES)
    one, two = fan.witnesses[random.integers(m, size=count)], fan.witnesses[random.integers(m, size=count)]
    known = {row.tobytes() for row in fan.active_sets}
    with np.errstate(all="ignore"):
        points = one + random.normal(size=(count, 1)) * (two - one) + random.normal(size=one.shape) * np.abs(two - one)
        scores = points @ router._scaled[0].T + router._scaled[1]
    inside = np.isfinite(scores).all(axis=1)
    points, scores = points[inside], scores[inside][:, router._classes[1]]
    sets = np.sort(np.argsort(-scores, axis=1, kind="stable")[:, : router.k], axis=1)
    strange = np.array([n for n, row in enumerate(np.ascontiguousarray(sets)) if row.tobytes() not in known], dtype=int)
    if len(strange):
        used = copies_used(fan.reduced, sets[strange])
        # experts that rounding alone has made equal may be cut through: such a set is none
        clean = ((used > 0) & (used < fan.reduced.copies)).sum(axis=1) <= 1
        strange, used = strange[clean], used[clean]
        sure = clearance(router, fan.reduced, used, points[strange])
        for n in strange[sure > 1].tolist():
            yield f"The cell with experts {sets[n].tolist()} is missing."
