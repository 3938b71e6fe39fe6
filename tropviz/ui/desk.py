"""The desk: undo, redo, reset, presets, share and present, on every page. All of it happens in the browser."""

from __future__ import annotations

import streamlit as st

from tropviz.language import LANGUAGES, current, say
from tropviz.ui.canvas import script
from tropviz.ui.presets import presets

_mount = st.components.v2.component(
    "tropviz_desk",
    isolate_styles=False,
    html='<div class="tv-desk" role="toolbar" aria-label="Scene"></div>',
    js=script("desk"),
)


def desk() -> None:
    """Its buttons, beside the name of the page."""
    cards = [
        {
            "name": preset.name,
            "title": say(preset.title),
            "sentence": say(preset.sentence),
            "page": preset.page,
            "link": preset.link,
            "picture": f"presets/{preset.name}.svg",
        }
        for preset in presets()
    ]
    _mount(key="desk", data={"presets": cards, "languages": LANGUAGES, "language": current()}, height="content")
