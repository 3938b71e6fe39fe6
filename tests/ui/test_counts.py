"""The count panel: a kind beside every number, and nothing that could break the page."""

from __future__ import annotations

from tropviz import Count
from tropviz.ui.counts import KINDS, counts_html


def test_every_kind_has_a_name_and_is_shown() -> None:
    for kind, name in KINDS.items():
        html = counts_html([("Label", Count(3, kind, "a method", "an assumption"), "Meaning.")])
        assert f">{name}<" in html and "a method." in html and "an assumption." in html


def test_a_share_is_in_per_cent_with_its_interval() -> None:
    html = counts_html([("Share", Count(0.5, "sampled", "m", "", (0.25, 0.75)), "Meaning", "share")])
    assert "50.0 % [25.0, 75.0]" in html


def test_text_is_escaped() -> None:
    html = counts_html([("<b>", Count(1, "exact", "a < b"), "<script>")], "<i>")
    assert "<script>" not in html and "<b>" not in html and "<i>" not in html
