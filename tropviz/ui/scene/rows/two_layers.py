"""Rows of the page Two layers."""

from __future__ import annotations

from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (Row("layers", "ly", 2, "Layers", "Layers on top of one another.", (1, 3)),)
