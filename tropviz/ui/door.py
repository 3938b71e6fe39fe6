"""Who and what comes in: so many visitors, so much that they bring, and only what the pages ask of a browser.

Streamlit bounds one file and one message, and neither how many there are: forty files in one session would fill the
server's memory, and so would a thousand sessions. Here what nobody can need is refused before it is read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import exists, get_instance

from tropviz.work.setting import whole

Message = MutableMapping[str, Any]
App = Callable[..., Awaitable[None]]
MB = 1_000_000
#: Of one session: bytes of files that wait to be read or lie in its lists, and how many they may be.
PERSON, FILES = 160 * MB, 40
#: Bytes of files on their way in, of all sessions: they lie in /tmp; and seconds that one may take.
ARRIVING, ARRIVAL = 200 * MB, 300.0
#: Questions of one browser that wait for their answers: a click on a download is one.
QUESTIONS = 4
#: Seconds for which a browser that does not read its answers is not listened to.
DEAF = 30.0
#: What pages never ask: the repository, an empty cache, another mode of the server.
UNASKED = frozenset({"load_git_info", "clear_cache", "set_run_on_save"})
UNANSWERED = frozenset({"install_skills", "dismiss_skills_nudge"})
#: What the app hears of a browser whose file is refused.
GONE: Message = {"type": "http.disconnect"}


class Door:
    """ASGI middleware: refuses the visitor too many, the file too many, and messages that no page sends."""

    def __init__(self, app: App) -> None:
        self.app, self.open, self.arriving = app, 0, 0
        self.most, self.files = whole("TROPVIZ_SESSIONS", 200), whole("TROPVIZ_UPLOADS_MB", 600) * MB

    async def __call__(self, scope: Message, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Let in, or refuse."""
        if scope["type"] == "websocket":
            await self._visit(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "PUT" and "/_stcore/upload_file/" in scope["path"]:
            await self._upload(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    # --- visitors ---

    async def _visit(self, scope: Message, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if self.open >= self.most:
            await receive()  # its wish to connect
            await send({"type": "websocket.close", "code": 1013, "reason": "too many visitors"})
            return
        self.open += 1
        line = Line(receive, send)
        try:
            await self.app(scope, line.heard, line.said)
        finally:
            self.open -= 1

    # --- files ---

    async def _upload(self, scope: Message, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        session = scope["path"].split("/")[-2]
        here, until, refused = 0, asyncio.get_running_loop().time() + ARRIVAL, ""

        async def heard() -> Message:
            nonlocal here, refused
            left = until - asyncio.get_running_loop().time()
            try:
                message: Message = await asyncio.wait_for(receive(), max(left, 0.001))
            except TimeoutError:
                refused = "This file took too long to arrive."
                return GONE
            size = len(message.get("body", b""))
            here += size
            self.arriving += size
            refused = self._too_much(session, here)
            return GONE if refused else message

        async def said(message: Message) -> None:
            if not refused:
                await send(message)

        try:
            await self.app(scope, heard, said)
        except Exception:  # what comes of the browser being gone, as far as the app knows
            if not refused:
                raise
        finally:
            self.arriving -= here
        if refused:
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 413, "headers": headers})
            await send({"type": "http.response.body", "body": refused.encode()})

    def _too_much(self, session: str, here: int) -> str:
        """Why a file of so many bytes so far is refused; empty if it is not."""
        storage = getattr(get_instance().uploaded_file_mgr, "file_storage", {}) if exists() else {}
        mine = storage.get(session, {})
        if len(mine) >= FILES or here + _bytes(mine) > PERSON:
            return "This session has brought as many files as it may: reload the page."
        if self.arriving > ARRIVING or self.arriving + sum(map(_bytes, list(storage.values()))) > self.files:
            return "This server holds as many files as it may: try again in some minutes."
        return ""


def _bytes(files: Mapping[str, Any]) -> int:
    return sum(len(file.data) for file in list(files.values()))


class Line:
    """One browser's connection."""

    def __init__(self, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        self.receive, self.send = receive, send
        self.questions = 0
        self.read = asyncio.Event()  # the browser has read all that was sent
        self.read.set()

    async def heard(self) -> Message:
        """The next message that a page may send. A browser that does not read is not listened to: else its answers
        would pile up here."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.read.wait(), DEAF)
            message: Message = await self.receive()
            data = message.get("bytes")
            if not data or self._wanted(data):
                return message

    def _wanted(self, data: bytes) -> bool:
        try:
            message = BackMsg.FromString(data)
        except Exception:  # no message: Streamlit ends the connection
            return True
        kind = message.WhichOneof("type")
        if kind != "backend_operation_request":
            return kind not in UNASKED
        if self.questions >= QUESTIONS or message.backend_operation_request.WhichOneof("payload") in UNANSWERED:
            return False
        self.questions += 1
        return True

    async def said(self, message: Message) -> None:
        """A message for the browser."""
        if self.questions and (data := message.get("bytes")):
            self.questions -= ForwardMsg.FromString(data).WhichOneof("type") == "backend_operation_response"
        self.read.clear()
        try:
            await self.send(message)
        finally:
            self.read.set()
