"""Rows of the page Lessons."""

from __future__ import annotations

from tropviz.ui.scene import told
from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (
    Row("lesson", "lesson", 0, "Lesson", "The lesson that is open; 0 for the list.", (0, 99)),
    Row("staged", "ls", 0, "Scene set up", "The lesson whose scene was set up.", (0, 99)),
    Row(
        "told",
        "lp",
        "",
        "Answers",
        "Lessons: what was predicted, by letter, and x where the check was met.",
        check=told.decode,
    ),
)
