"""What every page begins with, before anything of it has run: its look, and what it will need, fetched meanwhile.

Streamlit sends the same small document for every page. Styles that came with the first run would move what is drawn
already, and scripts that are asked for only when the first picture is there make it wait for them.
"""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from streamlit.file_util import get_static_dir

from tropviz.ui.canvas.serve import BUNDLE, SCRIPTS, served

Message = MutableMapping[str, Any]
_HERE = Path(__file__).parent
_STYLE = "".join((_HERE / name).read_text(encoding="utf-8") for name in ("shell.css", "desk.css", "canvas/canvas.css"))
#: A browser's question whether its copy is still the document (there is no copy of this one), and how it may be packed.
_ASKED = frozenset({b"if-none-match", b"if-modified-since", b"accept-encoding"})
_TOLD = frozenset({b"etag", b"last-modified", b"content-length"})
#: Streamlit's elements on a first page, each in files that are otherwise asked for when the element is there.
_ELEMENTS = (
    "BidiComponent",
    "Html",
    "Slider",
    "NumberInput",
    "ButtonGroup",
    "Checkbox",
    "Selectbox",
    "PageLink",
    "FileUploader",
    "Button",
)
_IMPORTED = re.compile(rb'(?:from|import)"\./([\w.-]+\.js)"')
#: The drawing library is read while the rest arrives, not when there is something to draw; see `canvas/js/plotly.js`.
_AHEAD = f'<script async fetchpriority="high" src="./{BUNDLE}" onerror="this.remove()"></script>'
_SCRIPT = re.compile(r"/(scripts/[^/]+/\w[\w.]*\.js)$")


@functools.cache
def document(sent: bytes) -> bytes:
    """Streamlit's document, with links to what a first picture needs, and our look.

    The style stands in the body: of two rules that weigh the same the later one holds, and Streamlit writes its own
    into the head.

    >>> document(b"<head></head><body></body>").endswith(b"</style></body>")
    True
    """
    theirs = Path(get_static_dir(), "static")
    letters = sorted((theirs / "media").glob("SourceSerifVariable-Roman*.woff2"))
    elements = (name for name in _elements(theirs / "js") if name.encode() not in sent)
    wanted = [f'<link rel="preload" as="font" crossorigin href="./static/media/{font.name}">' for font in letters]
    wanted += [f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in elements]
    wanted.append(f'<link rel="modulepreload" href="./{SCRIPTS}">')
    linked = sent.replace(b"<script", f"{_AHEAD}<script".encode(), 1)
    linked = linked.replace(b"</head>", "".join(wanted).encode() + b"</head>", 1)
    return linked.replace(b"<body>", f"<body><style>{_STYLE}</style>".encode(), 1)


def _elements(folder: Path) -> list[str]:
    """Names of the files of Streamlit's elements, and of all that they import."""
    found = [path.name for name in _ELEMENTS for path in sorted(folder.glob(f"{name}.*.js"))]
    for name in found:  # it grows meanwhile
        found += [new for m in _IMPORTED.findall((folder / name).read_bytes()) if (new := m.decode()) not in found]
    return found


class Head:
    """ASGI middleware: completes the document, and answers with the scripts that its links ask for."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        """Answer, or pass on."""
        if scope["type"] != "http" or scope.get("method") != "GET":
            await self.app(scope, receive, send)
        elif (found := _SCRIPT.search(scope["path"])) and found[1] in served():
            await _script(found[1], _packs(scope), send)
        elif b"text/html" in dict(scope["headers"]).get(b"accept", b""):
            await self._document(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _document(self, scope: Message, receive: Any, send: Any) -> None:
        start: Message = {}
        body = b""

        async def said(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            headers = [(name, value) for name, value in start["headers"] if name.lower() not in _TOLD]
            if start["status"] == 200 and dict(headers).get(b"content-type", b"").startswith(b"text/html"):
                body = document(body)
                if _packs(scope):
                    body = _pack(body)
                    headers.append((b"content-encoding", b"gzip"))
            await send({**start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
            await send({"type": "http.response.body", "body": body})

        asked = [(name, value) for name, value in scope["headers"] if name not in _ASKED]
        await self.app({**scope, "headers": asked}, receive, said)


def _packs(scope: Message) -> bool:
    return b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")


@functools.cache
def _pack(body: bytes) -> bytes:
    """Packed once: Streamlit would do it anew for every visit, 5 MB of drawing library included."""
    return gzip.compress(body, 6)


def prepare() -> None:
    """Read and pack every script, which takes half a second, before the first browser asks."""
    for body in served().values():
        _pack(body)


async def _script(address: str, packs: bool, send: Any) -> None:
    """Answer with a script, which the browser may keep for good: its address names its version."""
    body = _pack(served()[address]) if packs else served()[address]
    headers = {
        b"content-type": b"text/javascript; charset=utf-8",
        b"content-length": str(len(body)).encode(),
        b"cache-control": b"public, max-age=31536000, immutable",
        b"vary": b"accept-encoding",
        b"x-content-type-options": b"nosniff",
    }
    if packs:
        headers[b"content-encoding"] = b"gzip"
    await send({"type": "http.response.start", "status": 200, "headers": list(headers.items())})
    await send({"type": "http.response.body", "body": body})
