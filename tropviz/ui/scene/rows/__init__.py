"""The table of the scene's properties: one typed row each, in the file of its page, put together here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tropviz.ui.scene.rows import (
    about,
    capacity,
    collapse,
    everywhere,
    fan,
    hypersimplex,
    lessons,
    resilience,
    training,
    two_layers,
    your_router,
)
from tropviz.ui.scene.rows.everywhere import CLOUDS, ROUTERS
from tropviz.ui.scene.rows.row import Row, Value

__all__ = ["BESIDE", "BY_NAME", "CLOUDS", "ROUTERS", "ROWS", "Row", "Value"]

#: Pages that have rows of their own, by url name.
_PAGES: Mapping[str, tuple[Row, ...]] = {
    "fan": fan.ROWS,
    "hypersimplex": hypersimplex.ROWS,
    "collapse": collapse.ROWS,
    "capacity": capacity.ROWS,
    "resilience": resilience.ROWS,
    "training": training.ROWS,
    "two_layers": two_layers.ROWS,
    "your_router": your_router.ROWS,
    "lessons": lessons.ROWS,
    "about": about.ROWS,
}
#: Lessons show scenes of these pages, so their links carry what theirs do.
_TAUGHT_FROM = {"fan", "hypersimplex", "collapse"}


def _carried(row: Row, page: str) -> Row:
    """A row of the file of a page, with the pages whose links carry it."""
    pages = row.pages or (page,)
    return replace(row, pages=(*pages, "lessons") if _TAUGHT_FROM & set(pages) else pages)


ROWS: tuple[Row, ...] = (*everywhere.ROWS, *(_carried(row, page) for page, rows in _PAGES.items() for row in rows))
BY_NAME = {row.name: row for row in ROWS}

#: What a scene holds beside the rows, and no link can carry: what this session brought, whether the theme is dark, what
#: a hand holds at the moment (a tuple whose first entry is the key of a canvas), what is seen of the plane where that
#: is not the window (`ui.fan.seen`), whether the browser has no WebGL, and the sentences to show.
BESIDE: Mapping[str, Any] = {
    "own_router": None,
    "own_points": None,
    "own_model": None,
    "own_tokens": None,
    "own_other": None,
    "dark": False,
    "held": (),
    "seen": (),
    "blank": False,
    "notes": (),
    "measure_all": "",
    "measure_none": "",
    "unstacked": "",
    "unbalanced": "",
    "turned_at": -1,
    "look": 0,
    "checks": 0,
}
