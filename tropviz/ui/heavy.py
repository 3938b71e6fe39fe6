"""Heavy work of the pages: asked of the pool for this session, shown as it goes on, stopped by a button.

    job = heavy.ask("training", key, function, arguments)
    if job.state != "done":
        heavy.show(job, "training", "Training")   # progress, place in the queue, Stop; the part is drawn again

One function of a module, arguments and result that can be pickled; `tropviz.work` says what the pool promises.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tropviz.ui.scene.part import again
from tropviz.work import Budget, Job, Limits, Pool, Refused

_LOCK = threading.Lock()
_POOLS: list[Pool] = []
#: What a worker imports before its first work.
MODULES = ("tropviz",)


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
        return pool().ask(session(), slot, key, function, *args, lane=lane, budget=budget)
    except Refused as problem:
        raise ValueError(str(problem)) from None


def leave(slot: str) -> None:
    """This session waits for nothing in this slot any more."""
    pool().leave(session(), slot)


def show(job: Job, slot: str, what: str, on_stop: Callable[[], None] | None = None) -> None:
    """In a part: how far a job is, its place in the queue, and Stop; a job that failed says why in one sentence."""
    if job.over.is_set():
        if job.sentence:
            st.html(f'<p class="tv-note tv-refused" role="status">{job.sentence}</p>')
        return
    share, text = job.progress
    place = pool().place(job)
    said = f"{what}: number {place} in the queue" if place else f"{what}{': ' + text if text else ''}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(share, said)
        st.button("Stop", key=f"stop_{slot}", on_click=on_stop or leave, args=() if on_stop else (slot,))
    again()
