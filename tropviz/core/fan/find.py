"""From a router to the record of its fan: reduce, walk, and number the cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.fan.diagram import Diagram
from tropviz.core.fan.every import every_set
from tropviz.core.fan.order import counter_clockwise, nearly_half_planes, turned_exactly
from tropviz.core.fan.places import places
from tropviz.core.fan.record import Fan
from tropviz.core.fan.reduce import Reduced, reduce
from tropviz.core.fan.skeleton import frozen
from tropviz.core.fan.walk import solve
from tropviz.core.fan.witness import ExactVectors, clearance, copies_used
from tropviz.core.router import Router
from tropviz.core.sorting import lexicographic, pairs_in_order

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Corners after which the search stops and the count becomes a lower bound (some ten seconds of work).
BUDGET = 200_000
#: Homogeneous dimension above which corners are out of reach and cells are only sampled.
WIDEST = 10
#: Points sampled then.
SAMPLES = 20_000
WALKED, SAMPLED = "walk along all edges of the fan, every sign certified", "random points"
STOPPED = "stopped before all cells were found"


def find(router: Router, budget: int = BUDGET) -> Fan:
    """Every cell of a router, see `RoutingFan`.

    Examples
    --------
    >>> fan = find(Router([[1, 0], [0, 1], [-1, -1]], k=1))
    >>> str(fan.count), fan.active_sets.tolist()
    ('3', [[0], [1], [2]])
    """
    if min(router.N - 1, router.d) >= WIDEST and (fan := every_set(router)) is not None:
        return fan
    reduced = reduce(router)
    e = reduced.experts
    if e is None or reduced.rank == 0:
        return _single(router, reduced)
    if e.D == 1:
        return _two_sides(router, reduced)
    if e.D > WIDEST:
        return _sampled(router, reduced)
    diagram = solve(e, budget)
    fan = _from_diagram(router, reduced, diagram)
    if diagram.complete:
        return fan
    # Some corners of these cells are missing: keep the cells whose witness proves them.
    proved = clearance(router, reduced, copies_used(reduced, fan.active_sets), fan.witnesses) > 1
    kept = fan.only(proved)
    return replace(kept, count=Count(len(kept.active_sets), "lower", WALKED, STOPPED), seen=fan.witnesses[proved])


def _single(router: Router, reduced: Reduced) -> Fan:
    first = router.exact.classes[0].tolist()
    bias = [router.exact.row(i)[-1] for i in first]
    order = np.array(sorted(range(len(first)), key=lambda c: -bias[c]))
    cells = _top(reduced, router.k, order)[None]
    nowhere = np.zeros((0, router.d))
    return _numbered(router, reduced, cells, [], reduced.origin[None], [[0, 0]], nowhere, [])


def _two_sides(router: Router, reduced: Reduced) -> Fan:
    assert reduced.experts is not None
    whole = reduced.experts.integers
    order = np.array(sorted(range(len(whole)), key=lambda c: -whole[c][0]))
    cells = np.array([_top(reduced, router.k, order), _top(reduced, router.k, order[::-1])])
    directions = reduced.lift_directions(np.array([[1.0], [-1.0]]))
    sides = [[0, 0], [1, 1]]
    return _numbered(router, reduced, cells, [[0, 1]], reduced.origin[None], [[0, 0], [1, 0]], directions, sides)


def _sampled(router: Router, reduced: Reduced) -> Fan:
    """So many dimensions that the corners cannot be listed: the cells of random points, without corners."""
    random = np.random.default_rng(0)
    assert reduced.experts is not None
    points = random.normal(size=(SAMPLES, reduced.experts.D))
    if reduced.half:
        points[:, -1] = np.abs(points[:, -1])
        points = reduced.lift_points(points)
    else:
        points = reduced.origin + reduced.lift_directions(points)
    sets, first = np.unique(router.active_sets(points), axis=0, return_index=True)
    used = copies_used(reduced, sets)
    sure = clearance(router, reduced, used, points[first]) > 1
    nowhere = np.zeros((0, router.d))
    fan = _numbered(router, reduced, used[sure], [], nowhere, [], nowhere, [])
    count = Count(len(fan.active_sets), "lower", SAMPLED, STOPPED)
    return replace(fan, count=count, seen=frozen(points[first[sure]]))


def _from_diagram(router: Router, reduced: Reduced, diagram: Diagram) -> Fan:
    vertices, directions = places(reduced, diagram)
    if reduced.half:
        inside, along = diagram.incidence, diagram.ray_incidence
    else:
        number = np.arange(len(diagram.cells))
        inside, along = np.stack([number, np.zeros_like(number)], axis=1), diagram.incidence
    found = (diagram.cells, diagram.walls, vertices, inside, directions, along)
    fan = _numbered(router, reduced, *found, diagram=diagram)
    return _in_order(fan) if router.d == reduced.rank == 2 else fan


def _in_order(fan: Fan) -> Fan:
    """Corners and rays of planar cells counter-clockwise."""
    (ids, starts), (rays, begins) = fan.cell_vertices, fan.cell_directions
    if fan.reduced.wide and fan.reduced.half:
        ids, rays = _in_exact_order(fan, (ids, rays), range(len(fan.active_sets)))
    else:
        at, along = fan.cell_vertices, fan.cell_directions
        ids, rays = counter_clockwise(fan.middle, fan.vertices, at, fan.directions, along)
        ids, rays = _in_exact_order(fan, (ids, rays), nearly_half_planes(fan.directions, along))
    out = replace(fan, cell_vertices=(frozen(ids), starts), cell_directions=(frozen(rays), begins))
    if "middle" in fan.__dict__:  # kept: the order within a cell does not change it
        out.__dict__["middle"] = fan.middle
    return out


def _in_exact_order(fan: Fan, found: tuple[Ints, Ints], cells: Iterable[int]) -> tuple[Ints, Ints]:
    """The same in integers, for some cells."""
    ids, rays = found[0].copy(), found[1].copy()
    starts, begins = fan.cell_vertices[1], fan.cell_directions[1]
    vectors, first_ray = ExactVectors(fan), len(fan.vertices) if fan.reduced.half else 0
    for cell in cells:
        at, along = slice(*starts[cell : cell + 2]), slice(*begins[cell : cell + 2])
        ends = [vectors[first_ray + r] for r in rays[along].tolist()]
        corners = [vectors[i] for i in ids[at].tolist()] if fan.reduced.half else [[0, 0]]
        first, second = turned_exactly(corners, ends)
        ids[at], rays[along] = ids[at][first], rays[along][second]
    return ids, rays


def _numbered(
    router: Router,
    reduced: Reduced,
    cells: Ints,
    walls: Any,
    vertices: Floats,
    inside: Any,
    directions: Floats,
    along: Any,
    diagram: Diagram | None = None,
) -> Fan:
    """The cells numbered by the order of their active sets, everything read-only."""
    walls, inside, along = (np.asarray(x, dtype=np.int64).reshape(-1, 2) for x in (walls, inside, along))
    sets = reduced.name(cells)
    order = lexicographic(sets, router.N)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    one, two = number[walls[:, 0]], number[walls[:, 1]]
    pairs = pairs_in_order(np.minimum(one, two), np.maximum(one, two), len(sets))
    return Fan(
        router=router,
        count=Count(len(sets), "exact", WALKED),
        active_sets=frozen(sets[order]),
        neighbours=frozen(np.stack(pairs, axis=1)),
        vertices=frozen(vertices),
        directions=frozen(directions),
        lineality=frozen(reduced.lineality),
        cell_vertices=_by_cell(number[inside[:, 0]], inside[:, 1], len(sets), len(vertices)),
        cell_directions=_by_cell(number[along[:, 0]], along[:, 1], len(sets), len(directions)),
        reduced=reduced,
        diagram=diagram,
    )


def _by_cell(cells: Ints, items: Ints, m: int, bound: int) -> tuple[Ints, Ints]:
    """Items below `bound` grouped by cell: (ids, starts)."""
    starts = np.zeros(m + 1, dtype=np.int64)
    np.cumsum(np.bincount(cells, minlength=m), out=starts[1:])
    return frozen(pairs_in_order(cells, items, bound)[1]), frozen(starts)


def _top(reduced: Reduced, k: int, order: NDArray[np.int64]) -> Ints:
    """Copies active when the distinct experts rank in the given order."""
    out = np.zeros(len(reduced.copies), dtype=np.int64)
    for i in order.tolist():
        out[i] = min(int(reduced.copies[i]), k)
        k -= int(out[i])
    return out
