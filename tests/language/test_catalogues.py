"""The catalogues hold every text of the sources and no other, translated, with the same places and the same markup."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from tropviz.language.__main__ import renewed
from tropviz.language.catalogue import DOMAINS, path_of
from tropviz.language.sources import Text, every
from tropviz.language.speech import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [code for code in LANGUAGES if code != "en"]
RENEW = "run python -m tropviz.language: gone are the first, new the second"
EACH = pytest.mark.parametrize(("code", "domain"), [(code, domain) for code in OTHERS for domain in DOMAINS])


@pytest.fixture(scope="module")
def texts() -> list[Text]:
    return every(ROOT)


def messages(code: str, domain: str) -> list[Message]:
    with path_of(code, domain).open("rb") as file:
        return [message for message in read_po(file, locale=code) if message.id]


def strings(message: Message) -> list[tuple[str, str]]:
    """Every translation, beside the English that it is of."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string or ""))]
    said = [message.string] if isinstance(message.string, str) else list(message.string or [""])
    return [(message.id[0] if i == 0 and len(said) > 1 else message.id[-1], text) for i, text in enumerate(said)]


@EACH
def test_a_catalogue_is_what_the_sources_make_of_it(code: str, domain: str, texts: list[Text]) -> None:
    """`python -m tropviz.language` has been run."""
    held = {message.id if isinstance(message.id, str) else message.id[0] for message in messages(code, domain)}
    wanted = {text.one for text in texts if text.domain == domain}
    assert (held - wanted, wanted - held) == (set(), set()), RENEW
    assert path_of(code, domain).read_bytes() == renewed(texts, domain, code), RENEW


@EACH
def test_everything_is_translated(code: str, domain: str) -> None:
    """Nothing is missing, and nothing is doubtful."""
    found = messages(code, domain)
    assert len(found) > 300
    assert [english for one in found for english, text in strings(one) if not text or one.fuzzy] == []


@EACH
def test_places_markup_and_spaces_are_those_of_the_english(code: str, domain: str) -> None:
    wrong = []
    for message in messages(code, domain):
        for english, said in strings(message):
            if said and (_places(said), _tags(said)) != (_places(english), _tags(english)):
                wrong.append(said)
            if said and [said[:1] == " ", said[-1:] == " "] != [english[:1] == " ", english[-1:] == " "]:
                wrong.append(said)
    assert wrong == []


def _places(text: str) -> list[str]:
    """What is filled in, with its format; of a text that is not filled in, its braces."""
    try:
        found = [(name, how, spec) for _, name, spec, how in Formatter().parse(text) if name is not None]
        return sorted(f"{name}!{how}:{spec}" for name, how, spec in found if re.fullmatch(r"\w*", name))
    except ValueError:
        return sorted(re.findall(r"\{[^{}]*\}", text))


def _tags(text: str) -> list[str]:
    return sorted(re.findall(r"<[^>]*>", text))


def test_what_is_looked_for_is_found() -> None:
    """The two above can fail."""
    assert _places("{n:,} cells of {m}") != _places("{n} celle di {m}")
    assert _tags("<b>a</b> c") != _tags("<b>a c")


def test_texts_are_found_in_every_kind_of_source(texts: list[Text]) -> None:
    places = {text.place for text in texts}
    for place in (
        "pages/capacity.py",
        "tropviz/ui/scene/rows/everywhere.py",
        "tropviz/ui/canvas/js/desk.js",
        "assets/claims.json",
    ):
        assert place in places, place
    said = {text.one for text in texts}
    assert {"Experts N", "Undo (Ctrl+Z)", "seen among {0} points", "maximum over weights", "Router fan"} <= said
