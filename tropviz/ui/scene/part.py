"""`page`, `part`, `control`, `change`: a page whose pieces know what they are of, and follow when the scene changes.

    scene = page("fan")

    @part("picture", live=True)
    def picture(scene): ...

    with st.sidebar:
        controls()
    picture()
    beacon()

A part notes what it reads of its scene. A step of the scene runs the live parts that read what changed; the browser
dims the other ones that are behind, and when the hand rests they follow.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import wraps
from html import escape
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from tropviz.language import current
from tropviz.ui.scene.board import BEACON, FAILED, Changes, Part, Rule, World, board, now
from tropviz.ui.scene.table import Scene, opening

_LOG = logging.getLogger(__name__)
#: Seconds up to which a part's last picture is drawn again while the next is waited for.
QUICK = 0.25


def page(name: str, rule: Rule | None = None) -> Scene:
    """First call of a page, by its url name: its scene. What the page itself reads of it decides about all of the page.

    Parameters
    ----------
    name : str
        Url name.
    rule : callable, optional
        Gives the changes (with "notes" about them) that a scene needs to be shown here, or None.
    """
    here = board()
    here.parts.clear()
    if here.first and not here.page:
        here.world = World({**opening(name)._values, **{key: here.world.values[key] for key in ("lang", "notes")}})
    here.page, here.rule, here.complete, here.drawing, here.ran = name, rule, False, None, []
    world = here.fold()
    if rule is not None and (more := rule(Scene(world.values))):
        world = here.world = here._with(world, more)
    here.outside = Scene(world.values, {"lang"})
    return here.outside


class Wait(Exception):
    """Raised in a part before anything is drawn: what it needs is being made elsewhere; `show` draws how far that is.

    Below it stands what the part showed last, until the part is drawn again and finds what it needs.
    """

    def __init__(self, show: Callable[[], None]) -> None:
        self.show = show


def part(name: str, *, live: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A piece of the page, ``body(scene, *args)``, called as ``body(*args)``.

    Parameters
    ----------
    name : str
        Of the part and of its fragment; unique on its page.
    live : bool
        It follows every step; the others follow when the hand rests.

    Notes
    -----
    A body that raises `ValueError` with one sentence has refused the scene: the last scene that could be shown comes
    back, and the sentence is said. Compute first, then draw.
    """
    if name == BEACON or not name.replace("_", "").isalnum():
        raise ValueError(f"a part cannot be called {name!r}: use letters, digits and _, and not {BEACON!r}.")

    def wrap(body: Callable[..., None]) -> Callable[..., None]:
        def draw(*args: Any) -> None:
            _draw(name, live, body, args)

        fragment = st.fragment(key=name)(wraps(body)(draw))

        @wraps(body)
        def run(*args: Any) -> None:
            here = board()
            if name in here.parts:
                raise ValueError(f"there are two parts called {name!r} on this page.")
            here.parts[name] = Part(live)
            fragment(*args)

        return run

    return wrap


def _draw(name: str, live: bool, body: Callable[..., None], args: tuple[Any, ...]) -> None:
    here = board()
    me = here.parts.setdefault(name, Part(live))
    me.arrived, here.ran = False, [*here.ran, me]
    with st.container(key=f"part-{name}"):
        if not _run(me, body, args):
            _run(me, body, args)  # of the last scene that could be shown


def _run(me: Part, body: Callable[..., None], args: tuple[Any, ...]) -> bool:
    """Draw a part; False if it refused the scene and another one has taken its place."""
    here, noted = board(), set[Any]()
    values = here.fold().values
    me.of, me.controls, me.unfinished, me.waited, here.drawing = None, set(), False, None, me
    sentence = None
    try:
        began = time.perf_counter()
        body(Scene(values, noted), *args)  # one scene for all of it, whatever arrives meanwhile
        me.last = values if time.perf_counter() - began < QUICK else None
    except Wait as wait:
        wait.show()
        _last(me, body, args)
        here.drawing = None
        me.of = {read: now(values, read) for read in noted}
        return True
    except ValueError as problem:
        sentence = str(problem)
    except Exception:
        _LOG.exception("a part of the page could not be drawn")
        sentence = FAILED
    here.drawing = None
    me.of = {read: now(values, read) for read in noted}
    if sentence is None:
        if me.live:
            here.good = here.world
        return True
    if here.revert(sentence):
        return False
    st.html(f'<p class="tv-note tv-refused" role="status">{escape(sentence)}</p>')
    return True


