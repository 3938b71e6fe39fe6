"""What the Router fan page shows of one scene, in the plane or in space, computed before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core import planar
from tropviz.core.collapse.statistics import Routed, routed
from tropviz.figures.colour import cell_colours
from tropviz.language import numeral, say
from tropviz.ui.scene import Scene, derived, model


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

    @property
    def measure(self) -> str:
        """What the size of a cell is called."""
        raise NotImplementedError

    @property
    def total(self) -> float:
        """Size of all cells together."""
        raise NotImplementedError

    def place(self, row: int) -> int | None:
        """Position of a fan row among the cells in the window."""
        at = int(np.searchsorted(self.cells.ids, row))
        return at if at < len(self.cells.ids) and self.cells.ids[at] == row else None

    def share_text(self, row: int) -> str:
        """How much of the data is in a cell, in a sentence."""
        share = numeral(f"{100 * float((self.point_cells == row).mean()):.1f} %")
        return f"{say('Share of the data')}: {share}."

    def neighbours(self, row: int) -> NDArray[np.int64]:
        """Fan rows that share a wall with this one."""
        pairs = self.fan.neighbours
        return np.sort(np.concatenate([pairs[pairs[:, 0] == row, 1], pairs[pairs[:, 1] == row, 0]]))

    def step(self, row: int, direction: NDArray[np.float64]) -> int | None:
        """The neighbour that is seen and whose middle lies nearest to a ray from this cell's middle, if any."""
        here = self.place(row)
        near = [(int(n), at) for n in self.neighbours(row) if (at := self.place(int(n))) is not None]
        if here is None or not near or not direction.any():
            return None
        gap = self.cells.middles[[at for _, at in near]] - self.cells.middles[here]
        along = gap @ direction
        aside = np.linalg.norm(gap - along[:, None] * direction, axis=1)
        # twice the distance aside: a cell at 45 degrees is still "that way", one at 80 degrees is not
        cost = np.where(along > aside / 4, along + 2 * aside, np.inf)
        best = int(cost.argmin())
        return near[best][0] if np.isfinite(cost[best]) else None


@derived
def routed_points(scene: Scene) -> tuple[NDArray[np.int64], Routed]:
    """Fan row of every data point, -1 on a wall, and the statistics of their active sets."""
    fan, points = model.scene_fan(scene), model.scene_cloud(scene)
    members = fan.router.active_sets(points)
    return planar.find_sets(fan.active_sets, members, fan.router.N), routed(fan.router, points, members=members)


@derived
def colours(scene: Scene) -> list[str]:
    """Colour of every cell of the fan."""
    fan = model.scene_fan(scene)
    return cell_colours(fan.router.W, fan.active_sets, scene.dark)
