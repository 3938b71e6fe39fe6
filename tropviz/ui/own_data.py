"""A person's own data points: brought on any page that uses them, and used there as they are.

They stay in the session that brought them, whatever router they are looked at with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz.io.read import read_points
from tropviz.io.text import plain, shown
from tropviz.ui.controls import reads, upload_control
from tropviz.ui.limits import OWN_NUMBERS, OWN_POINTS
from tropviz.ui.scene import Points, Scene, model
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.part import change


def panel(scene: Scene) -> None:
    """The control for a file of points, in the sidebar."""
    found: Points | None = scene.own_points
    with st.expander("Your own data", expanded=found is not None or bool(scene.points_file)):
        if found is not None:
            n, d = found.X.shape
            own = model.scene_source(scene).W.shape[1]
            waits = "" if d == own else f" The router takes {own}: they wait for one that takes {d}."
            here = "in this session: a link names the file and does not carry them."
            st.caption(f"{plain(found.name)}: {n:,} points of {d} numbers, {here}{waits}")
            st.button("Back to the scene's own data", on_click=change(own_points=None), key="points_drop")
        elif scene.points_file:
            st.caption(f"This link needs {plain(scene.points_file)}: drop it here.")
        upload_control(
            "Data points or hidden states",
            "upload_points",
            took_points,
            _standing,
            "One point a row, as many numbers as the router has inputs. They stay in this session.",
        )


def used(content: bytes, name: str) -> tuple[NDArray[np.float64], int]:
    """The points of a file that are used, and how many there are: at most `OWN_POINTS`, of `OWN_NUMBERS` numbers."""
    X = read_points(content, name)
    kept = np.array(X[: max(2, min(OWN_POINTS, OWN_NUMBERS // X.shape[1]))])
    kept.setflags(write=False)
    return kept, len(X)


def took_points(scene: Scene, name: str, content: bytes) -> Changes:
    """Accepted points are the data now; ValueError in one sentence if they do not fit the router."""
    source = model.scene_source(scene)
    d = source.W.shape[1]
    X, all_of_them = reads(used, content, name)
    waited = scene.points_file == shown(name)  # what the link says of them stays
    name = shown(name)
    if X.shape[1] != d and not scene.router_file:
        raise ValueError(
            f"{name} has {X.shape[1]} numbers a point and the router takes {d}: give {d} columns, "
            f"or upload a router of {X.shape[1]} inputs first."
        )
    if len(X) < 2:
        raise ValueError(f"{name} has one point: give at least two, or there is nothing to collapse.")
    home = model.home_of(X)
    if not np.isfinite(home.offset * home.offset):
        raise ValueError(f"{name} has numbers too large to be squared: divide the points by a common factor.")
    some = "" if len(X) == all_of_them else f", the first {len(X):,} of them used"
    said = f"{name}: {all_of_them:,} points of {X.shape[1]} numbers{some}."
    changes: dict[str, Any] = {"own_points": Points(name, X), "points_file": "", "held": ()}
    if not waited:
        changes |= home.place
        said += f" They lie at offset {home.offset:.3g}, as shown."
    return {**changes, "notes": (said,)}


def unused(scene: Scene, page: str) -> str | None:
    """The sentence of a page that does not use the points that this session brought."""
    found: Points | None = scene.own_points
    if found is None:
        return None
    if page not in USING:
        return f"Your points, {found.name}, are not used on this page: see Router fan and Angular collapse."
    if model.own_points(scene) is None:
        own, d = model.scene_source(scene).W.shape[1], found.X.shape[1]
        return f"Your points, {found.name}, are not shown: they have {d} numbers each and this router takes {own}."
    return None


#: Url names of the pages whose data they are.
USING = ("fan", "collapse")


def _standing(scene: Scene) -> str:
    return f"Still showing {scene.own_points.name if scene.own_points else 'the data as it was'}."
