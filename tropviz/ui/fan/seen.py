"""What is seen of the plane: the window, one that fits the data, or where a person has zoomed and gone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.inside import cells_inside
from tropviz.core.window import as_window
from tropviz.language import say
from tropviz.ui.fan.view import View
from tropviz.ui.scene import Scene, derived, model, viewpoint
from tropviz.ui.scene.board import Changes

#: So much is drawn beyond what is seen, in parts of its side: what a pan brings into view is there at once.
BEYOND = 0.5


def view_token(scene: Scene) -> str:
    """While it stays the same, the zoom stays as the person left it."""
    return f"{scene.router} {scene.window}"


def moved(scene: Scene, event: dict[str, Any]) -> Changes:
    """A person has zoomed or panned, or come back to the window."""
    numbers = [float(v) for v in event["range"]]
    try:
        if numbers:
            viewpoint.zoom("_".join(map(repr, numbers)))
    except ValueError:
        return None
    return {"seen": (view_token(scene), *numbers) if numbers and event["viewpoint"] == view_token(scene) else ()}


def part(scene: Scene) -> NDArray[np.float64] | None:
    """What is seen, (2, 2), low and high end of each axis; None: the window."""
    token, *numbers = scene.seen or ("",)
    return np.array(numbers, dtype=np.float64).reshape(2, 2) if token == view_token(scene) else None


@derived
def ground(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.object_]]:
    """What is drawn: its box (2, 2), the fan row of each cell in it, and the cells cut to it."""
    box = part(scene)
    if box is None:
        cells = model.scene_cells(scene)
        return as_window(model.scene_window(scene), 2), cells.ids, cells.shapes
    more = BEYOND * (box[:, 1] - box[:, 0])
    box = np.stack([box[:, 0] - more, box[:, 1] + more], axis=1)
    ids, shapes = model.scene_fan(scene).polygons([tuple(side) for side in box.tolist()])
    return box, np.asarray(ids), np.asarray(shapes, dtype=object)


@derived
def cells_seen(scene: Scene) -> int | None:
    """How many cells share an area with what is seen; None: it is the window."""
    box = part(scene)
    return None if box is None else len(cells_inside(model.scene_fan(scene), box))


def unseen(scene: Scene, points: NDArray[np.float64]) -> int:
    """Data points that lie outside the window, and outside what is seen of the plane."""
    away = (np.abs(points) > model.scene_window(scene)).any(axis=1)
    box = part(scene) if points.shape[1] == 2 else None
    if box is not None:
        away &= ((points < box[:, 0]) | (points > box[:, 1])).any(axis=1)
    return int(away.sum())


def remark(view: View) -> tuple[str, str] | None:
    """What stands on the picture about data that is not on it, and the button that mends it; None if all is there."""
    away, many = unseen(view.scene, view.points) if view.outside else 0, len(view.points)
    if not away:
        return None
    if away == many:
        return say("All {many:,} data points lie outside the window.", many=many), say("Fit the window")
    told = say("{away:,} of {many:,} data points lie outside the window.", away=away, many=many)
    return told, say("Fit the window")


def fit(scene: Scene, _: dict[str, Any]) -> Changes:
    """The window that holds the data."""
    return {"window": fit_window(model.scene_cloud(scene))}


def fit_window(points: NDArray[np.float64]) -> float:
    """The smallest window, in half steps, that holds all data points."""
    return float(min(50.0, max(0.5, math.ceil(2.04 * float(np.abs(points).max())) / 2)))
