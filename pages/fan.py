"""Router fan: where does the router send which input?"""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import claims, controls, own_data, shell
from tropviz.ui.canvas import beacon, slot
from tropviz.ui.fan import dense, export, key, output, page, regions, selection, space, words
from tropviz.ui.scene import Scene, model
from tropviz.ui.scene.part import part, unfolding

scene = shell.page("fan", rule=space.admit)


@part("controls")
def panel(scene: Scene) -> None:
    own = model.brings_data(scene) or model.own_points(scene) is not None
    controls.shared_controls(scene, own_data=own, then=lambda: page.switch(scene))
    own_data.panel(scene)


@part("picture", live=True)
def picture(scene: Scene) -> None:
    """The picture, and beside it the numbers that change with it."""
    view = page.view_of(scene)
    shell.show_notes(scene, filter(None, [words.hidden_note(view)]))
    meaning = shell.meaning_html(words.sentence(view)) + key.key_html(view)
    page.show(view, {**page.numbers(view), "meaning": meaning})
    slot("meaning")


@part("dense")
def dense_network(scene: Scene) -> None:
    dense.show(scene)


@part("output")
def output_map(scene: Scene) -> None:
    output.show(scene)


@part("section", live=True)
def section(scene: Scene) -> None:
    """The cut of space from in front."""
    if scene.dim == "3" and scene.cut:
        space.show_section(space.space(scene))


@part("cell")
def cell(scene: Scene) -> None:
    view = page.view_of(scene)
    selection.cell_panel(view)
    regions.panel(view)


@part("gain")
def gain(scene: Scene) -> None:
    page.gain(scene)


@part("regions")
def region_counts(scene: Scene) -> None:
    page.region_counts(scene)


@part("tools")
def tools(scene: Scene) -> None:
    selection.expert_choice(scene)
    if scene.dim == "2":
        controls.widget("level", scene)
    export.menu()


@part("table")
def table(scene: Scene) -> None:
    if scene.dim == "3" and scene.blank:  # instead of the picture
        selection.table(page.view_of(scene))
        return
    shown = unfolding(say("All cells as a table"), key="table_open")
    if shown.open:
        with shown:
            selection.table(page.view_of(scene))


with st.sidebar:
    panel()
left, right = st.columns([7, 3], gap="medium")
with right:
    slot("numbers")
with left:
    picture()
    if not scene.embed:
        dense_network()
        output_map()
with right:
    gain()
    section()
    slot("more")
    region_counts()
    if not scene.embed:
        cell()
        tools()
if not scene.embed:
    table()
claims.show("fan")
beacon()
