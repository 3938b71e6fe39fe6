"""No link leads to a red box: scenes from all over the table, its limits included, on every page.

A short run in the suite. The long one, over every limit (several minutes; wide routers are slow):
``TROPVIZ_LINKS=200 python -m pytest tests/pages/test_links.py``.
"""

from __future__ import annotations

import os
from urllib.parse import parse_qsl

import numpy as np
import pytest

from tests.io.files import npy
from tests.pages.links import PAGES, link
from tests.pages.reading import ROOT, markup, open_page, scene_of
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


@pytest.mark.parametrize("inputs", [16_384, 20_000])
def test_a_router_of_very_many_inputs_ends_on_no_page_in_a_red_box(inputs):
    """As many as a router may have are shown, and go along from page to page; of more one sentence says so."""
    at = open_page("fan", v="1", k="2")
    W = np.random.default_rng(0).normal(size=(6, inputs))
    at.file_uploader(key="upload_router").set_value(("wide.npy", npy(W), "application/octet-stream")).run()
    assert (scene_of(at).n == 6) == (inputs == 16_384)
    assert ("wide.npy has 20,000 inputs: the most is 16,384" in markup(at)) == (inputs == 20_000)
    for page in PAGES:
        at.switch_page(str(ROOT / "pages" / f"{page}.py")).run()
        text = markup(at)
        assert not at.exception and FAILED not in text and SORRY not in text, page


@pytest.mark.parametrize("seed", range(LONG or 2))
@pytest.mark.parametrize("page", PAGES)
def test_no_link_leads_to_a_red_box(page, seed):
    good(page, link(seed, page, most=None if LONG else SMALL))
