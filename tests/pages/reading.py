"""What a person reads on a page driven by AppTest: its words, and its counts by label."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
#: The spoken form of a count: "label: value, kind. detail".
_COUNT = re.compile(r'<li class="tv-count tv-(\w+)"[^>]*aria-label="(.*?), [a-z ]+\. [^"]*"')


def open_page(name: str, **query: str) -> AppTest:
    """The page as a link with these entries opens it, at the width of a desktop."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    at.query_params.update(query)
    at.run()
    return at.switch_page(str(ROOT / "pages" / f"{name}.py")).run()


def markup(at: AppTest) -> str:
    """All HTML that the page wrote itself."""
    return " ".join(block.proto.body for block in at.get("html"))


def words(at: AppTest) -> str:
    """The same as plain text."""
    return unescape(re.sub(r"<[^>]+>", "", markup(at)))


def counts(at: AppTest) -> dict[str, tuple[str, str]]:
    """Every count on the page: label -> (value, kind)."""
    pairs = ((m[1], unescape(m[2]).rsplit(": ", 1)) for m in _COUNT.finditer(markup(at)))
    return {label: (value, kind) for kind, (label, value) in pairs}
