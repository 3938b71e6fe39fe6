"""What the Router fan page shows of one scene, in the plane or in space, computed before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core import planar
from tropviz.core.collapse.statistics import Routed
from tropviz.ui.scene import Scene, model


@dataclass(frozen=True, eq=False)
class View:
    """Cells and data of a scene; `Plane` and `Space` say how sizes are measured.

    Attributes
    ----------
    scene : Scene
    fan : RoutingFan
    cells : PlaneCells
        Those that are seen, with their sizes.
    points : (n, d) float64
    point_cells : (n,) int64
        Fan row of every point, -1 on a wall.
    seen : Routed
    selected : int or None
        Fan row of the selected cell.
    domain : Domain or None
        Of the expert that is lit.
    """

    scene: Scene
    fan: Any
    cells: model.PlaneCells
    points: NDArray[np.float64]
    point_cells: NDArray[np.int64]
    seen: Routed
    selected: int | None
    domain: planar.Domain | None

    @property
    def outside(self) -> int:
        """Data points that lie outside the window."""
        return int((np.abs(self.points) > self.scene.window).any(axis=1).sum())

    def place(self, row: int) -> int | None:
        """Position of a fan row among the cells in the window."""
        at = int(np.searchsorted(self.cells.ids, row))
        return at if at < len(self.cells.ids) and self.cells.ids[at] == row else None

    def neighbours(self, row: int) -> NDArray[np.int64]:
        """Fan rows that share a wall with this one."""
        pairs = self.fan.neighbours
        return np.sort(np.concatenate([pairs[pairs[:, 0] == row, 1], pairs[pairs[:, 1] == row, 0]]))
