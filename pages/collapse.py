"""Angular collapse: what happens when the data is off-centre, and how does a shared expert undo it?"""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import claims, controls, own_data, shell
from tropviz.ui.canvas import beacon, slot
from tropviz.ui.collapse import beyond, curves, export, sphere, undo, words
from tropviz.ui.collapse import picture as moving
from tropviz.ui.collapse.study import reach_of, study
from tropviz.ui.scene import Scene, model
from tropviz.ui.scene.part import change, part, unfolding

scene = shell.page("collapse")


@part("controls")
def panel(scene: Scene) -> None:
    d = model.scene_source(scene).W.shape[1]
    own = model.brings_data(scene) or model.own_points(scene) is not None
    turn = ("direction", "elevation") if d == 3 else ("direction",)

    def then() -> None:
        for name in ("dim", "shared", "lam"):
            controls.widget(name, scene, **({"disabled": not scene.shared} if name == "lam" else {}))

    controls.shared_controls(scene, main=("n", "k", "offset", *turn, "spread", "cloud"), own_data=own, then=then)
    own_data.panel(scene)


@part("picture", live=True)
def picture(scene: Scene) -> None:
    """The picture, and the numbers that change with it."""
    moving.need(scene)
    view = study(scene)
    shell.show_notes(scene)
    moving.show(view, {"meaning": words.meaning_html(view), "numbers": words.numbers_html(view)})
    slot("meaning")


@part("places")
def places(scene: Scene) -> None:
    """Places to go to at once."""
    if found := moving.places(study(scene, scene.through(reach_of))):
        with st.container(horizontal=True):
            for label, changes in found.items():
                st.button(label, on_click=change(**changes))


@part("curves")
def curve_pair(scene: Scene) -> None:
    moving.need(scene, scene.through(reach_of))
    view = study(scene, scene.through(reach_of))  # along the t axis, the browser moves them with the picture
    curves.show(view)
    if not scene.embed:
        st.html(curves.hint(view))


@part("undo")
def remedies(scene: Scene) -> None:
    undo.show_table(scene)


@part("directions")
def directions(scene: Scene) -> None:
    beyond.show_directions(study(scene, scene.through(reach_of)))


@part("dimensions")
def dimensions(scene: Scene) -> None:
    shown = unfolding(say("The same sweep in more dimensions"), key="dimensions_open")
    if shown.open:
        with shown:
            beyond.show_dimensions(scene)


@part("sphere", live=True)
def ball(scene: Scene) -> None:
    """In three dimensions; its colours do not follow the offset by themselves."""
    if model.scene_source(scene).W.shape[1] == 3:
        sphere.show(study(scene))


with st.sidebar:
    panel()
left, right = st.columns([11, 10], gap="medium")
with left:
    picture()
    if not scene.embed:
        places()
with right:
    curve_pair()
ball()
slot("numbers")
if not scene.embed:
    remedies()
    left, right = st.columns([2, 3], gap="large", vertical_alignment="bottom")
    with left:
        directions()
    with right:
        export.menu()
    dimensions()
claims.show("collapse")
beacon()
