"""About and the glossary: whole, linked from counts, and open at the word that was asked for."""

from __future__ import annotations

import re

import pytest

from tests.pages.reading import markup, open_page, words
from tropviz import Count
from tropviz.io.glossary import entries, entry_of
from tropviz.ui.counts import KINDS, row_html
from tropviz.ui.shell import unknown

#: What the issue names, and what pages speak of all the time.
ASKED = [
    *("Fan", "Normal fan", "Hypersimplex", "Tropical semiring", "Monomial", "Newton polytope", "Tropical hypersurface"),
    *("Slice", "Zaslavsky's formula", "Hinge", "Region law", "Saturation", "Cell", "Margin", "Shadow", "Slice law"),
]


def test_every_word_is_there_once_with_definition_and_source():
    known = [entry.word for entry in entries()]
    assert set(ASKED) <= set(known) and len({entry.slug for entry in entries()}) == len(known)
    assert all(entry.definition.endswith(".") and entry.source for entry in entries())
    every = [name.lower() for entry in entries() for name in (entry.word, *entry.also)]
    assert len(set(every)) == len(every), "a label would lead to two words"


def test_the_page_holds_them_all_and_every_kind_of_number():
    text = words(open_page("about"))
    assert all(entry.word in text for entry in entries())
    assert all(kind in text.lower() for kind in KINDS.values())
    assert "arXiv 2602.03204" in text and "Known limits" in text


def test_a_link_opens_a_word_and_refuses_what_is_none():
    at = open_page("about", word="linear-region")
    asked = markup(at).split('class="tv-asked"')[1]
    assert asked.index("Linear region") < asked.index("Active set")
    assert "is no word of the glossary" in words(open_page("about", word="<b>"))


@pytest.mark.parametrize(
    ("label", "word"),
    [("Cells reached by the data", "Cell"), ("Random, mean over weights", "Slice law"), ("Seed", None)],
)
def test_a_count_leads_to_its_word(label, word):
    entry = entry_of(label)
    assert (entry.word if entry else None) == word
    html = row_html(label, Count(5, "exact", "counted"), "What it is.")
    assert ('<a class="tv-word" href="about?word=' in html) == (word is not None)


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("fan", {"hg": "1"}),
        ("collapse", {"off": "3"}),
        ("capacity", {}),
        ("resilience", {}),
        ("two_layers", {}),
        ("your_router", {}),
        ("lessons", {"lesson": "10", "lp": "10a"}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_every_count_leads_to_a_word_of_the_glossary(page, query):
    counts = re.findall(r'data-row="([^"]+)"(.*?)</li>', markup(open_page(page, **query)), re.DOTALL)
    assert counts and not [name for name, count in counts if 'class="tv-word"' not in count]


def test_a_word_and_a_page_that_there_are_not_are_said():
    assert "The glossary has no word nonsense." in words(open_page("about", word="nonsense"))
    assert "has no word" not in words(open_page("about", word="cell"))
    assert unknown("https://x.org/router") == "router" and unknown("https://x.org/your_router") == ""
