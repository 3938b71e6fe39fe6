"""Claimed, proved, measured: at the foot of every page, what the paper claims of its subject and what became of it."""

from __future__ import annotations

import re
from functools import cache
from html import escape

import streamlit as st

from tropviz.io.claims import Claim, claims_of
from tropviz.ui import shell
from tropviz.ui.counts import typeset

#: Some sentences go on where the one before them ended.
_GOES_ON = re.compile(r"\. (?=[a-z])")
TITLE = "Claimed, proved, measured"


def show(page: str) -> None:
    """The claims that a page is about, unfolded on demand; nothing where the paper claims nothing, and on slides.

    Parameters
    ----------
    page : str
        Its url name.
    """
    if claims_of(page) and not shell.on_slide():
        st.html(html(page))


@cache
def html(page: str) -> str:
    """The list as HTML.

    >>> "combinatorial resilience" in html("resilience")
    True
    """
    items = "".join(_item(claim) for claim in claims_of(page))
    return f'<details class="tv-claims"><summary>{TITLE}</summary><dl>{items}</dl></details>'


def _item(claim: Claim) -> str:
    measured = _GOES_ON.sub(", ", _text(" ".join(one.sentence for one in claim.measured)))
    parts = (("Claimed", _text(claim.claimed)), ("Proved", _text(claim.proved)), ("Measured", measured))
    rows = "".join(f"<p><b>{what}</b> {text}</p>" for what, text in parts)
    return f"<dt>{escape(claim.name)}</dt><dd>{rows}</dd>"


def _text(words: str) -> str:
    return typeset(escape(words))
