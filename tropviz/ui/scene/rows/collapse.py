"""Rows of the page Angular collapse."""

from __future__ import annotations

from tropviz.ui import limits
from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (
    Row(
        "shared",
        "sx",
        False,
        "Shared expert carries the mean",
        "The mean reaches the output without being routed: the router sees x − λμ.",
    ),
    Row("lam", "lam", 1.0, "Strength λ", "1 takes the whole mean away.", (0.0, 1.0), step=0.05),
    Row(
        "frozen",
        "fz",
        -1.0,
        "Remedies made at offset",
        "The offset of the data that all remedies were made for; -1: all of them follow the data.",
        (-1.0, limits.OFFSET_FAR[1]),
    ),
)
