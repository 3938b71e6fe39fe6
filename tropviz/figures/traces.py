"""Lines and marks as traces, in the plane or in space, and which of very many lines are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.picture import Figure

Floats = NDArray[np.float64]

#: Segments of one kind that a picture draws: of more, the longest.
MOST_LINES = 8000


def longest(ends: Any, most: int = MOST_LINES) -> Any:
    """The longest of some segments (n, 2, d), in the order given; all, if there are not too many.

    >>> longest(np.array([[[0, 0], [1, 0]], [[0, 0], [3, 0]], [[0, 0], [2, 0]]]), most=2)[:, 1, 0].tolist()
    [3, 2]
    """
    ends = np.asarray(ends)
    if len(ends) <= most:
        return ends
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=-1)
    return ends[np.sort(np.argsort(-length, kind="stable")[:most])]


def segments(ends: Any) -> Floats:
    """Segments (n, 2, d) as one path (3n, d): a row of NaN lifts the pen.

    >>> segments([[[0, 0], [1, 2]]]).tolist()
    [[0.0, 0.0], [1.0, 2.0], [nan, nan]]
    """
    ends = np.asarray(ends, dtype=np.float64)
    path = np.full((len(ends), 3, ends.shape[-1]), np.nan)
    path[:, :2] = ends
    return path.reshape(-1, ends.shape[-1])


def broken(lines: Iterable[Floats]) -> Floats:
    """Lines of any lengths, each (n, 2), as one path.

    >>> broken([np.zeros((2, 2)), np.ones((1, 2))]).tolist()
    [[0.0, 0.0], [0.0, 0.0], [nan, nan], [1.0, 1.0], [nan, nan]]
    """
    gap = np.full((1, 2), np.nan)
    return np.concatenate([np.zeros((0, 2)), *(part for line in lines for part in (line, gap))])


def trace(points: Any, d: int = 2, **more: Any) -> Figure:
    """A trace through points (n, d), d = 2 or 3; it tells nothing under the mouse.

    >>> trace([[0, 0, 0], [1, 2, 3]], 3)["z"].tolist()
    [0.0, 3.0]
    """
    at = np.asarray(points, dtype=np.float32).reshape(-1, d).T
    where = dict(zip("xyz", at, strict=False))
    return {"type": "scatter" if d == 2 else "scatter3d", "mode": "lines", **where, "hoverinfo": "skip", **more}


def line(points: Any, colour: str, width: float, d: int = 2, **style: Any) -> Figure:
    """A line along a path (n, d)."""
    return trace(points, d, line={"color": colour, "width": width, **style})


def dots(points: Any, d: int = 2, **marker: Any) -> Figure:
    """Marks at points (n, d)."""
    return trace(points, d, mode="markers", marker=marker)


def mesh(points: Any, triangles: Any, **more: Any) -> Figure:
    """Triangles (t, 3) over points (n, 3)."""
    places = dict(zip("xyz", np.asarray(points, dtype=np.float32).T, strict=True))
    corners = dict(zip("ijk", np.asarray(triangles, dtype=np.int32).T, strict=True))
    return {"type": "mesh3d", **places, **corners, **more}


def moved(points: Any) -> Figure:
    """Where the points (n, d) of a trace are in a frame, short enough for many."""
    return dict(zip("xyz", np.asarray(points, dtype=np.float64).round(4).T.tolist(), strict=False))
