"""Every page is drawn to its end, says so, and knows of every part what it is of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pages.reading import open_page, pictures, rest
from tropviz.ui.shell import HOME, PAGES

NAMES = [name for _, file, _, name, _ in PAGES if (Path(HOME) / file).is_file()]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_that_nothing_is_behind_and_then_what_is(name: str) -> None:
    at = open_page(name)
    here = at.session_state["board"]
    told = [json.loads(e.proto.json) for e in at.get("bidi_component") if e.proto.component_name == "tropviz_beacon"]
    assert len(told) == 1 and told[0]["page"] == name and told[0]["behind"] == []
    assert here.complete and here.behind() == []
    slider = next((one for one in at.slider if one.key == "w_k"), None)
    assert slider is not None or name not in ("fan", "collapse"), "this test can see it"
    if slider is None:  # a list of lessons, a glossary, a router that brings its own k
        return
    assert any(part.live for part in here.parts.values()), "what follows the hand says so: @part(..., live=True)"
    slider.set_value(3).run()
    told = [json.loads(e.proto.json) for e in at.get("bidi_component") if e.proto.component_name == "tropviz_beacon"]
    late = [part for part, made in here.parts.items() if not made.live and "k" in made.of]
    assert late or name not in ("fan", "collapse"), "this test can see it"
    assert told[0]["behind"] == late == here.behind() and told[0]["more"] == bool(late or here.unfinished())
    assert pictures(at), "what is live has followed at once"
    assert rest(at).session_state["board"].behind() == []
