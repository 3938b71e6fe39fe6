"""Rows of the page Resilience."""

from __future__ import annotations

from tropviz.ui.scene.rows.row import Row

ROWS: tuple[Row, ...] = (
    Row(
        "manifold",
        "mf",
        "trigonometric",
        "Curved data",
        "The data manifold that is compared with a flat one.",
        choices={
            "trigonometric": "Trigonometric map",
            "circle": "Circle",
            "sphere": "Sphere",
            "moment curve": "Moment curve",
            "swiss roll": "Swiss roll",
        },
    ),
    Row("manifold_dim", "me", 2, "Its dimension", "Intrinsic dimension of the data.", (1, 3)),
    Row(
        "sheet",
        "st",
        "torus",
        "Sheet in space",
        "A curved surface through the cells of the router in space.",
        choices={"swiss roll": "Swiss roll", "torus": "Torus", "sphere": "Sphere"},
    ),
    Row(
        "degree",
        "deg",
        3,
        "Degree",
        "Highest frequency of the map, or degree of the moment curve: more is more curved.",
        (1, 8),
    ),
)
