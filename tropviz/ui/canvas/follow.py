"""Parts of a page that need not follow every step of a picture: what they are of, and whether they have caught up."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from tropviz.ui.canvas import revision


def drawn(part: str, of: Hashable) -> None:
    """Remember what the named part of the page is of, as it stands there now."""
    st.session_state[f"{part}:of"] = of


def outdated(part: str, of: Hashable) -> bool:
    """Whether the named part of the page is of something else."""
    return st.session_state.get(f"{part}:of") != of


def followed(key: str) -> None:
    """Mark in the page that what follows a canvas when it stands still is drawn for its latest picture.

    Call it at the end of the last fragment that follows.
    """
    st.html(f'<i class="tv-followed" data-of="{key}" data-rev="{revision(key)}"></i>')
