"""Each page shows what is claimed, proved and measured, and says which claim it means where it names the paper."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.pages.reading import open_page, words
from tropviz.io.claims import claims, claims_of
from tropviz.ui.claims import TITLE
from tropviz.ui.counts import typeset
from tropviz.ui.shell import HOME, PAGES

NAMES = [name for _, file, _, name, _ in PAGES if (Path(HOME) / file).is_file()]


def plain(text: str) -> str:
    """A text as it is read: indices and powers without their markup, one space between words."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", typeset(text))))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_its_claims_and_names_one_wherever_it_names_the_paper(name: str) -> None:
    text = plain(words(open_page(name)))
    before, _, after = text.partition(TITLE)
    assert bool(after) == bool(claims_of(name))
    for claim in claims_of(name):
        for said in (claim.name, claim.claimed, claim.proved, *(one.sentence for one in claim.measured)):
            assert plain(said.removesuffix(".")) in after, said
    named = [f"“{claim.name}”" for claim in claims()]
    for sentence in re.split(r"(?<=[.?!:]) ", before):
        if re.search(r"\bpaper", sentence):
            assert any(claim in sentence for claim in named), sentence


def test_a_slide_has_no_list():
    assert TITLE not in words(open_page("capacity", slide="1"))
