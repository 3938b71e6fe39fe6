"""No limit of any page is too much for the server's own process: a short run of ``python -m tests.bench.limits``."""

from __future__ import annotations

import random

import pytest

from tests.bench.limits import BYTES, Audit, link, singles, work
from tests.bench.serve import PAGES, server
from tropviz.ui.scene import ROWS

#: What made the server itself work for 3 to 17 s, or take 600 MB, before it was sent to the pool.
ONCE = [
    ("capacity", "v=1&n=256&k=128&h=256"),
    ("resilience", "v=1&n=256&k=128&h=256"),
    ("training", "v=1&n=256&k=128&h=256"),
    ("", "v=1&n=256&k=255&h=1&out=frozen"),
]


@pytest.fixture(scope="module")
def audit():
    with server("app.py") as port:
        yield Audit(port)


@pytest.mark.parametrize(("page", "query"), ONCE)
def test_what_was_too_much_once_is_done_elsewhere(audit, page, query):
    next(audit.page(page, "v=1", False))  # what it imports
    first = next(audit.page(page, query, False))
    assert not first.wrong, first.wrong


@pytest.mark.parametrize("page", PAGES)
def test_a_page_at_some_of_its_limits_ends_in_no_red_box_and_sends_no_large_message(audit, page):
    each = list(singles(page))
    for changes in random.Random(page).sample(each, 2):
        found = next(audit.page(page, link(changes), False))
        assert not found.visitor.red and 0 < found.bytes <= BYTES, found.step
        found.visitor.socket.close()


def test_every_property_is_at_its_limits_somewhere_and_every_two_together():
    tried = {name for page in PAGES for changes in singles(page) for name in changes}
    assert tried == {row.name for row in ROWS} - {"lang", "embed"}
    some = [changes for _, changes, press in work(random.Random(0), "two_layers") if not press]
    assert max(map(len, some)) >= 2 and len(some) > 1000
