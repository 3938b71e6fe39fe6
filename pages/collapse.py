"""Angular collapse: what happens when the data is off-centre, and how does a shared expert undo it?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tropviz.figures.collapse_curves import offset_text
from tropviz.ui import controls, shell
from tropviz.ui.canvas.follow import followed
from tropviz.ui.collapse import beyond as collapse_beyond
from tropviz.ui.collapse import curves as collapse_curves
from tropviz.ui.collapse import data as collapse_data
from tropviz.ui.collapse import export as collapse_export
from tropviz.ui.collapse import picture as collapse_picture
from tropviz.ui.collapse import sphere as collapse_sphere
from tropviz.ui.collapse import undo as collapse_undo
from tropviz.ui.collapse import words as collapse_words
from tropviz.ui.collapse.picture import FRAGMENTS
from tropviz.ui.collapse.study import settled, study
from tropviz.ui.counts import counts_html
from tropviz.ui.scene import model, read_scene

shell.guard()


@st.fragment(key="controls")
def panel() -> None:
    scene = read_scene()
    controls.widget("dim", scene)
    controls.widget("shared", scene, rerun=FRAGMENTS)
    controls.widget("lam", scene, rerun=FRAGMENTS, disabled=not scene.shared)
    controls.widget("offset", scene, rerun=collapse_picture.offset_only(scene))
    main = ("n", "k", "direction", "elevation", "spread", "cloud")
    source = model.scene_source(scene)
    own = source.X is not None or collapse_data.fitting(source.W.shape[1]) is not None
    if source.W.shape[1] != 3 or own:
        main = tuple(name for name in main if name != "elevation")
    controls.shared_controls(scene, rerun=FRAGMENTS, main=main, own_data=own)
    collapse_data.panel(FRAGMENTS)


@st.fragment(key="picture")
def picture(numbers: DeltaGenerator) -> None:
    """The picture and its numbers: in one fragment of few elements, so that a step of the offset is one short run."""
    view, _ = shell.ready(study)
    shell.show_notes()
    collapse_picture.show(view, shell.is_dark())
    note = collapse_words.zoom_note(view)
    hint = f'<p class="tv-hint">{note}</p>' if note else ""
    st.html(f'<p class="tv-meaning tv-now">{collapse_words.sentence(view)}</p>{hint}')
    made = (
        counts_html(collapse_words.collapse_counts(view), "Angular collapse"),
        counts_html(collapse_words.load_counts(view), "Load imbalance"),
    )
    numbers.html(f'{collapse_words.CSS}<div class="tv-beside tv-now"><div>{made[0]}</div><div>{made[1]}</div></div>')


@st.fragment(key="places")
def places() -> None:
    """Places to go to at once."""
    view, _ = shell.ready(study)
    found = []
    goal = view.shown_certified
    if view.star is not None and 0 < goal <= collapse_picture.OFFSET_FAR[1] / 2:
        found.append((f"Go to t* = {offset_text(goal)}", settled(goal), None))
    if view.own is not None:
        found.append(("Where the data really lies", *view.own))
    if found and not view.scene.embed:
        with st.container(horizontal=True):
            for label, offset, direction in found:
                st.button(label, on_click=collapse_picture.go_to, args=(offset, direction))


@st.fragment(key="curves")
def curves() -> None:
    view, _ = shell.ready(study)
    collapse_curves.show(view, shell.is_dark())
    if not view.scene.embed:
        st.html(collapse_curves.hint(view))


@st.fragment(key="undo")
def undo() -> None:
    view, _ = shell.ready(study)
    collapse_undo.show_table(view)
    followed(collapse_picture.KEY)


@st.fragment(key="directions")
def directions() -> None:
    view, _ = shell.ready(study)
    collapse_beyond.show_directions(view, shell.is_dark())


@st.fragment(key="dimensions")
def dimensions() -> None:
    shown = st.expander("The same sweep in more dimensions", on_change="rerun", key="dimensions_open")
    if shown.open:
        with shown:
            collapse_beyond.show_dimensions(read_scene(), shell.is_dark())


@st.fragment(key="sphere")
def sphere() -> None:
    view, _ = shell.ready(study)
    if view.router.d == 3:
        collapse_sphere.show(view, shell.is_dark())


with st.sidebar:
    panel()
left, right = st.columns([11, 10], gap="medium")
space = st.container()
numbers = st.empty()
with left:
    picture(numbers)
    places()
with right:
    curves()
with space:
    sphere()
if not read_scene().embed:
    left, right = st.columns([3, 2], gap="large")
    with left:
        undo()
        collapse_export.menu(shell.is_dark())
    with right:
        directions()
    dimensions()
