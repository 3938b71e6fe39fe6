"""The tokens as text: coloured by their active set, as strong as their margin; a click on a word marks its point."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import streamlit as st

from tropviz.figures.colour import token_colours
from tropviz.figures.plane import set_text
from tropviz.language import say
from tropviz.ui.canvas.serve import script
from tropviz.ui.lab import seen
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.board import Changes, board

KEY = "words"
#: Words on the page.
MOST = 1500
#: Opacity of a token on a wall, and the quantile of the margins from which one is full.
_FAINT, _FULL = 0.35, 0.9

_mount = st.components.v2.component(
    "tropviz_words", isolate_styles=False, html='<p class="tv-words" role="listbox"></p>', js=script("words")
)


@derived
def strength(scene: Scene) -> list[float]:
    """Opacity of every token: `_FAINT` on a wall, 1 from a large margin on."""
    margin = seen.tokens(scene).margin[:MOST]
    finite = margin[np.isfinite(margin)]
    full = float(np.quantile(finite, _FULL)) if len(finite) else 1.0
    return np.round(_FAINT + (1 - _FAINT) * np.clip(margin / (full or 1.0), 0, 1), 2).tolist()


@derived
def words_of(scene: Scene) -> list[tuple[str, str, float, str]]:
    """(text, colour, opacity, what a hover says) of every token."""
    found = seen.tokens(scene)
    assert found.names is not None
    sets, at = np.unique(found.sets[:MOST], axis=0, return_inverse=True)
    shades = token_colours(_plane(scene), sets, scene.dark)
    colours = [shades[i] for i in at.ravel().tolist()]
    hints = [
        say("{row}, margin {m:.3g}", row=set_text(row), m=m)
        for row, m in zip(found.sets, found.margin.tolist(), strict=True)
    ]
    return list(zip(found.names[:MOST], colours, strength(scene), hints[:MOST], strict=True))


def _plane(scene: Scene) -> Any:
    """Weights that give the words the colours of their points: those of the plane, where there is one."""
    try:
        return seen.router(scene).W
    except ValueError:
        return seen.gate_of(scene).W


def picked(_: Scene, event: dict[str, Any]) -> Changes:
    """A click on a word marks its point."""
    return {"lab_token": int(event["index"])}


def show(scene: Scene) -> None:
    """The text, in a part of the page."""
    here = board()
    here.canvases[KEY], here.folds[(KEY, "click")] = here.drawing, (picked, ())
    words = words_of(scene)
    more = len(seen.tokens(scene).y) - len(words)
    data = {"label": say("Its tokens"), "words": words, "picked": int(scene.lab_token), "key": KEY}
    _mount(key=KEY, data=data, height="content")
    hint = say("Coloured by active set; the fainter, the nearer to a wall. Click a word to see its point.")
    st.html(
        f'<p class="tv-hint">{hint}{escape(say(" {more:,} more are not written.", more=more)) if more > 0 else ""}</p>'
    )
