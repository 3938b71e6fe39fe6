"""The table of the scene's properties: one typed row each, with its limits, its words and its place in a link."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tropviz.core.presets import MAX_DIMENSION
from tropviz.core.training.data import classes
from tropviz.io.read import LayerFile
from tropviz.io.text import number as number_in
from tropviz.io.text import quoted, shown
from tropviz.language import LANGUAGES, say
from tropviz.ui import limits
from tropviz.ui.scene import taught, told, viewpoint

Value = int | float | str | bool
Limits = tuple[float, float]


@dataclass(frozen=True)
class Row:
    """One property of the scene.

    Parameters
    ----------
    name : str
        Its name in Python, `scene.<name>`.
    key : str
        Its short name in a link.
    default : int, float, str or bool
        The default; its type is the property's type.
    limits : (low, high) or callable of the scene so far, optional
        For numbers. A callable sees the rows above this one.
    choices : dict, optional
        Allowed texts and what people read instead.
    label, help : str
        For widgets and documentation.
    step : float, optional
        Step of a slider.
    usual : (low, high), optional
        What a slider offers where the limits are wider; it grows to hold a value beyond.
    scale : tuple of int, optional
        The steps of its slider where equal ones would not suit, such as 2 to 256; a field beside it takes every number.
    pages : tuple of str, optional
        Url names of the pages whose links carry it; empty: all pages.
    digits : int
        Decimals a float keeps in a link.
    significant : int
        Significant digits it keeps in any case: data may be small.
    free : bool
        A text property without a list of choices.
    check : callable, optional
        Called with a text of a free property that comes from a link; ValueError if it is none.
    brings : callable, optional
        Called with a value a person chose: what else changes with it.
    """

    name: str
    key: str
    default: Value
    label: str
    help: str = ""
    limits: Limits | Callable[[Mapping[str, Any]], Limits] | None = None
    choices: Mapping[str, str] | None = None
    step: float | None = None
    usual: Limits | None = None
    scale: tuple[int, ...] = ()
    pages: tuple[str, ...] = ()
    digits: int = 3
    significant: int = 0
    free: bool = False
    check: Callable[[str], object] | None = None
    brings: Callable[[Value], Mapping[str, Any]] | None = None

    @property
    def named(self) -> str:
        """Its label, and its name in a link where the label does not end with that."""
        label = say(self.label)
        return label if self.label.endswith(f" {self.key}") else f"{label} ({self.key})"

    def range(self, values: Mapping[str, Any]) -> Limits | None:
        """Lowest and highest allowed value, given the rows above."""
        return self.limits(values) if callable(self.limits) else self.limits

    def parse(self, text: str) -> Value:
        """A text from a link as this row's type; ValueError in one sentence."""
        kind = type(self.default)
        if kind is bool:
            if text not in {"0", "1"}:
                raise ValueError(say("{key}={quoted} must be 0 or 1", key=self.key, quoted=quoted(text)))
            return text == "1"
        if kind is str:
            try:
                if self.check and text:
                    self.check(text)
            except ValueError as problem:
                raise ValueError(f"{self.key}={quoted(text)} {problem}") from None
            return text
        try:
            number = number_in(text) + 0.0  # a minus before a zero is no other value
        except ValueError:
            raise ValueError(say("{key}={quoted} is not a number", key=self.key, quoted=quoted(text))) from None
        if not math.isfinite(number):
            raise ValueError(say("{key}={quoted} is not a finite number", key=self.key, quoted=quoted(text)))
        if kind is int:
            if number != int(number):
                raise ValueError(say("{key}={quoted} is not a whole number", key=self.key, quoted=quoted(text)))
            return int(number)
        return number

    def write(self, value: Value) -> str:
        """The value as it stands in a link.

        >>> Row("x", "x", 1.0, "x").write(0.1000001), Row("f", "f", False, "f").write(True)
        ('0.1', '1')
        """
        if isinstance(self.default, bool):
            return "1" if value else "0"
        if isinstance(self.default, float):
            return f"{self.rounded(float(value)):.10g}" if abs(float(value)) < 1e5 else repr(float(value))
        return str(value)

    def rounded(self, value: float) -> float:
        """The value with the decimals a link keeps.

        >>> Row("x", "x", 1.0, "x", significant=3).rounded(0.000123456)
        0.000123
        """
        least = self.significant - 1 - math.floor(math.log10(abs(value))) if self.significant and value else 0
        return round(value, max(self.digits, least)) + 0.0

    def clamp(self, value: Value, values: Mapping[str, Any]) -> tuple[Value, str | None]:
        """The nearest allowed value, and a sentence if that is another one."""
        if self.choices is not None and value not in self.choices:
            what = say(
                "{label} ({key}={value}) is not one of {names}",
                label=say(self.label),
                key=self.key,
                value=shown(str(value)),
                names=", ".join(self.choices),
            )
            return self.default, say("{what}: {default} is shown.", what=what, default=self.default)
        span = self.range(values)
        if span is None or isinstance(value, (str, bool)):
            return value, None
        low, high = span
        kept = min(max(value, low), high)
        if isinstance(self.default, int):
            kept = int(kept)
        else:
            kept = self.rounded(float(kept))
        if low <= value <= high:
            return kept, None
        if low == high:
            return kept, say(
                "{label} can only be {kept:g} here; it was {value:g}.", label=say(self.label), kept=kept, value=value
            )
        return kept, say(
            "{named} is {value:g}, outside {low:g} to {high:g}: {kept:g} is shown.",
            named=self.named,
            value=value,
            low=low,
            high=high,
            kept=kept,
        )


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


