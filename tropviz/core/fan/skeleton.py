"""What was found of a fan: the cells of a router with their corners, rays and neighbours, each array read-only."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.fan.diagram import Diagram
from tropviz.core.fan.order import sums
from tropviz.core.fan.reduce import Reduced
from tropviz.core.router import Router

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LISTS = ("active_sets", "neighbours", "vertices", "directions", "lineality", "cell_vertices", "cell_directions")


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """Every full-dimensional cell of a top-k router in R^d, as arrays that no one can write to.

    Attributes
    ----------
    router : Router
    count : Count
    active_sets : (m, k) int64
    neighbours : (e, 2) int64
    vertices : (V, d) float64
    directions : (R, d) float64
    lineality : (l, d) float64
    cell_vertices, cell_directions : (ids, starts)
        Items grouped by cell: those of cell c are ids[starts[c]:starts[c + 1]].
    reduced : Reduced
        The router as distinct experts in the coordinates the fan was found in.
    diagram : Diagram or None
        The fan in those coordinates; None where nothing had to be walked.
    seen : (m, d) float64 or None
        Points known to be inside the cells, where these were found by sampling.
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
    reduced: Reduced
    diagram: Diagram | None = None
    seen: Floats | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.router!r}, {self.count} cells)"

    def __getstate__(self) -> dict[str, Any]:
        """What cannot be worked out again; corners cell by cell and the like are left out."""
        return {field.name: self.__dict__[field.name] for field in fields(Skeleton) if field.name in self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            self.__dict__[name] = read_only(value)

    def forget(self) -> None:
        """Keep the count alone: the cells are too many to be listed, and asking for them is refused."""
        for name in _LISTS:
            del self.__dict__[name]

    def __getattr__(self, name: str) -> Any:
        if name in _LISTS and "count" in self.__dict__:
            what = f"The {self.count} cells of this router are too many to be listed"
            raise ValueError(f"{what}: ask for their count, or restrict the router to a slice.")
        raise AttributeError(name)

    @property
    def keeps_all(self) -> bool:
        """Whether the rank alone told that every active set has a cell: see `core.fan.every`."""
        return self.reduced.experts is None and self.reduced.rank > 0

    @property
    def complete(self) -> bool:
        """Whether no cell is missing."""
        return self.count.kind == "exact"

    @cached_property
    def middle(self) -> Floats:
        """A point inside each cell but for rounding, (m, d): the sum of its corners and rays as unit vectors; the
        origin of a central fan."""
        (ids, starts), (rays, begins) = self.cell_vertices, self.cell_directions
        if self.reduced.half and self.diagram is not None:
            points, along = self.diagram.points[ids], self.diagram.rays[rays]
            return self.reduced.lift_points(sums(points, starts) + sums(along, begins))
        return np.repeat(self.reduced.origin[None], len(self.active_sets), axis=0)

    def only(self, cells: NDArray[np.bool_]) -> Self:
        """The same without the cells marked False: (m,)."""
        number = np.cumsum(cells) - 1

        def left(ids: Ints, starts: Ints) -> tuple[Ints, Ints]:
            sizes = np.diff(starts)
            return frozen(ids[np.repeat(cells, sizes)]), frozen(np.concatenate([[0], np.cumsum(sizes[cells])]))

        return replace(
            self,
            active_sets=frozen(self.active_sets[cells]),
            neighbours=frozen(number[self.neighbours[cells[self.neighbours].all(axis=1)]]),
            cell_vertices=left(*self.cell_vertices),
            cell_directions=left(*self.cell_directions),
            seen=None if self.seen is None else frozen(self.seen[cells]),
        )


def frozen(array: Any) -> Any:
    """The array, read-only."""
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    return array


def read_only(value: Any) -> Any:
    """A value just unpickled, its arrays read-only again."""
    if isinstance(value, np.ndarray):
        return frozen(value)
    return tuple(map(frozen, value)) if isinstance(value, tuple) else value
