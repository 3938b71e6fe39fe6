"""The scripts of the canvas and the drawing library: where this server has them. Nothing comes from another host."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from pathlib import Path

import plotly

from tropviz.ui.canvas.joined import joined

_FOLDER = Path(__file__).parent / "js"
_SCRIPTS = joined({path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.js"))}).encode()
#: Address of all scripts of `canvas/js`, relative to the page's base address. A short hash of them stands in it, so
#: that a browser keeps them and never mixes two versions.
SCRIPTS = f"scripts/{hashlib.sha256(_SCRIPTS).hexdigest()[:10]}/tropviz.js"
#: Address of plotly.js.
BUNDLE = f"scripts/{plotly.__version__}/plotly.min.js"
#: What stands around plotly.js for other ways to load it: a function that holds all of it, so that a browser reads 5 MB
#: once to find the function's end, and once more to run it. Taken off, a third of the library's start is saved.
_AROUND = re.compile(
    rb"^\(\s*function\(root, factory\) \{[^{}]*\{[^{}]*\}[^{}]*\{[^{}]*\}\s*\} \([^\n]*, \(\) => \{\n"
    rb"(.*)\nreturn Plotly;\n\}\)\);\s*\Z",
    re.M | re.S,
)


@functools.cache
def served() -> dict[str, bytes]:
    """What a page fetches, by its address (relative to the page's base address)."""
    library = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return {BUNDLE: _AROUND.sub(rb"\1", library.read_bytes()), SCRIPTS: _SCRIPTS}


def script(name: str, *arguments: str) -> str:
    """The few bytes of inline script that hand events to a module of `canvas/js`, which this server has."""
    extra = "".join(f", {json.dumps(a)}" for a in arguments)
    return (
        f'const {{ modules }} = await import(new URL("{SCRIPTS}", document.baseURI).href);\n'
        f"export default (c) => modules.{name}.default(c{extra});"
    )
