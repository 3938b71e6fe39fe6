"""The board: what one session's page shows of which scene, and how the scene changes.

Streamlit may cut a run at every access of its session state, and a callback that was cut is never called again. So the
session's state is one plain object, this board. The scene, and all that has been taken into it, is one value there,
replaced in one assignment; what a person did is written down before anything else, and taken in whenever the scene is
asked for: what widgets show, what callbacks asked for, what the browser said.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple
from uuid import uuid4

import streamlit as st

from tropviz.language import LANGUAGES, use
from tropviz.ui.scene.link import asks, opened, parse_link
from tropviz.ui.scene.rows import BY_NAME
from tropviz.ui.scene.table import Scene

_LOG = logging.getLogger(__name__)
#: What changes, by name, or nothing; "notes" holds sentences to show.
Changes = Mapping[str, Any] | None
#: What an event of a canvas means. It reads the scene and the event, and nothing else.
Fold = Callable[[Scene, dict[str, Any]], Changes]
#: A rule of the page: which changes a scene needs to be shown there.
Rule = Callable[[Scene], Changes]
#: Key of the component that speaks for the page; its state "said" is what the browser said.
BEACON = "beacon"
#: Characters of a link that is opened.
MOST = 20_000
#: Wishes that are kept for the scene which a browser brings back to a new session.
EARLY = 20
#: Seconds up to which a widget may still say what it showed before it was told another value.
LATE = 2.0
FAILED = "This could not be computed; the last picture is kept. Change a control, or reload the page."


class World(NamedTuple):
    """The scene's values, and what has been taken into them."""

    values: Mapping[str, Any]
    heard: int = 0  # number of the last event of the browser
    hands: Mapping[str, Any] = {}
    early: tuple[Callable[[Scene], Changes], ...] = ()  # what was wished before the browser first spoke


class Part:
    """A piece of the page: which values it read in its last run, and which properties' widgets it holds."""

    def __init__(self, live: bool) -> None:
        self.live = live
        self.of: dict[Any, Any] | None = None  # by name, or by question (`Scene.through`); None: not drawn to its end
        self.controls: set[str] = set()
        self.unfinished = False  # it has more to do: see `part.again`
        self.waited: Any = None  # the job of the pool that it has waited for in this run
        self.last: Mapping[str, Any] | None = None  # values of what it showed last, if that is drawn quickly
        self.stopped: Any = None  # what it needs and a person stopped
        self.arrived = False  # the run that drew it went on to the beacon: the browser let go of what was before
        self.run = 0  # number of that run

    def behind(self, world: World) -> bool:
        """Whether it is of other values than the scene has."""
        values, hands = world.values, world.hands
        return (
            self.of is None
            or any(now(values, name) != value for name, value in self.of.items())
            or any(values[name] != hands.get(name) for name in self.controls)
        )


class Told(NamedTuple):
    """A widget was told to show another value."""

    before: tuple[Any, ...]  # what it may still show
    at: float  # seconds
    part: Part | None


