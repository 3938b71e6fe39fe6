"""The scene: everything that defines what is on screen, its table, its link, and what follows from it."""

from tropviz.ui.scene.rows import BY_NAME, ROWS, Row, Value
from tropviz.ui.scene.table import (
    VERSION,
    Refusal,
    Scene,
    notes,
    parse_link,
    read_scene,
    rerun,
    say,
    table,
    update,
)

__all__ = [
    "BY_NAME",
    "ROWS",
    "VERSION",
    "Refusal",
    "Row",
    "Scene",
    "Value",
    "notes",
    "parse_link",
    "read_scene",
    "rerun",
    "say",
    "table",
    "update",
]
