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
from tropviz.language import say
from tropviz.ui.controls import reads, upload_control
from tropviz.ui.limits import OWN_NUMBERS, OWN_POINTS
from tropviz.ui.scene import Points, Scene, admitted, model
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.part import change


def panel(scene: Scene) -> None:
    """The control for a file of points, in the sidebar."""
    found: Points | None = scene.own_points
    with st.expander(say("Your own data"), expanded=found is not None or bool(scene.points_file)):
        if found is not None:
            n, d = found.X.shape
            own = model.scene_source(scene).W.shape[1]
            waits = "" if d == own else say(" The router takes {own}: they wait for one that takes {d}.", own=own, d=d)
            here = say("in this session: a link names the file and does not carry them.")
            st.caption(
                say(
                    "{name}: {n:,} points of {d} numbers, {here}{waits}",
                    name=plain(found.name),
                    n=n,
                    d=d,
                    here=here,
                    waits=waits,
                )
            )
            st.button(say("Back to the scene's own data"), on_click=change(own_points=None), key="points_drop")
        elif scene.points_file:
            st.caption(say("This link needs {points_file}: drop it here.", points_file=plain(scene.points_file)))
        upload_control(
            say("Data points or hidden states"),
            "upload_points",
            took_points,
            _standing,
            say("One point a row, as many numbers as the router has inputs. They stay in this session."),
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
            say(
                "{name} has {shape} numbers a point and the router takes {d}: give {d} columns, or "
                "upload a router of {shape} inputs first.",
                name=name,
                shape=X.shape[1],
                d=d,
            )
        )
    if len(X) < 2:
        raise ValueError(say("{name} has one point: give at least two, or there is nothing to collapse.", name=name))
    home = model.home_of(X)
    if not np.isfinite(home.offset * home.offset):
        raise ValueError(
            say("{name} has numbers too large to be squared: divide the points by a common factor.", name=name)
        )
    some = "" if len(X) == all_of_them else say(", the first {x:,} of them used", x=len(X))
    said = say(
        "{name}: {all_of_them:,} points of {shape} numbers{some}.",
        name=name,
        all_of_them=all_of_them,
        shape=X.shape[1],
        some=some,
    )
    changes: dict[str, Any] = {"own_points": admitted(Points(name, X), X.nbytes), "points_file": "", "held": ()}
    if not waited:
        changes |= home.place
        said += say(" They lie at offset {offset:.3g}, as shown.", offset=home.offset)
    return {**changes, "notes": (said,)}


def unused(scene: Scene, page: str) -> str | None:
    """The sentence of a page that does not use the points that this session brought."""
    found: Points | None = scene.own_points
    if found is None:
        return None
    if page not in USING:
        return say(
            "Your points, {name}, are not used on this page: see Router fan and Angular collapse.", name=found.name
        )
    if model.own_points(scene) is None:
        own, d = model.scene_source(scene).W.shape[1], found.X.shape[1]
        return say(
            "Your points, {name}, are not shown: they have {d} numbers each and this router takes {own}.",
            name=found.name,
            d=d,
            own=own,
        )
    return None


def untrained(scene: Scene, page: str) -> str | None:
    """The sentence of Training, which takes the size of the router that this session brought and not its weights."""
    if page != "training" or scene.router != "file" or scene.own_router is None:
        return None
    name = scene.own_router.file.name
    return say("The weights of {name} are not used on this page: a training begins with random ones.", name=name)


#: Url names of the pages whose data they are.
USING = ("fan", "collapse")


def _standing(scene: Scene) -> str:
    return say("Still showing {name}.", name=scene.own_points.name if scene.own_points else say("the data as it was"))
