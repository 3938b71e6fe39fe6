"""Widgets drawn from the scene's table, and the upload of a router. They show the scene at every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from tropviz.core.presets import MAX_DIMENSION
from tropviz.io.arrays import EXTENSIONS
from tropviz.io.read import LayerFile, RouterFile, read_any
from tropviz.io.source import MAX_FILE_BYTES
from tropviz.io.text import plain, shown
from tropviz.language import say
from tropviz.ui import heavy
from tropviz.ui.limits import BROUGHT, EXPERTS, READ_HERE, WIDTH
from tropviz.ui.scene import BY_NAME, Refusal, Scene, Upload, admitted, model
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.model import brings_data
from tropviz.ui.scene.part import change, control, showing
from tropviz.ui.scene.rows import ROUTERS, Row

#: Whole numbers over a longer range than this get a number field instead of a slider.
SLIDER_SPAN = 2000
#: Most numbers in the hinges of a file: the cut of its layer is exact, at some 100 bytes a number.
NUMBERS = 2**22
#: What "More" holds where the router and its data are made by the page.
LEARNING = ("spread", "points", "seed")
#: What only a cloud that is drawn here has.
DRAWN = frozenset({"spread", "cloud", "points"})


def widget(name: str, scene: Scene, **options: Any) -> None:
    """The widget of one property of the scene, in a part of the page.

    Parameters
    ----------
    name : str
        Name of the row.
    scene : Scene
        The part's scene.
    **options
        Passed on to the Streamlit widget (`label_visibility`, `disabled`, ...).
    """
    show, given = look(name, scene, **options)
    live = not isinstance(BY_NAME[name].default, (str, bool))
    if show is not st.select_slider:
        control(name, show, live=live, **given)
        return
    with st.container(key=f"steps_{name}", horizontal=True, vertical_alignment="bottom", gap="small"):
        control(name, show, live=live, **given)
        _field(name, scene)


def _field(name: str, scene: Scene) -> None:
    """A field beside the slider of a property, for the numbers between its steps."""
    row, key, value = BY_NAME[name], f"exact_{name}", getattr(scene, name)
    showing(key, value)
    label = say("{label}, as a number", label=say(row.label))
    took = change(partial(_typed, name), key)
    # Without limits: the browser would refuse a number beyond them in silence. An emptied field is the value again.
    st.number_input(label, value=int(value), step=1, key=key, label_visibility="collapsed", width=74, on_change=took)


def _typed(name: str, _: Scene, value: Any) -> Changes:
    return None if value is None else {name: int(value)}


def chooser(
    label: str, options: Sequence[Any], value: Any, key: str, wish: Callable[[Scene, Any], Changes], **more: Any
) -> None:
    """A select box of things that are no row's choices; `wish` says what choosing one changes.

    Of a box whose options were others when the browser spoke, Streamlit gives the bare text it showed: that is no
    choice among these.
    """
    showing(key, value)

    def chosen(scene: Scene, hand: Any) -> Changes:
        return wish(scene, hand) if hand in options else None

    st.selectbox(label, options, options.index(value), key=key, on_change=change(chosen, key), **more)


def look(name: str, scene: Scene, **options: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The Streamlit widget that suits a property, and what it is given besides its key."""
    row = BY_NAME[name]
    common = {"label": say(row.label), "help": say(row.help) or None, **options}
    value = Scene(scene._values).values[name]  # not noted: the board knows what every widget shows
    if row.choices is not None:
        return _choice(row, value, scene, common)
    if isinstance(row.default, bool):
        return st.toggle, {"value": value, **common}
    if isinstance(row.default, str):
        return st.text_input, {"value": value, **common}
    return _number(row, value, scene, common)


