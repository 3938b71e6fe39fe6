"""The three pictures of the Hypersimplex page, beside one another."""

from __future__ import annotations

import streamlit as st

from tropviz.figures.picture import Picture
from tropviz.language import say
from tropviz.ui import shell, tally
from tropviz.ui.canvas import canvas
from tropviz.ui.hypersimplex import pictures, touch, words
from tropviz.ui.hypersimplex.views import DRAWN, Views, views, views_of
from tropviz.ui.scene import Scene, derived

#: Width of one of the three pictures, for fitting labels.
PIXELS = 360


@derived
def three(scene: Scene) -> tuple[Picture, ...]:
    """The pictures, made once for all who look at the same scene."""
    view, dark = views(scene), scene.dark
    return pictures.first(view, dark, PIXELS), pictures.second(view, dark, PIXELS), pictures.third(view, dark)


DRAWN.append(("pictures", three, ()))


def show(scene: Scene, view: Views | None = None) -> None:
    """Polytope, fan and graph of a scene; a touch in one lights the others."""
    view = views_of(scene) if view is None else view
    tally.note(len(view.fan.active_sets))
    names = (("polytope", touch.on_polytope), ("cones", touch.on_fan), ("graph", touch.on_graph))
    texts = st.columns(3, gap="small"), words.titles(view, scene.dark), words.captions(view)
    for (name, touched), picture, column, title, caption in zip(names, three(scene), *texts, strict=True):
        with column:
            st.html(title)
            canvas(
                picture,
                key=f"hs_{name}",
                alt=words.plain(title),
                hands=say("Arrow keys go to a neighbour, Enter to the next set."),
                viewpoint=pictures.token(view, name),
                toolbar=not scene.embed,
                name=f"{name}_N{view.N}_k{view.k}",
                hears={"click": touched, "step": touch.stepped, "seek": touch.stopped},
                of=touch.OF,
            )
            st.html(f'<p class="tv-hint">{caption}</p>')
    if view.soft is not None:
        shell.meaning(words.warm(view))