class Board:
    """Of one session."""

    def __init__(self, world: World, first: bool = False) -> None:
        self.world = world
        self.first = first  # a first arrival: the address asked for no scene
        self.parts: dict[str, Part] = {}
        self.drawing: Part | None = None
        self.ran: list[Part] = []  # in this run
        self.run = 0  # how often the beacon has run
        self.page = ""  # url name
        self.outside = Scene(world.values, set())  # what the page itself reads, outside of its parts
        self.rule: Rule | None = None
        self.complete = False  # the page has been drawn to its end, which is the beacon
        self.good: World | None = None  # the last that could be shown
        self.session = uuid4().hex[:12]  # what was said to another session (the server restarted) is not of this one
        self.wishes: list[Callable[[Scene], Changes]] = []  # of callbacks, not taken in yet
        self.folds: dict[tuple[str, str], tuple[Fold, tuple[str, ...]]] = {}  # of (canvas, event)
        self.canvases: dict[str, Part | None] = {}  # in which part a canvas stands
        self.shown: dict[str, tuple[str, str]] = {}  # widget's key: on which page and in which language it was drawn
        self.told: dict[str, Told] = {}  # widget's key: what it was told to show, until the browser says that
        self.sent: dict[str, str] = {}  # canvas: token of the frames its browser has

    # --- the scene ---

    def fold(self) -> World:
        """The world, with all taken in that happened since it was last asked for."""
        then = self.world
        use(then.values["lang"])  # what is taken in is said in the language of before
        if (dark := _dark()) != then.values["dark"]:
            then = then._replace(values={**then.values, "dark": dark})
        for name in then.hands:
            hand = st.session_state.get(f"w_{name}", then.hands[name])
            if hand != then.hands[name] and not self.late(f"w_{name}", hand):
                if hand != then.values[name] and BY_NAME[name].holds(hand):
                    more = brought(name, hand)
                    moved = partial(_given, {name: hand, **more})
                    # what brings more with it may be what the widget showed to the session before
                    then = self._take(then, moved) if more else self._wished(then, moved)
                then = then._replace(hands={**then.hands, name: hand})
        for wish in (wishes := tuple(self.wishes)):
            then = self._wished(then, wish)
        for event in st.session_state.get(BEACON, {}).get("said") or ():
            if event["id"] > then.heard and event["session"] == self.session:
                then = self._hear(then, dict(event))._replace(heard=event["id"], early=())
        self.world = then  # the one assignment
        use(then.values["lang"])
        del self.wishes[: len(wishes)]
        return then

    def tell(self, key: str) -> None:
        """A widget is told to show another value than it shows."""
        before = self.told[key].before if key in self.told else ()
        self.told[key] = Told((*before, st.session_state.get(key))[-EARLY:], time.monotonic(), self.drawing)

    def late(self, key: str, hand: Any) -> bool:
        """Whether the browser says of a widget what it showed before it was told another value: nobody chose that.

        Every message of the browser brings what all widgets show, also one that was sent before ours came. The widget
        is told once more, for should somebody have chosen it after all. Of numbers alone: in a list and with a switch
        one goes back to what was there in no time.
        """
        told = self.told.get(key)
        if isinstance(hand, bool) or not isinstance(hand, (int, float)) or told is None:
            return False
        if hand not in told.before or time.monotonic() - told.at > LATE:
            return False
        if told.part is not None:
            told.part.of = None
        return True

    def _heard_of(self) -> None:
        """From a callback, where every widget's value is the browser's: which of them show what they were told."""
        for key, told in tuple(self.told.items()):
            if st.session_state.get(key) not in told.before:
                self.told.pop(key, None)

    def _wished(self, world: World, wish: Callable[[Scene], Changes]) -> World:
        """The world after a wish; an early one is kept until the browser says which scene it showed before."""
        then = self._take(world, wish)
        return then if world.heard else then._replace(early=(*world.early, wish)[-EARLY:])

    def _take(self, world: World, wish: Callable[[Scene], Changes]) -> World:
        """The world after a wish; a wish that fails is said, and never raised: it would stand before all later ones."""
        try:
            changes = wish(Scene(world.values))
            return world if not changes else self._with(world, changes)
        except ValueError as problem:
            sentence = str(problem)
        except Exception:
            _LOG.exception("a change of the scene failed")
            sentence = FAILED
        said = tuple(note for note in world.values["notes"] if note != sentence)
        return world._replace(values={**world.values, "notes": (*said, sentence)})

    def _with(self, world: World, changes: Mapping[str, Any]) -> World:
        """The world after some changes, clamped, and fit for the page; what was clamped is said."""
        said = tuple(changes.get("notes", ()))
        scene, clamped = Scene(world.values).replace(**{k: v for k, v in changes.items() if k != "notes"})
        said = (*clamped, *said)
        if self.rule is not None and (more := self.rule(scene)):
            scene, _ = scene.replace(**{k: v for k, v in more.items() if k != "notes"})
            said = (*said, *more.get("notes", ()))
        return world._replace(values={**scene._values, "notes": said})

    def _hear(self, world: World, event: dict[str, Any]) -> World:
        canvas, name = event.get("canvas", ""), event["name"]
        if isinstance(seen := event.get("seen"), int):  # what later runs drew may not have come to the browser whole
            for drawn in self.parts.values():
                drawn.arrived &= drawn.run <= seen
        if name == "open":  # a scene of the history, a preset, or of a list
            page, link = self.page, str(event.get("link", ""))[:MOST]
            then = self._take(world, lambda scene: opened(scene, page, link))
            if event.get("back"):  # the scene that was shown comes to a new session, where somebody was quicker
                for wish in world.early:
                    then = self._take(then, wish)
            return then
        if name == "need":  # a browser that does not have what was sent before
            self.sent.pop(canvas, None)
            if (part := self.canvases.get(canvas)) is not None:
                part.of = None
        fold, of = self.folds.get((canvas, name), (None, ()))
        if fold is None or event.get("of", "") != of_text(world.values, of):
            return world  # of a picture that is no longer that of the scene
        return self._take(world, lambda scene: fold(scene, event))

    # --- who follows ---

    def behind(self, live: bool | None = None) -> list[str]:
        """The parts that are of other values than the scene has, the live ones first."""
        late = [
            name
            for name, part in self.parts.items()
            if live in (None, part.live) and (part.behind(self.world) or not (part.arrived or part in self.ran))
        ]
        return sorted(late, key=lambda name: not self.parts[name].live)

    def unfinished(self) -> list[str]:
        """The parts that have more to do."""
        return [name for name, part in self.parts.items() if part.unfinished]

    def follow(self, live: bool | None = None) -> None:
        """From a callback: run exactly the parts that are behind again, and after them the beacon.

        Streamlit lets the browser keep elements that are gone when a run is cut, and clears them away only at the end
        of one that draws the same part: a part whose run did not come to the beacon is drawn again, too.

        One case is not noticed. The end of a run waits some 10 ms to be sent, and Streamlit turns it into that of a cut
        run if the next begins before. An event of a canvas says which run its browser had seen (`_hear`); the message
        of a widget cannot. So if two widgets are changed within this time, an element that the first change took away
        may stand in its part until that is drawn again.
        """
        self.ran = []
        self._heard_of()
        world = self.fold()
        reframed = any(now(world.values, name) != now(self.outside._values, name) for name in self.outside._noted or ())
        if reframed or not self.complete:
            st.rerun()
        more = self.unfinished() if live is None else []
        st.rerun([*dict.fromkeys((*self.behind(live), *more)), BEACON])

    def heard(self) -> None:
        """Callback of the beacon. The hand rests if that is the last thing the browser said."""
        said = st.session_state.get(BEACON, {}).get("said")  # with another page its state may have gone meanwhile
        self.fold()
        self.follow(None if said and said[-1]["name"] == "rest" else True)

    def wish(self, wish: Callable[[Scene], Changes], live: bool | None = None) -> None:
        """From a callback: change the scene, and let what it changes follow. No yield point comes before the wish."""
        self.wishes.append(wish)
        self.follow(live)

    def revert(self, sentence: str) -> bool:
        """Back to the last scene that could be shown, and say why; False if there is none but this one."""
        if self.good is None or self.good.values == {**self.world.values, "notes": self.good.values["notes"]}:
            return False
        values = {**self.good.values, "notes": (sentence,)}
        self.world = self.world._replace(values=values)
        return True


def now(values: Mapping[str, Any], name: Any) -> Any:
    """The value of a name, or the answer to a question."""
    return name(Scene(values)) if callable(name) else values[name]


def _given(changes: Mapping[str, Any], _: Scene) -> Mapping[str, Any]:
    return changes


def brought(name: str, hand: Any) -> Mapping[str, Any]:
    """What comes with a value that a person chose."""
    brings = BY_NAME[name].brings
    return brings(hand) if brings else {}


def _dark() -> bool:
    """Whether the browser shows the dark theme."""
    return st.context.theme.type == "dark"


def of_text(values: Mapping[str, Any], names: Iterable[str]) -> str:
    """The values of some names as a text that travels with an event."""
    return "|".join(str(values[name]) for name in names)


def board() -> Board:
    """The session's board; on the first request of a session, with the scene of the link."""
    found: Board | None = st.session_state.get("board")
    if found is None:
        query = st.query_params.to_dict()
        use(code if (code := query.get("lang", "en")) in LANGUAGES else "en")
        scene, notes = parse_link(query)
        found = Board(World({**scene._values, "notes": notes}), first=not asks(query))
        st.session_state["board"] = found
    return found
