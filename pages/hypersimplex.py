"""Hypersimplex: which polytope is behind the fan? Three linked views of one object."""

from __future__ import annotations

from typing import Any

import streamlit as st

from tropviz.ui import old, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import show_counts
from tropviz.ui.hypersimplex import view as view_of
from tropviz.ui.hypersimplex import words
from tropviz.ui.old import canvas, read_scene, rerun, update
from tropviz.ui.scene import Scene

shell.page("hypersimplex")
FRAGMENTS = ("controls", view_of.STAGE)
#: Width of one of the three pictures, for fitting labels.
PIXELS = 360


@st.fragment(key="controls")
def panel() -> None:
    old.shared_controls(read_scene(), rerun=FRAGMENTS, main=("n", "k", "dim"))


@st.fragment(key=view_of.STAGE)
def stage() -> None:
    view, scene = old.ready(view_of.views)
    dark = old.is_dark()
    old.show_notes()
    shell.meaning(words.lead(view))
    choice(view)
    pictures(view, dark)
    if scene.embed:
        old.copy_link(scene, "hypersimplex")
        return
    reason, numbers = st.columns([6, 4], gap="medium")
    found = words.checked(view, st.session_state.get("hs_round", 0))
    with reason:
        st.html(words.why(view))
        st.html(f'<p class="tv-hint">Checked live, {words.verdict(found)}.</p>')
        st.button("Check 1,000 new points", type="tertiary", on_click=again)
        st.html(words.cone(view))
        with st.expander("An aside: the tropical Grassmannian"):
            st.markdown(words.grassmannian(view))
    with numbers:
        show_counts([*words.counts(view), words.check_row(found)], f"The polytope Δ({scene.k},{scene.n})")
        st.html(words.polynomial(view))
        old.copy_link(scene, "hypersimplex")


def choice(view: view_of.Views) -> None:
    """The twins of the pictures: which polytope, which set."""
    names = view_of.listed(view)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row.container(horizontal=True, vertical_alignment="top", width="content"):
        key = "w_hs_set"
        if st.session_state.get(key) != view.chosen:
            st.session_state[key] = view.chosen
        st.selectbox(
            "Active set",
            names,
            format_func=view_of.named(names),
            key=key,
            on_change=lambda: view_of.choose(st.session_state[key]),
            help="The same as touching a vertex, a cone or a facet. Arrow keys on a picture walk along the edges.",
            width=220,
        )
        if view_of.can_be_whole(view.scene):
            old.widget("hview", view.scene, rerun=FRAGMENTS)
    if not view.scene.embed:
        with row:
            examples(view.scene, view.whole)


def examples(scene: Scene, whole: bool) -> None:
    """Easier objects, one click away."""
    if not (scene.n == 4 and scene.k == 2 and whole):
        easiest = {"router": "affine", "n": 4, "k": 2, "hview": "whole"}
        st.button("Easiest: 2 of 4 experts, an octahedron", on_click=show_example, args=(easiest,))
    if scene.router == "affine" and not whole:
        st.button("Without biases: all corners on the outline", on_click=show_example, args=({"router": "linear"},))


def show_example(changes: dict[str, Any]) -> None:
    """Another router; no set is chosen yet."""
    update(cell="", **changes)
    rerun(*FRAGMENTS)


def pictures(view: view_of.Views, dark: bool) -> None:
    """The three canvases; two of them at most are in space."""
    scene = view.scene
    made = (
        ("polytope", lambda: view_of.first(view, dark, PIXELS), view_of.touched_first),
        ("cones", lambda: view_of.second(view, dark, PIXELS), view_of.touched_second),
        ("graph", lambda: view_of.third(view, dark), view_of.touched_third),
    )
    texts = zip(made, st.columns(3, gap="small"), words.titles(view, dark), words.captions(view), strict=True)
    for (name, make, touched), column, title, caption in texts:
        with column:
            st.html(title)
            canvas(
                make(),
                key=f"hs_{name}",
                alt=f"{words.plain(title)} Arrow keys go to a neighbour, Enter to the next set.",
                view=view_of.token(view, name),
                height="square",
                toolbar=not scene.embed,
                name=f"{name}_N{scene.n}_k{scene.k}",
                on_click=touched,
                on_step=view_of.stepped,
                on_seek=view_of.stopped if name == "polytope" else None,
            )
            st.html(f'<p class="tv-hint">{caption}</p>')


def again() -> None:
    """Other random points for the live check."""
    st.session_state["hs_round"] = st.session_state.get("hs_round", 0) + 1


with st.sidebar:
    panel()
stage()
beacon()
