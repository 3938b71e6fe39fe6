"""Which cell of the fan the scene has chosen: its name in a link, its row, and how it is chosen and let go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core import planar
from tropviz.ui.fan import regions
from tropviz.ui.scene import Scene, model
from tropviz.ui.scene.board import Changes


def cell_name(active: Any) -> str:
    """An active set as it stands in a link.

    >>> cell_name([0, 3])
    '0-3'
    """
    return "-".join(str(int(i)) for i in active)


def selected_row(scene: Scene, fan: Any) -> int | None:
    """The fan row of the scene's selected cell; None if it names none of this fan."""
    try:
        active = np.array([[int(part) for part in scene.cell.split("-")]])
    except ValueError:
        return None
    if active.shape[1] != fan.router.k or active.min() < 0 or active.max() >= fan.router.N:
        return None
    row = int(planar.find_sets(fan.active_sets, np.sort(active, axis=1), fan.router.N)[0])
    return row if row >= 0 else None


def select(scene: Scene, row: int | None, point: NDArray[np.float64] | None = None) -> Changes:
    """Make a fan row the selected cell of the scene, and the region round a point of it the one looked at."""
    return {
        "cell": "" if row is None else cell_name(model.scene_fan(scene).active_sets[row]),
        "spot": "" if row is None or point is None else regions.spot_name(point),
    }


def let_go(scene: Scene, _: dict[str, Any]) -> Changes:
    """Escape lets the cell go."""
    return select(scene, None)
