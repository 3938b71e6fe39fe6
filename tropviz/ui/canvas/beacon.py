"""The beacon: one component a page. It brings what the browser says, tells what was heard, and names what is behind."""

from __future__ import annotations

import streamlit as st

from tropviz.ui.canvas.serve import script
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import BEACON, board
from tropviz.ui.scene.staying import staying

_mount = st.components.v2.component(
    "tropviz_beacon", isolate_styles=False, html='<i class="tv-beacon" hidden></i>', js=script("beacon")
)


@st.fragment(key=BEACON)
def beacon() -> None:
    """Last call of every page: it is whole now, its address is the scene's, and what is behind follows from here."""
    here = board()
    world = here.fold()
    here.complete, here.run = True, here.run + 1
    behind = here.behind()
    scene = Scene(world.values)
    data = {
        "session": here.session,
        "run": here.run,
        "heard": world.heard,
        "behind": behind,
        "more": bool(behind or here.unfinished()),
        "page": here.page,
        "link": scene.link(here.page),
        "short": scene.link(here.page, short=True),
        "stay": list(staying(scene, here.page)),
        "slide": scene.embed,
        "needs": {f"upload_{what}": world.values[f"{what}_file"] for what in ("router", "points")},
    }
    _mount(key=BEACON, data=data, on_said_change=here.heard)
    for ran in here.ran:
        ran.arrived, ran.run = True, here.run
