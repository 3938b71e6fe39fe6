"""Router fan: where does the router send which input?"""

from __future__ import annotations

import streamlit as st

from tropviz.ui import controls, plane_view, shell
from tropviz.ui.counts import show_counts
from tropviz.ui.scene import read_scene

shell.guard()
STAGE = ("controls", "stage")


@st.fragment(key="controls")
def panel() -> None:
    controls.shared_controls(read_scene(), rerun=STAGE)


@st.fragment(key="stage")
def stage() -> None:
    scene = read_scene()
    shell.show_notes()
    picture, beside = st.columns([7, 3], gap="medium")
    with picture:
        plane_view.show(scene)
    with beside:
        show_counts(plane_view.counts(scene), "Promise and fact")
        shell.copy_link(scene, "fan")
    shell.meaning("Every colour is one set of experts.")


with st.sidebar:
    panel()
stage()
