"""Heavy work of the pages: asked of the pool for this session, shown as it goes on, stopped by a button.

    job = heavy.ask("training", key, function, arguments)
    if job.state != "done":
        heavy.show(job, "training", "Training")   # progress, place in the queue, Stop; the part is drawn again

One function of a module, arguments and result that can be pickled; `tropviz.work` says what the pool promises. Answers
of derived functions (`tropviz.ui.scene.derived`) go the same way, many at a time, and are kept as if made here:

    if heavy.derive(scene, "measure", steps, "Measuring", on_stop):   # all there
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from contextlib import nullcontext, suppress
from typing import Any, cast

import streamlit as st
from streamlit.runtime import Runtime, exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tropviz.language import current, say, speaking
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import Part, board
from tropviz.ui.scene.derived import Derived
from tropviz.ui.scene.own import Own
from tropviz.ui.scene.part import Wait, again
from tropviz.ui.scene.store import STORE
from tropviz.work import Budget, Job, Limits, Pool, Refused, part, progress

_LOCK = threading.Lock()
_POOLS: list[Pool] = []
#: What a worker imports before its first work.
MODULES = ("tropviz",)
#: Seconds that a part waits for what it has asked before it is drawn again.
PATIENCE = 0.4
#: Bytes that a worker may keep of what its answers have in common.
KEPT = 160_000_000
#: Seconds of work that a part does itself, and what it may have made in the pool.
DIRECT, NEEDED = 0.3, Budget(cpu=60.0, wall=900.0)
#: Files of the page Your router, which may be large: no answer that is made in the pool is of them, and they stay here.
_LAB = ("own_model", "own_tokens", "own_other")
#: What no answer is made of: two sessions that differ in these alone share their computations.
_BESIDE = ("held", "blank", "notes", "measure_all", "measure_none", "unstacked", "unbalanced", *_LAB)
#: A derived function, its arguments beside the scene, and what it is for people.
Call = tuple[str, Derived[Any], tuple[Any, ...]]


def _alive(session: Hashable) -> bool:
    """Whether a session is still there; without a server (in tests) everybody is."""
    return not exists() or get_instance().is_active_session(str(session))


def pool() -> Pool:
    """The pool of this process, made at the first use."""
    with _LOCK:
        if not _POOLS:
            _POOLS.append(Pool(Limits.of(), _alive, MODULES))
        return _POOLS[0]


def session() -> str:
    """Who asks: the id of this session."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else "alone"


def ask(
    slot: str, key: Hashable, function: Callable[..., Any], *args: Any, lane: str = "long", budget: Budget | None = None
) -> Job:
    """The one job of this key, for this session's slot; what the slot asked for before is dropped.

    Raises
    ------
    ValueError
        One sentence, if too much is being computed already.
    """
    try:
        return pool().ask(session(), _slot(slot), key, function, *args, lane=lane, budget=budget)
    except Refused as problem:
        raise ValueError(str(problem)) from None


def warm(function: Callable[[], None]) -> None:
    """Have the worker of long work import what the page is going to need, so that its first answer comes at once."""
    if _served():
        with suppress(ValueError):  # a server with so much to do is not in need of more
            ask("warm", function.__qualname__, function)


def leave(slot: str) -> None:
    """This session waits for nothing in this slot any more."""
    if _POOLS:
        pool().leave(session(), _slot(slot))


def failed(slot: str) -> bool:
    """Whether what this session waits for in a slot has ended without a result."""
    job = pool().slots.get((session(), _slot(slot))) if _POOLS else None
    return job is not None and job.over.is_set() and bool(job.sentence) and job.state != "stopped"


def _slot(slot: str) -> tuple[str, str]:
    return board().page, slot


def page_turned() -> None:
    """A page begins: what the session's other pages have asked for is not waited for any more."""
    if _POOLS:
        here, who = board().page, session()
        for asker, slot in list(pool().slots):
            if asker == who and isinstance(slot, tuple) and slot[0] != here:
                pool().leave(asker, slot)


# --- derived functions ---


def derive(
    scene: Scene,
    slot: str,
    calls: Sequence[Call],
    what: str,
    on_stop: Callable[[], None] | None = None,
    budget: Budget | None = None,
) -> bool:
    """In a part: have the answers of derived functions made in the pool, one after the other; True when all are there.

    Each is kept the moment it arrives. Until then progress and Stop are shown and the part is drawn again.
    """
    todo = _todo(scene, calls)
    if not todo:
        leave(slot)
        return True
    job = ask(slot, _key(scene, calls), _made, _values(scene), todo, len(calls), budget=budget)
    _take_over(scene, job)
    show(job, slot, what, on_stop)
    if not job.over.wait(PATIENCE) or job.state == "done":
        again()
    _take_over(scene, job)
    if job.state == "done":
        leave(slot)
        if any(call[1].known(scene, *call[2]) is None for call in todo):
            raise ValueError(say("The answers are larger than this server may keep: choose something smaller."))
    return False


