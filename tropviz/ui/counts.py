"""The count panel: promise beside fact, and with every number the kind of truth it is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from html import escape

import streamlit as st

from tropviz import Count
from tropviz.io.glossary import entry_of
from tropviz.language import english, heard, numeral, phrase, say
from tropviz.ui.scene.link import in_link

#: What a kind is called for people.
KINDS = {
    "exact": phrase("exact"),
    "lower": phrase("lower bound"),
    "upper": phrase("upper bound"),
    "expected": phrase("expected"),
    "sampled": phrase("sampled"),
}
CountRow = tuple[str, Count, str]
#: A number is not broken over two lines; its interval may stand under it (canvas/js/routing.js writes it so, too).
_LOOSE = re.compile(r" (?!\[)")


#: An index or a power in a formula as the core writes it: d_eff, v_{N-d+1}, kappa_d, 4^2, (kH)^d.
_INDEX = re.compile(r"\b(sum|kappa|[A-Za-z])_(?:\{([^{}]+)\}|(eff|in|gain|\w)\b)")
#: Signs that a keyboard has not.
_SIGNS = (
    (re.compile("(?:>|&gt;)="), "≥"),
    (re.compile("(?:<|&lt;)="), "≤"),
    (re.compile(r"(?<=[\w)}]) - (?=\d|\w\b|\()"), " − "),
)
_POWER = re.compile(r"\^(?:\{([^{}]+)\}|(-?\w+))")


def typeset(text: str) -> str:
    """HTML of a formula written in plain characters; the text must be escaped already.

    >>> typeset("C(4, 2) 3^2, sum_j kappa_{d-j}, d_eff")
    'C(4, 2) 3<sup>2</sup>, Σ<sub>j</sub> κ<sub>d-j</sub>, d<sub>eff</sub>'
    >>> typeset("min(2k, 2(N - k), N - 1), e &lt;= d")
    'min(2k, 2(N − k), N − 1), e ≤ d'
    """
    names = {"sum": "Σ", "kappa": "κ"}
    text = _INDEX.sub(lambda m: f"{names.get(m[1], m[1])}<sub>{m[2] or m[3]}</sub>", text)
    for plain, sign in _SIGNS:
        text = plain.sub(sign, text)
    return _POWER.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", text)


def row_html(label: str, count: Count, meaning: str, share: bool = False, offset: bool = False) -> str:
    """One count as a list item; its formula and assumption are one hover, tap or tab away.

    The English label, in small letters, names the item in the page: the browser changes some rows during a drag.

    >>> "upper bound" in row_html("Promise", Count(5, "upper", "formula"), "what it is")
    True
    """
    name, label, kind = english(label), say(label), say(KINDS[count.kind])
    value = _share(count) if share else written(count)
    if offset and math.isinf(float(count.value)):
        value = say("never")  # an offset that is never reached
    method, assumption = heard(count.method), heard(count.assumption)
    how = say("How: {method}", method=method) if method else ""
    given = say("Given: {assumption}", assumption=assumption) if assumption else ""
    detail = " ".join(t if t.endswith((".", "!", "?")) else t + "." for t in (say(meaning), how, given) if t)
    spoken = escape(f"{label}: {value}, {kind}. {detail}")
    return (
        f'<li class="tv-count tv-{count.kind}" data-row="{_slug(name)}" tabindex="0" aria-label="{spoken}">'
        f'<span class="tv-what">{typeset(escape(label))} <span class="tv-kind">{kind}</span></span>'
        f'<span class="tv-value">{escape(_LOOSE.sub(chr(160), value))}</span>'
        f'<span class="tv-why" role="tooltip">{typeset(escape(detail))}{_glossary(name)}</span></li>'
    )


def _glossary(label: str) -> str:
    """The way from a count to its word in the glossary; empty where it has none."""
    entry = entry_of(label)
    if entry is None:
        return ""
    where = f'href="about?word={entry.slug}{in_link()}" target="_blank" rel="noopener"'
    return f' <a class="tv-word" {where}>{say("Glossary: {word}", word=escape(say(entry.word)))}</a>'


def _slug(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


def _share(count: Count) -> str:
    text = f"{100 * float(count.value):.1f} %"
    if count.interval is not None:
        low, high = (f"{100 * float(v):.1f}" for v in count.interval)
        text += f" [{low}, {high}]"
    return numeral(text)


def written(count: Count) -> str:
    """A count for people; where it is no number, in a word.

    >>> written(Count(1820, "exact", "C(16, 4)"))
    '1,820'
    """
    text = str(count)
    sign, _, word = text.rpartition(" ")
    return f"{sign} {say(word)}".lstrip() if word.isalpha() else numeral(text)


def counts_html(rows: Iterable[CountRow | tuple[str, Count, str, str]], title: str = "") -> str:
    """All rows as one list. A fourth entry "share" writes a number from 0 to 1 in per cent; "offset", inf as never."""
    made = [row_html(*row[:3], *(row[3:4] == (form,) for form in ("share", "offset"))) for row in rows]
    # one tab stop for all of them: the arrow keys go on (canvas/js/beacon.js)
    items = "".join([*made[:1], *(item.replace('tabindex="0"', 'tabindex="-1"', 1) for item in made[1:])])
    head = quiet_title(escape(title)) if title else ""
    return f'{head}<ul class="tv-counts">{items}</ul>'


def title_html(text: str, level: int = 2) -> str:
    """A title over a part of a page, which people who hear the page can jump to; `text` is HTML.

    >>> title_html("Unrolled", 3)
    '<p class="tv-title" role="heading" aria-level="3">Unrolled</p>'
    """
    return f'<p class="tv-title" role="heading" aria-level="{level}">{text}</p>'


def quiet_title(text: str) -> str:
    """The same in small capitals, as it stands over a list."""
    return f'<p class="tv-counts-title" role="heading" aria-level="2">{text}</p>'


def headed(html: str) -> str:
    """HTML that begins with a title, where that stands within a translated text.

    >>> headed('<p class="tv-title">Cell</p>')
    '<p role="heading" aria-level="2" class="tv-title">Cell</p>'
    """
    return html.replace("<p ", '<p role="heading" aria-level="2" ', 1)


def folded_html(name: str, title: str, rows: Iterable[CountRow | tuple[str, Count, str, str]]) -> str:
    """Rows behind their title; the browser keeps them unfolded, under this name, for who has unfolded them."""
    return (
        f'<details class="tv-fold" data-keep="{escape(name)}"><summary>{escape(title)}</summary>'
        f"{counts_html(rows)}</details>"
    )


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


def wide_table(heads: Iterable[str], rows: Iterable[str]) -> str:
    """A table that scrolls sideways where it has no room; rows are HTML, heads texts.

    >>> wide_table(["", "loss"], ["<tr></tr>"]).count("<th"), "tv-wide-table" in wide_table([], [])
    (3, True)
    """
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    table = f'<table class="tv-table"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="tv-wide-table" tabindex="0">{table}</div>'
