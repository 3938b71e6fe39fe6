"""Rows of the page Your router."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tropviz.ui.scene import viewpoint
from tropviz.ui.scene.rows.row import Row


def _another_model() -> Mapping[str, Any]:
    return {**FRESH, "lab_file": "", "own_model": None, "own_tokens": None, "own_other": None}


ROWS: tuple[Row, ...] = (
    Row(
        "lab_file",
        "yf",
        "",
        "File of the router",
        "The name of the file that this link needs, and eight characters that tell it from another of its name.",
        check=viewpoint.file_mark,
    ),
    Row(
        "lab_stored",
        "ys",
        "",
        "On this server",
        "A capture or a checkpoint in the folder that the server was started with.",
        check=viewpoint.file_mark,
        brings=lambda _: _another_model(),
    ),
    Row("lab_tensor", "yw", "", "Tensor", "Which tensor is the router."),
    Row("lab_rule", "yr", "", "Rule", "A model type whose rule is used, or plain."),
    Row("lab_k", "yk", 0, "Active experts", "Of a file that does not say; 0: as it says.", (0, 256)),
    Row("lab_layer", "yl", 0, "Router", "Which of the model's routers, in its order.", (0, 9999)),
    Row(
        "lab_slice",
        "yp",
        "principal",
        "Plane through",
        "What the picture is laid through, in the directions that the router can tell apart.",
        choices={
            "principal": "Principal directions",
            "mean": "Mean and residual",
            "experts": "Difference of two experts",
            "tokens": "Three tokens",
        },
    ),
    Row("lab_experts", "ye", "0-1", "Two experts", "As 3-17.", check=viewpoint.pair),
    Row(
        "lab_tokens",
        "yt",
        "0-1-2",
        "Three tokens",
        "As 0-5-9, in the order of the picture.",
        check=viewpoint.triple,
    ),
    Row("lab_token", "ym", -1, "Marked token", "-1 for none.", (-1, 1_000_000)),
)
#: What is said of one model, as it is of another, which has other layers, experts and tokens.
FRESH: Mapping[str, Any] = {row.name: row.default for row in ROWS if row.name not in ("lab_file", "lab_stored")}
