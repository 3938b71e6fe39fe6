"""The canvas: a Plotly figure on one lasting node, which keeps zoom and camera and tells Python about clicks."""

from __future__ import annotations

import hashlib
import json
import logging
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import plotly
import streamlit as st
import streamlit.components.v1 as v1

from tropviz.figures.picture import Picture
from tropviz.ui.scene import Scene, read_scene, say

_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
_TYPES = {"float32": "f4", "float64": "f8", "int32": "i4", "uint8": "u1"}
Event = Callable[[dict[str, Any]], None]


def _served(name: str, folder: Path) -> str:
    """Address of a folder that this server serves, relative to the page's base address."""
    return f"component/{v1.declare_component(name, path=str(folder)).name}"


def _stamp(folder: Path) -> str:
    """A short hash of the scripts of a folder, so that a browser never mixes two versions."""
    return hashlib.sha256(b"".join(p.read_bytes() for p in sorted(folder.glob("*.js")))).hexdigest()[:10]


_BUNDLE = _served("plotlyjs", Path(plotly.__file__).parent / "package_data") + f"/plotly.min.js?v={plotly.__version__}"
_JS = _served("js_" + _stamp(_HERE / "js"), _HERE / "js")


def script(name: str, *arguments: str) -> str:
    """The few bytes of inline script that fetch a module of `canvas/js` from this server and hand events to it."""
    extra = "".join(f", {json.dumps(a)}" for a in arguments)
    return (
        f'const m = await import(new URL("{_JS}/{name}", document.baseURI).href);\n'
        f"export default (c) => m.default(c{extra});"
    )


_mount = st.components.v2.component(
    "tropviz_canvas",
    isolate_styles=False,
    html='<div class="tv-canvas"><div class="tv-gd"></div></div>',
    css=(_HERE / "canvas.css").read_text(encoding="utf-8"),
    js=script("canvas.js", _BUNDLE),
)


