"""The way in: what a first visit opens on, every page in the navigation, and the way from one to the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import ROOT, counts, markup, open_page, scene_of, words
from tropviz.ui import shell, welcome
from tropviz.ui.scene import parse_link

EXIST = [entry for entry in shell.PAGES if (ROOT / entry[1]).is_file()]


def arrive(**query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    at.query_params.update(query)
    return at.run()


def components(at: AppTest) -> set[str]:
    return {element.proto.component_name for element in at.get("bidi_component")}


def test_the_start_panel_is_for_those_who_bring_no_scene() -> None:
    assert "tropviz_welcome" in components(arrive(utm_source="mail"))
    assert "tropviz_welcome" not in components(arrive(v="1"))


def test_the_scenes_of_the_start_panel_open_as_they_are_written() -> None:
    assert len(welcome.SENTENCES) == len(welcome.SCENES) == 3
    for _, page, link in welcome.SCENES:
        assert page in {entry[3] for entry in shell.PAGES}
        query = dict(pair.split("=") for pair in link.split("&"))
        assert parse_link(query)[1] == ()


@pytest.mark.parametrize("here", [0, len(EXIST) - 1])
def test_every_page_leads_to_the_next_and_the_last_to_the_first(here, monkeypatch) -> None:
    monkeypatch.setattr(shell, "PAGES", (*EXIST[here:], *EXIST[:here]))  # AppTest opens the first
    _, _, title, _, question = EXIST[(here + 1) % len(EXIST)]
    assert [link.proto.label for link in arrive(v="1").get("page_link")] == [f"Next: **{title}**. {question}"]


def test_first_glance_is_five_numbers_and_the_rest_unfolds() -> None:
    at = open_page("fan", v="1")
    folded = markup(at)
    for name in ("cells", "regions", "dense"):
        start = folded.index(f'data-keep="{name}"')
        folded = folded[:start] + folded[folded.index("</details>", start) :]
    seen = folded.count('<li class="tv-count')
    assert seen == 5 and len(counts(at)) > 10


@pytest.mark.parametrize("query", [{}, {"v": "1"}])
def test_hypersimplex_opens_on_the_octahedron_unless_a_link_asks(query, monkeypatch) -> None:
    """A first arrival at that address; AppTest knows no paths, so the page stands first here."""
    first = [entry for entry in shell.PAGES if entry[3] == "hypersimplex"]
    rest = tuple(entry for entry in shell.PAGES if entry[3] != "hypersimplex")
    monkeypatch.setattr(shell, "PAGES", (*first, *rest))
    at = arrive(**query)
    assert (scene_of(at).n, scene_of(at).k) == ((4, 2) if not query else (8, 2))


def test_every_page_asks_a_question() -> None:
    assert all(question.endswith("?") and Path(file).stem == url for _, file, _, url, question in shell.PAGES)


def test_a_page_that_is_opened_shows_the_scene_in_its_boxes_whatever_stood_there_on_the_page_before() -> None:
    at = open_page("fan", n="5", k="2")
    at.switch_page(str(ROOT / "pages" / "hypersimplex.py")).run()
    assert at.number_input(key="exact_n").value == scene_of(at).n == 5
    at.selectbox(key="w_hs_set").set_value((0, 4)).run()
    assert scene_of(at).cell == "0-4"
    at.switch_page(str(ROOT / "pages" / "fan.py")).run()
    at.switch_page(str(ROOT / "pages" / "hypersimplex.py")).run()
    assert at.selectbox(key="w_hs_set").value == (0, 4)
    assert scene_of(at).cell == "0-4"


def test_the_text_of_a_choice_that_is_gone_is_no_choice(monkeypatch) -> None:
    at = open_page("hypersimplex", n="4", k="2")
    before = scene_of(at)
    box = at.selectbox(key="w_hs_set")
    box.options.append("{0, 11}")  # the browser says a set of the scene before, as it has not heard of this one yet
    box.set_value("{0, 11}")
    usual = type(box).format_func.fget
    monkeypatch.setattr(type(box), "format_func", property(lambda it: str if it.key == box.key else usual(it)))
    at.run()
    assert scene_of(at).values == before.values
    assert "invalid literal" not in words(at)


def test_a_number_beyond_the_limits_is_said_and_an_empty_field_keeps_what_was() -> None:
    at = open_page("fan", n="8", k="2")
    at.number_input(key="exact_n").set_value(300).run()
    assert scene_of(at).n == at.number_input(key="exact_n").value == 256
    assert "outside 2 to 256" in words(at)
    assert at.number_input(key="exact_n").proto.default == 256, "what an emptied field goes back to"


def test_in_another_language_every_choice_is_said_in_it() -> None:
    at = open_page("fan")
    at.session_state["board"].wishes.append(lambda scene: {"lang": "de"})
    at.run()
    router = at.selectbox(key="w_router").proto
    assert router.set_value and router.raw_value in router.options, "the browser would show the text of before"
