"""x turns, and in every view what belongs to it moves along: frames that play in the browser, all views together.

Each function returns a picture with the traces it needs and the frames that restyle them; the canvases of one group
show the same frame.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tropviz.core.hypersimplex.shadow import Shadow, Surface
from tropviz.core.hypersimplex.turn import Turn
from tropviz.figures import polytope, shadow
from tropviz.figures.picture import Figure, Frames, Once, Picture
from tropviz.figures.plane import set_label
from tropviz.figures.theme import theme
from tropviz.figures.traces import dots, line, moved
from tropviz.figures.tropical import floor_of
from tropviz.language import say

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
INTERVAL_MS = 110
GROUP = "hypersimplex-turn"


def _turning(
    picture: Picture,
    more: list[Figure],
    names: Sequence[tuple[str, str]],
    traces: list[int],
    data: list[list[Figure]],
    start: int,
) -> Picture:
    """The picture with some traces more and its frames; their token is a hash of what they show."""
    items = Once(
        {"name": name, "note": note, "traces": traces, "data": each}
        for (name, note), each in zip(names, data, strict=True)
    )
    token = hashlib.sha256(repr(items).encode()).hexdigest()[:16]
    frames = Frames(token, items, start=start, interval=INTERVAL_MS, group=GROUP, bar=False)
    return replace(picture, data=[*picture.data, *more], frames=frames)


def names(turn: Turn, active_sets: Ints) -> list[tuple[str, str]]:
    """What the bar says at each step: where x is, and who wins."""
    return [
        (say("x at {angle:.0f}°", angle=float(np.degrees(angle))), set_label(active_sets[row]))
        for angle, row in zip(turn.angles, turn.rows.tolist(), strict=True)
    ]


def on_shadow(
    picture: Picture, cast: Shadow, turn: Turn, texts: Sequence[tuple[str, str]], *, line: bool, pixels: int, start: int
) -> Picture:
    """On the shadow in the plane: the arrow x, the winning vertex, and with `line` the line it supports."""
    place = shadow.Place(cast, pixels)
    data = []
    for u, row in zip(turn.units, turn.rows.tolist(), strict=True):
        p = cast.points[row]
        reach = (p - place.middle) @ u
        half = np.sqrt(max(place.ring[0] ** 2 - reach**2, 0.0)) * np.array([-u[1], u[0]])
        foot = place.middle + reach * u
        tip = place.middle + place.ring[0] * u
        wings = [tip - 9 * place.pixel * shadow.turned(u, angle) for angle in (0.45, -0.45)]
        support = [foot - half, foot + half] if line else np.zeros((0, 2))
        data.append([moved(support), moved([place.middle, tip, wings[0], tip, wings[1]]), moved([p])])
    return _turning(picture, [], texts, [shadow.SUPPORT_LINE, shadow.ARROW, shadow.SUPPORTED], data, start)


def on_polytope(
    picture: Picture, points: Floats, rows: Ints, texts: Sequence[tuple[str, str]], units: Floats | None, start: int
) -> Picture:
    """On a polytope in space: the winning vertex, and with `units` the arrow x from its middle."""
    middle = points.mean(axis=0)
    reach = 1.15 * float(np.linalg.norm(points - middle, axis=1).max(initial=1e-12))
    data = []
    for i, row in enumerate(rows.tolist()):
        arrow = np.zeros((0, 3)) if units is None else [middle, middle + reach * units[i]]
        data.append([moved(arrow), moved(points[[row]])])
    return _turning(picture, [], texts, [polytope.ARROW, polytope.SUPPORTED], data, start)


def on_plane(picture: Picture, turn: Turn, texts: Sequence[tuple[str, str]], dark: bool, start: int) -> Picture:
    """On the fan in the plane: the circle, and x on it."""
    look, first = theme(dark), len(picture.data)
    named = {"text": ["<b>x</b>"], "textposition": "top right", "textfont": {"size": 14, "color": look.line}}
    more = [
        line(turn.points, look.line, 1, dash="dot") | {"opacity": 0.5},
        line([], look.line, 1.8),
        dots([], size=11, color=look.line, line={"width": 1.5, "color": look.background})
        | {"mode": "markers+text", **named},
    ]
    data = [[moved([np.zeros(2), x]), moved([x])] for x in turn.points]
    return _turning(picture, more, texts, [first + 1, first + 2], data, start)


def on_sphere(picture: Picture, turn: Turn, texts: Sequence[tuple[str, str]], dark: bool, start: int) -> Picture:
    """On the sphere of cones: the circle, and x on it."""
    look, first = theme(dark), len(picture.data)
    more = [
        line(1.015 * turn.units.astype(np.float32), look.line, 1.5, 3, dash="dot"),
        dots([], 3, size=6, color=look.line, opacity=1),
    ]
    return _turning(picture, more, texts, [first + 1], [[moved([1.03 * u])] for u in turn.units], start)


def on_graph(
    picture: Picture,
    roof: Surface,
    heights: Floats,
    turn: Turn,
    texts: Sequence[tuple[str, str]],
    dark: bool,
    start: int,
) -> Picture:
    """On the graph: x on the floor, and the point of the graph above it."""
    look, first, floor = theme(dark), len(picture.data), floor_of(roof)
    mark = line([], look.line, 3, 3)
    mark |= {"mode": "lines+markers", "marker": {"size": [3, 6], "color": look.line, "opacity": 1}}
    data = [[moved([[*x, floor], [*x, z]])] for x, z in zip(turn.points, heights, strict=True)]
    return _turning(picture, [mark], texts, [first], data, start)
