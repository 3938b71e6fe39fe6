"""Router fan: where does the router send which input?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tropviz.ui import controls, shell
from tropviz.ui.canvas import revision
from tropviz.ui.canvas.follow import drawn, followed
from tropviz.ui.counts import counts_html
from tropviz.ui.fan import export, selection
from tropviz.ui.fan import page as fan_view
from tropviz.ui.fan import plane as plane_view
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.fan.view import View
from tropviz.ui.scene import read_scene, rerun, update

shell.guard()


@st.fragment(key="controls")
def panel() -> None:
    fan_view.switch()
    scene = read_scene()
    controls.shared_controls(scene, rerun=plane_view.LIVE if scene.dim == "2" else plane_view.FRAGMENTS)


@st.fragment(key="picture")
def picture(numbers: DeltaGenerator) -> None:
    """The picture, and beside it its counts: in one fragment, so that a step of a drag is one run."""
    view, drawing = fan_view.ready()
    shell.show_notes(filter(None, [drawing.hidden_note(view)]))
    drawing.show(view, shell.is_dark())
    shell.meaning(drawing.sentence(view))
    outside(view)
    made = counts_html(drawing.counts(view), "Cells: promise and fact")
    # the revision makes every answer another text: what the browser wrote during a drag never outlasts it
    numbers.html(f'<div class="tv-of-{view.scene.dim}" data-rev="{revision(drawing.KEY)}">{made}</div>')


@st.fragment(key="cell")
def cell() -> None:
    view, _ = fan_view.ready()
    selection.cell_panel(view, shell.is_dark())
    regions_view.panel(view)


@st.fragment(key="regions")
def regions() -> None:
    view, drawing = fan_view.ready()
    made = counts_html(regions_view.counts(view.scene), "Linear regions: promise and fact")
    # another text each time: the picture dims what is not of its scene, and only a new text undoes that
    st.html(f'<div class="tv-regions" data-rev="{revision(drawing.KEY)}">{made}</div>')
    drawn("regions", regions_view.scope(view.scene))


@st.fragment(key="tools")
def tools() -> None:
    view, _ = fan_view.ready()
    selection.expert_choice(view)
    export.menu(view)


def outside(view: View) -> None:
    """How much of the data cannot be seen, and a button that mends it."""
    if view.outside and not view.scene.embed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{view.outside} of {len(view.points)} data points lie outside the window.")
            st.button("Fit the window", type="tertiary", on_click=fit, args=(plane_view.fit_window(view),))


def fit(window: float) -> None:
    update(window=window)
    rerun(*plane_view.FRAGMENTS)


@st.fragment(key="table")
def table() -> None:
    shown = st.expander("All cells as a table", on_change="rerun", key="table_open")
    if shown.open:
        with shown:
            selection.table(fan_view.compute(read_scene()))
    followed(plane_view.KEY)


with st.sidebar:
    panel()
left, right = st.columns([7, 3], gap="medium")
with right:
    numbers = st.empty()
with left:
    picture(numbers)
with right:
    if not read_scene().embed:
        cell()
    regions()
    if not read_scene().embed:
        tools()
if not read_scene().embed:
    table()
