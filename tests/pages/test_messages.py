"""No view is larger than 2 MB on the wire, not even that of the widest router."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import open_page

MOST = 2_000_000


@pytest.mark.parametrize(
    ("page", "query", "views"),
    [
        ("collapse", {"n": "256", "k": "128", "pts": "50"}, 3),
        ("hypersimplex", {"n": "256", "k": "128"}, 3),
        ("fan", {"n": "256", "k": "128"}, 1),
        ("training", {"n": "16", "k": "8"}, None),
        ("two_layers", {"layers": "1", "n": "24", "k": "12", "h": "32"}, None),
        ("capacity", {"n": "256", "k": "128", "h": "256"}, None),
        ("resilience", {"n": "256", "k": "128"}, None),
        ("lessons", {}, None),
        ("about", {}, None),
        ("your_router", {}, None),
    ],
)
def test_the_heaviest_links_send_less_than_two_megabytes_a_view(page, query, views):
    at = open_page(page, v="1", **query)
    sizes = [len(e.proto.bytes) for e in at.get("bidi_component") if e.proto.component_name == "tropviz_canvas"]
    assert views is None or len(sizes) == views
    assert max((*sizes, *(message.ByteSize() for message in sent(at)))) <= MOST, sizes


def sent(at: AppTest) -> list[Any]:
    """Every element of the page as it goes to the browser."""
    every = [element for block in (at.main, at.sidebar) for element in block]
    return [element.proto for element in every if getattr(element, "proto", None) is not None]
