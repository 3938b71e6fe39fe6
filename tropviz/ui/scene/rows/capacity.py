"""Rows of the page Capacity."""

from __future__ import annotations

from tropviz.core.presets import MAX_DIMENSION
from tropviz.ui import limits
from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (
    Row(
        "slice",
        "sl",
        2,
        "Slice dimension d",
        "Dimension of the flat slice that is looked at, or of the data in its space.",
        limits.SLICE,
    ),
    Row(
        "space",
        "din",
        64,
        "Input dimension",
        "Dimension of the whole input space, for the ambient form of the bounds.",
        (1, MAX_DIMENSION),
    ),
    Row("pieces", "m", 2, "Granularity m", "Pieces that every expert is cut into; they must be equal.", limits.WIDTH),
)
