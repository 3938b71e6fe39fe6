"""MoELayer: top-k routed ReLU experts, and how many linear regions they cut the input space into."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.display import Drawable
from tropviz.core.exact_rows import ExactRows, Given
from tropviz.core.experts.cells import Cells, planar_cells, side_rows
from tropviz.core.experts.count import TRIPLES_AT_ONCE, count_spatial
from tropviz.core.experts.exact import MOST_HINGES
from tropviz.core.experts.hinges import MOST_SEGMENTS, HingeSegments, hinge_segments
from tropviz.core.experts.plane import Hinges, count_plane
from tropviz.core.experts.point import LocalMap, Region, local_map, region_at
from tropviz.core.experts.rings import Plane, Rings, plane_of_cells, plane_of_rings, rings_of
from tropviz.core.experts.rows import on_slice, unit_rows
from tropviz.core.experts.settle import settle
from tropviz.core.experts.spatial import spatial_cells
from tropviz.core.router import Router, as_float64
from tropviz.core.slices import slice_matrix
from tropviz.core.window import as_window

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Windows whose cells a layer keeps.
WINDOWS_KEPT = 3
#: Hinges of planar cells, triples of hinges of spatial ones, handled at a time.
HINGES_AT_ONCE = 2**22
GENERIC_V = "activation regions; with constant gates and generic output weights V these are the linear regions"
_METHOD = {
    1: "1 + the distinct hinge points inside each cell, exact rationals",
    2: "1 + L + sum over crossings of (lines − 1), in each cell",
    3: "1 + L + I2 + I3 in each cell",
}


class MoELayer(Drawable):
    """A layer of N experts `E_i(x) = V_i relu(U_i x + c_i)`, of which a router activates k.

    Inside a routing cell the hinges `U_i x + c_i = 0` of its k active experts (and of the shared expert, everywhere)
    cut the cell into activation regions. These are counted; for generic V they are the linear regions.

    Parameters
    ----------
    router : Router
        W (N, d), b (N,), k.
    U : array-like (N, H, d)
        Hinge normals.
    c : array-like (N, H)
        Hinge offsets.
    V : array-like (N, m, H), optional
        Output weights; only `local_map` needs them.
    shared : (array-like (H_s, d), array-like (H_s,)), optional
        Hinges of an expert that is always active.
    fan : RoutingFan, optional
        The router's fan, if it has been made already.

    Raises
    ------
    ValueError
        One sentence that names the entry and the remedy.

    Examples
    --------
    >>> layer = MoELayer.dense([[1, 0], [0, 1], [1, 1]], [0, 0, -1])
    >>> int(layer.regions(None)), int(layer.regions(1)), layer.regions(1).kind
    (7, 5, 'exact')
    >>> import tropviz
    >>> tropviz.plot(layer, window=1).layout.title.text
    'top-1 of 1: 1 cell (exact), 7 linear regions (exact)'
    """

    def __init__(
        self, router: Router, U: Any, c: Any, V: Any = None, shared: Any = None, fan: RoutingFan | None = None
    ) -> None:
        if not isinstance(router, Router):
            raise ValueError(f"router is a {type(router).__name__}: give a Router, such as Router(W, b, k).")
        self.router = router
        self.U = as_float64(U, "U")
        if self.U.ndim != 3:
            raise ValueError(f"U has shape {self.U.shape}: give one (H, d) matrix per expert, shape (N, H, d).")
        N, H, d = self.U.shape
        if N != router.N:
            raise ValueError(f"U has {N} experts but the router has N = {router.N}: give one U[i] per row of W.")
        if H == 0:
            raise ValueError("U has H = 0 hinges per expert: give every expert at least one (a zero row is allowed).")
        if d != router.d:
            raise ValueError(f"U[0] has rows of length {d} but W has d = {router.d}: give hinges in that space.")
        self.c = as_float64(c, "c")
        if self.c.shape != (N, H):
            raise ValueError(f"c has shape {self.c.shape}: U asks for shape ({N}, {H}), one offset per hinge.")
        self.H, self.d, self.N, self.k = H, d, N, router.k
        self.V = None if V is None else as_float64(V, "V")
        if self.V is not None and (self.V.ndim != 3 or self.V.shape[0] != N or self.V.shape[2] != H):
            raise ValueError(f"V has shape {self.V.shape}: give shape ({N}, m, {H}), m outputs from {H} hinges.")
        self.shared = _shared(shared, d)
        if fan is not None and not fan.router.same_as(router):
            raise ValueError("fan belongs to another router: give RoutingFan(router) of this one, or no fan.")
        self._fan = fan
        self._kept: dict[bytes | None, Cells] = {}

    @classmethod
    def dense(cls, U: Any, c: Any, V: Any = None) -> MoELayer:
        """A dense ReLU layer: one expert, always active.

        Parameters
        ----------
        U : array-like (H, d)
        c : array-like (H,)
        V : array-like (m, H), optional
        """
        U, c = as_float64(U, "U"), as_float64(c, "c")
        if U.ndim != 2 or c.shape != U.shape[:1]:
            raise ValueError(f"U has shape {U.shape} and c {c.shape}: a dense layer takes U (H, d) and c (H,).")
        return cls(Router(np.zeros((1, U.shape[1])), None, k=1), U[None], c[None], None if V is None else [V])

    @cached_property
    def fan(self) -> RoutingFan:
        """The router's fan, made at the first use."""
        if self._fan is not None:
            return self._fan
        from tropviz.core.fan.routing_fan import RoutingFan

        return RoutingFan(self.router)

    def restrict(self, origin: Any, basis: Any, fan: RoutingFan | None = None) -> MoELayer:
        """The layer on the affine subspace x = origin + y @ basis, exactly: router, hinges and shared expert.

        U and c of the result are rounded once, but it remembers the exact numbers, and its regions are those of the
        section: hinges that meet in a point of it still do.

        Parameters
        ----------
        origin : array-like (d,)
        basis : array-like (r, d)
            As for `core.slices.restrict`.
        fan : RoutingFan, optional
            Of the restricted router, if it has been made already.

        Examples
        --------
        >>> layer = MoELayer.dense([[1, 0, 1], [0, 1, 0]], [0, 0])
        >>> flat = layer.restrict([0, 0, 2], [[1, 0, 0], [0, 1, 0]])
        >>> flat.U.tolist(), flat.c.tolist(), int(flat.regions(None))
        ([[[1.0, 0.0], [0.0, 1.0]]], [[2.0, 0.0]], 4)
        """
        matrix = slice_matrix(self.d, origin, basis)
        hinges, shared = on_slice(self.exact_hinges, matrix), self.shared
        if len(shared[1]):
            always = on_slice(self.exact_shared, matrix)
            shared = always.high[:, :-1], always.high[:, -1]
        else:
            shared, always = (np.zeros((0, len(matrix) - 1)), np.zeros(0)), None
        rows = hinges.high.reshape(self.N, self.H, -1)
        out = MoELayer(self.router.image(matrix), rows[..., :-1], rows[..., -1], self.V, shared, fan)
        out.__dict__["exact_hinges"] = hinges
        if always is not None:
            out.__dict__["exact_shared"] = always
        return out

    @cached_property
    def exact_hinges(self) -> ExactRows:
        """Rows (U, c) of all hinges, expert by expert (N H, d + 1), as exact numbers."""
        rows = np.empty((self.N, self.H, self.d + 1))
        rows[..., :-1], rows[..., -1] = self.U, self.c
        return Given(rows.reshape(-1, self.d + 1))

    @cached_property
    def exact_shared(self) -> ExactRows:
        """Rows (U, c) of the shared expert's hinges (H_s, d + 1), as exact numbers."""
        return Given(np.column_stack(self.shared))

    @cached_property
    def _unit_hinges(self) -> tuple[Floats, Bools]:
        rows, lost = unit_rows(self.exact_hinges)
        return rows.reshape(self.N, self.H, -1), np.asarray(lost.reshape(self.N, self.H).any(axis=1))

    @property
    def hinge_rows(self) -> Floats:
        """Rows (U, c) of all hinges (N, H, d + 1), each times a power of two that keeps it in range."""
        return self._unit_hinges[0]

    @cached_property
    def shared_rows(self) -> Floats:
        """Rows (U, c) of the shared expert's hinges (H_s, d + 1)."""
        return unit_rows(self.exact_shared)[0] if len(self.shared[1]) else np.zeros((0, self.d + 1))

    @cached_property
    def _faint(self) -> Bools:
        """Experts with a hinge float64 cannot hold beside its largest entry, (N,); all, if the shared one has one."""
        always = bool(len(self.shared[1])) and bool(unit_rows(self.exact_shared)[1].any())
        return self._unit_hinges[1] | always

    def region_at(self, x: Any) -> Region:
        """Active set and activation pattern at a point (d,); see `experts.point`."""
        return region_at(self, x)

    def local_map(self, x: Any) -> LocalMap:
        """Affine map in the region of a point (d,), the gate taken constant in the cell; see `experts.point`."""
        return local_map(self, x)

    def hinge_segments(self, window: Any, limit: int = MOST_SEGMENTS, polygons: Any = None) -> HingeSegments:
        """Hinges clipped to the cells where their experts are active, d = 2; see `experts.hinges`."""
        return hinge_segments(self, window, limit, polygons)

    def hinges_of(self, sets: Ints) -> Floats:
        """Hinge rows (m, k H + H_s, d + 1) that cut the cells of given active sets (m, k)."""
        return self._hinges(sets).of(slice(None))

    def _hinges(self, sets: Ints) -> Hinges:
        return Hinges(self.hinge_rows, self.shared_rows, sets)

    def regions(self, window: Any = None) -> Count:
        """Number of linear (activation) regions in the open window, or in the whole space.

        Parameters
        ----------
        window : float, sequence of d pairs, or None
            A number a > 0 means (-a, a)^d; None the whole space.

        Returns
        -------
        Count
            Exact, or 'lower' where the fan is a lower bound or a cell is too large for exact arithmetic.

        Raises
        ------
        ValueError
            If d > 3, or the window is none.

        Notes
        -----
        In general position a cell has 1 + L + I regions (plane), 1 + L + I2 + I3 (space). Whether the position is
        general is decided cell by cell with error bounds; a cell where float64 cannot decide (three hinges through a
        point, a hinge through a corner or along a wall, two equal hinges) is counted in exact integer arithmetic.
        """
        _, counts, certain = self.counts(window)
        kind = "exact" if bool(certain.all()) and self._fan_kind == "exact" else "lower"
        note = GENERIC_V
        if kind != "exact":
            note = f"in some cells that float64 cannot decide only the first hinges count, at most {MOST_HINGES:,}"
        if self._fan_kind != "exact":
            note = "the fan itself is a lower bound"
        return Count(int(counts.sum()), kind, _METHOD[self.d], note)

    def regions_per_cell(self, window: Any = None) -> dict[tuple[int, ...], Count]:
        """Regions of every cell that meets the open window: active set -> Count, in the order of the fan.

        Parameters and errors are those of `regions`.

        Examples
        --------
        >>> layer = MoELayer.dense([[1, 0]], [0])
        >>> {key: int(value) for key, value in layer.regions_per_cell(2).items()}
        {(0,): 2}
        """
        ids, counts, certain = self.counts(window)
        sets = self.sets[ids]
        return {
            tuple(int(i) for i in active): Count(int(n), "exact" if sure else "lower", _METHOD[self.d])
            for active, n, sure in zip(sets, counts, certain, strict=True)
        }

    def report(self, window: Any = None) -> dict[str, Any]:
        """Regions, cells and regions per cell as JSON-ready values; parameters and errors are those of `regions`.

        Examples
        --------
        >>> MoELayer.dense([[1, 0]], [0]).report(2)["per_cell"]
        {'0': 2}
        """
        per_cell = self.regions_per_cell(window)
        kind = self._fan_kind
        cells = Count(len(per_cell), kind, "cells of the fan" if window is None else "cells that meet the open window")
        return {
            "regions": self.regions(window).to_json(),
            "cells" if window is None else "cells_in_window": cells.to_json(),
            "per_cell": {",".join(map(str, active)): int(count) for active, count in per_cell.items()},
        }

    def counts(self, window: Any = None) -> tuple[Ints, Ints, Bools]:
        """Regions of every cell as arrays.

        Returns
        -------
        ids : ndarray of int (m,)
            Rows of the fan's active sets.
        counts : ndarray of int (m,)
        certain : ndarray of bool (m,)
            False where only a lower bound was affordable.
        """
        if self.d > 3:
            raise ValueError(f"Regions are counted for d = 1, 2, 3; this layer has d = {self.d}: take a slice first.")
        box = None if window is None else as_window(window, self.d)
        cells = self._plane(box) if self.d == 2 else self.cells(box)
        counts, doubtful = self._fast(cells)
        if self._faint.any():
            doubtful = doubtful | self._faint[self.sets[cells.ids]].any(axis=1)
        certain = np.ones(len(counts), dtype=bool)
        if doubtful.any():
            settle(self, cells.ids, counts, certain, np.flatnonzero(doubtful), box)
        seen = counts > 0
        return cells.ids[seen], counts[seen], certain[seen]

    def cells(self, box: Floats | None) -> Cells:
        """The fan's cells cut with a window, for counting; the last few are kept."""
        key = None if box is None else box.tobytes()
        if key not in self._kept:
            if len(self._kept) >= WINDOWS_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = self._cut(box)
        return self._kept[key]

    def _plane(self, box: Floats | None) -> Plane:
        """Planar cells for counting: as they are if the fan tells everything about them, else cut with the window."""
        return plane_of_cells(self.cells(box)) if self._rings is None else plane_of_rings(self._rings, box)

    @cached_property
    def _rings(self) -> Rings | None:
        return None if self.N == 1 else rings_of(self.fan)

    def _cut(self, box: Floats | None) -> Cells:
        if not len(self.neighbours) and box is None:  # one cell, the whole space
            none, first = np.zeros((1, 0, self.d + 1)), np.zeros(1, dtype=np.int64)
            return Cells(first, side_rows(None, self.d)[None], none, none, first > 0)
        if self.d == 1:
            none = np.zeros((len(self.sets), 0, 2))
            return Cells(np.arange(len(self.sets)), none, none, none, np.ones(len(self.sets), dtype=bool))
        if self.d == 2:
            return planar_cells(self.router.exact, self.sets, self.neighbours, box)
        return spatial_cells(self.fan, box)

    @property
    def sets(self) -> Ints:
        """Active sets (m, k) of all cells, rows as in the fan."""
        return np.zeros((1, 1), dtype=np.int64) if self.N == 1 else self.fan.active_sets

    @property
    def neighbours(self) -> Ints:
        """Pairs of cells that share a wall (e, 2), rows of `sets`."""
        return np.zeros((0, 2), dtype=np.int64) if self.N == 1 else self.fan.neighbours

    @property
    def _fan_kind(self) -> str:
        return "exact" if self.N == 1 else self.fan.count.kind

    def _fast(self, cells: Cells | Plane) -> tuple[Ints, Bools]:
        if self.d == 1:  # so few points that all of it is done exactly
            return np.ones(len(cells.ids), dtype=np.int64), np.ones(len(cells.ids), dtype=bool)
        width = self.k * self.H + len(self.shared[1])
        step = max(1, HINGES_AT_ONCE // width if self.d == 2 else TRIPLES_AT_ONCE // max(width**3 // 6, 1))
        parts = []
        for start in range(0, len(cells.ids), step):
            some = cells if len(cells.ids) <= step else cells.part(slice(start, start + step))
            sets = self.sets[some.ids]
            if isinstance(some, Plane):
                parts.append(count_plane(some, self._hinges(sets)))
            else:
                parts.append(count_spatial(some, self.hinges_of(sets)))
        if not parts:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _shared(shared: Any, d: int) -> tuple[Floats, Floats]:
    if shared is None:
        return np.zeros((0, d)), np.zeros(0)
    try:
        U, c = shared
    except (TypeError, ValueError) as problem:
        raise ValueError("shared is not a pair: give (U_s, c_s) with shapes (H_s, d) and (H_s,).") from problem
    U, c = as_float64(U, "shared U"), as_float64(c, "shared c")
    if U.ndim != 2 or U.shape[1] != d or c.shape != U.shape[:1]:
        raise ValueError(f"shared has shapes {U.shape} and {c.shape}: give (U_s, c_s), shapes (H_s, {d}) and (H_s,).")
    return U, c
