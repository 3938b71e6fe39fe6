"""The Router fan page in the plane or in space: which of the two a scene asks for."""

from __future__ import annotations

from types import ModuleType

import streamlit as st

from tropviz.ui import controls, shell
from tropviz.ui.fan import plane as plane_view
from tropviz.ui.fan import space as space_view
from tropviz.ui.fan.view import View
from tropviz.ui.scene import Scene, read_scene


def compute(scene: Scene) -> View:
    """What the page shows of a scene, before anything is drawn."""
    scene = space_view.admit(scene)
    return space_view.space(scene) if scene.dim == "3" else plane_view.plane(scene)


def ready() -> tuple[View, ModuleType]:
    """The view of the session's scene, and the module that draws it."""
    view, _ = shell.ready(compute)
    return view, space_view if view.scene.dim == "3" else plane_view


def switch() -> None:
    """The switch between plane and space, and the controls that only space has."""
    scene = space_view.admit(read_scene())
    controls.widget("dim", scene, rerun=plane_view.FRAGMENTS, label_visibility="collapsed")
    if scene.dim == "2":
        controls.widget("hinges", scene, rerun=("picture",))
    else:
        with st.expander("In space", expanded=True):
            space_view.controls(scene, plane_view.FRAGMENTS)
