"""Widgets drawn from the scene's table. They show the scene at every run, so a page left and met again is the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from tropviz.core.limits import EXPERTS, UPLOAD_BYTES
from tropviz.io.read import LayerFile, RouterFile, read_any
from tropviz.io.text import shown
from tropviz.ui.scene import Refusal, Scene, read_scene, say, update
from tropviz.ui.scene import rerun as again
from tropviz.ui.scene.model import scene_source, take_upload, upload
from tropviz.ui.scene.rows import BY_NAME, ROUTERS, Row

#: Whole numbers over a longer range than this get a number field instead of a slider.
SLIDER_SPAN = 2000
FORMATS = ["json", "npz", "npy", "csv", "safetensors", "pt"]


def _took(name: str, key: str, rerun: Sequence[str]) -> None:
    """A widget changed: the scene follows, and only the named fragments run again."""
    changes = {name: st.session_state[key]}
    if name == "router":  # another router has other cells; data that comes with it lies where it lies
        changes |= {"cell": "", "expert": -1} | ({"offset": 0.0} if changes[name] == "digits" else {})
    update(**changes)
    if rerun:
        again(*rerun)


def widget(name: str, scene: Scene | None = None, *, rerun: Sequence[str] = (), **options: Any) -> None:
    """The widget of one property of the scene.

    Parameters
    ----------
    name : str
        Name of the row.
    scene : Scene, optional
        The current scene.
    rerun : sequence of str
        Keys of the fragments (``st.fragment(key=...)``) of this page that show what the property changes. Only these
        run again, which is what makes a slider fast; empty: the whole page runs.
    **options
        Passed on to the Streamlit widget (`label_visibility`, `disabled`, ...).

    Notes
    -----
    Session state is written only where it differs from the scene: writing it always would pull a slider back under a
    moving hand.
    """
    scene = scene or read_scene()
    row, value, key = BY_NAME[name], scene.values[name], f"w_{name}"
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    common = {
        "label": options.pop("label", row.label),
        "key": key,
        "help": options.pop("help", row.help or None),
        "on_change": _took,
        "args": (name, key, tuple(rerun)),
        **options,
    }
    _draw(row, value, scene, common)


def _draw(row: Row, value: Any, scene: Scene, common: dict[str, Any]) -> None:
    if row.choices is not None:
        names = list(row.choices)
        show = st.segmented_control if len(names) <= 2 else st.selectbox
        if row.name == "router" and upload() is None:
            names.remove("file")
        extra = {"required": True, "default": value} if len(row.choices) <= 2 else {"index": names.index(value)}
        show(options=names, format_func=lambda c: row.choices[c], **extra, **common)
    elif isinstance(row.default, bool):
        st.toggle(value=value, **common)
    elif isinstance(row.default, str):
        st.text_input(value=value, **common)
    else:
        low, high = row.usual or row.range(scene.values) or (None, None)
        while row.usual and value > high:  # in coarse steps: a slider that changes under the hand would be let go
            high *= 10
        kind = int if isinstance(row.default, int) else float
        low, high, step = kind(low), kind(high), kind(row.step or 1)
        fixed = low == high  # a slider needs room to move
        if fixed:
            common["disabled"] = True
        show = st.number_input if fixed or (kind is int and (high - low) / step > SLIDER_SPAN) else st.slider
        show(min_value=low, max_value=high, value=value, step=step, **common)


def shared_controls(
    scene: Scene,
    *,
    rerun: Sequence[str] = (),
    main: Sequence[str] = ("n", "k", "h", "offset"),
    own_data: bool | None = None,
) -> None:
    """The controls every page shares: the main ones open, the rest folded under "More". Call it in the sidebar.

    Data that comes from elsewhere (`own_data`; by default what comes with the router) has no spread or shape to set.
    """
    rest = ("direction", "spread", "points", "cloud", "window", "seed")
    own_data = scene_source(scene).X is not None if own_data is None else own_data
    for name in main:
        widget(name, scene, rerun=rerun, disabled=own_data and name in {"spread", "cloud"})
    with st.expander("More"):
        widget("router", scene, rerun=rerun)
        st.file_uploader(
            "Your own router",
            type=FORMATS,
            key="upload_router",
            on_change=_uploaded,
            help="W, one row per expert; with names also b, k and the experts' U and c. It stays in this session.",
        )
        st.caption(f"JSON, NPZ, NPY, CSV, safetensors or pt, up to {UPLOAD_BYTES // 1_000_000} MB.")
        for name in rest:
            if name not in main:
                widget(name, scene, rerun=rerun, disabled=own_data and name in {"spread", "cloud"})


def _show(file: RouterFile | LayerFile) -> None:
    """Make an accepted file the router on screen, and say what of it is shown."""
    take_upload(file)
    before = read_scene()
    width = file.U.shape[1] if isinstance(file, LayerFile) else before.h
    scene = update(router="file", n=len(file.W), k=file.k or before.k, h=width, cell="", expert=-1)
    own = isinstance(file, LayerFile)
    hinges = f"its own U and c, H = {width}" if own else f"random ones (seed {scene.seed}), as it has no U and c"
    beside = f" Not used here: {shown(', '.join(file.unread), 120)}." if file.unread else ""
    say(f"{file.name}: {scene.n} experts in {file.W.shape[1]} dimensions. The hinges are {hinges}.{beside}")


def _uploaded() -> None:
    """Take an uploaded router, or say in one sentence why not and keep the scene as it is."""
    given = st.session_state["upload_router"]
    if given is None:
        return
    try:
        if given.size > UPLOAD_BYTES:
            raise ValueError(f"{shown(given.name)} has {given.size:,} bytes: the most is {UPLOAD_BYTES:,}.")
        file = read_any(given.getvalue(), given.name)
        if len(file.W) > EXPERTS[1]:
            raise ValueError(f"{file.name} has {len(file.W)} experts: the most is {EXPERTS[1]}.")
    except ValueError as problem:
        scene = update()
        held = upload()
        still = held.name if scene.router == "file" and held else f"the router “{ROUTERS[scene.router]}”"
        say(Refusal(f"{problem} Still showing {still}."))
    else:
        _show(file)
    again()
