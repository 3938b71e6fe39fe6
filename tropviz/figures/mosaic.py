"""Many polygons as one vector image in data coordinates: each with its own exact colour, at the cost of one trace."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.figures.picture import Figure
from tropviz.figures.theme import Theme

#: The image's own units across the window: at a 50-fold zoom one unit is still below half a pixel.
_GRID = 100_000
_PALE = "opacity='.25' "


def rings(shapes: NDArray[np.object_]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Corners of all polygons without the closing one, and where each begins (m + 1)."""
    points, owner = shapely.get_coordinates(shapes, return_index=True)
    last = np.r_[owner[1:] != owner[:-1], True] if len(owner) else np.zeros(0, bool)
    points, owner = points[~last], owner[~last]
    starts = np.zeros(len(shapes) + 1, dtype=np.int32)
    np.cumsum(np.bincount(owner, minlength=len(shapes)), out=starts[1:])
    return points, starts


def mosaic(
    points: NDArray[np.float64],
    starts: NDArray[np.int32],
    fills: Sequence[str],
    faint: NDArray[np.bool_],
    box: NDArray[np.float64],
    look: Theme,
) -> Figure:
    """All cells as one image over the window."""
    grid = np.rint((points - box[:, 0]) / (box[:, 1] - box[:, 0]) * _GRID).astype(np.int64)
    flat = [f"{x} {_GRID - y}" for x, y in grid.tolist()]
    ends = starts.tolist()
    paths = [
        f"<path {_PALE if pale else ''}fill='{fill}' d='M{' '.join(flat[a:b])}z'/>"
        for fill, pale, a, b in zip(fills, faint.tolist(), ends[:-1], ends[1:], strict=True)
    ]
    width = 1.3 if len(paths) <= 150 else 0.9 if len(paths) <= 600 else 0.5
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_GRID} {_GRID}' preserveAspectRatio='none'>"
        f"<style>path{{stroke:{look.background};stroke-width:{width}px;stroke-linejoin:round;"
        f"vector-effect:non-scaling-stroke}}</style>{''.join(paths)}</svg>"
    )
    return {
        "source": "data:image/svg+xml," + quote(svg, safe=" '=/:;{}.,-"),
        "xref": "x",
        "yref": "y",
        "x": float(box[0, 0]),
        "y": float(box[1, 1]),
        "sizex": float(box[0, 1] - box[0, 0]),
        "sizey": float(box[1, 1] - box[1, 0]),
        "sizing": "stretch",
        "layer": "below",
    }
