"""Links from all over the table of the scene: every property at its ends, at its default, or anywhere between."""

from __future__ import annotations

import random
from urllib.parse import urlencode

from tropviz.ui.scene import ROWS, Scene
from tropviz.ui.shell import PAGES as LISTED

PAGES = tuple(url for _, _, _, url, _ in LISTED)
#: Texts of free properties: good, foreign, and hostile ones.
TEXTS = ("", "0", "0-1", "0-1-2", "7-3", "0.5_-1.2", "1.15_-1_0.9", "-1_1_0_2", "1e400_0", "<b>x</b>", "9" * 300, "é")


def link(seed: int, page: str, ends: float = 0.5, most: int | None = None) -> str:
    """A random query string of a page; `ends`: share of properties at one of their limits; `most`: of the experts."""
    draw = random.Random(f"{page} {seed}")
    values = dict(Scene.default().values)
    out = {"v": "1"}
    for row in ROWS:
        if row.pages and page not in row.pages:
            continue
        if row.choices:
            values[row.name] = draw.choice([c for c in row.choices if c != "file"])
        elif isinstance(row.default, str):
            out[row.key] = draw.choice(TEXTS)  # as somebody may have typed it
            continue
        elif isinstance(row.default, bool):
            values[row.name] = draw.random() < 0.5 and row.name != "embed"
        else:
            span = row.range(values)
            if row.name == "n" and most is not None:
                span = (span[0], max(span[0], min(span[1], most)))
            near = draw.choice([span[0], span[1], row.default]) if draw.random() < ends else draw.uniform(*span)
            values[row.name] = type(row.default)(min(max(near, span[0]), span[1]))
        out[row.key] = row.write(values[row.name])
    return urlencode(out)
