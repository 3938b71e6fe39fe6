"""The scripts of the canvas and the drawing library: where this server has them. Nothing comes from another host."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path

import plotly

_JS_FOLDER = Path(__file__).parent / "js"
_FILES = sorted(_JS_FOLDER.glob("*.js"))
#: A short hash of the scripts stands in their addresses, so that a browser keeps them and never mixes two versions.
_JS = f"scripts/{hashlib.sha256(b''.join(p.read_bytes() for p in _FILES)).hexdigest()[:10]}"
#: Address of plotly.js, relative to the page's base address.
BUNDLE = f"scripts/{plotly.__version__}/plotly.min.js"


@functools.cache
def served() -> dict[str, Path]:
    """Address (relative to the page's base address): file, of all that a page fetches; the drawing library first."""
    library = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return {BUNDLE: library} | {address_of(path.name): path for path in _FILES}


def address_of(name: str) -> str:
    """Address of a module of `canvas/js`, relative to the page's base address."""
    return f"{_JS}/{name}"


def script(name: str, *arguments: str) -> str:
    """The few bytes of inline script that fetch a module of `canvas/js` from this server and hand events to it."""
    extra = "".join(f", {json.dumps(a)}" for a in arguments)
    return (
        f'const m = await import(new URL("{address_of(name)}", document.baseURI).href);\n'
        f"export default (c) => m.default(c{extra});"
    )
