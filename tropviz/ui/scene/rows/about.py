"""Rows of the page About."""

from __future__ import annotations

from tropviz.ui.scene import viewpoint
from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (
    Row(
        "word",
        "word",
        "",
        "Word",
        "Glossary: the word that is shown first, as hypersimplex or linear-region.",
        check=viewpoint.word,
    ),
)
