"""Rows of the page Router fan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tropviz.core.training.data import classes
from tropviz.io.read import LayerFile
from tropviz.ui import limits
from tropviz.ui.scene import taught, viewpoint
from tropviz.ui.scene.rows.row import Limits, Row


def _output_limits(values: Mapping[str, Any]) -> Limits:
    """Numbers of the layer's outputs: as many as it has classes, if it was trained."""
    own, router = values.get("own_router"), values.get("router")
    if router == "file" and own is not None and isinstance(own.file, LayerFile) and own.file.V is not None:
        return 0, own.file.V.shape[1] - 1
    if router == "trained":
        return 0, classes(taught.decode(str(values.get("taught", "")))[0].data) - 1
    return 0, 9 if router == "digits" else 0


ROWS: tuple[Row, ...] = (
    Row(
        "dim",
        "d",
        "2",
        "Space",
        "The plane, or three dimensions.",
        choices={"2": "Plane", "3": "Space"},
        pages=("fan", "hypersimplex", "collapse"),
    ),
    Row(
        "cell",
        "cell",
        "",
        "Selected cell",
        "Active set of the selected cell, as 0-3.",
        check=viewpoint.active_set,
        pages=("fan", "hypersimplex"),
    ),
    Row(
        "level",
        "lv",
        0,
        "Walls of every k",
        "Lines of equal scores, to 32 experts: each piece is a wall of the fan of one k. Lights one k; 0: none.",
        lambda v: (0, int(v["n"]) if int(v["n"]) <= limits.EXPERTS_LINES else 0),
    ),
    Row(
        "expert",
        "e",
        -1,
        "Expert's domain",
        "The expert whose domain lights up; -1 for none.",
        lambda v: (-1, int(v["n"]) - 1),
    ),
    Row(
        "elevation",
        "el",
        15.0,
        "Offset elevation (°)",
        "Height of the offset above the plane of x and y, in space.",
        (-90.0, 90.0),
        step=1.0,
        digits=2,
        pages=("fan", "collapse"),
    ),
    Row(
        "shape",
        "sh",
        "sphere",
        "Shown as",
        "Without a bias only the direction of an input matters: the cells are patches of a sphere.",
        choices={"sphere": "Sphere", "box": "Box"},
    ),
    Row("apart", "ap", 0.0, "Move the cells apart", "Every cell moves outward.", (0.0, 1.0), step=0.05),
    Row(
        "peel",
        "pl",
        0.0,
        "Peel away",
        "Takes this share of the cells away, those farthest from the data first.",
        (0.0, 0.95),
        step=0.05,
    ),
    Row(
        "cut",
        "cut",
        False,
        "Cutting plane",
        "Cuts the cells open and shows the exact section beside. The section is a fan of its own: steps take longer.",
    ),
    Row(
        "cut_at",
        "ca",
        0.25,
        "Where it cuts",
        "Distance of the plane from the origin: 1 is the edge of the window, or of the ball.",
        (-1.0, 1.0),
        step=0.05,
    ),
    Row("cut_turn", "ct", -60.0, "Turn of the plane (°)", "", (-180.0, 180.0), step=5.0, digits=2),
    Row("cut_tilt", "ctl", 35.0, "Tilt of the plane (°)", "", (-90.0, 90.0), step=5.0, digits=2),
    Row(
        "hinges",
        "hg",
        True,
        "Hinges",
        "Lines where a neuron of an active expert switches: they cut a cell into linear regions.",
    ),
    Row("axes", "ax", False, "Axes", "Axes with numbers, and a mark at the origin."),
    Row(
        "dense",
        "dn",
        "none",
        "Draw the dense network beside it",
        "The hinges of one dense layer in the same window: of the width that is paid for, or of all that is stored.",
        choices={"none": "No", "active": "Active width kH", "total": "Total width NH"},
    ),
    Row(
        "output",
        "out",
        "none",
        "Draw the output itself",
        "Its values over the window, and by how much it jumps at each wall.",
        choices={
            "none": "No",
            "frozen": "Gates frozen at 1/k",
            "softmax": "Softmax gates",
            "tropical": "Tropical polynomial",
        },
    ),
    Row(
        "nth_output",
        "oi",
        0,
        "Output shown",
        "Of a layer with output weights of its own, such as one output a class.",
        _output_limits,
    ),
    Row(
        "spot",
        "pt",
        "",
        "Point of interest",
        "Where the linear region is looked at, as 0.5_-1.2; on Two layers its routing path, too.",
        check=viewpoint.point,
        pages=("fan", "two_layers"),
    ),
    Row(
        "camera",
        "cam",
        "",
        "Camera",
        "Where the eye stands in space, as 1.15_-1_0.9; three more numbers: what is up; three more: what is looked at.",
        check=viewpoint.camera,
    ),
    Row(
        "zoom",
        "zoom",
        "",
        "Zoom",
        "The part of the plane that is seen: left, right, bottom and top, as -1_1_0_2.",
        check=viewpoint.zoom,
    ),
)
