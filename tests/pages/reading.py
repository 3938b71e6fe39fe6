"""What a person reads on a page driven by AppTest: its words, and its counts by label."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.ui.test_canvas import unpack
from tropviz.ui.scene import Scene

ROOT = Path(__file__).resolve().parents[2]
#: The spoken form of a count: "label: value, kind. detail".
_COUNT = re.compile(r'<li class="tv-count tv-(\w+)"[^>]*aria-label="(.*?), [a-z ]+\. [^"]*"')


def open_page(name: str, **query: str) -> AppTest:
    """The page as a link with these entries opens it, at the width of a desktop."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    at.query_params.update(query)
    at.run()
    return at.switch_page(str(ROOT / "pages" / f"{name}.py")).run()


def pictures(at: AppTest) -> list[dict[str, Any]]:
    """The message on every canvas."""
    found = [element.proto for element in at.get("bidi_component")]
    return [unpack(proto.bytes) for proto in found if proto.component_name == "tropviz_canvas"]


def markup(at: AppTest) -> str:
    """All HTML that the page wrote itself: each block, and in its place what a picture brings to show beside it."""
    beside = {name: html for picture in pictures(at) for name, html in picture["beside"].items()}
    blocks = [block.proto.body for block in at.get("html") if "<style>" not in block.proto.body]
    text = " ".join(re.sub(r'<div data-slot="(\w+)"></div>', lambda m: beside.pop(m[1], ""), body) for body in blocks)
    return " ".join([text, *beside.values()])  # some parts alone have run: their slots stand in the page as before


def rest(at: AppTest) -> AppTest:
    """What is behind follows, as in a browser when the hand rests."""
    return at.run()


def words(at: AppTest) -> str:
    """The same as plain text, with plain spaces."""
    return unescape(re.sub(r"<[^>]+>", "", markup(at))).replace(chr(160), " ")


def scene_of(at: AppTest) -> Scene:
    """The session's scene."""
    return Scene(at.session_state["board"].world.values)


def counts(at: AppTest) -> dict[str, tuple[str, str]]:
    """Every count on the page: label -> (value, kind)."""
    pairs = ((m[1], unescape(m[2]).rsplit(": ", 1)) for m in _COUNT.finditer(markup(at)))
    return {label: (value, kind) for kind, (label, value) in pairs}
