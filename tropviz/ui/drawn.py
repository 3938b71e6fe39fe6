"""Pictures that this server draws when a browser asks for them: presets, and the QR code of a link."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from tropviz.language import say

#: Characters of a link that a QR code still holds in a size one can scan.
LONGEST = 2000
_PRESET = re.compile(r"/presets/(\w{1,40})\.svg$")


def code(text: str) -> str:
    """A QR code as SVG, dark on white with the quiet zone that readers need.

    Raises
    ------
    ValueError
        For nothing, or more than `LONGEST` characters.

    Examples
    --------
    >>> code("tropviz")[:5]
    '<?xml'
    """
    import segno

    if not 0 < len(text) <= LONGEST:
        raise ValueError(
            say("A QR code holds 1 to {longest:,} characters; this text has {text:,}.", longest=LONGEST, text=len(text))
        )
    out = io.BytesIO()
    segno.make(text, error="l", micro=False).save(out, kind="svg", scale=4, border=4, light="#fff")
    return out.getvalue().decode()


class Drawn:
    """ASGI middleware: answers ``.../presets/<name>.svg`` and ``.../qr.svg?text=<link>``, and passes all else on."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer, or pass on."""
        draw = _asked(scope) if scope["type"] == "http" and scope.get("method") == "GET" else None
        if draw is None:
            await self.app(scope, receive, send)
            return
        try:
            body, status, kind = (await asyncio.to_thread(draw)).encode(), 200, b"image/svg+xml"
        except ValueError as problem:
            body, status, kind = str(problem).encode(), 404, b"text/plain; charset=utf-8"
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        headers += [(b"cache-control", b"public, max-age=3600"), (b"x-content-type-options", b"nosniff")]
        headers += [(b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _asked(scope: MutableMapping[str, Any]) -> Callable[[], str] | None:
    """What is to be drawn; None if the request is not for a picture."""
    path = str(scope["path"])
    if found := _PRESET.search(path):
        return lambda: _preset(found[1])
    if path.endswith("/qr.svg"):
        text = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("text", [""])[0]
        return lambda: code(text)
    return None


def _preset(name: str) -> str:
    from tropviz.ui.gallery import picture

    return picture(name)