def _choice(row: Row, value: Any, scene: Scene, common: dict[str, Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    assert row.choices is not None
    names, labels = list(row.choices), {name: say(text) for name, text in row.choices.items()}
    if row.name == "router" and scene.own_router is None:
        names.remove("file")
    if row.name == "router" and not scene.taught:
        names.remove("trained")
    given = {"options": names, "format_func": labels.__getitem__}
    if len(row.choices) <= 2:
        return st.segmented_control, {**given, "required": True, "default": value, **common}
    return st.selectbox, {**given, "index": names.index(value), **common}


def _number(row: Row, value: Any, scene: Scene, common: dict[str, Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    low, high = row.usual or row.range(_Above(scene))
    while row.usual and value > high:  # in coarse steps: a slider that changes under the hand would be let go
        high *= 10
    kind = int if isinstance(row.default, int) else float
    low, high, step = kind(low), kind(high), kind(row.step or 1)
    fixed = low == high  # a slider needs room to move
    if row.scale and not fixed:
        return st.select_slider, {"options": _steps(row, value, int(low), int(high)), "value": value, **common}
    given = {"value": value, "step": step, **common}
    if fixed:
        return st.number_input, given | {"disabled": True}
    if kind is int and (high - low) / step > SLIDER_SPAN:  # the scene says its limits: see `_field`
        return st.number_input, given
    return st.slider, {"min_value": low, "max_value": high, **given}


def _steps(row: Row, value: int, low: int, high: int) -> list[int]:
    """Steps of a slider. A number between them, once shown, stays one: no slider may change in the hand."""
    shown = st.session_state.setdefault(f"between_{row.name}", set())
    if value not in row.scale:
        shown.add(value)
    return sorted(v for v in {*row.scale, *shown, value} if low <= v <= high)


class _Above(dict[str, Any]):
    """A scene as the mapping that a row's limits ask; what they read is noted."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene

    def __getitem__(self, name: str) -> Any:
        return getattr(self.scene, name)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a property."""
        return getattr(self.scene, name, default)


def shared_controls(
    scene: Scene,
    *,
    main: Sequence[str] = ("n", "k", "h", "offset"),
    own_data: bool | None = None,
    routers: bool = True,
    then: Callable[[], None] = lambda: None,
) -> None:
    """The controls every page shares: the main ones open, what only this page has (`then`), the rest under "More".

    Call it in a part. The order is the same on every page.

    A page that makes its own router (`routers` False) offers none. Data that comes from elsewhere (`own_data`; by
    default what comes with the router) has no spread or shape to set.
    """
    rest = ("direction", "spread", "points", "cloud", "window", "seed") if routers else ("direction", *LEARNING)
    own_data = brings_data(scene) if own_data is None else own_data
    fixed = (DRAWN if model.own_points(scene) is not None else DRAWN - {"points"}) if own_data else frozenset[str]()
    for name in main:
        widget(name, scene, disabled=name in fixed)
    then()
    with st.expander(say("More")):
        if routers:
            widget("router", scene)
            if scene.router_file:
                st.caption(say("This link needs {router_file}: drop it here.", router_file=plain(scene.router_file)))
            upload_control(
                say("Your own router"),
                "upload_router",
                took_router,
                _standing_router,
                say("W, one row per expert; with names also b, k and the experts' U and c. It stays in this session."),
            )
        for name in rest:
            if name not in main:
                widget(name, scene, disabled=name in fixed)


# --- uploads ---


def upload_control(
    label: str, key: str, took: Callable[[Scene, str, bytes], Changes], standing: Callable[[Scene], str], help: str
) -> None:
    """A control for a file.

    `took` gets the scene, the file's name and its bytes, and returns what changes; its ValueError is said, followed by
    what is `standing` then.
    """
    st.file_uploader(label, type=EXTENSIONS, key=key, on_change=change(partial(_given, took, standing), key), help=help)
    st.caption(
        say(
            "JSON, NPZ, NPY, CSV, safetensors or pt, up to {max_file_bytes} MB.",
            max_file_bytes=MAX_FILE_BYTES // 1000000,
        )
    )


def _given(
    took: Callable[[Scene, str, bytes], Changes], standing: Callable[[Scene], str], scene: Scene, file: Any
) -> Changes:
    """What a file that was given changes; one that was taken off the list stays what it is in the scene."""
    if file is None:
        return {"notes": (say("The file is off the list. {standing}", standing=standing(scene)),)}
    try:
        check_bytes(file)
        return took(scene, file.name, file.getvalue())
    except ValueError as problem:
        return {"notes": (Refusal(f"{problem} {standing(scene)}"),)}


def check_bytes(file: Any) -> None:
    """Refuse a file that is too large, before anything of it is read."""
    if file.size > MAX_FILE_BYTES:
        raise ValueError(
            say(
                "{name} has {size:,} bytes: the most is {max_file_bytes:,}.",
                name=shown(file.name),
                size=file.size,
                max_file_bytes=MAX_FILE_BYTES,
            )
        )


def took_router(scene: Scene, name: str, content: bytes) -> Changes:
    """An accepted router file becomes the router on screen."""
    file = reads(_sized, content, name)
    beside = 0 if scene.own_points is None else scene.own_points.X.nbytes
    check_brought(file.name, _bytes(file) + beside)
    return shown_router(scene, file)


def check_brought(name: str, mine: int) -> None:
    """Refuse what would be more bytes than one session may bring."""
    if mine > BROUGHT:
        raise ValueError(
            say(
                "{name} makes {mine:,} bytes in this session: the most is {brought:,}.",
                name=name,
                mine=mine,
                brought=BROUGHT,
            )
        )


def reads(function: Callable[..., Any], content: bytes, name: str, *more: Any) -> Any:
    """What a function reads in a file; in a process of its own where that takes long, so that others do not wait."""
    if len(content) <= READ_HERE:
        return function(content, name, *more)
    return heavy.wait("", function, content, name, *more)


def _sized(content: bytes, name: str) -> RouterFile | LayerFile:
    file = read_any(content, name)
    _check_sizes(file)
    return file


def _bytes(file: RouterFile | LayerFile) -> int:
    arrays = (file.W, file.b, *((file.U, file.c, file.V) if isinstance(file, LayerFile) else ()))
    return sum(a.nbytes for a in arrays if a is not None)


def _check_sizes(file: RouterFile | LayerFile) -> None:
    """Refuse a router that no page could show: its cut is in rationals, and every hinge is a line on screen."""
    assert file.W is not None  # `read_any` refuses a dense network
    N, d = file.W.shape
    if EXPERTS[1] < N:
        raise ValueError(
            say("{name} has {n:,} experts: the most is {experts}.", name=file.name, n=N, experts=EXPERTS[1])
        )
    if d > MAX_DIMENSION:
        raise ValueError(
            say(
                "{name} has {d:,} inputs: the most is {max_dimension:,}, give one row per expert.",
                name=file.name,
                d=d,
                max_dimension=MAX_DIMENSION,
            )
        )
    hinges = file.U.shape[0] * file.U.shape[1] if isinstance(file, LayerFile) else 0
    if hinges > EXPERTS[1] * WIDTH[1]:
        raise ValueError(
            say(
                "{name} has {hinges:,} hinges: the most is {width:,}.",
                name=file.name,
                hinges=hinges,
                width=EXPERTS[1] * WIDTH[1],
            )
        )
    if hinges * d > NUMBERS:
        raise ValueError(
            say(
                "{name} has {d:,} numbers in U: the most on screen is {numbers:,}.",
                name=file.name,
                d=hinges * d,
                numbers=NUMBERS,
            )
        )


def _standing_router(scene: Scene) -> str:
    held = scene.own_router
    still = (
        held.file.name
        if scene.router == "file" and held
        else say("the router “{routers}”", routers=say(ROUTERS[scene.router]))
    )
    return say("Still showing {still}.", still=still)


def shown_router(scene: Scene, file: RouterFile | LayerFile) -> dict[str, Any]:
    """What changes when a file becomes the router on screen."""
    width = file.U.shape[1] if isinstance(file, LayerFile) else scene.h
    own = isinstance(file, LayerFile)
    assert file.W is not None
    hinges = (
        say("its own U and c, H = {width}", width=width)
        if own
        else say("random ones (seed {seed}), as it has no U and c", seed=scene.seed)
    )
    beside = say(" Not used here: {names}.", names=shown(", ".join(file.unread), 120)) if file.unread else ""
    said = say(
        "{name}: {w} experts in {shape} dimensions. The hinges are {hinges}.{beside}",
        name=file.name,
        w=len(file.W),
        shape=file.W.shape[1],
        hinges=hinges,
        beside=beside,
    )
    waited = scene.router_file == file.name  # what the link says of it stays
    k = scene.k if waited else file.k or scene.k
    changes = {
        "own_router": admitted(Upload(file), _bytes(file)),
        "router": "file",
        "n": len(file.W),
        "k": k,
        "h": width,
        "router_file": "",
    }
    return changes | ({} if waited else {"cell": "", "expert": -1}) | {"notes": (said,)}
