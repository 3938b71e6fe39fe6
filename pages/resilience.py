"""Resilience: from which data dimension on is the binomial really there?"""

from __future__ import annotations

import time

import streamlit as st

from tropviz.ui import old, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import show_counts
from tropviz.ui.old import chart, read_scene, rerun
from tropviz.ui.resilience import view as page

shell.page("resilience")
#: Seconds of measuring between two pictures.
TURN = 0.5


@st.fragment(key="controls")
def panel() -> None:
    main = ("n", "k", "h", "manifold", "manifold_dim", "degree")
    old.shared_controls(read_scene(), rerun=page.FRAGMENTS, main=main)
    old.copy_link(read_scene(), "resilience", label="")  # the address follows before anything is computed


@st.fragment(key="share")
def share() -> None:
    figure, scene = old.ready(lambda scene: page.share_chart(scene, old.is_dark()))
    old.show_notes()
    st.html(page.share_key(scene))
    link = scene.link("resilience")
    chart(figure, key="resilience", alt=page.share_alt(scene), height=400, slide=scene.embed, link=link)
    shell.meaning(page.sentence(scene))


@st.fragment(key="numbers")
def numbers() -> None:
    rows, _ = old.ready(page.number_rows)
    show_counts(rows, "The slice law, and this router")


@st.fragment(key="cross")
def cross() -> None:
    scene, dark = read_scene(), old.is_dark()
    wrong = page.shape(scene)[2]
    if wrong:
        st.html(f'<p class="tv-note" role="status">{wrong}</p>')
    for column, dense in zip(st.columns(2, gap="medium"), (False, True), strict=True):
        figure = page.cross_chart(scene, dense, dark)
        with column:
            if figure is None:
                st.html('<div class="tv-hold" role="status">Being measured: it appears here step by step.</div>')
            else:
                key = "cross_dense" if dense else "cross_cells"
                st.html(page.cross_key(scene, dense))
                chart(figure, key=key, alt=page.cross_alt(scene, dense), height=340)
    shell.meaning(page.cross_sentence(scene))


@st.fragment(key="measure")
def measure() -> None:
    scene = read_scene()
    asked = st.session_state.get("measure_all") == scene.link("resilience")
    todo = page.steps(scene, asked)
    if not todo:
        if not asked and page.steps(scene, True):
            st.button("Run the manifold experiment for this wide router", on_click=ask)
        return
    if st.session_state.get("measure_stopped") == scene.link("resilience"):
        st.button(f"Go on measuring ({len(todo)} steps left)", on_click=stop, args=("",))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        done = page.total(scene, asked) - len(todo)
        st.progress(done / (done + len(todo)), f"Measuring {todo[0].text}: {done} of {done + len(todo)}")
        st.button("Stop", on_click=stop, args=(scene.link("resilience"),))
    until = time.monotonic() + TURN
    for step in todo:
        step.store[step.at] = step.run()
        if time.monotonic() > until:
            break
    rerun("share", "numbers", "cross", "measure")


def ask() -> None:
    st.session_state["measure_all"] = read_scene().link("resilience")
    rerun("measure")


def stop(link: str) -> None:
    st.session_state["measure_stopped"] = link
    rerun("share", "numbers", "cross", "measure")


with st.sidebar:
    panel()
left, right = st.columns([7, 3], gap="medium")
with left:
    share()
    progress = st.container()
with right:
    numbers()
if not read_scene().embed:
    for column, (title, text) in zip(st.columns(3, gap="medium"), page.PARAGRAPHS, strict=True):
        column.html(f'<p class="tv-title">{title}</p><p class="tv-meaning">{text}</p>')
    st.subheader("Flat and curved data as the space around it grows", anchor=False)
    cross()
with progress:
    measure()
beacon()
