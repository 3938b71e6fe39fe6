"""Angular collapse: what happens when the data is off-centre, and how does a shared expert undo it?"""

from __future__ import annotations

import streamlit as st

from tropviz.ui import collapse_sphere, collapse_undo, collapse_view, controls, shell
from tropviz.ui.counts import show_counts
from tropviz.ui.scene import read_scene

shell.guard()


@st.fragment(key="controls")
def panel() -> None:
    scene = read_scene()
    controls.widget("dim", scene)
    controls.widget("shared", scene, rerun=collapse_view.FRAGMENTS)
    controls.widget("lam", scene, rerun=collapse_view.FRAGMENTS, disabled=not scene.shared)
    controls.widget("offset", scene, rerun=collapse_view.offset_only(scene))
    main = ("n", "k", "direction", "spread", "cloud")
    controls.shared_controls(scene, rerun=collapse_view.FRAGMENTS, main=main)


@st.fragment(key="picture")
def picture() -> None:
    view, _ = shell.ready(collapse_view.study)
    shell.show_notes()
    collapse_view.show_picture(view, shell.is_dark())
    shell.meaning(collapse_view.sentence(view))
    if note := collapse_view.plane_note(view):
        st.caption(note)
    if view.own_offset is not None:
        st.button(
            "Where the data really lies", type="tertiary", on_click=collapse_view.as_it_is, args=(view.own_offset,)
        )


@st.fragment(key="curves")
def curves() -> None:
    view, _ = shell.ready(collapse_view.study)
    collapse_view.show_curves(view, shell.is_dark())


@st.fragment(key="numbers")
def numbers() -> None:
    view, scene = shell.ready(collapse_view.study)
    left, right = st.columns(2, gap="medium")
    with left:
        show_counts(collapse_view.collapse_counts(view), "Angular collapse")
    with right:
        show_counts(collapse_view.load_counts(view), "Load imbalance")
        shell.copy_link(scene, "collapse")


@st.fragment(key="undo")
def undo() -> None:
    view, _ = shell.ready(collapse_view.study)
    collapse_undo.show_table(view)
    collapse_undo.downloads(shell.is_dark())


@st.fragment(key="directions")
def directions() -> None:
    view, _ = shell.ready(collapse_view.study)
    collapse_undo.show_directions(view, shell.is_dark())


@st.fragment(key="dimensions")
def dimensions() -> None:
    shown = st.expander("The same sweep in more dimensions", on_change="rerun", key="dimensions_open")
    if shown.open:
        with shown:
            collapse_undo.show_dimensions(read_scene(), shell.is_dark())


@st.fragment(key="sphere")
def sphere() -> None:
    view, _ = shell.ready(collapse_view.study)
    if view.router.d == 3:
        collapse_sphere.show(view, shell.is_dark())


with st.sidebar:
    panel()
left, right = st.columns([11, 10], gap="medium")
with left:
    picture()
with right:
    curves()
sphere()
numbers()
if not read_scene().embed:
    left, right = st.columns([3, 2], gap="large")
    with left:
        undo()
    with right:
        directions()
    dimensions()
