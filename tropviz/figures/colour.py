"""What a colour means here: the directions a cell's experts pull in, mixed in OKLCH.

An expert's hue is the direction of its weight row *after the mean row is taken away*: adding one vector to every
row changes no routing decision, so it must not change the picture either. In the plane the hue is the angle of
the centred row; in space its azimuth, with elevation as lightness; in higher dimensions the angle in the two
leading principal directions of the rows.

A cell's hue and chroma are those of the mean of its experts' unit hue vectors: experts that pull together give a
vivid cell, experts that pull apart a grey one. A small step of lightness, a hash of the active set, keeps
neighbours apart. Nothing else enters: a colour does not change when another control does.

References
----------
B. Ottosson, "A perceptual color space for image processing", 2020 (OKLab).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.theme import theme

Floats = NDArray[np.float64]

_LAB_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_LMS_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)
#: Steps of the bisection that brings a chroma into the sRGB gamut: 2^-12 is below one level of an 8-bit channel.
_GAMUT_STEPS = 8
#: Rows shorter than this share of the longest one have no direction of their own.
_NO_DIRECTION = 1e-9
#: The golden ratio's fractional part: its multiples stay as far apart, modulo one, as any number's can.
_GOLDEN = (5**0.5 - 1) / 2


def _directions(W: Any) -> tuple[Floats, Floats]:
    """Unit hue vectors (N, 2), zero where a row has no direction, and the sine of the elevation (N,)."""
    rows = np.asarray(W, dtype=np.float64)
    rows = rows / max(float(np.abs(rows).max(initial=0.0)), np.finfo(float).tiny)
    rows = rows - rows.mean(axis=0)
    n, d = rows.shape
    size = np.linalg.norm(rows, axis=1)
    longest = max(float(size.max(initial=0.0)), np.finfo(float).tiny)
    if d > 3:
        _, _, axes = np.linalg.svd(rows, full_matrices=False)
        axes = axes[:2] * np.where(np.take_along_axis(axes[:2], np.abs(axes[:2]).argmax(1)[:, None], 1) < 0, -1.0, 1.0)
        flat = rows @ axes.T
    else:
        flat = rows[:, :2]
    flat = np.hstack([flat, np.zeros((n, 2 - flat.shape[1]))])
    length = np.linalg.norm(flat, axis=1)
    sure = length > _NO_DIRECTION * longest
    unit = np.where(sure[:, None], flat / np.where(sure, length, 1.0)[:, None], 0.0)
    up = np.where(size > _NO_DIRECTION * longest, rows[:, 2] / np.maximum(size, 1e-300), 0.0) if d == 3 else np.zeros(n)
    return unit, up


def _linear_rgb(lightness: Floats, a: Floats, b: Floats) -> Floats:
    lms = np.stack([lightness, a, b], axis=-1) @ _LAB_TO_LMS.T
    return np.asarray(lms**3 @ _LMS_TO_RGB.T)


def oklch_to_rgb(lightness: Floats, chroma: Floats, hue: Floats) -> NDArray[np.uint8]:
    """sRGB bytes (m, 3) of OKLCH colours; a colour outside the gamut loses chroma and keeps lightness and hue.

    >>> oklch_to_rgb(np.array([0.0, 1.0, 0.628]), np.array([0.0, 0.0, 0.2]), np.array([0, 0, 0.51])).tolist()
    [[0, 0, 0], [255, 255, 255], [232, 72, 57]]
    """
    cos, sin = np.cos(hue), np.sin(hue)
    slack = 1e-4  # in linear light: far below half a level of a byte

    def fits(c: Floats, some: NDArray[np.intp] | slice) -> NDArray[np.bool_]:
        rgb = _linear_rgb(lightness[some], c * cos[some], c * sin[some])
        return np.asarray(((rgb >= -slack) & (rgb <= 1 + slack)).all(axis=-1))

    low = np.where(fits(chroma, slice(None)), chroma, 0.0)
    out = np.flatnonzero(low < chroma)  # most pictures have no colour outside the gamut
    least, most = low[out], chroma[out]
    for _ in range(_GAMUT_STEPS if len(out) else 0):
        middle = (least + most) / 2
        good = fits(middle, out)
        least, most = np.where(good, middle, least), np.where(good, most, middle)
    low[out] = least
    linear = _linear_rgb(lightness, low * cos, low * sin).clip(0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255 * encoded).astype(np.uint8)


def _jitter(active_sets: NDArray[np.int64]) -> Floats:
    """A hash of every set in [-1, 1): one swap i -> j moves it by j - i golden steps, which never come near zero."""
    return 2 * np.mod((active_sets.sum(axis=1) + 1) * _GOLDEN, 1.0) - 1


def _mixture(unit: Floats, sets: NDArray[np.int64]) -> Floats:
    """Mean hue vector (m, 2) of every set; of more than half of the experts, the opposite of those left out.

    The centred hues nearly cancel, so that the mean of most of them would be grey for every cell.
    """
    N, k = len(unit), sets.shape[1]
    if not N < 2 * k < 2 * N:
        return np.asarray(unit[sets].mean(axis=1))
    return np.asarray((unit[sets].sum(axis=1) - unit.sum(axis=0)) / (N - k))


def cell_rgb(W: Any, active_sets: Any, dark: bool = False) -> NDArray[np.uint8]:
    """sRGB bytes (m, 3) of the cells' colours; see `cell_colours`."""
    sets = np.asarray(active_sets, dtype=np.int64)
    unit, up = _directions(W)
    if not len(sets):
        return np.zeros((0, 3), dtype=np.uint8)
    mean, height = _mixture(unit, sets), up[sets].mean(axis=1)
    look = theme(dark).cells
    lightness = look.lightness + look.elevation * height + look.jitter * _jitter(sets)
    return oklch_to_rgb(lightness, look.chroma * np.linalg.norm(mean, axis=1), np.arctan2(mean[:, 1], mean[:, 0]))


