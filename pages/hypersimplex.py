"""Hypersimplex: which polytope is behind the fan? Three linked views of one object."""

from __future__ import annotations

import streamlit as st

from tropviz.ui import claims, controls, shell
from tropviz.ui.canvas import beacon, canvas
from tropviz.ui.counts import show_counts
from tropviz.ui.hypersimplex import aside, check, numbers, pictures, touch, words
from tropviz.ui.hypersimplex.choice import listed, named
from tropviz.ui.hypersimplex.views import Views, can_be_whole, views_of
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change, part

scene = shell.page("hypersimplex")
#: Width of one of the three pictures, for fitting labels.
PIXELS = 360


@part("controls")
def panel(scene: Scene) -> None:
    controls.shared_controls(scene, main=("n", "k", "dim"))


@part("stage", live=True)
def stage(scene: Scene) -> None:
    view = views_of(scene)
    shell.show_notes(scene)
    shell.meaning(words.lead(view))
    choice(scene, view)
    made = (
        ("polytope", pictures.first(view, scene.dark, PIXELS), touch.on_polytope),
        ("cones", pictures.second(view, scene.dark, PIXELS), touch.on_fan),
        ("graph", pictures.third(view, scene.dark), touch.on_graph),
    )
    texts = zip(made, st.columns(3, gap="small"), words.titles(view, scene.dark), words.captions(view), strict=True)
    for (name, picture, touched), column, title, caption in texts:
        with column:
            st.html(title)
            canvas(
                picture,
                key=f"hs_{name}",
                alt=f"{words.plain(title)} Arrow keys go to a neighbour, Enter to the next set.",
                view=pictures.token(view, name),
                toolbar=not scene.embed,
                name=f"{name}_N{view.N}_k{view.k}",
                hears={"click": touched, "step": touch.stepped, "seek": touch.stopped},
                of=touch.OF,
            )
            st.html(f'<p class="tv-hint">{caption}</p>')


def choice(scene: Scene, view: Views) -> None:
    """The twins of the pictures: which polytope, which set; and easier objects, one click away."""
    sets, key = listed(view), "w_hs_set"
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row.container(horizontal=True, vertical_alignment="top", width="content"):
        if st.session_state.get(key) != view.chosen:
            st.session_state[key] = view.chosen
        st.selectbox(
            "Active set",
            sets,
            format_func=named(sets),
            key=key,
            on_change=change(touch.choose, key),
            help="The same as touching a vertex, a cone or a facet. Arrow keys on a picture walk along the edges.",
            width=220,
        )
        if can_be_whole(scene):
            controls.widget("hview", scene)
    if scene.embed:
        return
    with row:
        if not (view.N == 4 and view.k == 2 and view.whole):
            easiest = change(cell="", router="affine", n=4, k=2, hview="whole")
            st.button("Easiest: 2 of 4 experts, an octahedron", on_click=easiest)
        if scene.router == "affine" and not view.whole:
            plain = change(cell="", router="linear")
            st.button("Without biases: all corners on the outline", on_click=plain)


@part("reason")
def reason(scene: Scene) -> None:
    view, found = views_of(scene), check.checked(scene)
    left, right = st.columns([6, 4], gap="medium")
    with left:
        st.html(words.why(view))
        st.html(f'<p class="tv-hint">Checked live, {check.verdict(found)}.</p>')
        st.button("Check 1,000 new points", type="tertiary", on_click=change(checks=scene.checks + 1))
        st.html(numbers.cone(view))
        with st.expander("An aside: the tropical Grassmannian"):
            st.markdown(aside.grassmannian(view))
    with right:
        show_counts([*numbers.counts(view), check.check_row(found)], f"The polytope Δ({view.k},{view.N})")
        st.html(numbers.polynomial(view))


with st.sidebar:
    panel()
stage()
if not scene.embed:
    reason()
shell.copy_link()
claims.show("hypersimplex")
beacon()
