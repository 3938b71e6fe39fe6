"""A person's own data points on the Angular collapse page, and what is kept of scenes that use them.

They stay in the session that brought them, whatever router they are looked at with.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz.core.limits import UPLOAD_BYTES
from tropviz.io.read import read_points
from tropviz.io.text import plain, shown
from tropviz.ui.controls import FORMATS
from tropviz.ui.scene import Refusal, Scene, model, read_scene, rerun, say, update

#: Objects kept for a session's own points.
KEPT = 40
_HELD, _CACHE = "collapse_points", "collapse_points_cache"


@dataclass(frozen=True, eq=False)
class Points:
    """Accepted points X (n, d); the token tells two uploads apart."""

    name: str
    X: NDArray[np.float64]
    token: int


def held() -> Points | None:
    """The points of this session, if there are any."""
    return st.session_state.get(_HELD)


def fitting(d: int) -> Points | None:
    """The session's points, if they fit a router of d inputs."""
    found = held()
    return found if found is not None and found.X.shape[1] == d else None


def kept(scene: Scene, what: str, names: Sequence[str], make: Callable[[], Any]) -> Any:
    """`make()`, kept as `model.kept` keeps it; with a session's own points, in that session only."""
    found = held()
    if found is None:
        return model.kept(scene, what, tuple(names), make)
    upload = st.session_state["upload"].token if scene.router == "file" else 0
    key = (found.token, upload, scene.router, what, *scene.subset(*names))
    cache: OrderedDict[Any, Any] = st.session_state.setdefault(_CACHE, OrderedDict())
    if key not in cache:
        cache[key] = make()
        while len(cache) > KEPT:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cache[key]


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


def panel(fragments: Sequence[str]) -> None:
    """The control for a file of points, in the sidebar."""
    found = held()
    with st.expander("Your own data", expanded=found is not None):
        if found is not None:
            n, d = found.X.shape
            own = model.scene_source(read_scene()).W.shape[1]
            waits = "" if d == own else f" The router takes {own}: they wait for one that takes {d}."
            st.caption(
                f"{plain(found.name)}: {n:,} points of {d} numbers, in this session: a link does not carry them.{waits}"
            )
            st.button("Back to the scene's own data", on_click=_drop, args=(tuple(fragments),), key="points_drop")
        st.file_uploader(
            "Data points or hidden states",
            type=FORMATS,
            key="upload_points",
            on_change=_uploaded,
            help="One point a row, as many numbers as the router has inputs. They stay in this session.",
        )
        st.caption(f"CSV, NPY, NPZ, JSON, safetensors or pt, up to {UPLOAD_BYTES // 1_000_000} MB.")


def _take(points: Points | None) -> None:
    if points is None:
        st.session_state.pop(_HELD, None)
    else:
        st.session_state[_HELD] = points
    for stale in (_CACHE, "ready"):
        st.session_state.pop(stale, None)


def _drop(fragments: tuple[str, ...]) -> None:
    _take(None)
    update()
    rerun(*fragments)


def _uploaded() -> None:
    """Take uploaded points, or say in one sentence why not and keep the scene as it is."""
    given = st.session_state["upload_points"]
    if given is None:
        return
    name = shown(given.name)
    d = model.scene_source(read_scene()).W.shape[1]
    try:
        if given.size > UPLOAD_BYTES:
            raise ValueError(f"{name} has {given.size:,} bytes: the most is {UPLOAD_BYTES:,}.")
        X = read_points(given.getvalue(), given.name)
        if X.shape[1] != d:
            raise ValueError(
                f"{name} has {X.shape[1]} numbers a point and the router takes {d}: give {d} columns, "
                f"or upload a router of {X.shape[1]} inputs first."
            )
        if len(X) < 2:
            raise ValueError(f"{name} has one point: give at least two, or there is nothing to collapse.")
    except ValueError as problem:
        update()
        before = held()
        say(Refusal(f"{problem} Still showing {before.name if before else 'the data as it was'}."))
    else:
        old = held()
        _take(Points(name, X, old.token + 1 if old else 1))
        offset, direction = lies(X)
        scene = update(points=max(read_scene().points, min(len(X), 2000)), offset=offset, direction=direction)
        some = "" if scene.points >= len(X) else f", the first {scene.points:,} of them used"
        say(f"{name}: {len(X):,} points of {d} numbers{some}. They lie at offset {offset:.3g}, as shown.")
    rerun()
