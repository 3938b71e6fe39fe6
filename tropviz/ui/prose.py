"""Text files of ours as HTML: paragraphs, lists, bold, slanted and links, and the formulas of the counts."""

from __future__ import annotations

import re
from functools import cache
from html import escape

from tropviz.io.glossary import entries
from tropviz.io.text import blocks
from tropviz.language import current, say
from tropviz.ui.counts import typeset
from tropviz.ui.scene.link import in_link

_BOLD = re.compile(r"\*\*(.+?\*?)\*\*(?!\*)")
_TITLE = re.compile(r"\*\*[^*]+\*\*")
_SLANTED = re.compile(r"(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?![\w*])")  # the star of t* begins nothing
_LINK = re.compile(r"\[([^\]]+)\]\(((?:https://|[a-z_]+(?:\?|\)|#))[^\s)]*|[a-z_]+)\)")


def inline(text: str) -> str:
    """One line as HTML, in the current language.

    >>> inline("A **choice** of e_k, see the [fan](fan).")
    'A <b>choice</b> of e<sub>k</sub>, see the <a href="./" target="_self">fan</a>.'
    >>> inline("a **cell**")
    'a <b><a class="tv-word" href="about?word=cell" target="_blank">cell</a></b>'
    >>> inline("From **t*** on, t* is *certified*.")
    'From <b>t*</b> on, t* is <em>certified</em>.'
    """
    links: list[str] = []

    def keep(match: re.Match[str]) -> str:
        away = ' target="_blank" rel="noopener"' if match[2].startswith("https://") else ' target="_self"'
        where = "./" if match[2] == "fan" else match[2]  # the first page is the app's own address
        if away.endswith('"_self"') and (more := in_link()) and not where.startswith("#"):
            where += more if "?" in where else f"?{more[1:]}"
        links.append(f'<a href="{where}"{away}>{match[1]}</a>')
        return f"\x00{len(links) - 1}\x00"

    out = _LINK.sub(keep, escape(say(text), quote=False).replace("\x00", ""))
    out = _SLANTED.sub(r"<em>\1</em>", _BOLD.sub(_bold, typeset(out)))
    return re.sub(r"\x00(\d+)\x00", lambda match: links[int(match[1])], out)


def _bold(match: re.Match[str]) -> str:
    """A bold text; a word of the glossary is a way there."""
    text = match[1]
    slug = _words(current()).get(text.lower())
    if slug is None:
        return f"<b>{text}</b>"
    return f'<b><a class="tv-word" href="about?word={slug}{in_link()}" target="_blank">{text}</a></b>'


@cache
def _words(_: str) -> dict[str, str]:
    """The words of the glossary in a language, one and many of them, and their names in a link."""
    found: dict[str, str] = {}
    for entry in entries():
        for word in (entry.word, *entry.also):
            said = say(word).lower()
            found |= {said: entry.slug, f"{said}s": entry.slug}
    return found


def prose(text: str) -> str:
    """Paragraphs, parted by empty lines, as HTML; lines that begin with "- " are a list, a bold one is a heading.

    >>> prose("One.\\n\\n- a\\n- b")
    '<p class="tv-meaning">One.</p><ul class="tv-meaning"><li>a</li><li>b</li></ul>'
    >>> prose("**Two**")
    '<p class="tv-meaning" role="heading" aria-level="2"><b>Two</b></p>'
    """
    out = []
    for listed, lines in blocks(text):
        if listed:
            items = "".join(f"<li>{inline(line)}</li>" for line in lines)
            out.append(f'<ul class="tv-meaning">{items}</ul>')
        else:
            title = ' role="heading" aria-level="2"' if _TITLE.fullmatch(lines[0]) else ""
            out.append(f'<p class="tv-meaning"{title}>{inline(lines[0])}</p>')
    return "".join(out)
