"""The count panel: promise beside fact, and with every number the kind of truth it is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import streamlit as st

from tropviz import Count

#: What a kind is called for people.
KINDS = {
    "exact": "exact",
    "lower": "lower bound",
    "upper": "upper bound",
    "expected": "expected",
    "sampled": "sampled",
}
CountRow = tuple[str, Count, str]


def row_html(label: str, count: Count, meaning: str, share: bool = False) -> str:
    """One count as a list item; its formula and assumption are one hover, tap or tab away.

    >>> "upper bound" in row_html("Promise", Count(5, "upper", "formula"), "what it is")
    True
    """
    value = _share(count) if share else str(count)
    detail = " ".join(
        t if t.endswith((".", "!", "?")) else t + "." for t in (meaning, count.method, count.assumption) if t
    )
    spoken = escape(f"{label}: {value}, {KINDS[count.kind]}. {detail}")
    return (
        f'<li class="tv-count tv-{count.kind}" tabindex="0" aria-label="{spoken}">'
        f'<span class="tv-what">{escape(label)} <span class="tv-kind">{KINDS[count.kind]}</span></span>'
        f'<span class="tv-value">{escape(value)}</span>'
        f'<span class="tv-why" role="tooltip">{escape(detail)}</span></li>'
    )


def _share(count: Count) -> str:
    text = f"{100 * float(count.value):.1f} %"
    if count.interval is not None:
        low, high = (f"{100 * float(v):.1f}" for v in count.interval)
        text += f" [{low}, {high}]"
    return text


def counts_html(rows: Iterable[CountRow | tuple[str, Count, str, str]], title: str = "") -> str:
    """All rows as one list. A fourth entry "share" writes a number from 0 to 1 in per cent."""
    items = "".join(row_html(row[0], row[1], row[2], len(row) > 3 and row[3] == "share") for row in rows)
    head = f'<p class="tv-counts-title">{escape(title)}</p>' if title else ""
    return f'{head}<ul class="tv-counts">{items}</ul>'


def show_counts(rows: Iterable[CountRow | tuple[str, Count, str, str]], title: str = "") -> None:
    """Show counts.

    Parameters
    ----------
    rows : iterable of (label, Count, meaning) or (label, Count, meaning, "share")
        `meaning` is one short sentence; method, assumption and interval come from the Count itself.
    title : str, optional
        A quiet heading.
    """
    st.html(counts_html(rows, title))
