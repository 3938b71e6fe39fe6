"""The Hypersimplex page without a browser: every shape shows, one set is lit in all views, the check is honest."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tropviz import Hypersimplex

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(**query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=120)
    at.query_params.update({"v": "1", **query})
    at.run()
    return at.switch_page("pages/hypersimplex.py").run()


def words(at: AppTest) -> str:
    return unescape(re.sub(r"<[^>]+>", "", " ".join(block.proto.body for block in at.get("html"))))


def lit(at: AppTest) -> list[str]:
    """The sets named in the titles of the three views."""
    return re.findall(r'data-lit="([^"]*)"', " ".join(block.proto.body for block in at.get("html")))


@pytest.mark.parametrize(
    "query",
    [
        {"n": "2", "k": "1"},
        {"n": "3", "k": "2"},
        {"n": "4", "k": "2"},
        {"n": "4", "k": "3", "hv": "shadow"},
        {"n": "5", "k": "4"},
        {"n": "8", "k": "7", "r": "polygon"},
        {"n": "16", "k": "4", "r": "linear", "slide": "1"},
    ],
)
def test_every_shape_shows_one_set_in_three_views(query: dict[str, str]) -> None:
    at = open_page(**query)
    assert not at.exception
    assert len(lit(at)) == 3 and len(set(lit(at))) == 1
    assert len(at.get("bidi_component")) >= 4  # three canvases and the link
    if "slide" not in query:
        assert "agreed / tested: 1,000 / 1,000" in words(at)


def test_choosing_a_set_lights_it_everywhere_and_stands_in_the_link() -> None:
    at = open_page(n="4", k="2")
    box = at.selectbox(key="w_hs_set")
    assert len(box.options) == 6
    box.set_value((0, 3)).run()
    assert lit(at) == ["{0, 3}"] * 3
    assert at.session_state["scene"]["cell"] == "0-3"
    assert "s3 ≥ s2" in words(at) and "e0, e3, −e1, −e2" in words(at)


def test_a_linked_set_that_never_wins_is_shown_as_such() -> None:
    at = open_page(n="16", k="4", r="linear", cell="0-1-2-3")
    text = words(at)
    assert lit(at) == ["{0, 1, 2, 3}"] * 3
    assert "never reaches furthest" in text and "misses the slice" in text and "never attains the maximum" in text


def test_numbers_are_the_cores() -> None:
    text = words(open_page(n="8", k="2"))
    shape = Hypersimplex(8, 2)
    assert f"({', '.join(map(str, shape.f_vector))})" in text
    assert str(shape.normalised_volume) in text and "28 terms" in text
    assert "all 28 monomials" in text
    text = words(open_page(n="64", k="8"))
    assert re.search(r"2,\d{3} of 4,426,165,368 monomials", text)  # the sample and all cells


def test_the_aside_names_a_pluecker_coordinate() -> None:
    at = open_page(n="5", k="2", cell="1-3")
    assert any("p_{13}" in m.value and "octahedron" in m.value for m in at.markdown)