def mixed_rgb(W: Any, shares: Any, dark: bool = False) -> NDArray[np.uint8]:
    """sRGB bytes (m, 3) where experts take part by shares (m, N) that add up to k: `cell_rgb`, without its jitter.

    >>> mixed_rgb([[1, 0], [-1, 0], [0, 1]], [[0.5, 0.5, 0]]).shape
    (1, 3)
    """
    part = np.asarray(shares, dtype=np.float64)
    unit, up = _directions(W)
    N, k = len(unit), float(np.rint(part[0].sum())) if len(part) else 1.0
    mean = (part @ unit - unit.sum(axis=0)) / (N - k) if N < 2 * k < 2 * N else part @ unit / k
    look = theme(dark).cells
    lightness = look.lightness + look.elevation * (part @ up) / k
    return oklch_to_rgb(lightness, look.chroma * np.linalg.norm(mean, axis=1), np.arctan2(mean[:, 1], mean[:, 0]))


def hexes(rgb: NDArray[np.uint8]) -> list[str]:
    """'#rrggbb' of every row.

    >>> hexes(np.array([[255, 0, 16]], dtype=np.uint8))
    ['#ff0010']
    """
    digits = rgb.tobytes().hex()
    return ["#" + digits[i : i + 6] for i in range(0, len(digits), 6)]


def cell_colours(W: Any, active_sets: Any, dark: bool = False) -> list[str]:
    """Colour of every cell: the mixture of its experts' hues.

    Parameters
    ----------
    W : array-like (N, d)
        Router weights.
    active_sets : array-like of int (m, k)
        One active set a row.
    dark : bool
        The same hues, deeper, for a dark background.

    Returns
    -------
    list of str
        '#rrggbb', one per set.

    Examples
    --------
    >>> cell_colours([[1, 0], [-1, 0], [0, 1]], [[0], [1]]) == cell_colours([[4, 1], [2, 1], [3, 2]], [[0], [1]])
    True
    """
    return hexes(cell_rgb(W, active_sets, dark))


def expert_colours(W: Any, dark: bool = False) -> list[str]:
    """Colour of every expert: that of a cell in which it is alone, without the jitter.

    >>> len(expert_colours([[1, 0], [0, 1], [-1, -1]]))
    3
    """
    unit, up = _directions(W)
    look = theme(dark).cells
    chroma = look.chroma * np.linalg.norm(unit, axis=1)
    return hexes(oklch_to_rgb(look.lightness + look.elevation * up, chroma, np.arctan2(unit[:, 1], unit[:, 0])))


def token_colours(W: Any, active_sets: Any, dark: bool = False) -> list[str]:
    """Colours of marks and words by their active set: the hue of its cell, deep enough to stand out on any cell.

    The mean of k hues that have nothing to do with each other has a length of about k to the power -1/2, and a
    token's experts are rarely those of the plane it is drawn in: its colour is full from there on.

    >>> token_colours([[1, 0], [-1, 0], [0, 1]], [[0], [1]])
    ['#750d5a', '#014a4c']
    """
    sets = np.asarray(active_sets, dtype=np.int64)
    if not len(sets):
        return []
    unit, _ = _directions(W)
    mean, look = _mixture(unit, sets), theme(dark).cells
    k = min(sets.shape[1], max(len(unit) - sets.shape[1], 1))
    full = np.minimum(1.0, np.linalg.norm(mean, axis=1) * k**0.5)
    lightness = (0.9 if dark else 0.38) + look.jitter / 2 * _jitter(sets)
    return hexes(oklch_to_rgb(lightness, look.chroma * full, np.arctan2(mean[:, 1], mean[:, 0])))


def luminance(colour: str) -> float:
    """Relative luminance of '#rrggbb' (WCAG 2).

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    encoded = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2), 1 to 21.

    >>> round(contrast("#000000", "#ffffff"), 6)
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def deep(colour: str, dark: bool = False) -> str:
    """A colour of the same family that stands out on it: much darker in the light theme, much lighter in the dark one.

    >>> contrast(deep("#74cdff"), "#74cdff") > 3
    True
    """
    return deep_all([colour], dark)[0]


def deep_all(colours: Sequence[str], dark: bool = False) -> list[str]:
    """`deep` of every colour.

    >>> deep_all(["#74cdff", "#ffffff"])
    ['#2c4e61', '#616161']
    """
    rgb = np.frombuffer(bytes.fromhex("".join(colours).replace("#", "")), dtype=np.uint8).reshape(-1, 3)
    target, share = (255, 0.68) if dark else (0, 0.62)
    return hexes(np.rint(rgb + share * (target - rgb.astype(np.float64))).astype(np.uint8))
