"""A session's board: what a person did is acted on exactly once, wherever Streamlit cuts the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit import config

from tropviz.ui.scene import Scene, part
from tropviz.ui.scene import board as module
from tropviz.ui.scene.board import BEACON, Board, World


class Cut(BaseException):
    """A run that Streamlit ends: as its own signals, no Exception."""


class Rerun(BaseException):
    """What `st.rerun` raises; it holds the fragments asked for."""


class State(dict[str, Any]):
    """A session state in which every access may be the last of the run, as in Streamlit's."""

    cut_at = -1
    accesses = 0

    def _access(self) -> None:
        if self.accesses == self.cut_at:
            self.cut_at = -1
            raise Cut
        self.accesses += 1

    def __getitem__(self, key: str) -> Any:
        self._access()
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._access()
        super().__setitem__(key, value)

    def __contains__(self, key: object) -> bool:
        self._access()
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._access()
        return super().get(key, default)


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[State]:
    """The session's state, with a board in it, a page drawn to its end, and no browser."""

    def rerun(scope: Any = "app") -> None:
        raise Rerun(scope)

    fresh = State()
    monkeypatch.setattr(module.st, "session_state", fresh)
    monkeypatch.setattr(module.st, "rerun", rerun)
    monkeypatch.setattr(module, "_dark", lambda: False)
    dict.__setitem__(fresh, "board", Board(World(dict(Scene.default()._values))))
    yield fresh


@pytest.fixture
def details() -> Iterator[None]:
    """A page shows what went wrong, and not only that something did."""
    before = config.get_option("client.showErrorDetails")
    config.set_option("client.showErrorDetails", "full")
    yield
    config.set_option("client.showErrorDetails", before)


def board_of(state: State) -> Board:
    found = dict.__getitem__(state, "board")
    assert isinstance(found, Board)
    return found


def drawn(here: Board, name: str, reads: tuple[str, ...], live: bool = False, controls: tuple[str, ...] = ()) -> None:
    """As if a part had been drawn that read these and holds these widgets."""
    made = here.parts[name] = module.Part(live)
    made.of, made.controls, made.arrived = {read: here.world.values[read] for read in reads}, set(controls), True


def page_of(state: State) -> Board:
    here = board_of(state)
    drawn(here, "picture", ("n", "offset", "cell"), live=True)
    drawn(here, "table", ("n", "cell"))
    drawn(here, "panel", ("router",), controls=("n", "offset"))
    here.world = here.world._replace(hands={"n": 8, "offset": 0.9})
    dict.update(state, {"w_n": 8, "w_offset": 0.9})
    here.complete = True
    return here


def said(here: Board, *events: dict[str, Any]) -> dict[str, Any]:
    return {"said": [{"session": here.session, "canvas": "plane", "of": "2", **event} for event in events]}


def counted(scene: Scene, event: dict[str, Any]) -> dict[str, Any]:
    """A fold whose effect shows how often it was taken in: the seed goes one up."""
    return {"seed": scene.seed + 1, "offset": event["x"]}


def moved_widget(here: Board, state: State) -> Callable[[], None]:
    dict.__setitem__(state, "w_n", 12)
    return lambda: here.follow(True)


def pressed_button(here: Board, _: State) -> Callable[[], None]:
    return part.change(lambda scene: {"seed": scene.seed + 1, "n": 12})


def chosen_in_a_list(here: Board, state: State) -> Callable[[], None]:
    dict.__setitem__(state, "its_key", 12)
    return part.change(lambda scene, n: {"seed": scene.seed + 1, "n": n}, "its_key")


def spoken(here: Board, state: State) -> Callable[[], None]:
    here.folds["plane", "click"] = (counted, ("dim",))
    events = ({"id": 5, "name": "click", "x": 1.0}, {"id": 6, "name": "click", "x": 2.0})
    dict.__setitem__(state, BEACON, said(here, *events))
    return here.heard


