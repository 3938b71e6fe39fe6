"""Widgets drawn from the scene's table. They show the scene at every run, so a page left and met again is the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from tropviz.ui.scene import BY_NAME, Row, Scene, read_scene, update

#: Whole numbers over a longer range than this get a number field instead of a slider.
SLIDER_SPAN = 2000


def _took(name: str, key: str, rerun: Sequence[str]) -> None:
    """A widget changed: the scene follows, and only the named fragments run again."""
    update(**{name: st.session_state[key]})
    if rerun:
        st.rerun(list(rerun))


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
        extra = {"required": True} if show is st.segmented_control else {"index": names.index(value)}
        show(options=names, format_func=lambda c: row.choices[c], **extra, **common)
    elif isinstance(row.default, bool):
        st.toggle(value=value, **common)
    elif isinstance(row.default, str):
        st.text_input(value=value, **common)
    else:
        low, high = row.range(scene.values) or (None, None)
        kind = int if isinstance(row.default, int) else float
        low, high, step = kind(low), kind(high), kind(row.step or 1)
        if low == high:  # a slider needs room to move
            high, common["disabled"] = kind(low + step), True
        show = st.number_input if kind is int and high - low > SLIDER_SPAN and row.name == "seed" else st.slider
        show(min_value=low, max_value=high, value=value, step=step, **common)


def shared_controls(
    scene: Scene, *, rerun: Sequence[str] = (), main: Sequence[str] = ("n", "k", "h", "offset")
) -> None:
    """The controls every page shares: the main ones open, the rest folded under "More". Call it in the sidebar."""
    for name in main:
        widget(name, scene, rerun=rerun)
    rest = ("router", "direction", "spread", "points", "cloud", "window", "seed")
    with st.expander("More"):
        for name in rest:
            if name not in main:
                widget(name, scene, rerun=rerun)
