"""Rows of the page Hypersimplex."""

from __future__ import annotations

from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (
    Row(
        "hview",
        "hv",
        "whole",
        "Show",
        "For N up to 5: the polytope itself, or the shadow this router casts of it.",
        choices={"whole": "The polytope", "shadow": "Its shadow"},
    ),
    Row(
        "tau",
        "tau",
        0.0,
        "Temperature τ",
        "Softens the maximum: every choice counts a little. 0 is the router itself.",
        (0.0, 10.0),
        step=0.02,
        usual=(0.0, 2.0),
    ),
)
