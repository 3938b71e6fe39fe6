"""The linear regions of stacked layers in a window: every one a polygon, in the colour of its last active set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from tropviz.core.experts.stack import Level, Path
from tropviz.core.window import as_window
from tropviz.figures.colour import cell_colours, hexes
from tropviz.figures.mosaic import mosaic, rings
from tropviz.figures.picture import Picture, Regions
from tropviz.figures.plane import boundaries, outline, set_label
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import channels, theme

#: More regions than this are not drawn (the largest are); the page says so.
MOST_REGIONS = 12_000
#: Shades that part the regions of a network without routing, as shares of the way to the background.
_SHADES = (0.35, 0.45, 0.55, 0.65, 0.75)


def path_label(path: Path) -> str:
    """Active sets one after another.

    >>> path_label(((0, 3), (1, 2)))
    '{0, 3} → {1, 2}'
    """
    return " → ".join(set_label(active) for active in path)


def stacked_figure(
    level: Level, W: Any, window: Any, dark: bool, *, routed: bool = True, picked: int | None = None
) -> Picture:
    """The regions after some layer, ready for the canvas.

    Parameters
    ----------
    level : Level
        Of `core.experts.stack.Stack.levels`.
    W : array-like (N, 2)
        Router weights of the last layer, which decide the colours.
    window : float or two (low, high) pairs
    dark : bool
    routed : bool
        False: a dense network, whose regions are told apart by shades of one colour.
    picked : int, optional
        A region that is outlined; the regions of other routing paths turn pale.

    Returns
    -------
    Picture
        Its regions light up with their routing path; `hidden` says how many are left out.
    """
    box, look = as_window(window, 2), theme(dark)
    shapes = np.array([shapely.Polygon(ring) for ring in level.polygons], dtype=object)
    path = level.path
    chosen = None if picked is None else shapes[picked]
    other = np.zeros(len(shapes), dtype=bool) if picked is None or not routed else path != path[picked]
    hidden = max(0, len(shapes) - MOST_REGIONS)
    if hidden:
        kept = np.sort(np.argsort(-shapely.area(shapes))[:MOST_REGIONS])
        shapes, path, other = shapes[kept], path[kept], other[kept]
    corners, starts = rings(shapes)
    if routed:
        shades = cell_colours(W, [p[-1] for p in level.paths], dark)
        fills: Sequence[str] = [shades[p] for p in path.tolist()]
        labels = [path_label(level.paths[p]) for p in path.tolist()]
    else:
        fills, labels = _neutral(len(shapes), dark), []
    layout = sheet(box, mosaic(corners, starts, fills, other, box, look))
    x, y = corners.astype(np.float32).T
    data = [outline(boundaries(chosen), look.line, 3)]  # a trace, if an empty one: the image lies in its axes
    return Picture(data, layout, Regions(starts, x, y, labels) if routed else None, hidden=hidden)


def _neutral(n: int, dark: bool) -> Sequence[str]:
    look = theme(dark)
    one, other = np.array(channels(look.skin)), np.array(channels(look.background))
    shares = np.array(_SHADES)[np.random.default_rng(0).integers(len(_SHADES), size=n)]
    return hexes(np.rint(one + shares[:, None] * (other - one)).astype(np.uint8))