def _last(me: Part, body: Callable[..., None], args: tuple[Any, ...]) -> None:
    """What a part that waits showed last, if that is drawn quickly and still known."""
    if me.last is not None and me.last["dim"] == board().world.values["dim"]:  # another canvas would stay behind
        try:
            body(Scene(me.last, set()), *args)
        except (Wait, ValueError, StreamlitAPIException):  # the last: a widget of this run stands there already
            me.last = None


def unfolding(label: str, key: str) -> Any:
    """In a part: an expander, and what is in it is drawn when it is opened. Its `open` says whether it is.

    The beacon runs with the part, as after every step: it is told what is unfinished.
    """
    here = board()
    me = here.drawing

    def turn() -> None:
        if me is not None:
            me.of = None
        here.follow()

    return st.expander(label, on_change=turn, key=key)


def again() -> None:
    """In a part: it is not finished; it is drawn again when the hand rests. For work that is shown as it goes on."""
    if (me := board().drawing) is not None:
        me.unfinished = True


def control(name: str, show: Callable[..., Any], *args: Any, live: bool = True, **options: Any) -> None:
    """The widget of one property of the scene, in a part. What it shows is state, taken in whenever the scene is read.

    Parameters
    ----------
    name : str
        Of the property; the widget's key is ``w_<name>``.
    show : callable
        The Streamlit widget.
    *args, **options
        Passed on to it.
    live : bool
        Whether it is moved in steps: then the live parts follow at once, and the others when the hand rests.
    """
    here, key = board(), f"w_{name}"
    me = here.drawing
    if me is None:
        raise ValueError(f"the control of {name!r} stands outside of any part: it would not follow the scene.")
    me.controls.add(name)
    value = here.world.values[name]
    showing(key, value)
    show(*args, key=key, on_change=here.follow, args=(True if live else None,), **options)
    # last: until it has been drawn, the browser still says what it showed before
    here.world = here.world._replace(hands={**here.world.hands, name: value})


def showing(key: str, value: Any) -> None:
    """Before a widget is drawn: let it show a value. Always writing would pull a slider back under a moving hand.

    On another page and in another language it is written all the same: under this key there may still be the widget of
    the page before, and the browser shows the text of a choice as it was said.
    """
    here = board()
    place = (here.page, current())
    if other := st.session_state.get(key) != value:
        here.tell(key)
    if other or here.shown.get(key) != place:
        st.session_state[key] = value
        here.shown[key] = place


def change(
    wish: Callable[..., Changes] | None = None, key: str | None = None, /, **changes: Any
) -> Callable[..., None]:
    """A callback that changes the scene: ``on_click=change(window=4.0)``, or ``on_change=change(fold, "its_key")``.

    Parameters
    ----------
    wish : callable, optional
        Called with the scene, with the value of the widget `key` if that is given, and with the callback's own
        arguments; returns the changes by name, or None. It reads nothing else, and may be called more than once.
    key : str, optional
        Of the widget.
    **changes
        What changes, where that is known now.
    """
    here = board()

    def wished(scene: Scene, *given: Any) -> Changes:
        if wish is None:
            return changes
        if key is None:
            return wish(scene, *given)
        hand = st.session_state[key]
        return None if here.late(key, hand) else wish(scene, hand, *given)

    def callback(*given: Any) -> None:
        here.wish(lambda scene: wished(scene, *given))

    return callback