def pack(message: Mapping[str, Any]) -> bytes:
    """A nest of dicts and lists with numpy arrays in it, as a JSON header and aligned buffers.

    Parameters
    ----------
    message : mapping
        Arrays must be float32, float64, int32 or uint8; other numbers must be finite (NaN gaps live in arrays only).

    Returns
    -------
    bytes
        u32 header length, u32 zero, header, padding to 8, buffers each padded to 8.

    Raises
    ------
    ValueError
        For a NaN outside an array, or an array of another type.

    Examples
    --------
    >>> len(pack({"x": np.zeros(3, np.float32)})) % 8
    0
    """
    buffers: list[bytes] = []
    offset = 0

    def encode(value: Any) -> Any:
        nonlocal offset
        if isinstance(value, np.ndarray):
            if value.dtype.name not in _TYPES:
                raise ValueError(f"an array of type {value.dtype} cannot be sent: use one of {', '.join(_TYPES)}.")
            raw = np.ascontiguousarray(value).tobytes()
            reference = {"$b": [offset, int(value.size), _TYPES[value.dtype.name]]}
            buffers.append(raw + bytes(-len(raw) % 8))
            offset += len(buffers[-1])
            return reference
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, dict):
            return {k: encode(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return value if value and all(type(v) is str for v in value) else [encode(v) for v in value]
        return value.item() if isinstance(value, np.generic) else value

    header = json.dumps(encode(message), allow_nan=False, separators=(",", ":")).encode()
    return struct.pack("<II", len(header), 0) + header + bytes(-len(header) % 8) + b"".join(buffers)


def canvas(
    picture: Picture | None,
    *,
    key: str,
    alt: str,
    view: str = "",
    height: int | str = "square",
    below: int = 96,
    handle: tuple[float, float] | None = None,
    toolbar: bool = True,
    name: str = "tropviz",
    link: str = "",
    start: Mapping[str, Any] | None = None,
    stale: str = "",
    beside: str = "",
    of: Callable[[Scene], str] = lambda scene: scene.dim,
    on_click: Event | None = None,
    on_drag: Event | None = None,
    on_step: Event | None = None,
    on_leave: Event | None = None,
    on_seek: Event | None = None,
    on_settle: Event | None = None,
) -> None:
    """Show a figure; call it inside the page or inside a fragment.

    Parameters
    ----------
    picture : Picture or None
        None: the figure in the browser stays as it is (one step of a drag; the last step must bring a figure).
    key : str
        Unique in the app; the view (zoom, camera) is remembered under it.
    alt : str
        The picture in one or two sentences, for people who do not see it.
    view : str
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
    link : str
        Query string of this scene: the browser's address is kept at it, and the toolbar copies it. Where it has the
        entries `cam` and `zoom`, the browser writes the view into them.
    start : mapping, optional
        The view to begin with, where a person has not been yet: "camera" and "zoom" as `ui.scene.viewpoint` reads them.
    stale : str
        CSS selector of what no longer belongs to this picture: it is dimmed until it is drawn anew (see `on_settle`).
    beside : str
        Key of the canvas this one goes with: that one dims it only while it is of an earlier picture.
    of : callable
        What the picture's events refer to, as a text made from a scene. An event that comes from a picture of another
        text than the scene of its moment has (clicked while the next picture was computed) is dropped.
    on_click, on_drag, on_step : callable, optional
        Called with the event, before the script runs again: ``{"x", "y"}`` (plane) or ``{"trace", "index",
        "custom"}`` (space); ``{"x", "y", "end"}``; ``{"dx", "dy"}`` in -1, 0, 1 (both 0: Enter).
    on_leave : callable, optional
        Escape was pressed on the picture.
    on_seek : callable, optional
        Called with ``{"index"}``, the frame at which a person paused, let the slider go or the sweep ended.
    on_settle : callable, optional
        Called when the picture has stood still for a moment: the time to bring up to date what need not follow every
        step. Called again until `ui.canvas.follow.followed` says that all has.
    """
    counter = f"{key}:rev"
    rev = st.session_state[counter] = st.session_state.get(counter, 0) + 1
    meta = {
        "key": key,
        "alt": alt,
        "view": view,
        "rev": rev,
        "height": height,
        "below": below,
        "handle": list(handle) if handle is not None else None,
        "toolbar": toolbar,
        "name": name,
        "link": link,
        "start": dict(start) if start else None,
        "of": of(read_scene()),
        "settle": on_settle is not None,
        "stale": stale,
        "beside": revision(beside),
        "heard": st.session_state.get(f"{key}:heard", {}),
        "leaves": on_leave is not None,
        "interactive": bool(on_click or on_drag or on_step),
        "views": picture.views if picture else None,
    }
    message: dict[str, Any] = {"meta": meta}
    if picture is not None:
        message |= picture.parts()
    if "frames" in message:
        message["frames"] = _once(key, message["frames"])
    _mount(
        key=key,
        data=pack(message),
        height="content",
        on_click_change=_deliver(key, "click", of, on_click),
        on_drag_change=_deliver(key, "drag", of, on_drag),
        on_step_change=_deliver(key, "step", of, on_step),
        on_leave_change=_deliver(key, "leave", of, on_leave),
        on_seek_change=_deliver(key, "seek", of, on_seek),
        on_settle_change=_deliver(key, "settle", of, on_settle),
        on_need_change=_deliver(key, "need", of, lambda _: st.session_state.pop(f"{key}:frames", None)),
    )


def revision(key: str) -> int:
    """How many times this session has drawn a canvas."""
    return st.session_state.get(f"{key}:rev", 0)


def _once(key: str, frames: Mapping[str, Any]) -> dict[str, Any]:
    """The frames with their items the first time, afterwards by token only (a browser without them asks again)."""
    if st.session_state.get(f"{key}:frames") == frames["token"]:
        return {key: value for key, value in frames.items() if key != "items"}
    st.session_state[f"{key}:frames"] = frames["token"]
    return dict(frames)


def _deliver(key: str, name: str, of: Callable[[Scene], str], receiver: Event | None) -> Callable[[], None]:
    def callback() -> None:
        try:
            event = st.session_state[key].get(name)
        except KeyError:  # the run that should have made the canvas was cut short; the browser sends the last one again
            return
        if event and _first_heard(key, name, event) and receiver is not None:
            receive(dict(event), of, receiver)

    return callback


def _first_heard(key: str, name: str, event: Mapping[str, Any]) -> bool:
    """Whether an event is new: the browser sends it again until the numbers of what was heard come back to it."""
    heard = st.session_state.setdefault(f"{key}:heard", {})
    number = event.get("id", 0)
    if number and number <= heard.get(name, 0):
        return False
    heard[name] = number
    return True


def receive(event: dict[str, Any], of: Callable[[Scene], str], receiver: Event) -> None:
    """Hand an event on, unless its picture is no longer that of the scene; what goes wrong is said, never raised."""
    if event.pop("of", None) != of(read_scene()):
        return
    try:
        receiver(event)
    except ValueError as problem:
        say(str(problem))
    except Exception:
        _LOG.exception("an event on a picture could not be answered: %s", event)
        say("This could not be computed; the picture is kept. Change a control, or reload the page.")
