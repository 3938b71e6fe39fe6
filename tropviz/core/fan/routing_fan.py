"""RoutingFan: every cell of a router in R^d, with corners, rays, neighbours and a certificate."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.display import Drawable
from tropviz.core.fan.diagram import Diagram
from tropviz.core.fan.order import counter_clockwise, sums
from tropviz.core.fan.reduce import Reduced, reduce
from tropviz.core.fan.walk import solve
from tropviz.core.fan.witness import clearance, copies_used, witnesses
from tropviz.core.router import Router, as_number

if TYPE_CHECKING:
    from tropviz.core.fan.verify import Report

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Corners after which the search stops and the count becomes a lower bound (some ten seconds of work).
BUDGET = 200_000
#: Homogeneous dimension above which corners are out of reach and cells are only sampled.
WIDEST = 10
#: Points sampled then.
SAMPLES = 20_000


class RoutingFan(Drawable):
    """Every full-dimensional cell of a top-k router in R^d, d >= 1.

    Parameters
    ----------
    router : Router
    budget : int, optional
        Stop after about this many corners (rays, for a central router); `count` is then a lower bound, and the cells,
        their neighbours, corners, rays and `bounded` are those seen so far. Above rank 9 (10, central) cells are only
        sampled at random points, without neighbours or corners.

    Attributes
    ----------
    router : Router
    count : Count
        Number of cells: exact, or lower when the budget ran out.
    active_sets : (m, k) int64
        One row per cell, rows sorted, in lexicographic order. Cells are numbered by this order.
    neighbours : (e, 2) int64
        Pairs i < j of cells that share a wall of dimension d - 1, in lexicographic order.
    vertices : (V, d) float64
        Corners of all cells. With `lineality`, one point of each of the smallest faces.
    directions : (R, d) float64
        Unit directions of all rays, without lineality.
    lineality : (l, d) float64
        Directions along which nothing changes (rank-deficient W); usually empty.
    cell_vertices, cell_directions : (ids, starts)
        The corners (rays) of cell c are vertices[ids[starts[c]:starts[c + 1]]]. In the plane they are in
        counter-clockwise order; an unbounded cell runs in along its last ray, over its corners and out along its first.
    corners, rays : list of (., d) float64
        The same cell by cell; cell = hull(corners) + cone(rays), lineality included as rays both ways.
    bounded : (m,) bool
    witnesses : (m, d) float64
        A point in the interior of each cell.

    Notes
    -----
    The fan is found by walking from corner to corner (`core.fan.walk`): output-sensitive, C(N, k) sets are never
    listed, and every sign is certified against rounding or decided in integers, the floats given taken as exact
    numbers.

    Examples
    --------
    >>> fan = RoutingFan(Router([[1, 0], [0, 1], [-1, -1]], k=1))
    >>> str(fan.count), fan.active_sets.tolist(), fan.neighbours.tolist()
    ('3', [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]])
    """

    router: Router
    count: Count
    active_sets: Ints
    neighbours: Ints
    vertices: Floats
    directions: Floats
    lineality: Floats
    cell_vertices: tuple[Ints, Ints]
    cell_directions: tuple[Ints, Ints]

    def __init__(self, router: Router, budget: int = BUDGET) -> None:
        if not isinstance(router, Router):
            raise ValueError(f"router is a {type(router).__name__}: give a Router, such as Router(W, b, k).")
        number = as_number(budget, "budget")
        if not (number.is_integer() and number >= 0):
            raise ValueError(f"budget is {budget}: give a whole number of corners of at least 0.")
        self.router = router
        reduced = reduce(router)
        self._reduced = reduced
        self._diagram: Diagram | None = None
        self._middle: Floats | None = None
        method, complete = "walk along all edges of the fan, every sign certified", True
        if reduced.experts is None or reduced.rank == 0:
            cells = top(reduced, router.k, np.lexsort((-router_bias(router, reduced),)))[None]
            self._single(cells)
        elif reduced.experts.D == 1:
            self._two_sides(reduced)
        elif reduced.experts.D > WIDEST:
            method, complete = "random points", False
            self._sample()
        else:
            self._diagram = solve(reduced.experts, budget)
            complete = self._diagram.complete
            self._from_diagram(self._diagram)
            if not complete:  # some corners of these cells are missing: keep the cells whose witness proves them
                used = copies_used(reduced, self.active_sets)
                self._keep(clearance(router, reduced, used, self.witnesses) > 1)
        assumption = "" if complete else "stopped before all cells were found"
        self.count = Count(len(self.active_sets), "exact" if complete else "lower", method, assumption)

    # --- building --------------------------------------------------------------------------------------------------

    def _single(self, cells: Ints) -> None:
        origin = self._reduced.origin
        self._set(cells, np.zeros((0, 2)), origin[None], [[0, 0]], np.zeros((0, len(origin))), np.zeros((0, 2)))

    def _two_sides(self, reduced: Reduced) -> None:
        assert reduced.experts is not None
        order = np.argsort(-reduced.experts.rows[:, 0])
        cells = np.array([top(reduced, self.router.k, order), top(reduced, self.router.k, order[::-1])])
        directions = reduced.lift_directions(np.array([[1.0], [-1.0]]))
        self._set(cells, [[0, 1]], reduced.origin[None], [[0, 0], [1, 0]], directions, [[0, 0], [1, 1]])

    def _sample(self) -> None:
        """So many dimensions that the corners cannot be listed: the cells of random points, without corners."""
        reduced, random = self._reduced, np.random.default_rng(0)
        assert reduced.experts is not None
        points = random.normal(size=(SAMPLES, reduced.experts.D))
        if reduced.half:
            points[:, -1] = np.abs(points[:, -1])
            points = reduced.lift_points(points)
        else:
            points = reduced.origin + reduced.lift_directions(points)
        sets, first = np.unique(self.router.active_sets(points), axis=0, return_index=True)
        used = copies_used(reduced, sets)
        sure = clearance(self.router, reduced, used, points[first]) > 1
        none = np.zeros((0, 2), dtype=np.int64)
        nowhere = np.zeros((0, self.router.d))
        self._set(used[sure], none, nowhere, none, nowhere, none)
        self.witnesses = frozen(points[first[sure]])

    def _from_diagram(self, diagram: Diagram) -> None:
        reduced = self._reduced
        if reduced.half:
            vertices, inside = reduced.lift_points(diagram.points), diagram.incidence
            directions, along = reduced.lift_directions(diagram.rays), diagram.ray_incidence
        else:
            number = np.arange(len(diagram.cells))
            vertices, inside = reduced.origin[None], np.stack([number, np.zeros_like(number)], axis=1)
            directions, along = reduced.lift_directions(diagram.points), diagram.incidence
        self._set(diagram.cells, diagram.walls, vertices, inside, directions, along)
        if self.router.d == reduced.rank == 2:
            self._order(diagram)

    def _order(self, diagram: Diagram) -> None:
        """Corners and rays of planar cells counter-clockwise."""
        (ids, starts), (rays, begins) = self.cell_vertices, self.cell_directions
        inner = self.middle()
        ids, rays = counter_clockwise(inner, self.vertices, (ids, starts), self.directions, (rays, begins))
        self.cell_vertices, self.cell_directions = (frozen(ids), starts), (frozen(rays), begins)

    def middle(self) -> Floats:
        """A point inside each cell but for rounding, (m, d): the sum of its corners and rays as unit vectors; the
        origin of a central fan."""
        if self._middle is None:
            (ids, starts), (rays, begins) = self.cell_vertices, self.cell_directions
            if self._reduced.half and self._diagram is not None:
                points, along = self._diagram.points[ids], self._diagram.rays[rays]
                self._middle = self._reduced.lift_points(sums(points, starts) + sums(along, begins))
            else:
                self._middle = np.repeat(self._reduced.origin[None], len(self.active_sets), axis=0)
        return self._middle

    def _set(self, cells: Ints, walls: Any, vertices: Floats, inside: Any, directions: Floats, along: Any) -> None:
        """Number the cells by the order of their active sets and store everything read-only."""
        walls, inside, along = (np.asarray(x, dtype=np.int64).reshape(-1, 2) for x in (walls, inside, along))
        sets = self._reduced.name(cells)
        order = np.lexsort(sets.T[::-1])
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        self.active_sets = frozen(sets[order])
        pairs = np.sort(number[walls], axis=1)
        self.neighbours = frozen(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])
        self.vertices, self.directions = frozen(vertices), frozen(directions)
        self.lineality = frozen(self._reduced.lineality)
        self.cell_vertices = by_cell(number[inside[:, 0]], inside[:, 1], len(sets))
        self.cell_directions = by_cell(number[along[:, 0]], along[:, 1], len(sets))

    def _keep(self, cells: NDArray[np.bool_]) -> None:
        """Forget all other cells."""
        number = np.cumsum(cells) - 1
        self._middle = None
        self.witnesses = frozen(self.witnesses[cells])
        self.active_sets = frozen(self.active_sets[cells])
        self.neighbours = frozen(number[self.neighbours[cells[self.neighbours].all(axis=1)]])
        for name in ("cell_vertices", "cell_directions"):
            ids, starts = getattr(self, name)
            sizes = np.diff(starts)
            kept = ids[np.repeat(cells, sizes)]
            setattr(self, name, (frozen(kept), frozen(np.concatenate([[0], np.cumsum(sizes[cells])]))))

    # --- what a reader asks for ------------------------------------------------------------------------------------

    @cached_property
    def bounded(self) -> NDArray[np.bool_]:
        """True for cells of finite extent."""
        _, starts = self.cell_directions
        return frozen((np.diff(starts) == 0) & (len(self.lineality) == 0))

    @property
    def tied(self) -> tuple[Ints, Ints] | None:
        """Independent experts whose scores are equal at each corner (V, d + 1) and along each direction (R, d).

        They name a corner exactly, its float64 coordinates do not. The corner of a central fan has none, its directions
        name it; None where the fan is flat or has no corners.
        """
        diagram, reduced = self._diagram, self._reduced
        if diagram is None or len(self.lineality):
            return None
        at, along = np.zeros((1, 0), dtype=np.int64), diagram.bases
        if reduced.half:
            at, along = diagram.bases, diagram.ray_bases
        if len(reduced.copies) < len(reduced.class_of):
            first = np.flatnonzero(reduced.place == 0)  # of each class of identical experts
            at, along = first[at], first[along]
        return at, along

    @cached_property
    def corners(self) -> list[Floats]:
        """Corners of each cell."""
        ids, starts = self.cell_vertices
        return pieces(self.vertices[ids], starts)

    @cached_property
    def rays(self) -> list[Floats]:
        """Unit rays of each cell, lineality included both ways."""
        ids, starts = self.cell_directions
        parts = pieces(self.directions[ids], starts)
        if len(self.lineality):
            both = self.lineality / np.linalg.norm(self.lineality, axis=1, keepdims=True)
            parts = [frozen(np.concatenate([part, both, -both])) for part in parts]
        return parts

    @cached_property
    def witnesses(self) -> Floats:
        """A point inside each cell, chosen so that its score gap exceeds the rounding errors if any float64 does."""
        return frozen(witnesses(self))

    def verify(self) -> Report:
        """Check the whole fan independently of how it was found; see `core.fan.verify`."""
        from tropviz.core.fan.verify import verify

        return verify(self)

    def polygons(self, window: Any) -> Any:
        """Cells as shapely polygons in a window, d = 2: (ids, geometries)."""
        from tropviz.core import planar

        ids, shapes = planar.polygons(self, window)
        return frozen(ids), frozen(shapes)

    def volumes(self, window: Any) -> Any:
        """Lengths, areas or volumes of the cells in a window, d <= 3: (ids, values)."""
        from tropviz.core import spatial

        ids, values = spatial.volumes(self, window)
        return frozen(ids), frozen(values)

    def solid_angles(self) -> Any:
        """Angle of each cell of a central fan, (m,): radians (d = 2) or steradians (d = 3)."""
        from tropviz.core import spatial

        return frozen(spatial.solid_angles(self))


def frozen(array: Any) -> Any:
    """The array, read-only."""
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    return array


def pieces(rows: Floats, starts: Ints) -> list[Floats]:
    """Consecutive read-only pieces rows[starts[c]:starts[c + 1]]."""
    rows, ends = frozen(rows), starts.tolist()
    return [rows[a:b] for a, b in pairwise(ends)]


def by_cell(cells: Ints, items: Ints, m: int) -> tuple[Ints, Ints]:
    """Items grouped by cell: (ids, starts)."""
    order = np.lexsort((items, cells))
    starts = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=m))]).astype(np.int64)
    return frozen(items[order]), frozen(starts)


def router_bias(router: Router, reduced: Reduced) -> Floats:
    """Bias of each distinct expert."""
    out = np.empty(len(reduced.copies))
    out[reduced.class_of] = router.b
    return out


def top(reduced: Reduced, k: int, order: Ints) -> Ints:
    """Copies active when the distinct experts rank in the given order."""
    out = np.zeros(len(reduced.copies), dtype=np.int64)
    for i in order.tolist():
        out[i] = min(int(reduced.copies[i]), k)
        k -= int(out[i])
    return out
