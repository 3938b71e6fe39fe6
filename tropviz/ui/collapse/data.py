"""A person's own data points on the Angular collapse page.

They stay in the session that brought them, whatever router they are looked at with.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz.io.read import read_points
from tropviz.io.text import plain, shown
from tropviz.ui.controls import upload_control
from tropviz.ui.scene import Points, Scene, model
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.part import change


def fitting(scene: Scene, d: int) -> Points | None:
    """The session's points, if they fit a router of d inputs."""
    found: Points | None = scene.own_points
    return found if found is not None and found.X.shape[1] == d else None


def lies(X: NDArray[np.float64]) -> tuple[float, float]:
    """(offset, direction in degrees) of the points' own mean: in more than two dimensions it is at 0 degrees.

    >>> lies(np.array([[0.0, 1.0], [0.0, 3.0]]))
    (2.0, 90.0)
    """
    mean = X.mean(axis=0)
    angle = math.degrees(math.atan2(mean[1], mean[0])) if len(mean) == 2 else 0.0
    if len(mean) == 1 and mean[0] < 0:
        angle = 180.0
    return float(np.linalg.norm(mean)), angle


def panel(scene: Scene) -> None:
    """The control for a file of points, in the sidebar."""
    found: Points | None = scene.own_points
    with st.expander("Your own data", expanded=found is not None):
        if found is not None:
            n, d = found.X.shape
            own = model.scene_source(scene).W.shape[1]
            waits = "" if d == own else f" The router takes {own}: they wait for one that takes {d}."
            st.caption(
                f"{plain(found.name)}: {n:,} points of {d} numbers, in this session: a link does not carry them.{waits}"
            )
            st.button("Back to the scene's own data", on_click=change(own_points=None), key="points_drop")
        upload_control(
            "Data points or hidden states",
            "upload_points",
            took_points,
            _standing,
            "One point a row, as many numbers as the router has inputs. They stay in this session.",
        )


def took_points(scene: Scene, name: str, content: bytes) -> Changes:
    """Accepted points are the data now; ValueError in one sentence if they do not fit the router."""
    d = model.scene_source(scene).W.shape[1]
    X = read_points(content, name)
    name = shown(name)
    if X.shape[1] != d:
        raise ValueError(
            f"{name} has {X.shape[1]} numbers a point and the router takes {d}: give {d} columns, "
            f"or upload a router of {X.shape[1]} inputs first."
        )
    if len(X) < 2:
        raise ValueError(f"{name} has one point: give at least two, or there is nothing to collapse.")
    offset, direction = lies(X)
    used = max(scene.points, min(len(X), 2000))
    some = "" if used >= len(X) else f", the first {used:,} of them used"
    said = f"{name}: {len(X):,} points of {X.shape[1]} numbers{some}. They lie at offset {offset:.3g}, as shown."
    changes: dict[str, Any] = {"own_points": Points(name, X), "points": used, "offset": offset}
    return {**changes, "direction": direction, "notes": (said,)}


def _standing(scene: Scene) -> str:
    return f"Still showing {scene.own_points.name if scene.own_points else 'the data as it was'}."
