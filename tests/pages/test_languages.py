"""Every page in every language; and in one without Latin letters, so that what is not translated stands out."""

from __future__ import annotations

import gettext
import json
import re
import sys
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import ROOT, markup, open_page, pictures, words
from tropviz.home import asset
from tropviz.language import LANGUAGES, say, speaking, speech
from tropviz.language.sources import every
from tropviz.ui import claims
from tropviz.ui.shell import PAGES

pytestmark = pytest.mark.pages

NAMES = [url for _, _, _, url, _ in PAGES]
#: Scenes that say what the pages do not say by themselves.
SCENES = (
    *((url, {}) for url in NAMES),
    ("fan", {"cell": "0-3", "out": "frozen", "dn": "active", "lv": "2", "pt": "0.5_0.5", "e": "1"}),
    ("fan", {"d": "3", "n": "300", "k": "400", "foo": "1", "r": "file", "rf": "x.json"}),
    ("fan", {"v": "9"}),
    ("collapse", {"cl": "opposed", "off": "3"}),
    ("collapse", {"sx": "1", "off": "2", "d": "3"}),
    ("hypersimplex", {"tau": "0.5", "n": "5", "hv": "shadow"}),
    ("lessons", {"lesson": "4", "lp": "4b"}),
    ("lessons", {"lesson": "9", "lp": "9ax"}),
)
#: Names that are not translated: of models and files, of functions in formulas, and of constructions.
FOREIGN = (
    r"tropviz|log|max|min|floor|sum|Phi|relu|rank|layout|polygon|moment|subsets|that|meet|config|json|csv|npz|tokens"
)


class Veiled(gettext.NullTranslations):
    """A language without Latin letters: whatever has some is not translated, also where it stands in a template."""

    def __init__(self) -> None:
        super().__init__()
        texts = every(ROOT)
        self._catalog = {part: veiled(part) for text in texts for part in (text.one, text.many) if part}

    def gettext(self, message: str) -> str:
        return self._catalog.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


def veiled(text: str) -> str:
    """The letters of a template, but neither its places nor its markup.

    >>> veiled("<b>{name:,}</b> is {{x}}")
    '<b>{name:,}</b> жж {{ж}}'
    """
    return re.sub(r"\{\{|\}\}|\{[^{}]*\}|<[^>]*>|[A-Za-z]", lambda m: "ж" if m[0].isalpha() else m[0], text)


@pytest.fixture
def veil(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    heard, found = sys.modules["tropviz.language.heard"], Veiled()
    monkeypatch.setattr(speech, "translations", lambda code: found)
    monkeypatch.setattr(heard, "translations", lambda code: found)
    monkeypatch.setitem(speech.LANGUAGES, "it", "жжж")
    forget = (heard._patterns.cache_clear, claims._html.cache_clear)  # what was said before in real Italian
    for each in forget:
        each()
    yield
    for each in forget:
        each()


@pytest.mark.parametrize(("url", "query"), SCENES)
def test_nothing_on_a_page_stands_outside_the_catalogues(url: str, query: dict[str, str], veil: None) -> None:
    at = open_page(url, lang="it", **query)
    assert not at.exception
    names = [
        row[key] for row in json.loads(asset("architectures.json").read_text())["models"] for key in ("name", "source")
    ]
    names.sort(key=len, reverse=True)
    bare = set()
    for text in said(at):
        for name in names:
            text = text.replace(name, " ")
        rest = re.sub(rf"\b({FOREIGN})\b", " ", re.sub("<[^>]*>", " ", text))
        if re.search("[A-Za-z]{3}", rest):
            bare.add(rest.strip())
    assert bare == set()


def said(at: AppTest) -> Iterator[str]:
    """Everything that a page says: its own HTML, what is read aloud of it, widgets, and texts of pictures."""
    html = re.sub("<style>.*?</style>", "", markup(at), flags=re.S)
    yield from (unescape(part) for part in re.split("<[^>]+>", html))
    yield from (unescape(name) for name in re.findall(r'(?:aria-label|title|alt)="([^"]*)"', html))
    for element in elements(at._tree):
        for value in (getattr(element, name, None) for name in ("label", "help", "placeholder", "options")):
            yield from [value] if isinstance(value, str) else map(str, value) if isinstance(value, list) else ()
        if type(element).__name__ in {"Caption", "Markdown", "Subheader"}:
            yield element.value
    for picture in pictures(at):
        yield from texts({name: part for name, part in picture.items() if name != "beside"})


def elements(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from elements(child)


def texts(value: Any, named: bool = False) -> Iterator[str]:
    """Texts of a figure, by the names that Plotly and the canvas have for them."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from texts(
                part, name in {"text", "hovertext", "hovertemplate", "alt", "remark", "label", "note", "ticktext"}
            )
    elif isinstance(value, (list, tuple)):
        for part in value[:60]:
            yield from texts(part, named)
    elif named and isinstance(value, str):
        yield value


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_every_page_runs_in_every_language(code: str) -> None:
    for url in NAMES:
        at = open_page(url, lang=code)
        assert not at.exception, url
        assert "could not be computed" not in words(at), url


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_has_its_name_in_every_language(code: str) -> None:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    at.query_params["lang"] = code
    at.run()
    with speaking(code):
        title, question = say("Router fan"), say("Where does the router send which input?")
    assert f'<h1 class="tv-page" tabindex="-1">{title} <span>{question}</span></h1>' in markup(at)
    assert ('id="tv-words"' in "".join(block.proto.body for block in at.get("html"))) == (code != "en")


def test_a_language_nobody_speaks_is_said_to_be_none() -> None:
    at = open_page("fan", lang="xx")
    assert "is not one of en, it, de, ko" in words(at)
