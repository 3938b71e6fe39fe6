"""Hypersimplex: which polytope is behind the fan? Three linked views of one object."""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import claims, controls, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import show_counts
from tropviz.ui.hypersimplex import aside, check, numbers, touch, words
from tropviz.ui.hypersimplex import stage as pictures
from tropviz.ui.hypersimplex.choice import listed, named
from tropviz.ui.hypersimplex.views import Views, can_be_whole, views_of
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change, part

scene = shell.page("hypersimplex")


@part("controls")
def panel(scene: Scene) -> None:
    controls.shared_controls(scene, main=("n", "k", "dim", "tau"))


@part("stage", live=True)
def stage(scene: Scene) -> None:
    view = views_of(scene)
    shell.show_notes(scene)
    shell.meaning(words.lead(view))
    choice(scene, view)
    pictures.show(scene, view)


def choice(scene: Scene, view: Views) -> None:
    """The twins of the pictures: which polytope, which set; and easier objects, one click away."""
    sets, key = listed(view), "w_hs_set"
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row.container(horizontal=True, vertical_alignment="top", width="content"):
        controls.chooser(
            say("Active set"),
            sets,
            view.chosen,
            key,
            touch.choose,
            format_func=named(sets),
            help=say("The same as touching a vertex, a cone or a facet. Arrow keys on a picture walk along the edges."),
            width=220,
        )
        if can_be_whole(scene):
            controls.widget("hview", scene)
    if scene.embed:
        return
    with row:
        if not (view.N == 4 and view.k == 2 and view.whole):
            easiest = change(cell="", router="affine", n=4, k=2, hview="whole")
            st.button(say("Easiest: 2 of 4 experts, an octahedron"), on_click=easiest)
        if scene.router == "affine" and not view.whole:
            plain = change(cell="", router="linear")
            st.button(say("Without biases: all corners on the outline"), on_click=plain)


@part("reason")
def reason(scene: Scene) -> None:
    view, found = views_of(scene), check.check(scene)
    left, right = st.columns([6, 4], gap="medium")
    with left:
        st.html(words.why(view))
        st.html('<p class="tv-hint">' + say("Checked live, {verdict}.", verdict=check.verdict(found)) + "</p>")
        st.button(say("Check 1,000 new points"), type="tertiary", on_click=change(checks=scene.checks + 1))
        st.html(numbers.cone(view))
        with st.expander(say("An aside: the tropical Grassmannian")):
            st.markdown(aside.grassmannian(view))
    with right:
        show_counts([*numbers.counts(view), check.check_row(found)], say("The polytope Δ({k},{n})", k=view.k, n=view.N))
        st.html(numbers.polynomial(view))


with st.sidebar:
    panel()
stage()
if not scene.embed:
    reason()
shell.copy_link()
claims.show("hypersimplex")
beacon()
