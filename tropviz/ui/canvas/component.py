"""The canvas: a Plotly figure on one lasting node, which keeps zoom and camera and tells Python about clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from tropviz.figures.offline import PAGE
from tropviz.figures.picture import Picture
from tropviz.ui.canvas.message import pack
from tropviz.ui.canvas.serve import BUNDLE, script
from tropviz.ui.scene.board import Board, Fold, board, of_text
from tropviz.ui.scene.link import in_link

_mount = st.components.v2.component(
    "tropviz_canvas",
    isolate_styles=False,
    html='<div class="tv-canvas"><div class="tv-gd"></div></div>',
    js=script("canvas", BUNDLE, PAGE),
)


def canvas(
    picture: Picture | None,
    *,
    key: str,
    alt: str,
    hands: str = "",
    hears: Mapping[str, Fold] | None = None,
    of: Sequence[str] = ("dim",),
    beside: Mapping[str, str] | None = None,
    viewpoint: str = "",
    height: int | str = "square",
    below: int = 96,
    handle: tuple[float, float] | None = None,
    toolbar: bool = True,
    name: str = "tropviz",
    link: bool = False,
    start: Mapping[str, Any] | None = None,
    seen: Sequence[float] = (),
    remark: tuple[str, str] | None = None,
) -> None:
    """Show a figure, in a part of the page.

    Parameters
    ----------
    picture : Picture or None
        None: the figure in the browser stays as it is (one step of a drag; the last step must bring a figure).
    key : str
        Unique in the app; the view (zoom, camera) is remembered under it.
    alt : str
        The picture in one or two sentences, for people who do not see it; the caption of a picture that is saved.
    hands : str
        What keys and fingers do on it, in a sentence: said with `alt` in the page, and nowhere else.
    hears : mapping of fold, optional
        What is done on the picture, and what it means: ``fold(scene, event)`` returns what changes of the scene, or
        None. It reads nothing else. Events:

        - "click": ``{"x", "y"}`` (plane) or ``{"trace", "index", "custom", "label"}`` (space; `label` of the face's
          cell)
        - "drag": ``{"x", "y", "end"}`` of the handle
        - "step": ``{"dx", "dy"}`` in -1, 0, 1 by an arrow key (both 0: Enter), in space also "right" and "up"
        - "leave": Escape
        - "range": ``{"range", "viewpoint"}``, left, right, bottom and top of the plane when a person has zoomed or
          panned it (empty: as drawn), and its token `viewpoint`
        - "remark": the button of the remark
        - "seek": ``{"index", "at"}``, the frame at which a person paused, let the slider go, or the sweep ended
    of : sequence of str
        Properties of the scene that an event must agree on: one that comes from a picture of other values (clicked
        while the next was computed) is dropped.
    beside : mapping of str, optional
        HTML that is shown with this picture, and changes in the moment it does, by the name of its `slot`.
    viewpoint : str
        A token: while it stays the same the zoom and the camera stay as the person left them.
    height : int, "square" or "fill"
        Pixels; the largest square the window has room for; or full width down to the window's edge.
    below : int
        Pixels to leave free under a "square" or "fill" picture.
    handle : (x, y), optional
        Data coordinates of a drag handle.
    toolbar : bool
        Zoom, reset and download buttons under the picture.
    name : str
        File name of downloads, without an ending.
    link : bool
        The toolbar copies the page's address, and this picture's camera and zoom stand in it.
    start : mapping, optional
        The view to begin with, where a person has not been yet: "camera" and "zoom" as `scene.viewpoint` reads them.
    seen : sequence of float
        The range that the figure was drawn for, if that is not its own.
    remark : (sentence, button), optional
        Stands on the picture; the button says "remark", if that is heard.
    """
    here, hears = board(), hears or {}
    here.canvases[key] = here.drawing
    here.folds |= {(key, event): (fold, tuple(of)) for event, fold in hears.items()}
    meta = {
        "key": key,
        "alt": alt,
        "hands": hands,
        "viewpoint": viewpoint,
        "height": height,
        "below": below,
        "handle": list(handle) if handle is not None else None,
        "toolbar": toolbar,
        "name": name,
        "link": link,
        "start": dict(start) if start else None,
        "seen": list(seen),
        "remark": list(remark) if remark else None,
        "page": here.page,
        "session": here.session,
        "heard": here.world.heard,
        "of": of_text(here.world.values, of),
        "hears": list(hears),
        "cameras": picture.cameras if picture else None,
    }
    message: dict[str, Any] = {"meta": meta, "beside": dict(beside or {})}
    if picture is not None:
        message |= picture.parts()
    if "frames" in message:
        message["frames"] = _once(here, key, message["frames"])
    _mount(key=key, data=pack(message), height="content")


def slot(name: str) -> None:
    """The place in the page of what a canvas shows beside its picture."""
    st.html(f'<div data-slot="{escape(name)}"></div>')


def _once(here: Board, key: str, frames: Mapping[str, Any]) -> dict[str, Any]:
    """The frames with all they have the first time, afterwards what may change (a browser without them asks again)."""
    frames = {**frames, "token": f"{frames['token']}{in_link()}"}  # what stands in them is in one language
    if here.sent.get(key) == frames["token"]:
        return {name: frames[name] for name in ("token", "start", "now") if name in frames}
    here.sent[key] = frames["token"]
    sent = dict(frames)
    if (later := sent.pop("later", None)) is not None:
        sent["items"] = later()
    return sent
