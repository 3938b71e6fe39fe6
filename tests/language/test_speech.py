"""What is said in which language, and that it is noted."""

from __future__ import annotations

import gettext
import threading
from collections.abc import Iterator

import pytest

from tropviz import Count
from tropviz.language import english, heard, noting, people, plural, say, speaking, speech, use
from tropviz.language.numbers import written
from tropviz.ui.counts import row_html
from tropviz.ui.scene import Scene, derived

WORDS = {
    "{n:,} cells of {share:.1%}": "{share:.1%} von {n:,} Zellen",
    "{n} cell": "{n} Zelle",
    "{n:,} cells": "{n:,} Zellen",
    "Cells in the window": "Zellen im Fenster",
    "seen among {0} points": "unter {0} Punkten gesehen",
    "median over {0} {1}": "Median über {0} {1}",
    "walls": "Wände",
    "unbounded": "unbeschränkt",
}


class Words(gettext.NullTranslations):
    """A catalogue of a few words."""

    _catalog = WORDS

    def gettext(self, message: str) -> str:
        return WORDS.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return WORDS.get(one if n == 1 else many, many)


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import sys

    found = Words()
    monkeypatch.setattr(speech, "translations", lambda code: found)
    monkeypatch.setattr(sys.modules["tropviz.language.heard"], "translations", lambda code: found)
    sys.modules["tropviz.language.heard"]._patterns.cache_clear()
    yield
    use("en")
    sys.modules["tropviz.language.heard"]._patterns.cache_clear()


def test_a_template_is_said_with_its_numbers_in_the_form_of_the_language():
    said = say("{n:,} cells of {share:.1%}", n=1820, share=0.125)
    assert said == "1,820 cells of 12.5%"
    with speaking("de"):
        said = say("{n:,} cells of {share:.1%}", n=1820, share=0.125)
        assert said == "12,5% von 1.820 Zellen" and english(said) == "1,820 cells of 12.5%"
        assert say("not in it: {x}", x=Count(1820, "exact", "")) == "not in it: 1.820"
        assert say("a name with a dot: {x}", x="v1.2,3") == "a name with a dot: v1.2,3"
        assert say("") == "" and say("{x_{0}}") == "{x_{0}}"
    assert say("{n} cell", n=1) == "1 cell"


def test_one_and_many():
    with speaking("de"):
        assert [plural("{n} cell", "{n:,} cells", n) for n in (1, 2, 1820)] == ["1 Zelle", "2 Zellen", "1.820 Zellen"]


def test_what_the_core_says_is_heard_with_its_values():
    assert heard("seen among 1,200 points") == "seen among 1,200 points"
    with speaking("de"):
        assert heard("seen among 1,200 points") == "unter 1.200 Punkten gesehen"
        assert heard("median over 40 walls") == "Median über 40 Wände"
        assert heard("C(16, 4)") == "C(16, 4)"
        assert people(float("inf")) == "unbeschränkt" and people(4**40) == "1,209 × 10²⁴ (80,0 bits)"


def test_a_list_of_numbers_keeps_its_commas():
    assert written("~ 0.5 [0.25, 1,000.5]", "de") == "~ 0,5 [0,25, 1.000,5]"
    assert written("~ 0.5 [0.25, 1,000.5]", "ko") == "~ 0.5 [0.25, 1,000.5]"


def test_a_count_is_known_by_its_english_name_in_every_language():
    with speaking("de"):
        html = row_html(say("Cells in the window"), Count(1820, "exact", "seen among 3 points"), "")
    assert 'data-row="cells-in-the-window"' in html and "Zellen im Fenster" in html and "1.820" in html
    assert "unter 3 Punkten gesehen" in html and "about?word=cell&amp;lang=de" in html.replace("&lang", "&amp;lang")


def test_an_answer_that_holds_words_is_kept_under_the_language():
    made = []

    @derived
    def told(scene: Scene) -> str:
        made.append(scene.n)
        return say("{n:,} cells", n=scene.n)

    @derived
    def around(scene: Scene) -> str:
        return told(scene) + "."

    scene = Scene.default()
    other = scene.replace(lang="de")[0]
    assert (around(scene), around(other), around(scene)) == ("8 cells.", "8 Zellen.", "8 cells.")
    assert len(made) == 2
    assert around.made(other._values)[0] == ("lang", "n")


def test_an_answer_without_words_serves_every_language():
    @derived
    def twice(scene: Scene) -> int:
        return 2 * int(scene.n)

    assert twice.made(Scene.default()._values)[0] == ("n",)


def test_threads_and_noting_do_not_meet():
    heard_there = []
    with speaking("de"), noting(set()) as _:
        thread = threading.Thread(target=lambda: heard_there.append(say("{n} cell", n=1)))
        thread.start()
        thread.join()
        assert say("{n} cell", n=1) == "1 Zelle"
    assert heard_there == ["1 cell"]