@pytest.mark.parametrize("act", [moved_widget, pressed_button, chosen_in_a_list, spoken])
def test_an_action_that_is_cut_at_any_access_is_taken_in_exactly_once(state: State, act: Any) -> None:
    """The callback is cut at every access in turn, and never called again; the next run acts, and only once."""
    for cut in range(200):
        dict.clear(state)
        dict.__setitem__(state, "board", Board(World(dict(Scene.default()._values))))
        here = page_of(state)
        callback = act(here, state)
        state.accesses, state.cut_at = 0, cut
        try:
            callback()
        except Rerun as asked:
            assert cut > 0, "no access could be cut"
            (scope,) = asked.args
            assert scope[0] == "picture" and scope[-1] == BEACON
            break  # it was not cut: all accesses have been
        except Cut:
            pass
        state.cut_at = -1
        for _ in range(3):  # runs that come after; each reads the scene, as every part does
            here.fold()
        values = here.world.values
        expected = {moved_widget: (12, 286), spoken: (8, 288)}.get(act, (12, 287))
        assert (values["n"], values["seed"]) == expected, f"cut at access {cut}"
        assert here.behind(True) == ["picture"], "and it is known that the picture is behind"
        if act is spoken:
            assert values["offset"] == 2.0 and here.world.heard == 6
    else:
        raise AssertionError("the callback never came to its end")


def test_a_control_that_is_cut_at_any_access_leaves_what_the_person_moved(state: State) -> None:
    """A button has changed the scene; the control is redrawn, and cut; then the browser's old value comes again."""
    for cut in range(20):
        dict.clear(state)
        dict.__setitem__(state, "board", Board(World(dict(Scene.default()._values))))
        here = page_of(state)
        here.world = here.world._replace(values={**here.world.values, "n": 20})
        here.drawing = here.parts["panel"]
        state.accesses, state.cut_at = 0, cut
        done = True
        try:
            part.control("n", lambda **_: state.get("drawn"))
        except Cut:
            done = False
            dict.__setitem__(state, "w_n", 8)  # the message that cut it was sent before the browser knew
        state.cut_at = -1
        here.fold()
        assert here.world.values["n"] == 20, cut
        if done:
            assert here.world.hands["n"] == 20 and cut >= 2
            return
    raise AssertionError("the control never came to its end")


def test_a_part_that_read_what_changed_is_behind_and_another_is_not(state: State) -> None:
    here = page_of(state)
    assert here.behind() == []
    for change, late in (
        ({"cell": "0-1"}, ["picture", "table"]),
        ({"offset": 2.0}, ["picture", "panel"]),  # its slider shows another offset
        ({"router": "linear"}, ["panel"]),
        ({"seed": 1}, []),
    ):
        before = here.world
        here.world = here._with(before, change)
        assert here.behind() == late, change
        assert here.behind(True) == [name for name in late if name == "picture"]
        here.world = before
    here.parts["table"].of = None  # cut before its end
    assert here.behind() == ["table"]


def test_the_hand_that_rests_lets_all_follow_and_a_step_only_the_live_ones(state: State) -> None:
    here = page_of(state)
    here.folds["plane", "click"] = (lambda scene, event: {"cell": "0-1"}, ())
    for name, scope in (("click", ["picture", BEACON]), ("rest", ["picture", "table", BEACON])):
        event = {"id": 10 + len(name), "name": name, "of": ""}
        dict.__setitem__(state, BEACON, said(here, event))
        with pytest.raises(Rerun) as asked:
            here.heard()
        assert asked.value.args[0] == scope


def test_what_is_unfinished_is_run_again_when_the_hand_rests_but_is_not_behind(state: State) -> None:
    here = page_of(state)
    here.parts["table"].unfinished = True
    assert here.behind() == [] and here.unfinished() == ["table"]
    dict.__setitem__(state, BEACON, said(here, {"id": 1, "name": "rest"}))
    with pytest.raises(Rerun) as asked:
        here.heard()
    assert asked.value.args[0] == ["table", BEACON]


def test_what_was_drawn_in_a_run_that_was_cut_is_drawn_again_and_only_once(state: State) -> None:
    here = page_of(state)
    for name in ("picture", "table"):  # drawn to their end, but the beacon did not come
        here.parts[name].arrived = False
    assert here.behind() == ["picture", "table"]
    with pytest.raises(Rerun) as rerun:
        here.follow(True)
    assert rerun.value.args == (["picture", BEACON],)
    here.ran = [here.parts["picture"]]
    assert here.behind() == ["table"]  # said to the browser, which asks for it when the hand rests
    here.parts["picture"].arrived = True
    with pytest.raises(Rerun) as rerun:
        here.follow()
    assert rerun.value.args == (["table", BEACON],)


