"""Capacity: how many regions are promised, and how many a slice keeps."""

from __future__ import annotations

import streamlit as st

from tropviz.io.architectures import architectures
from tropviz.ui import old, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.capacity import view as page
from tropviz.ui.counts import show_counts
from tropviz.ui.old import chart, read_scene, rerun, say, update

shell.page("capacity")


@st.fragment(key="controls")
def panel() -> None:
    old.shared_controls(read_scene(), rerun=page.FRAGMENTS, main=("n", "k", "h", "slice", "space"))
    old.copy_link(read_scene(), "capacity", label="")  # the address follows before anything is computed


@st.fragment(key="gain")
def gain() -> None:
    seen, scene = old.ready(page.view)
    old.show_notes(seen.sentences)
    if not scene.embed:
        with st.container(horizontal=True, vertical_alignment="center"):
            name = "The paper's example: N=16, k=4, H=8"
            st.button(name, key="example", on_click=example, disabled=page.at_example(scene))
            st.html(page.example_hint())
    dark, link = old.is_dark(), scene.link("capacity")
    st.html(page.gain_key(seen, dark))
    figure, alt = page.gain_chart(seen, dark), page.gain_alt(seen)
    chart(figure, key="multiplier", alt=alt, height=400, slide=scene.embed, link=link)
    shell.meaning(page.sentence(seen))


@st.fragment(key="numbers")
def numbers() -> None:
    seen, _ = old.ready(page.view)
    show_counts(page.promise_rows(seen), "Promise")
    show_counts(page.fact_rows(seen), page.fact_title(seen))


@st.fragment(key="iso")
def iso() -> None:
    seen, _ = old.ready(page.view)
    st.html(page.ISO_KEY)
    for column, (key, title, figure, alt) in zip(
        st.columns(2, gap="medium"), page.iso_charts(seen, old.is_dark()), strict=True
    ):
        with column:
            st.html(f'<p class="tv-title">{title}</p>')
            chart(figure, key=key, alt=alt, height=320)


@st.fragment(key="ambient")
def ambient() -> None:
    seen, _ = old.ready(page.view)
    left, right = st.columns([5, 5], gap="medium")
    with left:
        show_counts(page.ambient_rows(seen))
    with right:
        shell.meaning(page.ambient_text(seen))


@st.fragment(key="grain")
def grain() -> None:
    scene = read_scene()
    m, steps, wrong = page.pieces(scene)
    left, right = st.columns([7, 3], gap="medium")
    with left:
        if wrong:
            st.html(f'<p class="tv-note" role="status">{wrong}</p>')
        if len(steps) > 1:
            st.session_state["w_pieces"] = m
            st.select_slider("Granularity m", steps, key="w_pieces", on_change=regrain)
        figure = page.granularity_chart(scene, m, old.is_dark())
        chart(figure, key="granularity", alt=page.grain_alt(scene), height=360)
        shell.meaning(page.grain_sentence(scene, m))
    with right:
        show_counts(page.grain_rows(scene, m), f"Granularity m = {m}")


def regrain() -> None:
    update(pieces=st.session_state["w_pieces"])
    rerun("grain")


def example() -> None:
    update(**page.example_scene())
    rerun(*page.FRAGMENTS)


def load() -> None:
    name = st.session_state["load_shape"]
    if name:
        changes, sentence = page.shape_changes(name, read_scene())
        update(**changes)
        say(sentence)


with st.sidebar:
    panel()
left, right = st.columns([7, 3], gap="medium")
with left:
    gain()
with right:
    numbers()
if not read_scene().embed:
    st.subheader("The same compute, cut differently", anchor=False)
    iso()
    st.subheader("The paper's example, told fairly", anchor=False)
    st.html(page.example_table())
    shell.meaning(page.example_text())
    st.subheader("Ambient and effective", anchor=False)
    ambient()
    st.subheader("Granularity", anchor=False)
    grain()
    st.subheader("Published architectures", anchor=False)
    names = [a.name for a in architectures() if page.loadable(a)]
    st.pills("Load a shape into every page", names, key="load_shape", on_change=load)
    page.models_table()
beacon()
