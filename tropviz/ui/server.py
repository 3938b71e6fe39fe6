"""The server around the pages: set up once, before its first request.

`app.py` is run in two ways. Started by Streamlit it is imported once and makes the server (``st.App``) with what is
here; then it is the script that draws each page. Without this, code of ours would first run with the first visit.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import json
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

import streamlit as st
from streamlit import config, net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tropviz.ui import latency, tally
from tropviz.ui.door import Door
from tropviz.ui.drawn import Drawn
from tropviz.ui.head import Head, prepare

Message = MutableMapping[str, Any]
_LOG = logging.getLogger("tropviz")
_EVENTS = logging.getLogger("tropviz.events")
#: Messages beyond this are pictures and carry no word of the session: they are not parsed.
_SMALL = 20_000
#: What a person reads where the page has failed.
SORRY = "Something went wrong on this page, and the fault is ours. Change a control, or reload the page."
#: Seconds between two looks for sessions that are over. Each look that finds one collects garbage, for about a tenth of
#: a second in which nobody is answered.
LOOK = 20.0


def stay_inside() -> None:
    """Never ask another host for this one's address.

    Streamlit compares the origin of a websocket from elsewhere with the server's own external address, which it asks
    of a host on the internet while everybody waits (``streamlit.net_util.get_external_ip``, 1.67). No setting turns
    this off. Without an answer the origin is refused, as it should be: other origins are listed in
    ``server.corsAllowedOrigins``.

    Examples
    --------
    >>> stay_inside()
    >>> net_util.get_external_ip() is None
    True
    """
    net_util.get_external_ip = lambda: None


def middleware() -> list[Any]:
    """What stands around every request (class, arguments); the log only with TROPVIZ_LOG=1."""
    stay_inside()
    if os.environ.get("TROPVIZ_LOG", "0") != "1":
        return [(FirstPage, (), {}), (Door, (), {}), (Drawn, (), {}), (Head, (), {})]
    if not _EVENTS.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        _EVENTS.addHandler(handler)
        _EVENTS.setLevel(logging.INFO)
        _EVENTS.propagate = False
    return [(FirstPage, (), {}), (EventLog, (), {}), (Door, (), {}), (Drawn, (), {}), (Head, (), {})]


class FirstPage:
    """ASGI middleware: the page at the app's own address answers at its name too.

    Streamlit gives the first page no name in an address, and says "Page not found" at ``/fan``.
    """

    NAME = "fan"

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Lead from the page's name to the app's own address, with the scene; pass everything else on."""
        path = scope.get("path", "")
        if scope["type"] != "http" or path.rstrip("/").rpartition("/")[2] != self.NAME:
            await self.app(scope, receive, send)
            return
        query = scope.get("query_string", b"")
        to = (b"../" if path.endswith("/") else b"./") + (b"?" + query if query else b"")
        await send({"type": "http.response.start", "status": 307, "headers": [(b"location", to)]})
        await send({"type": "http.response.body", "body": b""})


@contextlib.asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """While the server runs: torch is imported ahead of its use, and closed sessions are forgotten in time."""
    latency.warm()
    await asyncio.to_thread(prepare)
    task = asyncio.create_task(_forget_for_ever(app))
    try:
        yield
    finally:
        task.cancel()


async def _forget_for_ever(app: st.App) -> None:
    pause, stored = min(LOOK, max(1.0, float(config.get_option("server.disconnectedSessionTTL")))), set[str]()
    while True:
        await asyncio.sleep(pause)
        manager: Any = getattr(app._runtime, "_session_mgr", None)
        if manager is not None and (gone := forget(manager._session_storage._cache, stored)):
            write(event="forgotten", sessions=gone)


