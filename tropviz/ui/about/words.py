"""The About page in HTML: its text, and the words of the glossary with the one that was asked for first."""

from __future__ import annotations

from functools import cache
from html import escape

from tropviz.home import asset
from tropviz.io.glossary import Entry, entries
from tropviz.language import current, say
from tropviz.ui.counts import typeset
from tropviz.ui.prose import prose

CSS = (
    "<style>.stHtml .tv-glossary h3{margin:1rem 0 .2rem;padding:0;font-size:1.02rem}"
    ".stHtml .tv-glossary p{margin:0 0 .2rem;max-width:58rem;font-size:.98rem;line-height:1.5}"
    ".tv-glossary .tv-from{color:var(--tv-muted);font-size:.86rem}"
    ".stHtml .tv-about :is(p,ul).tv-meaning{margin:.6rem 0 0;max-width:58rem}"
    ".tv-asked{padding:.2rem .9rem .6rem;border-left:3px solid var(--tv-accent);background:var(--tv-soft)}</style>"
)


def about() -> str:
    """What the app is, what its kinds of numbers mean, and its limits."""
    return f'<div class="tv-about">{prose(asset("about.md").read_text(encoding="utf-8"))}</div>'


def glossary(asked: str = "") -> str:
    """Every word, in alphabetical order.

    >>> glossary("cell").index("Cell") < glossary("cell").index("Active set")
    True
    """
    return _glossary(asked, current())


def missing(asked: str) -> tuple[str, ...]:
    """A sentence for a word that was asked for and is none of the glossary.

    >>> missing("cell"), missing("nonsense")
    ((), ('The glossary has no word nonsense.',))
    """
    if not asked or any(one.slug == asked for one in entries()):
        return ()
    return (say("The glossary has no word {asked}.", asked=asked),)


@cache
def _glossary(asked: str, _language: str) -> str:
    first = "".join(f'<div class="tv-asked">{_entry(one)}</div>' for one in entries() if one.slug == asked)
    every = sorted(entries(), key=lambda one: say(one.word).lower())
    return f'<div class="tv-glossary">{first}{"".join(map(_entry, every))}</div>'


def _entry(entry: Entry) -> str:
    parts = [f"<p>{_text(entry.definition)}</p>"]
    if entry.formula:
        parts.append("<p>" + say("Formula: {text}", text=_text(entry.formula)) + "</p>")
    if entry.assumption:
        parts.append("<p>" + say("Assumption: {text}", text=_text(entry.assumption)) + "</p>")
    parts.append('<p class="tv-from">' + say("Source: {text}", text=_text(entry.source)) + "</p>")
    return f"<h3>{escape(say(entry.word))}</h3>{''.join(parts)}"


def _text(words: str) -> str:
    return typeset(escape(say(words), quote=False))
