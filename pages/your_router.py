"""Your router: how healthy is a real router, where do its tokens lie, and what would undo its collapse?"""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import show_counts
from tropviz.ui.lab import charts, data, export, health, model, picture, seen, text
from tropviz.ui.lab.controls import ask, slice_controls
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import part

scene = shell.page("your_router")


@part("controls")
def panel(scene: Scene) -> None:
    """Whose router, which layer, which plane."""
    slice_controls(scene)
    data.panel(scene)


@part("router", live=True)
def router(scene: Scene) -> None:
    """The picture and what it is of; or the question that has to be answered first."""
    shell.show_notes(scene, filter(None, [data.missing(scene)]))
    if why := model.question(scene):
        st.html(f'<p class="tv-note" role="status">{picture.plain_html(why)}</p>')
        ask(scene)
        return
    left, right = st.columns([7, 4], gap="medium")
    with left:
        drawn(scene)
    with right:
        glance(scene)


def drawn(scene: Scene) -> None:
    """The plane with its tokens."""
    gate = seen.gate_of(scene)
    if gate.kind == "X":
        st.html(f'<p class="tv-note tv-refused" role="status">{picture.refusal(scene)}</p>')
        return
    try:
        picture.figure(scene)
    except ValueError as problem:  # a plane that does not exist: the rest of the page stands
        st.html(f'<p class="tv-note tv-refused" role="status">{picture.plain_html(problem)}</p>')
        return
    picture.show(scene)
    shell.meaning(picture.sentence(scene))
    st.html(f'<p class="tv-hint">{picture.kind_text(scene)}</p>')


def glance(scene: Scene) -> None:
    """Health in plain words and numbers."""
    st.html(picture.heading(scene))
    found = health.health(scene)
    if found is None:
        st.html(f'<p class="tv-hint">{health.nothing(scene)}</p>')
        return
    st.html(
        f"<ul class='tv-glance'>{''.join(f'<li>{picture.plain_html(line)}</li>' for line in health.glance(found))}</ul>"
    )
    show_counts(health.counts(found))


@part("text")
def words(scene: Scene) -> None:
    """The tokens as text, where it came with them."""
    if not scene.embed and not model.question(scene) and seen.tokens(scene).texts:
        text.show(scene)


@part("more")
def more(scene: Scene) -> None:
    """Everything else about this layer, in folds."""
    if scene.embed or model.question(scene):
        return
    found = health.health(scene, quiet=True)
    if found is not None:
        with st.expander(say("Collapse, and what would undo it"), expanded=True):
            st.html(f'<p class="tv-hint">{health.collapse_text(found)}</p>')
            if found.layer.gate.exact and (rows := health.undone(scene, found)) is not None:
                st.html(health.remedy_table(rows))
        with st.expander(say("All numbers of this layer")):
            st.html(health.table(found))
    if seen.gate_of(scene).kind != "X":
        st.html(f'<p class="tv-hint">{health.region_text(scene)}</p>')
    charts.show(scene, found)
    charts.compared(scene)
    if found is not None:
        export.menu()


with st.sidebar:
    panel()
router()
words()
more()
beacon()
