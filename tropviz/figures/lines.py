"""Lines in space as a trace."""

from __future__ import annotations

from typing import Any

import numpy as np

Figure = dict[str, Any]


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
