"""The hypersimplex's shadow W^T Delta(k,N), and the graph of the tropical polynomial over the plane.

A set S of k experts earns the score ``p_S . x + beta_S`` at x, with p_S the sum of its rows of W and beta_S of its
biases. One object, three pictures: the point p_S, the flat piece of the graph of e_k with slope p_S, and the cell
under that piece.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from tropviz.core.count import Count
from tropviz.core.hypersimplex.subsets import some_sets, without
from tropviz.core.window import as_window

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Sums that are no vertex: so many are shown.
INNER_SUMS = 600


@dataclass(frozen=True)
class Shadow:
    """The k-set polytope of a router, its vertices named by active sets.

    Central router: ``conv{ p_S } = W^T Delta(k,N)``, its vertices are the cells and its edges the walls between
    them. Affine router: the biases lift every p_S by beta_S; seen from above the lifted points, their upper hull cuts
    the polygon into pieces, the cells are the points in that drawing, walls are its edges. The outline is then made
    of the unbounded cells.

    Attributes
    ----------
    active_sets : ndarray (m, k)
        As the fan's, row by row.
    points, lifts : ndarray (m, d), (m,)
        p_S and beta_S.
    edges : ndarray (e, 2)
        Cells that share a wall.
    outer : ndarray (o,)
        Rows of the unbounded cells; in the plane counter-clockwise.
    triangles : ndarray (t, 3)
        d = 3: the surface of the polytope, rows of `active_sets`, counter-clockwise seen from outside.
    inner_sets, inner : ndarray (q, k), (q, d)
        Sums of other sets: they fell inside (or, with a bias, below).
    inner_count : Count
        How many sets are no cell, exactly, and how many of them are in `inner`.
    """

    active_sets: Ints
    points: Floats
    lifts: Floats
    edges: Ints
    outer: Ints
    triangles: Ints
    inner_sets: Ints
    inner: Floats
    inner_count: Count

    def row(self, S: Any) -> int | None:
        """Row of a set, or None if it has no cell.

        >>> from tropviz import Router, RoutingFan
        >>> square = shadow(RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1)))
        >>> square.row([2]), square.row([7])
        (2, None)
        """
        hits = np.flatnonzero((self.active_sets == np.asarray(S, dtype=np.int64)).all(axis=1))
        return int(hits[0]) if len(hits) else None

    def support(self, directions: Any) -> Ints:
        """Row of the vertex that lies furthest in each direction (n, d): the set that wins far out that way.

        >>> from tropviz import Router, RoutingFan
        >>> square = shadow(RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1)))
        >>> square.support([[1, 0.2], [-0.1, -1]]).tolist()
        [0, 3]
        """
        reach = np.asarray(directions, dtype=np.float64) @ (self.points[self.outer] - self.points.mean(axis=0)).T
        return self.outer[np.argmax(reach, axis=1)]

    def steps(self, row: int) -> tuple[Ints, Floats]:
        """The neighbours of a vertex and the edges to them: an edge is a normal of the wall the two cells share."""
        one, other = self.edges[self.edges[:, 0] == row, 1], self.edges[self.edges[:, 1] == row, 0]
        rows = np.sort(np.concatenate([one, other]))
        return rows, self.points[rows] - self.points[row]


def sums(router: Any, sets: Ints) -> tuple[Floats, Floats]:
    """p_S and beta_S of some sets (n, k): (n, d), (n,)."""
    return router.W[sets].sum(axis=1), router.b[sets].sum(axis=1)


def shadow(fan: RoutingFan, most: int = INNER_SUMS, seed: int = 0) -> Shadow:
    """The shadow of a router, from its fan.

    Parameters
    ----------
    fan : RoutingFan
        d = 2 or 3; others work too, without outline and surface.
    most : int
        How many of the sums that are no vertex are computed: all if there are no more, else a uniform sample.
    seed : int
        Of that sample.

    Examples
    --------
    >>> from tropviz import Router, RoutingFan
    >>> square = shadow(RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=2)))
    >>> square.points.tolist(), square.inner.tolist()
    ([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [[0.0, 0.0], [0.0, 0.0]])
    >>> str(square.inner_count), square.inner_count.method
    ('2', 'C(4,2) - 4; all are shown')
    """
    router, sets = fan.router, np.asarray(fan.active_sets, dtype=np.int64)
    points, lifts = sums(router, sets)
    rest = without(some_sets(router.N, router.k, most + len(sets), seed), sets)[:most]
    total = math.comb(router.N, router.k) - len(sets)
    shown = "all are shown" if len(rest) == total else f"{len(rest):,} of them, drawn at random, are shown"
    count = Count(
        total,
        "exact" if fan.count.kind == "exact" else "upper",
        f"C({router.N},{router.k}) - {len(sets):,}; {shown}",
    )
    outer = np.arange(len(sets)) if router.central else np.flatnonzero(~np.asarray(fan.bounded))
    if router.d == 2:
        outer = _around(points, outer)
    out = Shadow(
        active_sets=sets,
        points=points,
        lifts=lifts,
        edges=np.asarray(fan.neighbours, dtype=np.int64).reshape(-1, 2),
        outer=outer,
        triangles=_surface(points, outer) if router.d == 3 else np.zeros((0, 3), dtype=np.int64),
        inner_sets=rest,
        inner=sums(router, rest)[0],
        inner_count=count,
    )
    for array in (out.active_sets, points, lifts, out.edges, outer, out.triangles, rest, out.inner):
        array.setflags(write=False)
    return out


def _around(points: Floats, outer: Ints) -> Ints:
    """Rows in counter-clockwise order; they are in convex position, so the angle about their mean decides."""
    arm = points[outer] - points[outer].mean(axis=0)
    return outer[np.argsort(np.arctan2(arm[:, 1], arm[:, 0]), kind="stable")]


def _surface(points: Floats, outer: Ints) -> Ints:
    """Triangles of the hull, seen from outside counter-clockwise; none if the points span no space."""
    try:
        hull = ConvexHull(points[outer])
    except (QhullError, ValueError):  # fewer than four points, or all in one plane: an outline of edges is all there is
        return np.zeros((0, 3), dtype=np.int64)
    a, b, c = (points[outer][hull.simplices[:, i]] for i in range(3))
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(axis=1) < 0
    simplices = hull.simplices.astype(np.int64)
    simplices[inward] = simplices[inward][:, ::-1]
    return outer[simplices]


@dataclass(frozen=True)
class Surface:
    """The graph of e_k over a window of the plane: one flat facet over every cell.

    Attributes
    ----------
    ids : ndarray (n,)
        Rows of the fan's active sets, ascending.
    starts : ndarray (n + 1,)
        Corners of facet i are ``points[starts[i]:starts[i+1]]``, counter-clockwise seen from above.
    points : ndarray (p, 3)
        x, y and the height e_k(Wx + b).
    creases : ndarray (s, 2, 3)
        The tropical hypersurface in the window, lifted onto the graph: segments where two facets meet, each once.
    """

    ids: Ints
    starts: Ints
    points: Floats
    creases: Floats

    def triangles(self) -> tuple[Ints, Ints]:
        """Every facet as a fan of triangles: (t, 3) rows of `points`, and for each the facet's number (t,)."""
        sizes = np.diff(self.starts) - 2
        facet = np.repeat(np.arange(len(sizes)), sizes)
        step = np.arange(len(facet)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        first = self.starts[:-1][facet]
        return np.stack([first, first + step + 1, first + step + 2], axis=1), facet


def tropical_surface(fan: RoutingFan, window: Any) -> Surface:
    """The graph of e_k over a window, exact up to rounding: heights at the corners of the cells' polygons.

    Parameters
    ----------
    fan : RoutingFan
        d = 2.
    window : float or ((low, high), (low, high))
        A number a > 0 means [-a, a]^2.

    Raises
    ------
    ValueError
        For another dimension or window.

    Examples
    --------
    >>> from tropviz import Router, RoutingFan
    >>> roof = tropical_surface(RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1)), 1)
    >>> len(roof.ids), float(roof.points[:, 2].max()), len(roof.creases)
    (4, 1.0, 4)
    """
    ids, shapes = fan.polygons(window)
    flat, owner = shapely.get_coordinates(np.asarray(shapes, dtype=object), return_index=True)
    closing = np.r_[owner[1:] != owner[:-1], True] if len(owner) else np.zeros(0, dtype=bool)
    flat, owner = flat[~closing], owner[~closing]
    starts = np.searchsorted(owner, np.arange(len(ids) + 1))
    slopes, lifts = sums(fan.router, np.asarray(fan.active_sets, dtype=np.int64)[ids])
    heights = (slopes[owner] * flat).sum(axis=1) + lifts[owner]
    points = np.column_stack([flat, heights])
    after = np.arange(len(points)) + 1
    after[starts[1:] - 1] = starts[:-1]
    segments = np.stack([points, points[after]], axis=1)
    out = Surface(np.asarray(ids), starts, points, _creases(segments, as_window(window, 2)))
    for array in (out.starts, out.points, out.creases):
        array.setflags(write=False)
    return out


def _creases(segments: Floats, box: Floats) -> Floats:
    """Polygon sides that do not run along the window's border; of the two sides of a crease the rightward one."""
    ends = segments[:, :, :2]
    border = ((ends == box[:, 0]).all(axis=1) | (ends == box[:, 1]).all(axis=1)).any(axis=1)
    run = ends[:, 1] - ends[:, 0]
    rightward = (run[:, 0] > 0) | ((run[:, 0] == 0) & (run[:, 1] > 0))
    return segments[~border & rightward]
