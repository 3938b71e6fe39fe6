"""Capacity: how many regions are promised, how many are reached, and how many a slice keeps."""

from __future__ import annotations

import streamlit as st

from tropviz.figures.capacity import iso_figure
from tropviz.language import say
from tropviz.ui import claims, controls, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.canvas.chart import chart
from tropviz.ui.capacity import counts, depth, example, grain, iso, models, words
from tropviz.ui.capacity.need import need
from tropviz.ui.capacity.view import gain_marks, view_of
from tropviz.ui.counts import show_counts, title_html
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change, part

scene = shell.page("capacity")


@part("controls")
def panel(scene: Scene) -> None:
    controls.shared_controls(scene, main=("n", "k", "h", "slice", "space"))


@part("shapes")
def shapes(scene: Scene) -> None:
    loaded = change(models.load, "load_shape")
    st.pills(say("Load a published shape into every page"), models.loadable(), key="load_shape", on_change=loaded)
    with st.container(horizontal=True, vertical_alignment="center"):
        there = example.at_example(scene)
        load = change(**example.example_scene())
        st.button(say("16 experts, 4 active, H = 8, in a plane"), key="example", on_click=load, disabled=there)
        st.html(example.example_hint())


@part("gain", live=True)
def gain(scene: Scene) -> None:
    need(scene)
    view, found = view_of(scene), gain_marks(scene)
    shell.show_notes(scene, view.sentences)
    st.html(words.gain_key(view, found, scene.dark))
    figure = words.gain_chart(view, found, scene.dark)
    chart(figure, key="multiplier", alt=words.gain_alt(view), height=430, slide=scene.embed, link=True)
    shell.meaning(words.sentence(view))
    if not scene.embed:
        shell.meaning(words.dimensions_text(view))


@part("numbers", live=True)
def numbers(scene: Scene) -> None:
    need(scene)
    view = view_of(scene)
    show_counts(counts.region_rows(view), say("Regions in d = {d}", d=view.d))
    show_counts(counts.multiple_rows(view), say("As multiples of dense, width kH"))
    show_counts(counts.dense_rows(view), say("Dense networks beside it"))
    show_counts(counts.cell_rows(view), say("Active sets, and two dimensions"))


@part("depth")
def dense_depth(scene: Scene) -> None:
    need(scene)
    view = view_of(scene)
    found = depth.rows(view)
    st.html(depth.html(view, found))
    shell.meaning(depth.sentence(view, found))


@part("iso")
def partners(scene: Scene) -> None:
    need(scene)
    st.html(iso.key())
    for column, each in zip(st.columns(2, gap="medium"), iso.isos(scene), strict=True):
        with column:
            st.html(title_html(each.title, 3))
            chart(iso_figure(each.points, scene.dark), key=each.key, alt=each.alt, height=320)


@part("ambient")
def ambient(scene: Scene) -> None:
    need(scene)
    left, right = st.columns([5, 5], gap="medium")
    with left:
        show_counts(counts.ambient_rows(view_of(scene)))
    with right:
        shell.meaning(words.ambient_text(view_of(scene)))


@part("grain")
def granularity(scene: Scene) -> None:
    need(scene)
    shown = grain.grain_of(scene)
    left, right = st.columns([7, 3], gap="medium")
    with left:
        if shown.wrong:
            st.html(f'<p class="tv-note" role="status">{shown.wrong}</p>')
        if len(shown.steps) > 1:
            if st.session_state.get("w_pieces") != shown.m:  # what is shown may not be what the scene asks for
                st.session_state["w_pieces"] = shown.m
            st.select_slider(say("Granularity m"), shown.steps, key="w_pieces", on_change=change(grain.cut, "w_pieces"))
        chart(grain.chart(shown, scene.dark), key="granularity", alt=grain.alt(shown), height=360)
        shell.meaning(grain.sentence(shown))
    with right:
        show_counts(grain.rows(shown), say("Granularity m = {m}", m=shown.m))


def question(number: int) -> None:
    """Begin a section of the page."""
    anchor, text = words.SECTIONS[number]
    st.header(say(text), anchor=anchor)


with st.sidebar:
    panel()
if not scene.embed:
    st.html(words.contents())
    shapes()
    question(0)
left, right = st.columns([7, 3], gap="medium")
with left:
    gain()
with right:
    numbers()
if not scene.embed:
    question(1)
    dense_depth()
    question(2)
    partners()
    question(3)
    st.html(example.example_table())
    shell.meaning(example.example_text())
    question(4)
    ambient()
    question(5)
    granularity()
    question(6)
    st.html(models.table_html())
    shell.meaning(say(models.ASSUMES))
claims.show("capacity")
beacon()