def _another_model() -> Mapping[str, Any]:
    """Another model has other layers, experts and tokens."""
    usual: dict[str, Any] = {"lab_layer": 0, "lab_token": -1, "lab_slice": "principal", "lab_experts": "0-1"}
    asked: dict[str, Any] = {"lab_tokens": "0-1-2", "lab_tensor": "", "lab_rule": "", "lab_k": 0}
    return {**usual, **asked, "lab_file": "", "own_model": None, "own_tokens": None, "own_other": None}


def _expert_limits(values: Mapping[str, Any]) -> Limits:
    own = _fixed(values)[0]
    return (own, own) if own else limits.EXPERTS


def _width_limits(values: Mapping[str, Any]) -> Limits:
    own = _fixed(values)[1]
    return (own, own) if own else limits.WIDTH


def _output_limits(values: Mapping[str, Any]) -> Limits:
    """Numbers of the layer's outputs: as many as it has classes, if it was trained."""
    own, router = values.get("own_router"), values.get("router")
    if router == "file" and own is not None and isinstance(own.file, LayerFile) and own.file.V is not None:
        return 0, own.file.V.shape[1] - 1
    if router == "trained":
        return 0, classes(taught.decode(str(values.get("taught", "")))[0].data) - 1
    return 0, 9 if router == "digits" else 0


#: Lessons show scenes of these pages, so their links carry what theirs do.
TAUGHT_FROM = {"fan", "hypersimplex", "collapse"}

