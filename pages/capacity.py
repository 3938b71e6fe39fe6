"""Capacity: how many regions are promised, and how many a slice keeps."""

from __future__ import annotations

import streamlit as st

from tropviz.figures.capacity import iso_figure
from tropviz.ui import claims, controls, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.canvas.chart import chart
from tropviz.ui.capacity import counts, example, grain, iso, models, words
from tropviz.ui.capacity.view import view_of
from tropviz.ui.counts import show_counts
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change, part

scene = shell.page("capacity")


@part("controls")
def panel(scene: Scene) -> None:
    controls.shared_controls(scene, main=("n", "k", "h", "slice", "space"))


@part("gain", live=True)
def gain(scene: Scene) -> None:
    view = view_of(scene)
    shell.show_notes(scene, view.sentences)
    if not scene.embed:
        with st.container(horizontal=True, vertical_alignment="center"):
            name, there = "The paper's example: N=16, k=4, H=8", example.at_example(scene)
            st.button(name, key="example", on_click=change(**example.example_scene()), disabled=there)
            st.html(example.example_hint())
    st.html(words.gain_key(view, scene.dark))
    figure = words.gain_chart(view, scene.dark)
    chart(figure, key="multiplier", alt=words.gain_alt(view), height=400, slide=scene.embed, link=True)
    shell.meaning(words.sentence(view))


@part("numbers", live=True)
def numbers(scene: Scene) -> None:
    view = view_of(scene)
    show_counts(counts.promise_rows(view), "Promise")
    show_counts(counts.fact_rows(view), counts.fact_title(view))


@part("iso")
def partners(scene: Scene) -> None:
    st.html(iso.ISO_KEY)
    for column, each in zip(st.columns(2, gap="medium"), iso.isos(scene), strict=True):
        with column:
            st.html(f'<p class="tv-title">{each.title}</p>')
            chart(iso_figure(each.points, scene.dark), key=each.key, alt=each.alt, height=320)


@part("ambient")
def ambient(scene: Scene) -> None:
    left, right = st.columns([5, 5], gap="medium")
    with left:
        show_counts(counts.ambient_rows(view_of(scene)))
    with right:
        shell.meaning(words.ambient_text(view_of(scene)))


@part("grain")
def granularity(scene: Scene) -> None:
    shown = grain.grain_of(scene)
    left, right = st.columns([7, 3], gap="medium")
    with left:
        if shown.wrong:
            st.html(f'<p class="tv-note" role="status">{shown.wrong}</p>')
        if len(shown.steps) > 1:
            if st.session_state.get("w_pieces") != shown.m:  # what is shown may not be what the scene asks for
                st.session_state["w_pieces"] = shown.m
            st.select_slider("Granularity m", shown.steps, key="w_pieces", on_change=change(grain.cut, "w_pieces"))
        chart(grain.chart(shown, scene.dark), key="granularity", alt=grain.alt(shown), height=360)
        shell.meaning(grain.sentence(shown))
    with right:
        show_counts(grain.rows(shown), f"Granularity m = {shown.m}")


with st.sidebar:
    panel()
left, right = st.columns([7, 3], gap="medium")
with left:
    gain()
with right:
    numbers()
if not scene.embed:
    st.subheader("The same compute, cut differently", anchor=False)
    partners()
    st.subheader("The paper's example, told fairly", anchor=False)
    st.html(example.example_table())
    shell.meaning(example.example_text())
    st.subheader("Ambient and effective", anchor=False)
    ambient()
    st.subheader("Granularity", anchor=False)
    granularity()
    st.subheader("Published architectures", anchor=False)
    loaded = change(models.load, "load_shape")
    st.pills("Load a shape into every page", models.loadable(), key="load_shape", on_change=loaded)
    st.html(models.table_html())
claims.show("capacity")
beacon()
