"""Claimed, proved, measured: at the foot of every page, what the paper claims of its subject and what became of it."""

from __future__ import annotations

import re
from functools import cache
from html import escape

import streamlit as st

from tropviz.io.claims import Claim, Measured, claims_of
from tropviz.language import current, numeral, phrase, say
from tropviz.ui import shell
from tropviz.ui.counts import typeset

#: Some sentences go on where the one before them ended.
_GOES_ON = re.compile(r"\. (?=[a-z])")
TITLE = phrase("Claimed, proved, measured")


def show(page: str) -> None:
    """The claims that a page is about, unfolded on demand; nothing where the paper claims nothing, and on slides.

    Parameters
    ----------
    page : str
        Its url name.
    """
    if claims_of(page) and not shell.on_slide():
        st.html(html(page))


def html(page: str) -> str:
    """The list as HTML.

    >>> "combinatorial resilience" in html("resilience")
    True
    """
    return _html(page, current())


@cache
def _html(page: str, _language: str) -> str:
    items = "".join(_item(claim) for claim in claims_of(page))
    return f'<details class="tv-claims"><summary>{say(TITLE)}</summary><dl>{items}</dl></details>'


def _item(claim: Claim) -> str:
    measured = _GOES_ON.sub(", ", _text(" ".join(say(one.text, _number(one)) for one in claim.measured)))
    said = _text(say(claim.claimed)), _text(say(claim.proved)), measured
    parts = zip((say("Claimed"), say("Proved"), say("Measured")), said, strict=True)
    rows = "".join(f"<p><b>{what}</b> {text}</p>" for what, text in parts)
    return f"<dt>{escape(say(claim.name))}</dt><dd>{rows}</dd>"


def _number(one: Measured) -> float | str:
    """What stands in the sentence; a number without a format of its own has its thousands apart, as everywhere."""
    return one.value if "{:" in one.text else numeral(f"{one.value:,}")


def _text(words: str) -> str:
    return typeset(escape(words))