_ROWS: tuple[Row, ...] = (
    Row(
        "taught",
        "tq",
        "",
        "Trained router",
        "The recipe of a router from the Training page, and the step at which it was taken: it is trained again.",
        free=True,
        check=taught.decode,
    ),
    Row(
        "router",
        "r",
        "affine",
        "Router",
        "Where the weights come from.",
        choices=ROUTERS,
        brings=_another_router,
    ),
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
        free=True,
        check=_file_name,
    ),
    Row(
        "points_file",
        "pf",
        "",
        "File of the data points",
        "The same for one's own data points.",
        free=True,
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
        free=True,
        check=viewpoint.stays,
    ),
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
        free=True,
        check=viewpoint.active_set,
        pages=("fan", "hypersimplex"),
    ),
    Row(
        "hview",
        "hv",
        "whole",
        "Show",
        "For N up to 5: the polytope itself, or the shadow this router casts of it.",
        choices={"whole": "The polytope", "shadow": "Its shadow"},
        pages=("hypersimplex",),
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
        pages=("hypersimplex",),
    ),
    Row(
        "level",
        "lv",
        0,
        "Walls of every k",
        "Lines of equal scores, to 32 experts: each piece is a wall of the fan of one k. Lights one k; 0: none.",
        lambda v: (0, int(v["n"]) if int(v["n"]) <= limits.EXPERTS_LINES else 0),
        pages=("fan",),
    ),
    Row(
        "expert",
        "e",
        -1,
        "Expert's domain",
        "The expert whose domain lights up; -1 for none.",
        lambda v: (-1, int(v["n"]) - 1),
        pages=("fan",),
    ),
    Row(
        "slice",
        "sl",
        2,
        "Slice dimension d",
        "Dimension of the flat slice that is looked at, or of the data in its space.",
        limits.SLICE,
        pages=("capacity",),
    ),
    Row(
        "space",
        "din",
        64,
        "Input dimension",
        "Dimension of the whole input space, for the ambient form of the bounds.",
        (1, MAX_DIMENSION),
        pages=("capacity",),
    ),
    Row(
        "pieces",
        "m",
        2,
        "Granularity m",
        "Pieces that every expert is cut into; they must be equal.",
        limits.WIDTH,
        pages=("capacity",),
    ),
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
        pages=("resilience",),
    ),
    Row(
        "manifold_dim",
        "me",
        2,
        "Its dimension",
        "Intrinsic dimension of the data.",
        (1, 3),
        pages=("resilience",),
    ),
    Row(
        "sheet",
        "st",
        "torus",
        "Sheet in space",
        "A curved surface through the cells of the router in space.",
        choices={"swiss roll": "Swiss roll", "torus": "Torus", "sphere": "Sphere"},
        pages=("resilience",),
    ),
    Row(
        "degree",
        "deg",
        3,
        "Degree",
        "Highest frequency of the map, or degree of the moment curve: more is more curved.",
        (1, 8),
        pages=("resilience",),
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
        pages=("fan",),
    ),
    Row("apart", "ap", 0.0, "Move the cells apart", "Every cell moves outward.", (0.0, 1.0), step=0.05, pages=("fan",)),
    Row(
        "peel",
        "pl",
        0.0,
        "Peel away",
        "Takes this share of the cells away, those farthest from the data first.",
        (0.0, 0.95),
        step=0.05,
        pages=("fan",),
    ),
    Row(
        "cut",
        "cut",
        False,
        "Cutting plane",
        "Cuts the cells open and shows the exact section beside. The section is a fan of its own: steps take longer.",
        pages=("fan",),
    ),
    Row(
        "cut_at",
        "ca",
        0.25,
        "Where it cuts",
        "Distance of the plane from the origin: 1 is the edge of the window, or of the ball.",
        (-1.0, 1.0),
        step=0.05,
        pages=("fan",),
    ),
    Row("cut_turn", "ct", -60.0, "Turn of the plane (°)", "", (-180.0, 180.0), step=5.0, digits=2, pages=("fan",)),
    Row("cut_tilt", "ctl", 35.0, "Tilt of the plane (°)", "", (-90.0, 90.0), step=5.0, digits=2, pages=("fan",)),
    Row(
        "hinges",
        "hg",
        True,
        "Hinges",
        "Lines where a neuron of an active expert switches: they cut a cell into linear regions.",
        pages=("fan",),
    ),
    Row("axes", "ax", False, "Axes", "Axes with numbers, and a mark at the origin.", pages=("fan",)),
    Row(
        "dense",
        "dn",
        "none",
        "Draw the dense network beside it",
        "The hinges of one dense layer in the same window: of the width that is paid for, or of all that is stored.",
        choices={"none": "No", "active": "Active width kH", "total": "Total width NH"},
        pages=("fan",),
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
        pages=("fan",),
    ),
    Row(
        "nth_output",
        "oi",
        0,
        "Output shown",
        "Of a layer with output weights of its own, such as one output a class.",
        _output_limits,
        pages=("fan",),
    ),
    Row(
        "spot",
        "pt",
        "",
        "Point of interest",
        "Where the linear region is looked at, as 0.5_-1.2; on Two layers its routing path, too.",
        free=True,
        check=viewpoint.point,
        pages=("fan", "two_layers"),
    ),
    Row(
        "camera",
        "cam",
        "",
        "Camera",
        "Where the eye stands in space, as 1.15_-1_0.9; three more numbers: what is up; three more: what is looked at.",
        free=True,
        check=viewpoint.camera,
        pages=("fan",),
    ),
    Row(
        "zoom",
        "zoom",
        "",
        "Zoom",
        "The part of the plane that is seen: left, right, bottom and top, as -1_1_0_2.",
        free=True,
        check=viewpoint.zoom,
        pages=("fan",),
    ),
    Row(
        "shared",
        "sx",
        False,
        "Shared expert carries the mean",
        "The mean reaches the output without being routed: the router sees x − λμ.",
        pages=("collapse",),
    ),
    Row("lam", "lam", 1.0, "Strength λ", "1 takes the whole mean away.", (0.0, 1.0), step=0.05, pages=("collapse",)),
    Row(
        "frozen",
        "fz",
        -1.0,
        "Remedies made at offset",
        "The offset of the data that all remedies were made for; -1: all of them follow the data.",
        (-1.0, limits.OFFSET_FAR[1]),
        pages=("collapse",),
    ),
    Row(
        "learn",
        "ld",
        "spirals",
        "Data to learn",
        "What the classes look like.",
        choices={
            "spirals": "Two spirals",
            "rings": "Rings",
            "checkerboard": "Checkerboard",
            "moons": "Two moons",
            "clusters": "Four clusters",
            "digits": "Handwritten digits",
        },
        pages=("training",),
    ),
    Row(
        "versus",
        "vs",
        "both",
        "Beside it, one switch changed",
        "A second run from the same seed, different in this alone.",
        choices={
            "none": "Nothing: one run",
            "balance": "Balance loss",
            "centred": "Router's input centred",
            "both": "Centred and balanced",
            "bias": "Selection-only bias",
            "shared": "Affine shared expert",
            "nobias": "Router without a bias",
            "origin": "Data at the origin",
        },
        pages=("training",),
    ),
    Row("steps", "ts", 1500, "Steps", "Steps of Adam, each with 256 points.", (50, 5000), step=50, pages=("training",)),
    Row(
        "rate",
        "tr",
        0.01,
        "Learning rate",
        "Of Adam. Too large a one makes the weights grow without bound.",
        (0.0005, 1.0),
        step=0.0005,
        usual=(0.0005, 0.05),
        digits=4,
        pages=("training",),
    ),
    Row(
        "balance",
        "tb",
        0.0,
        "Balance loss",
        "Weight of N times the sum of load and mean probability (Switch).",
        (0.0, 1.0),
        step=0.01,
        usual=(0.0, 0.2),
        pages=("training",),
    ),
    Row(
        "bias_rate",
        "tbr",
        0.0,
        "Selection-only bias",
        "How far each expert's selection bias moves after a step, towards an even load; the gates never see it.",
        (0.0, 0.1),
        step=0.005,
        usual=(0.0, 0.05),
        pages=("training",),
    ),
    Row(
        "noise",
        "tn",
        0.0,
        "Noise on the logits",
        "Standard deviation of the noise that is added to what chooses, while training.",
        (0.0, 2.0),
        step=0.05,
        pages=("training",),
    ),
    Row("centred", "tc", False, "Router's input centred", "It reads x minus the running mean.", pages=("training",)),
    Row("affine_shared", "tx", False, "Affine shared expert", "An affine map is always added.", pages=("training",)),
    Row("router_bias", "tw", True, "Router has a bias", "A trained bias on the logits.", pages=("training",)),
    Row(
        "trained",
        "tt",
        "",
        "Trained",
        "Says that this very recipe was trained: who opens the link trains it again.",
        free=True,
        pages=("training",),
    ),
    Row("moment", "ta", -1, "Step in view", "A step of the run; -1 for its end.", (-1, 5000), pages=("training",)),
    Row("seeds", "tm", False, "Ten seeds", "Both recipes over ten seeds.", pages=("training",)),
    Row(
        "remedies",
        "tz",
        "no",
        "Every remedy",
        "Trains this layer without any remedy and with each, in the background.",
        choices={
            "no": "not trained",
            "one": "from this seed",
            "ten": "from ten seeds",
            "all": "from ten seeds, on all six data sets",
        },
        pages=("training",),
    ),
    Row("layers", "ly", 2, "Layers", "Layers on top of one another.", (1, 3), pages=("two_layers",)),
    Row(
        "lab_file",
        "yf",
        "",
        "File of the router",
        "The name of the file that this link needs, and eight characters that tell it from another of its name.",
        free=True,
        check=viewpoint.file_mark,
        pages=("your_router",),
    ),
    Row(
        "lab_stored",
        "ys",
        "",
        "On this server",
        "A capture or a checkpoint in the folder that the server was started with.",
        free=True,
        check=viewpoint.file_mark,
        brings=lambda _: _another_model(),
        pages=("your_router",),
    ),
    Row("lab_tensor", "yw", "", "Tensor", "Which tensor is the router.", free=True, pages=("your_router",)),
    Row("lab_rule", "yr", "", "Rule", "A model type whose rule is used, or plain.", free=True, pages=("your_router",)),
    Row(
        "lab_k",
        "yk",
        0,
        "Active experts",
        "Of a file that does not say; 0: as it says.",
        (0, 256),
        pages=("your_router",),
    ),
    Row(
        "lab_layer", "yl", 0, "Router", "Which of the model's routers, in its order.", (0, 9999), pages=("your_router",)
    ),
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
        pages=("your_router",),
    ),
    Row(
        "lab_experts",
        "ye",
        "0-1",
        "Two experts",
        "As 3-17.",
        free=True,
        check=viewpoint.pair,
        pages=("your_router",),
    ),
    Row(
        "lab_tokens",
        "yt",
        "0-1-2",
        "Three tokens",
        "As 0-5-9, in the order of the picture.",
        free=True,
        check=viewpoint.triple,
        pages=("your_router",),
    ),
    Row("lab_token", "ym", -1, "Marked token", "-1 for none.", (-1, 1_000_000), pages=("your_router",)),
    Row("lesson", "lesson", 0, "Lesson", "The lesson that is open; 0 for the list.", (0, 99), pages=("lessons",)),
    Row("staged", "ls", 0, "Scene set up", "The lesson whose scene was set up.", (0, 99), pages=("lessons",)),
    Row(
        "word",
        "word",
        "",
        "Word",
        "Glossary: the word that is shown first, as hypersimplex or linear-region.",
        free=True,
        check=viewpoint.word,
        pages=("about",),
    ),
    Row(
        "lang",
        "lang",
        "en",
        "Language",
        "In which the pages are written.",
        choices=LANGUAGES,
    ),
    Row(
        "told",
        "lp",
        "",
        "Answers",
        "Lessons: what was predicted, by letter, and x where the check was met.",
        free=True,
        check=told.decode,
        pages=("lessons",),
    ),
)
ROWS: tuple[Row, ...] = tuple(
    replace(row, pages=(*row.pages, "lessons")) if TAUGHT_FROM & set(row.pages) else row for row in _ROWS
)
BY_NAME = {row.name: row for row in ROWS}

#: What a scene holds beside the rows, and no link can carry: what this session brought, whether the theme is dark, what
#: a hand holds at the moment (a tuple whose first entry is the key of a canvas), what is seen of the plane where that
#: is not the window (`ui.fan.seen`), whether the browser has no WebGL, and the sentences to show.
BESIDE: Mapping[str, Any] = {
    "own_router": None,
    "own_points": None,
    "own_model": None,
    "own_tokens": None,
    "own_other": None,
    "dark": False,
    "held": (),
    "seen": (),
    "blank": False,
    "notes": (),
    "measure_all": "",
    "measure_none": "",
    "unstacked": "",
    "unbalanced": "",
    "turned_at": -1,
    "look": 0,
    "checks": 0,
}
