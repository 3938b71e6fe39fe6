"""Which controls stay in sight where the sidebar is not: on a slide, and in a presentation."""

from __future__ import annotations

from tropviz.ui.scene.rows import ROWS
from tropviz.ui.scene.table import Scene
from tropviz.ui.scene.viewpoint import stays

#: Of every page the switch or slider that is its punch line, for presentations whose link names none.
PUNCH = {
    "fan": ("offset",),
    "hypersimplex": ("k",),
    "collapse": ("offset", "shared"),
    "training": ("balance",),
    "capacity": ("slice",),
    "resilience": ("degree",),
    "two_layers": ("layers",),
}


def staying(scene: Scene, page: str) -> tuple[str, ...]:
    """Names of the properties whose controls stay: those the link names, else the punch line of the page.

    >>> staying(Scene.default(), "collapse")
    ('offset', 'shared')
    >>> staying(Scene.default().replace(shown="n-sx")[0], "collapse")
    ('n', 'shared')
    """
    if not scene.shown:
        return () if scene.embed else PUNCH.get(page, ())
    asked = set(stays(scene.shown))
    return tuple(row.name for row in ROWS if row.key in asked)
