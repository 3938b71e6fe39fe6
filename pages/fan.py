"""Router fan: where does the router send which input?"""

from __future__ import annotations

import streamlit as st

from tropviz.ui import controls, export, plane_view, selection, shell
from tropviz.ui.counts import show_counts
from tropviz.ui.scene import read_scene, update

shell.guard()


@st.fragment(key="controls")
def panel() -> None:
    controls.shared_controls(read_scene(), rerun=plane_view.FRAGMENTS)


@st.fragment(key="stage")
def stage() -> None:
    view, scene = shell.ready(plane_view.plane)
    dark = shell.is_dark()
    shell.show_notes(filter(None, [plane_view.hidden_note(view)]))
    picture, beside = st.columns([7, 3], gap="medium")
    with picture:
        plane_view.show(view, dark)
        shell.meaning(plane_view.sentence(view))
        outside(view)
    with beside:
        show_counts(plane_view.counts(view), "Promise and fact")
        if not scene.embed:
            with st.container(horizontal=True, vertical_alignment="center"):
                shell.copy_link(scene, "fan")
                export.menu(view)
            selection.expert_choice(view)
            selection.cell_panel(view, dark)
        else:
            shell.copy_link(scene, "fan")


def outside(view: plane_view.Plane) -> None:
    """How much of the data cannot be seen, and a button that mends it."""
    if view.outside and not view.scene.embed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{view.outside} of {len(view.points)} data points lie outside the window.")
            st.button("Fit the window", type="tertiary", on_click=fit, args=(plane_view.fit_window(view),))


def fit(window: float) -> None:
    update(window=window)
    st.rerun(list(plane_view.FRAGMENTS))


@st.fragment(key="table")
def table() -> None:
    shown = st.expander("All cells as a table", on_change="rerun", key="table_open")
    if shown.open:
        with shown:
            selection.table(plane_view.plane(read_scene()))


with st.sidebar:
    panel()
stage()
if not read_scene().embed:
    table()
