"""The start panel: what a first visit reads, once."""

from __future__ import annotations

import streamlit as st

from tropviz.language import phrase, say
from tropviz.ui.canvas import script
from tropviz.ui.scene.board import board
from tropviz.ui.scene.link import in_link

SENTENCES = (
    phrase(
        "A Mixture-of-Experts router sends every input to k of its N experts, and so cuts the input space into cells: "
        "one colour is one choice of experts."
    ),
    phrase(
        "Of the C(N, k) choices that are promised, few exist in a plane, and the data reaches fewer still: every "
        "number says whether it is exact, a bound, an expectation or a sample."
    ),
    phrase(
        "Drag the cloud, click a cell, move a slider; what you see is in the address, so a copied link shows the same."
    ),
)
#: What is opened, on which page, and by which link.
SCENES = (
    (phrase("Three experts, three cones"), "fan", "v=1&r=polygon&n=3&k=1&h=2"),
    (phrase("The octahedron behind 2 of 4"), "hypersimplex", "v=1&n=4&k=2"),
    (phrase("Off-centre data collapses"), "collapse", "v=1&off=3"),
)

_mount = st.components.v2.component(
    "tropviz_welcome", isolate_styles=False, html='<div class="tv-welcome" hidden></div>', js=script("welcome")
)


def welcome() -> None:
    """On a first arrival, whose address asks for no scene; the browser remembers that it was shown."""
    if board().first:
        scenes = [{"label": say(label), "page": page, "link": link + in_link()} for label, page, link in SCENES]
        _mount(key="welcome", data={"sentences": list(map(say, SENTENCES)), "scenes": scenes}, height="content")