def test_a_control_that_is_moved_before_the_scene_comes_back_acts_on_the_scene_that_comes_back(state: State) -> None:
    here = page_of(state)
    here.page = "fan"
    dict.__setitem__(state, "w_n", 11)
    here.wishes.append(lambda scene: {"seed": scene.seed + 1})
    here.fold()
    here.world = here.world._replace(hands={**here.world.hands, "router": "affine"})
    dict.__setitem__(state, "w_router", "file")  # what the list showed to the session that is gone
    here.fold()
    back = {"id": 7, "name": "open", "canvas": "", "link": "v=1&n=20&k=5&seed=40&r=file&rf=mine.json", "back": True}
    dict.__setitem__(state, BEACON, said(here, back))
    values = here.fold().values
    assert (values["n"], values["k"], values["seed"]) == (11, 5, 41)
    assert values["router_file"] == "mine.json"
    dict.__setitem__(state, BEACON, said(here, {**back, "id": 8}))
    assert here.fold().values["n"] == 20  # and once


def test_what_was_drawn_in_a_run_that_the_browser_had_not_seen_when_it_spoke_is_drawn_again(state: State) -> None:
    here = page_of(state)
    here.run = 7
    for name, run in (("picture", 7), ("table", 6), ("panel", 7)):
        here.parts[name].run = run
    dict.__setitem__(state, BEACON, said(here, {"id": 5, "name": "click", "seen": 6}))
    here.fold()
    assert here.behind() == ["picture", "panel"]
    dict.__setitem__(state, BEACON, said(here, {"id": 6, "name": "click"}))  # says nothing of it: nothing is known
    here.parts["picture"].arrived = here.parts["panel"].arrived = True
    here.fold()
    assert here.behind() == []


def test_an_event_of_another_session_or_of_a_picture_that_is_gone_is_dropped(state: State) -> None:
    here = page_of(state)
    here.folds["plane", "click"] = (counted, ("dim", "window"))
    good = {"id": 3, "name": "click", "x": 1.0, "of": "2|3.0"}
    for wrong in (
        {"session": "elsewhere"},
        {"of": "3|3.0"},
        {"of": "2|4.0"},
        {"canvas": "other"},
        {"name": "unknown"},
    ):
        dict.__setitem__(state, BEACON, said(here, {**good, **wrong}))
        assert here.fold().values["seed"] == 286, wrong
        here.world = here.world._replace(heard=0)
    dict.__setitem__(state, BEACON, said(here, good))
    assert here.fold().values["seed"] == 287


@pytest.mark.parametrize(("problem", "words"), [(ValueError("No."), "No."), (KeyError("x"), "could not be computed")])
def test_what_goes_wrong_with_an_event_is_said_and_the_next_is_heard(state: State, problem: Any, words: str) -> None:
    here = page_of(state)

    def fail(scene: Scene, event: dict[str, Any]) -> None:
        raise problem

    here.folds |= {("plane", "step"): (fail, ()), ("plane", "click"): (counted, ("dim",))}
    dict.__setitem__(state, BEACON, said(here, {"id": 1, "name": "step", "of": ""}))
    assert words in here.fold().values["notes"][0]
    dict.__setitem__(state, BEACON, said(here, {"id": 1, "name": "step", "of": ""}, {"id": 2, "name": "click", "x": 1}))
    assert here.fold().values["seed"] == 287


def test_a_clamped_hand_is_said_and_its_control_is_behind(state: State) -> None:
    here = page_of(state)
    here.parts["panel"].controls.add("k")
    here.world = here.world._replace(hands={**here.world.hands, "k": 2})
    dict.__setitem__(state, "w_k", 50)
    assert here.fold().values["k"] == 7 and "Active experts k" in here.world.values["notes"][0]
    assert "panel" in here.behind()


def test_another_router_lets_the_cell_go_and_the_digits_lie_where_they_lie(state: State) -> None:
    here = page_of(state)
    here.world = here._with(here.world, {"cell": "0-1", "expert": 2, "offset": 1.5})
    here.world = here.world._replace(hands={**here.world.hands, "router": "affine", "offset": 1.5})
    dict.__setitem__(state, "w_offset", 1.5)
    for router, offset in (("linear", 1.5), ("digits", 0.0)):
        dict.__setitem__(state, "w_router", router)
        values = here.fold().values
        assert (values["router"], values["cell"], values["expert"], values["offset"]) == (router, "", -1, offset)