def forget(closed: Any, stored: set[str]) -> int:
    """Let go of the closed sessions whose time to come back is over; returns how many have gone since the last look.

    Parameters
    ----------
    closed : streamlit.runtime.caching.ttl_cache.TTLCache
        Where Streamlit keeps sessions whose line broke. By itself it lets an old one go when the next is added, so that
        the last visitor of the day would stay until tomorrow; and on a busy day each new one lets old ones go, which
        nobody notices.
    stored : set of str
        Ids that were there at the last look; changed to those that are there now.
    """
    before = dict(closed._data)
    closed.expire()
    for name in before.keys() - closed._data.keys():
        _end(before.pop(name).session)
        stored.add(name)
    before.clear()
    gone = len(stored - closed._data.keys())
    stored.clear()
    stored.update(closed._data)
    if gone:
        gc.collect()  # a session is a cycle, and nobody else collects in time (runner.postScriptGC is off)
        with contextlib.suppress(OSError, AttributeError):  # what is free goes back to the system (glibc)
            ctypes.CDLL(None).malloc_trim(0)
    return gone


def _end(session: Any) -> None:
    """Streamlit's loop holds the session it served last until it serves another; what it kept goes all the same."""
    session.shutdown()
    session._session_state = type(session._session_state)()  # clearing it keeps the widgets' callbacks


def failed(problem: Exception) -> bool:
    """An uncaught exception of a page: its traceback for the log, one sentence for the person."""
    _LOG.error("a page failed", exc_info=problem)
    st.html(f'<p class="tv-note tv-refused" role="status">{SORRY}</p>')
    return True


class EventLog:
    """ASGI middleware: one JSON line for each event of a page, without anything that a person brought.

    ``{"event": "run", "page": "fan", "ms": 41, "bytes": 23810, "cells": 12}``: which page, from the browser's message
    to the end of the answer, how much was sent, how many cells were on screen. ``"open"`` and ``"close"`` of a session,
    and ``"refused"`` (a foreign origin), carry the number of sessions.
    """

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app, self.open = app, 0

    async def __call__(self, scope: Message, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Pass everything on, and note what passes."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        line = _Line()

        async def heard() -> Message:
            message = await receive()
            line.ask(message.get("bytes") or b"")
            return message

        async def said(message: Message) -> None:
            if message["type"] == "websocket.accept":
                line.opened = True
                self.open += 1
                write(event="open", sessions=self.open)
            line.answer(message.get("bytes") or b"")
            await send(message)

        try:
            await self.app(scope, heard, said)
        finally:
            tally.forget(line.session)
            if line.opened:
                self.open -= 1
            write(event="close" if line.opened else "refused", sessions=self.open)


class _Line:
    """What passes on one connection: the event that is being answered."""

    def __init__(self) -> None:
        self.opened, self.start, self.bytes = False, 0.0, 0
        self.page, self.session, self.pages = "", "", dict[str, str]()

    def ask(self, data: bytes) -> None:
        """A message of the browser; only which page it is about is read."""
        if not data or len(data) > 10 * _SMALL:
            return
        with contextlib.suppress(Exception):  # no message: Streamlit ends the connection
            if BackMsg.FromString(data).WhichOneof("type") == "rerun_script":
                self.start, self.bytes = time.perf_counter(), 0

    def answer(self, data: bytes) -> None:
        """A message of the server."""
        self.bytes += len(data)
        if not data or len(data) > _SMALL:
            return
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.pages = {page.page_script_hash: page.url_pathname or "fan" for page in message.navigation.app_pages}
            self.page = self.pages.get(message.navigation.page_script_hash, self.page)
        elif kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
            self.page = self.pages.get(message.new_session.page_script_hash, self.page)
        elif kind == "script_finished" and self.start:
            cells = tally.noted(self.session)
            ms = round(1000 * (time.perf_counter() - self.start))
            known = {} if cells is None else {"cells": cells}
            write(event="run", page=self.page, ms=ms, bytes=self.bytes, **known)
            self.start = 0.0


def write(**values: Any) -> None:
    """One line of the log."""
    _EVENTS.info(json.dumps(values))
