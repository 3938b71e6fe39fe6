"""The scene: everything that defines what is on screen, its table, its link, and what follows from it."""

from tropviz.ui.scene.derived import derived
from tropviz.ui.scene.link import parse_link, table
from tropviz.ui.scene.own import Points, Upload, admitted
from tropviz.ui.scene.rows import BY_NAME, ROWS, Row, Value
from tropviz.ui.scene.table import VERSION, Refusal, Scene

__all__ = [
    "BY_NAME",
    "ROWS",
    "VERSION",
    "Points",
    "Refusal",
    "Row",
    "Scene",
    "Upload",
    "Value",
    "admitted",
    "derived",
    "parse_link",
    "table",
]