def test_a_download_is_of_the_session_that_drew_its_button_whoever_calls_it(state: State) -> None:
    from threading import Thread

    from tropviz.ui.later import at_press

    here = page_of(state)
    make, made = at_press(here, lambda scene: f"N = {scene.n}"), []
    here.world = here._with(here.world, {"n": 13})
    dict.clear(state)  # as outside any session
    caller = Thread(target=lambda: made.append(make()))
    caller.start()
    caller.join()
    assert made == ["N = 13"]


@pytest.mark.parametrize("name", ["beacon", "", "a b", "x-y"])
def test_a_part_with_a_name_that_cannot_be_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="a part cannot be called"):
        part.part(name)


def test_a_misspelt_part_is_an_error_and_no_rerun_of_the_page(details: None) -> None:
    from streamlit.testing.v1 import AppTest

    def script() -> None:
        import streamlit as st

        from tropviz.ui.canvas import beacon
        from tropviz.ui.scene.board import board
        from tropviz.ui.scene.part import page, part

        page("fan")

        @part("picture", live=True)
        def picture(scene: object) -> None:
            st.write("drawn")

        def misspell() -> None:
            board().parts["pictrue"] = board().parts.pop("picture")
            board().parts["pictrue"].of = None
            board().follow()

        picture()
        st.button("misspell", on_click=misspell)
        beacon()

    at = AppTest.from_function(script).run()
    assert not at.exception
    at.button[0].click().run()
    assert at.exception and "No fragment found for target 'pictrue'" in at.exception[0].value


def test_two_parts_of_one_name_are_an_error(details: None) -> None:
    from streamlit.testing.v1 import AppTest

    def script() -> None:
        from tropviz.ui.canvas import beacon
        from tropviz.ui.scene.part import page, part

        page("fan")
        for _ in range(2):
            part("twice")(lambda scene: None)()
        beacon()

    at = AppTest.from_function(script).run()
    assert at.exception and "there are two parts called" in at.exception[0].value


def test_a_scene_that_a_part_refuses_gives_way_to_the_last_good_one_and_is_said_why() -> None:
    from streamlit.testing.v1 import AppTest

    def script() -> None:
        import streamlit as st

        from tropviz.ui.canvas import beacon
        from tropviz.ui.scene.part import control, page, part

        page("fan")

        @part("picture", live=True)
        def picture(scene) -> None:
            if scene.n > 10:
                raise ValueError("No more than ten here.")
            st.write(f"N = {scene.n} {scene.notes}")

        @part("panel")
        def panel(scene) -> None:
            control("n", st.slider, "N", 2, 256)

        panel()
        picture()
        beacon()

    at = AppTest.from_function(script).run()
    assert at.markdown[0].value == "N = 8 ()"
    at.slider[0].set_value(20).run()
    assert not at.exception and "N = 8 ('No more than ten here.',)" in [m.value for m in at.markdown]
    at.run()
    assert at.slider[0].value == 8


def test_what_a_widget_showed_before_it_was_told_another_value_is_no_choice(state: State) -> None:
    here = page_of(state)
    dict.__setitem__(state, "box", 8)
    type_in = part.change(lambda scene, n: {"n": n}, "box")
    here.wishes.append(lambda scene: {"n": 12})
    here.fold()
    here.drawing = here.parts["panel"]
    part.showing("box", 12)
    part.showing("w_n", 12)
    here.drawing, here.world = None, here.world._replace(hands={**here.world.hands, "n": 12})
    drawn(here, "panel", ("router",), controls=("n", "offset"))
    here.told = {key: told._replace(part=here.parts["panel"]) for key, told in here.told.items()}
    dict.update(state, {"box": 8, "w_n": 8})  # a message that was sent before the browser heard of it
    with pytest.raises(Rerun) as rerun:
        type_in()
    assert here.world.values["n"] == 12
    assert "panel" in rerun.value.args[0], "told once more"
    dict.update(state, {"box": 12, "w_n": 12})
    with pytest.raises(Rerun):
        here.follow()
    dict.__setitem__(state, "box", 8)
    with pytest.raises(Rerun):
        type_in()
    assert here.world.values["n"] == 8, "chosen by somebody who saw the other"


def test_a_beacon_whose_page_has_gone_breaks_nothing(state, monkeypatch):
    here, followed = state["board"], []
    dict.pop(state, BEACON, None)
    monkeypatch.setattr(here, "follow", followed.append)
    here.heard()
    assert followed == [True]
