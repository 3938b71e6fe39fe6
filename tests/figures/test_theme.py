"""The colours of a theme stand in one module; the page's own settings agree with it."""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from pathlib import Path

from tropviz.figures.theme import DARK, LIGHT

ROOT = Path(__file__).resolve().parents[2]
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|rgba\((?!0,0,0,0\))\d")  # what is transparent has no theme


def test_no_other_python_file_holds_a_colour():
    found = []
    for path in (*(ROOT / "tropviz").rglob("*.py"), *(ROOT / "pages").rglob("*.py")):
        if path.name == "theme.py":
            continue
        tokens = list(tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline))
        for token in tokens:
            docs = token.string.lstrip("rf").startswith('"""')
            if token.type == tokenize.STRING and not docs and COLOUR.search(token.string):
                found.append((path.name, token.start[0], token.string))
    assert found == []


def test_the_pages_settings_are_the_same_colours():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    for page, look in ((config["light"], LIGHT), (config["dark"], DARK)):
        assert (page["backgroundColor"], page["textColor"]) == (look.background, look.text)
        assert page["primaryColor"] == look.plain
