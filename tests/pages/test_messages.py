"""No view is larger than 2 MB on the wire, not even that of the widest router."""

from __future__ import annotations

import pytest

from tests.pages.reading import open_page

MOST = 2_000_000


@pytest.mark.parametrize(
    ("page", "query", "views"),
    [
        ("collapse", {"n": "256", "k": "128", "pts": "50"}, 3),
        ("hypersimplex", {"n": "256", "k": "128"}, 3),
        ("fan", {"n": "256", "k": "128"}, 1),
    ],
)
def test_the_heaviest_links_send_less_than_two_megabytes_a_view(page, query, views):
    at = open_page(page, v="1", **query)
    sizes = [len(e.proto.bytes) for e in at.get("bidi_component") if e.proto.component_name == "tropviz_canvas"]
    assert len(sizes) == views and max(sizes) <= MOST, sizes
