"""Lines in space as a trace, and which of very many are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

Figure = dict[str, Any]


#: Segments of one kind that a picture draws: of more, the longest.
MOST_LINES = 8000


def longest(segments: Any, most: int = MOST_LINES) -> Any:
    """The longest of some segments (n, 2, d), in the order given; all, if there are not too many.

    >>> longest(np.array([[[0, 0], [1, 0]], [[0, 0], [3, 0]], [[0, 0], [2, 0]]]), most=2)[:, 1, 0].tolist()
    [3, 2]
    """
    ends = np.asarray(segments)
    if len(ends) <= most:
        return ends
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=-1)
    return ends[np.sort(np.argsort(-length, kind="stable")[:most])]


def space_line(path: Any, colour: str, width: float, **more: Any) -> Figure:
    """A trace through the points (n, 3) of a path; a row of NaN lifts the pen.

    >>> space_line([[0, 0, 0], [1, 2, 3]], "#000", 1)["z"].tolist()
    [0.0, 3.0]
    """
    x, y, z = np.asarray(path, dtype=np.float32).reshape(-1, 3).T
    return {
        "type": "scatter3d",
        "mode": "lines",
        "x": x,
        "y": y,
        "z": z,
        "line": {"color": colour, "width": width},
        "hoverinfo": "skip",
        **more,
    }
