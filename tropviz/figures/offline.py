"""A picture as one web page that needs no network: the drawing library is written into it."""

from __future__ import annotations

import re
from html import escape

#: The page; the browser fills the same one where a person saves what a canvas shows (`canvas/js/download.js`).
PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<title>{{title}}</title><style>{{style}}</style>{{body}}<script>{{library}}</script>"
    "<script>{{script}}</script></html>"
)


def offline_page(title: str, style: str, body: str, script: str, library: str) -> str:
    """The page with its parts.

    Parameters
    ----------
    title, style, body : str
        Text; CSS; HTML.
    script, library : str
        JavaScript that draws, and plotly.min.js: neither can end its element early.

    Examples
    --------
    >>> offline_page("a < b", "", "<p>", "draw()", "lib")[-91:]
    '<title>a &lt; b</title><style></style><p><script>lib</script><script>draw()</script></html>'
    """
    parts = {"title": escape(title), "style": style, "body": body, "script": inline(script), "library": inline(library)}
    return re.sub(r"\{\{(\w+)\}\}", lambda m: parts[m[1]], PAGE)


def inline(script: str) -> str:
    """JavaScript as it may stand in an element of a page.

    >>> inline("'</script>'")
    "'<\\\\/script>'"
    """
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