def need(scene: Scene, what: str, calls: Sequence[Call], seconds: float) -> None:
    """In a part, before anything is drawn: what it shows is made in the pool if that takes long, else here as it comes.

    Parameters
    ----------
    what : str
        What is waited for, for people.
    calls : sequence of Call
        Derived functions, in the order in which one uses another: the worker keeps what they have in common.
    seconds : float
        About how long all of them take; up to `DIRECT` nothing is asked of the pool.

    Raises
    ------
    Wait
        Taken by the part: it shows progress, the place in the queue and Stop, over what it showed last.
    ValueError
        One sentence, if the answers cannot be had.
    """
    me = board().drawing
    if me is None or seconds <= DIRECT or not _served():
        return
    slot = "need " + next((name for name, part in board().parts.items() if part is me), "")
    key = _key(scene, calls)
    if not _todo(scene, calls):
        leave(slot)
        return
    if me.stopped == key:
        raise Wait(lambda: _resume(me))
    me.stopped = None
    job = ask(slot, key, _made, _values(scene), _todo(scene, calls), len(calls), budget=NEEDED)
    if not any(part.waited is job for part in board().ran):  # several parts of a run wait together, not in turn
        job.over.wait(PATIENCE)
    me.waited = job
    _take_over(scene, job)
    if not job.over.is_set():
        beside = not me.live and any(who == session() and where != _slot(slot) for who, where in tuple(job.askers))
        raise Wait(again if beside else lambda: show(job, slot, what, lambda: _stop(me, key, slot)))
    leave(slot)
    if job.sentence:
        raise ValueError(job.sentence)
    if _todo(scene, calls):
        raise ValueError(say("The answers are larger than this server may keep: choose something smaller."))


def _served() -> bool:
    """Whether there is a server with others in it; else everything is made at once."""
    return exists() and type(get_instance()) is Runtime  # not what AppTest puts in its place


def _stop(me: Part, key: Hashable, slot: str) -> None:
    me.stopped = key
    leave(slot)


def _resume(me: Part) -> None:
    """Stopped by the person: nothing is computed until it is asked for again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html('<p class="tv-note" role="status">' + say("Stopped.") + "</p>")
        st.button(say("Go on"), key=f"resume_{id(me)}", on_click=lambda: setattr(me, "stopped", None))


def _todo(scene: Scene, calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call[1].known(scene, *call[2]) is None]


def _key(scene: Scene, calls: Sequence[Call]) -> Hashable:
    """The same for all who ask for the same: of what somebody brought, its number."""
    named = tuple(
        (name, value.token if isinstance(value, Own) else value)
        for name, value in sorted(scene._values.items())
        if name not in _BESIDE
    )
    return named, tuple(calls)


def _values(scene: Scene) -> dict[str, Any]:
    """What a worker is told of a scene."""
    return {**scene._values, **dict.fromkeys(_LAB)}


def _made(values: dict[str, Any], todo: Sequence[Call], every: int) -> None:
    """In the worker: every answer is handed over when it is there."""
    STORE.limit = KEPT
    for i, (text, function, args) in enumerate(todo, every - len(todo)):
        with speaking(values.get("lang", "en")):
            progress(i / every, say("{text}: {done} of {all}", text=text, done=i, all=every))
        part((function, args, *function.made(values, *args)))


def _take_over(scene: Scene, job: Job) -> None:
    """Keep what has arrived; sessions that share a job share what is kept."""
    while job.parts:
        try:
            function, args, names, value = job.parts.pop(0)
        except IndexError:  # another session has just taken it
            return
        if set(names) & set(_BESIDE):
            raise TypeError(f"{function.__name__} reads what sessions do not share: {names}")
        function.take_over(scene, args, names, value)


def show(job: Job, slot: str, what: str, on_stop: Callable[[], None] | None = None) -> None:
    """In a part: how far a job is, its place in the queue, and Stop; a job that failed says why in one sentence."""
    if job.over.is_set():
        if job.sentence:
            st.html(f'<p class="tv-note tv-refused" role="status">{job.sentence}</p>')
        return
    share, text = job.progress
    place = pool().place(job)
    said = (
        say("{what}: number {place} in the queue", what=what, place=place)
        if place
        else f"{what}{': ' + text if text else ''}"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(share, said)
        st.button(say("Stop"), key=f"stop_{slot}", on_click=on_stop or leave, args=() if on_stop else (slot,))
    again()


def file(who: str, make: Callable[[Scene], str | bytes], scene: Scene) -> str | bytes:
    """A file for a session, outside of its runs: made in the pool, where there is a server with others in it.

    Raises
    ------
    ValueError
        One sentence, where there is no file.
    """
    if not _served():
        return make(scene)
    try:
        job = pool().ask(who, "file", object(), _filed, make, _values(scene), lane="quick", budget=NEEDED)
    except Refused as problem:
        raise ValueError(str(problem)) from None
    job.over.wait()
    try:
        if job.state != "done":
            raise ValueError(job.sentence)
        return cast("str | bytes", job.value)
    finally:
        pool().leave(who, "file")


def _filed(make: Callable[[Scene], str | bytes], values: dict[str, Any]) -> str | bytes:
    """In the worker: numbers as programs read them."""
    STORE.limit = KEPT
    with speaking("en"):
        return make(Scene(values))


def wait(what: str, function: Callable[..., Any], *args: Any, budget: Budget | None = None) -> Any:
    """The result of work that a page cannot be drawn without: done in the pool, waited for, and said meanwhile.

    In a callback nothing can be drawn: `what` is "" there.

    Raises
    ------
    ValueError
        One sentence, where there is no result.
    """
    slot = f"{function.__module__}.{function.__qualname__}"
    spoken = current()
    job = ask(slot, (slot, spoken, *args), _said, spoken, function, *args, budget=budget)
    with st.spinner(f"{what} ...") if what else nullcontext():
        job.over.wait()
    try:
        if job.state != "done":
            raise ValueError(job.sentence)
        return job.value
    finally:
        leave(slot)


def _said(spoken: str, function: Callable[..., Any], *args: Any) -> Any:
    """In the worker: what it refuses is said in the language of who asks."""
    with speaking(spoken):
        return function(*args)
