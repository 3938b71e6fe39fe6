"""No link leads to a red box: scenes from all over the table, its limits included, on every page.

A short run in the suite. The long one, over every limit (several minutes; wide routers are slow):
``TROPVIZ_LINKS=200 python -m pytest tests/pages/test_links.py``.
"""

from __future__ import annotations

import os
from urllib.parse import parse_qsl

import pytest

from tests.pages.links import PAGES, link
from tests.pages.reading import markup, open_page
from tropviz.ui.scene.board import FAILED
from tropviz.ui.server import SORRY

LONG = int(os.environ.get("TROPVIZ_LINKS", "0"))
#: Experts up to which the short run goes.
SMALL = 24
#: Links that failed once, and the corners of the table.
ONCE = [
    ("capacity", "v=1&n=256&k=8&h=256&sl=255&din=16384"),
    ("capacity", "v=1&n=256&k=255&h=256&sl=256&din=16384&m=256"),
    ("capacity", "v=1&n=2&k=1&h=1&sl=1&din=1&m=1"),
    ("resilience", "v=1&n=2&k=1&h=1&mf=sphere&me=4&deg=32"),
    ("fan", "v=1&n=2&k=1&cell=" + "9" * 5000),
    ("collapse", "v=1&n=2&k=1&off=1000000000&sp=0.05&pts=50"),
    ("hypersimplex", "v=1&n=3&k=2&cell=<b>x</b>&d=3"),
]


def good(page: str, query: str) -> None:
    at = open_page(page, **dict(parse_qsl(query)))
    text = markup(at)
    assert not at.exception and FAILED not in text and SORRY not in text, f"{page}?{query}"
    assert "9" * 200 not in text and "<b>x</b>" not in text, "what a link brought is echoed"


@pytest.mark.parametrize(("page", "query"), ONCE)
def test_links_that_failed_once_and_corners(page, query):
    good(page, query)


@pytest.mark.parametrize("seed", range(LONG or 2))
@pytest.mark.parametrize("page", PAGES)
def test_no_link_leads_to_a_red_box(page, seed):
    good(page, link(seed, page, most=None if LONG else SMALL))
