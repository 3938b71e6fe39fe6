"""The two pictures of the Two layers page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from tropviz.figures.picture import Picture
from tropviz.figures.stacked import MOST_REGIONS, stacked_figure
from tropviz.language import say
from tropviz.ui.canvas import canvas
from tropviz.ui.counts import title_html
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.board import Changes
from tropviz.ui.two_layers import region, stack, words
from tropviz.ui.two_layers.stack import View


@derived
def _made(scene: Scene, kind: str) -> Picture:
    last, level = stack.layers(scene)[-1], stack.levels(scene, kind)[-1]
    here = region.picked(scene, level)
    return stacked_figure(level, last.router.W, scene.window, scene.dark, routed=kind == "moe", picked=here)


def show(view: View, kind: str) -> None:
    """One stack on its canvas."""
    scene, L = view.scene, view.depth
    routed = kind == "moe"
    word = say("layer") if L == 1 else say("layers")
    width = scene.k * scene.h
    title = (
        say("{l} mixture {word}: {k} of {n} experts", l=L, word=word, k=scene.k, n=scene.n)
        if routed
        else say("{l} dense {word} of width {width}", l=L, word=word, width=width)
    )
    st.html(title_html(title))
    canvas(
        _made(scene, kind),
        key=f"stack_{kind}",
        alt=words.alt(view, routed),
        hands=say("Up and down arrows change the depth, left and right ones walk from path to path.") if routed else "",
        hears={"step": stepped, "click": region.clicked, "leave": region.let_go},
        of=("layers", "n", "k", "h", "seed", "window"),
        viewpoint=f"{scene.window}",
        name=f"stack_{kind}_L{L}",
        toolbar=not scene.embed,
        below=250,
        link=routed,
    )


def left_out(view: View) -> list[str]:
    """What is not drawn."""
    counts = ((say("the mixture"), view.moe), (say("the dense layers"), view.dense))
    over = [(name, len(levels[-1].polygons)) for name, levels in counts if len(levels[-1].polygons) > MOST_REGIONS]
    return [
        say(
            "Of {name} the {most_regions:,} largest of {found:,} regions are drawn.",
            name=name,
            most_regions=MOST_REGIONS,
            found=found,
        )
        for name, found in over
    ]


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """Arrow up: one layer more; down: one less; right and left: the next routing path, and the one before."""
    if event["dx"]:
        found = stack.levels.known(scene, "moe")
        return region.walked(scene, found[0][-1], int(event["dx"])) if found else None
    after = scene.layers + int(event["dy"])
    return {"layers": after} if 1 <= after <= 3 else None
