"""Rows of every page: the router and its size, the data, the seed, the window, the language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tropviz.io.read import LayerFile
from tropviz.io.text import shown
from tropviz.language import LANGUAGES, say
from tropviz.ui import limits
from tropviz.ui.scene import taught, viewpoint
from tropviz.ui.scene.rows.row import Limits, Row, Value

ROUTERS = {
    "affine": "Random, with a bias",
    "linear": "Random, no bias",
    "polygon": "Regular polygon",
    "moment": "Moment curve",
    "designed": "Designed for many regions",
    "digits": "Trained on digits",
    "trained": "From the Training page",
    "file": "Your own file",
}
CLOUDS = {
    "gaussian": "Gaussian",
    "ball": "Uniform ball",
    "mixture": "Mixture of clusters",
    "anisotropic": "Stretched Gaussian",
    "opposed": "Two opposed clouds",
}

#: Sizes (N, H) of the routers that come with a size of their own.
TRAINED = {"digits": (8, 6)}


def _fixed(values: Mapping[str, Any]) -> tuple[int | None, int | None]:
    own = values.get("own_router")
    if values.get("router") == "file" and own is not None:
        return len(own.file.W), own.file.U.shape[1] if isinstance(own.file, LayerFile) else None
    if values.get("router") == "trained":
        recipe = taught.decode(str(values.get("taught", "")))[0]
        return recipe.N, recipe.H
    return TRAINED.get(str(values.get("router")), (None, None))


def _another_router(router: Value) -> Mapping[str, Value]:
    """Another router has other cells; data that comes with it lies where it lies."""
    cells: dict[str, Value] = {"cell": "", "expert": -1, "router_file": ""}
    return {**cells, "offset": 0.0} if router in {"digits", "trained"} else cells


def _file_name(text: str) -> None:
    if shown(text) != text:
        raise ValueError(say("must be the name of a file, on one line and of at most 40 characters"))


def _expert_limits(values: Mapping[str, Any]) -> Limits:
    own = _fixed(values)[0]
    return (own, own) if own else limits.EXPERTS


def _width_limits(values: Mapping[str, Any]) -> Limits:
    own = _fixed(values)[1]
    return (own, own) if own else limits.WIDTH


ROWS: tuple[Row, ...] = (
    Row(
        "taught",
        "tq",
        "",
        "Trained router",
        "The recipe of a router from the Training page, and the step at which it was taken: it is trained again.",
        check=taught.decode,
    ),
    Row("router", "r", "affine", "Router", "Where the weights come from.", choices=ROUTERS, brings=_another_router),
    Row(
        "construction",
        "dz",
        "seen",
        "Designed layer",
        "In the plane, for some shapes, a layout with more regions is known, but its hinges are too close to be seen.",
        choices={"seen": "To be seen", "most": "Most regions"},
    ),
    Row(
        "router_file",
        "rf",
        "",
        "File of the router",
        "Name of the uploaded file that a link of a router of one's own needs; it is dropped again where it is opened.",
        check=_file_name,
    ),
    Row(
        "points_file",
        "pf",
        "",
        "File of the data points",
        "The same for one's own data points.",
        check=_file_name,
    ),
    Row(
        "n",
        "n",
        8,
        "Experts N",
        "How many experts the router can choose from. The field beside it takes every number.",
        _expert_limits,
        scale=limits.EXPERT_SCALE,
    ),
    Row(
        "k",
        "k",
        2,
        "Active experts k",
        "How many experts every input is sent to.",
        lambda v: limits.active_experts(int(v["n"])),
    ),
    Row("h", "h", 4, "Expert width H", "Hidden units of one expert: hinges, and the promised regions.", _width_limits),
    Row(
        "offset",
        "off",
        0.9,
        "Data offset",
        "How far the data's mean is from the origin.",
        limits.OFFSET_FAR,
        step=0.05,
        usual=limits.OFFSET,
        significant=3,
    ),
    Row("direction", "dir", 50.0, "Offset direction (°)", "Angle of the offset.", (-180.0, 180.0), step=1.0, digits=2),
    Row("spread", "sp", 0.65, "Data spread", "Standard deviation of the data cloud.", limits.SPREAD, step=0.05),
    Row("points", "pts", 600, "Data points", "Size of the sample.", limits.POINTS, step=50),
    Row("cloud", "cl", "gaussian", "Data shape", "Form of the data cloud.", choices=CLOUDS),
    Row("seed", "seed", 286, "Seed", "Every random number on screen comes from it.", limits.SEED, step=1),
    Row("window", "win", 3.0, "Window", "The picture shows the square [-a, a]².", limits.WINDOW, step=0.5),
    Row("embed", "slide", False, "Slide mode", "Picture and counts only, for slides."),
    Row(
        "shown",
        "show",
        "",
        "Controls that stay",
        "On a slide and in a presentation: their short names in a link, as n-off.",
        check=viewpoint.stays,
    ),
    Row("lang", "lang", "en", "Language", "In which the pages are written.", choices=LANGUAGES),
)
