"""The Router fan page in the plane or in space: which of the two a scene asks for."""

from __future__ import annotations

from types import ModuleType

import streamlit as st

from tropviz.ui import controls
from tropviz.ui.fan import plane, space
from tropviz.ui.fan.view import View
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change


def view_of(scene: Scene) -> tuple[View, ModuleType]:
    """What the page shows of a scene, before anything is drawn, and the module that draws it."""
    return (space.space(scene), space) if scene.dim == "3" else (plane.plane(scene), plane)


def switch(scene: Scene) -> None:
    """The switch between plane and space, and the controls that only space has."""
    controls.widget("dim", scene, label_visibility="collapsed")
    if scene.dim == "2":
        controls.widget("hinges", scene)
    else:
        with st.expander("In space", expanded=True):
            space.controls(scene)


def outside(view: View) -> None:
    """How much of the data cannot be seen, and a button that mends it."""
    if view.outside and not view.scene.embed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{view.outside} of {len(view.points)} data points lie outside the window.")
            st.button("Fit the window", type="tertiary", on_click=change(window=plane.fit_window(view)))
