"""The same in Streamlit itself: a run that is cut at any of its yield points, by a message that comes meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from tests.pages.reading import scene_of


def small_page() -> None:
    """A page of two parts, a slider, a list and a button, whose folds show how often they were taken in."""
    import streamlit as st

    from tropviz.ui.canvas import beacon
    from tropviz.ui.scene.part import change, control, page, part

    page("fan")

    @part("panel")
    def panel(scene) -> None:
        control("n", st.slider, "N", 2, 64)
        on_change = change(lambda scene, h: {"h": h, "seed": scene.seed + 1}, "its_h")
        st.selectbox("H", range(2, 9), key="its_h", on_change=on_change)
        st.button("one more", key="more", on_click=change(lambda scene: {"seed": scene.seed + 100}))

    @part("picture", live=True)
    def picture(scene) -> None:
        st.write(f"{scene.n} {scene.h} {scene.seed}")

    panel()
    picture()
    beacon()


class Cutter:
    """Ends a run at its `at`-th yield point, as a message of the browser does, with the widgets as they are now."""

    def __init__(self) -> None:
        self.at, self.seen = -1, 0
        self.states: WidgetStates | None = None

    def note(self, data: RerunData) -> None:
        """What the widgets show, without triggers: the browser sends those once."""
        if data.widget_states is not None:
            self.states = WidgetStates()
            kept = [s for s in data.widget_states.widgets if s.WhichOneof("value") != "trigger_value"]
            self.states.widgets.extend(kept)

    def yielded(self, runner: ScriptRunner) -> None:
        if not runner._execing:
            return
        self.seen += 1
        if self.seen == self.at:
            raise RerunException(RerunData(widget_states=self.states))


@pytest.fixture
def cutter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cutter]:
    made, run = Cutter(), ScriptRunner._run_script

    def noted(self: ScriptRunner, data: RerunData) -> None:
        made.note(data)
        run(self, data)

    monkeypatch.setattr(ScriptRunner, "_run_script", noted)
    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", lambda self: made.yielded(self))
    yield made


@pytest.mark.parametrize("trigger", [False, True])
def test_what_a_person_did_is_taken_in_once_wherever_its_run_is_cut(cutter: Cutter, trigger: bool) -> None:
    """A slider and a list moved in one message, which are state; or a button pressed, which is a trigger."""
    at = AppTest.from_function(small_page).run()
    before = scene_of(at).values
    # before its first yield point a run is Streamlit's alone: a trigger that is lost there never was ours
    for cut in range(2 if trigger else 1, 400):
        if trigger:
            at.button[0].click()
            expected = {**before, "seed": int(before["seed"]) + 100}
        else:
            n, h = (int(before["n"]) % 60 + 3, int(before["h"]) % 7 + 2)
            at.slider[0].set_value(n)
            at.selectbox[0].set_value(h)
            expected = {**before, "n": n, "h": h, "seed": int(before["seed"]) + 1}
        cutter.at, cutter.seen = cut, 0
        at.run()
        ended = cutter.seen < cut
        cutter.at = -1
        at.run()  # the next message
        assert not at.exception, cut
        before = scene_of(at).values
        assert before == expected, f"cut at yield point {cut}"
        shown = " ".join(str(expected[name]) for name in ("n", "h", "seed"))
        assert at.markdown[0].value == shown, "and the page shows it"
        assert at.session_state["board"].behind() == []
        if ended:
            assert cut > 20
            return
    raise AssertionError("the run never came to its end")
