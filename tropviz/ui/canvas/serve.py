"""The scripts of the canvas and the drawing library, served by this server: nothing comes from another host."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import plotly
import streamlit.components.v1 as v1

_JS_FOLDER = Path(__file__).parent / "js"


def _served(name: str, folder: Path) -> str:
    """Address of a folder that this server serves, relative to the page's base address."""
    return f"component/{v1.declare_component(name, path=str(folder)).name}"


def _stamp(folder: Path) -> str:
    """A short hash of the scripts of a folder, so that a browser never mixes two versions."""
    return hashlib.sha256(b"".join(p.read_bytes() for p in sorted(folder.glob("*.js")))).hexdigest()[:10]


#: Address of plotly.js.
BUNDLE = _served("plotlyjs", Path(plotly.__file__).parent / "package_data") + f"/plotly.min.js?v={plotly.__version__}"
_JS = _served("js_" + _stamp(_JS_FOLDER), _JS_FOLDER)


def script(name: str, *arguments: str) -> str:
    """The few bytes of inline script that fetch a module of `canvas/js` from this server and hand events to it."""
    extra = "".join(f", {json.dumps(a)}" for a in arguments)
    return (
        f'const m = await import(new URL("{_JS}/{name}", document.baseURI).href);\n'
        f"export default (c) => m.default(c{extra});"
    )
