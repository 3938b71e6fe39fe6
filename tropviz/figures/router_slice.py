"""A router in a plane with its tokens: the exact fan, or a curved gate drawn by evaluation under the plain fan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.colour import cell_colours, token_colours
from tropviz.figures.picture import Figure, Picture
from tropviz.figures.plane import plane_figure, set_label
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import theme
from tropviz.figures.traces import dots, line, segments
from tropviz.language import say

#: Letters of a token's text that a hover shows.
_LETTERS = 60


def token_hovers(sets: NDArray[np.int64], names: Sequence[str] | None, word: str = "") -> list[str]:
    """What a hover says of each token: its name, and its active set.

    >>> token_hovers(np.array([[0, 3]]), ["<b>"], "digit ")
    ['digit &lt;b&gt;<br>token 0, {0, 3}']
    """
    told = [""] * len(sets) if names is None else [f"{escape(word + name[:_LETTERS])}<br>" for name in names]
    return [
        say("{name}token {i}, {set_label}", name=name, i=i, set_label=set_label(row))
        for i, (name, row) in enumerate(zip(told, sets, strict=True))
    ]


def exact_slice(
    ids: NDArray[np.int64],
    shapes: Any,
    active_sets: NDArray[np.int64],
    W: Any,
    window: Any,
    points: NDArray[np.float64],
    sets: NDArray[np.int64],
    hovers: Sequence[str],
    picked: int = -1,
    dark: bool = False,
) -> Picture:
    """The exact fan with tokens on it.

    Parameters
    ----------
    ids, shapes, active_sets, window
        As `figures.plane.plane_figure` takes them.
    W : (N, 2) array-like
        Of the router in the plane, for the colours.
    points : (m, 2) float64
    sets : (m, k) int64
        Every token's own active set: it has the colour of that, wherever it lies in the plane.
    hovers : sequence of str (m,)
        HTML.
    picked : int
        A token that is marked.
    dark : bool
    """
    colours = cell_colours(W, active_sets, dark)
    some: dict[str, Any] = {"points": points} if len(points) else {}
    made = plane_figure(ids, shapes, active_sets, colours, window=window, dark=dark, **some)
    marks = next((trace for trace in made.data if trace["mode"] == "markers"), None)
    if marks is not None:
        marks |= {"hoverinfo": "text", "hovertext": list(hovers)}
        marks["marker"] = {**marks["marker"], **_own_colours(W, sets, dark)}
    layout = {**made.layout, "hovermode": "closest", "hoverdistance": 8}
    return replace(made, data=[*made.data, *_mark(points, picked, dark)], layout=layout)


def sampled_slice(
    sets: NDArray[np.int64],
    at: NDArray[np.int32],
    W: Any,
    walls: NDArray[np.float64],
    window: NDArray[np.float64],
    points: NDArray[np.float64],
    token_sets: NDArray[np.int64],
    hovers: Sequence[str],
    picked: int = -1,
    dark: bool = False,
) -> Picture:
    """A gate evaluated place by place, with the walls of the exact plain top-k fan and tokens over it.

    Parameters
    ----------
    sets : (s, k) int64
        The active sets found.
    at : (g, g) int32
        Which of them each place of the grid has, rows from the lowest.
    W : (N, 2) array-like
        For the colours.
    walls : (n, 2, 2) float64
    window : (2, 2) float64
    points, token_sets, hovers, picked, dark
        As in `exact_slice`.
    """
    look, box = theme(dark), np.asarray(window, dtype=np.float64)
    colours, top = cell_colours(W, sets, dark), max(len(sets) - 1, 1)
    step = (box[:, 1] - box[:, 0]) / len(at)
    scale = [[edge / len(sets), shade] for i, shade in enumerate(colours) for edge in (i, i + 1)]
    ground: Figure = {"type": "heatmap", "z": list(at), "zmin": -0.5, "zmax": top + 0.5 if len(sets) > 1 else 0.5}
    ground |= {"x0": float(box[0, 0] + step[0] / 2), "dx": float(step[0]), "showscale": False, "hoverinfo": "skip"}
    ground |= {"y0": float(box[1, 0] + step[1] / 2), "dy": float(step[1]), "colorscale": scale, "zsmooth": False}
    data = [ground, line(segments(walls), look.line, 1, dash="dot")]
    if len(points):
        marks = dots(points, size=4.5, **_own_colours(W, token_sets, dark))
        data += [marks | {"hoverinfo": "text", "hovertext": list(hovers)}, *_mark(points, picked, dark)]
    return Picture(data, sheet(box, hovermode="closest", hoverdistance=8))


def _own_colours(W: Any, sets: NDArray[np.int64], dark: bool) -> Figure:
    """Marker entries that give every token the deep colour of its own active set."""
    found, at = np.unique(sets, axis=0, return_inverse=True)
    shades, top = token_colours(W, found, dark), max(len(found) - 1, 1)
    scale = [[i / top, shade] for i, shade in enumerate(shades)] if len(found) > 1 else [[0, shades[0]], [1, shades[0]]]
    return {"color": at.ravel().astype(np.int32), "cmin": 0, "cmax": top, "colorscale": scale, "opacity": 0.9}


def _mark(points: NDArray[np.float64], picked: int, dark: bool) -> list[Figure]:
    """A ring round the token that is looked at."""
    if not 0 <= picked < len(points):
        return []
    return [dots(points[picked], symbol="circle-open", size=17, color=theme(dark).line, line={"width": 3})]
