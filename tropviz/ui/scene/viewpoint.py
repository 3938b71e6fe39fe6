"""What is looked at, as it stands in a link: camera, zoom and point as numbers with _ between, a cell as 0-3."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tropviz.core.tolerance import PARALLEL
from tropviz.io.text import number, whole
from tropviz.ui.limits import EXPERTS

#: Farther away than this nothing can be seen, in sides of the picture.
FARTHEST = 100.0


def numbers(text: str, lengths: tuple[int, ...], farthest: float) -> list[float]:
    """The numbers of a text; ValueError saying what they should have been.

    >>> numbers("1_-0.5_2", (3,), 10)
    [1.0, -0.5, 2.0]
    """
    parts = text.split("_", max(lengths))
    many = " or ".join(map(str, lengths))
    try:
        values = [number(part) for part in parts]
    except ValueError:
        raise ValueError(f"must be {many} numbers with _ between them") from None
    if len(values) not in lengths:
        raise ValueError(f"has {len(values)} number{'s' * (len(values) > 1)} and needs {many}")
    if not all(math.isfinite(v) and abs(v) <= farthest for v in values):
        raise ValueError(f"has a number outside -{farthest:g} to {farthest:g}")
    return values


def point(text: str) -> list[float]:
    """Where a linear region is looked at, in the plane or in space; ValueError if it is no point.

    >>> point("0.5_-1.2")
    [0.5, -1.2]
    """
    return numbers(text, (2, 3), FARTHEST)


def active_set(text: str) -> list[int]:
    """The experts of a cell; ValueError if they are none.

    >>> active_set("0-3")
    [0, 3]
    """
    try:
        members = [whole(part) for part in text.split("-", EXPERTS[1])]
    except ValueError:
        raise ValueError("must be expert numbers with - between them") from None
    if len(set(members)) < len(members):
        raise ValueError("names an expert twice")
    return members


def camera(text: str) -> dict[str, Any]:
    """Eye, and if given what is up and what is looked at, as parts of a Plotly camera; ValueError if there is none.

    >>> camera("1_0_0.5")
    {'eye': {'x': 1.0, 'y': 0.0, 'z': 0.5}}
    """
    values = numbers(text, (3, 6, 9), FARTHEST)
    eye, up, centre = np.array((values + [0.0, 0.0, 1.0, 0.0, 0.0, 0.0][len(values) - 3 :])[:9]).reshape(3, 3)
    ahead = eye - centre
    if np.linalg.norm(np.cross(ahead, up)) <= PARALLEL * np.linalg.norm(ahead) * np.linalg.norm(up):
        raise ValueError("has an eye that does not look anywhere, or straight along what is up")
    names = ("eye", "up", "center")[: len(values) // 3]
    return {name: dict(zip("xyz", values[3 * i : 3 * i + 3], strict=True)) for i, name in enumerate(names)}


def zoom(text: str) -> list[float]:
    """Left, right, bottom and top of the part of the plane that is seen; ValueError if it has no extent.

    >>> zoom("-1_1_0_2")
    [-1.0, 1.0, 0.0, 2.0]
    """
    left, right, bottom, top = numbers(text, (4,), 1e4)
    if not (left < right and bottom < top):
        raise ValueError("must be left_right_bottom_top, in this order")
    return [left, right, bottom, top]


def file_mark(text: str) -> str:
    """The name of a file, perhaps with a mark.

    >>> file_mark("capture.npz~0a1b2c3d")
    'capture.npz~0a1b2c3d'
    """
    if len(text) > 120 or not text.isprintable() or "/" in text or "\\" in text or text.startswith("."):
        raise ValueError("is no name of a file")
    return text


def pair(text: str) -> tuple[int, ...]:
    """Two whole numbers.

    >>> pair("3-17")
    (3, 17)
    """
    return _wholes(text, 2)


def triple(text: str) -> tuple[int, ...]:
    """Three whole numbers.

    >>> triple("0-1-2")
    (0, 1, 2)
    """
    return _wholes(text, 3)


def _wholes(text: str, count: int) -> tuple[int, ...]:
    parts = text.split("-")
    if len(parts) != count or not all(part.isdecimal() and len(part) < 8 for part in parts):
        usual = "-".join(map(str, range(count)))
        raise ValueError(f"must be {count} whole numbers with a dash between, such as {usual}")
    return tuple(map(int, parts))


def word(text: str) -> str:
    """A word of the glossary as it stands in a link; ValueError if it can be none.

    >>> word("linear-region")
    'linear-region'
    """
    if len(text) > 60 or not all(
        part.isascii() and part.isalnum() and part == part.lower() for part in text.split("-")
    ):
        raise ValueError("is no word of the glossary, as linear-region")
    return text


def stays(text: str) -> list[str]:
    """The short names of the controls that stay on a slide; ValueError if they are none.

    >>> stays("n-off")
    ['n', 'off']
    """
    names = text.split("-", 20)
    if len(names) > 20 or not all(name.isascii() and name.isalpha() and len(name) <= 8 for name in names):
        raise ValueError("must be short names of controls with - between them, such as n-off")
    return names
