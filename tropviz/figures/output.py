"""A layer's output over a window of the plane: a map of its values, its hinges, and its walls as wide as the jump."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.gates import OutputGrid, WallJumps
from tropviz.core.window import as_window
from tropviz.figures.picture import Figure, Picture, f32
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import Theme, theme
from tropviz.figures.traces import dots, line, segments
from tropviz.language import say

#: Widths of the walls, from no jump to the largest.
_WIDTHS = (0.8, 1.6, 2.6, 3.8, 5.0)
#: Names of more walls than this are not told under the mouse: the largest jumps are.
MOST_NAMED = 3000


def output_figure(grid: OutputGrid, walls: WallJumps, hinges: Any, window: Any, dark: bool) -> Picture:
    """The map, ready for the canvas.

    Parameters
    ----------
    grid : OutputGrid
        Its first output is shown.
    walls : WallJumps
        Of the same layer, window and gates.
    hinges : array-like (s, 2, 2) or None
    window : float or two (low, high) pairs
    dark : bool
    """
    look, box = theme(dark), as_window(window, 2)
    data: list[Figure] = [_map(grid, look)]
    if hinges is not None and len(hinges):
        data.append(line(segments(hinges), look.hinge, 0.8, simplify=False))
    size = walls.size
    top = float(size.max(initial=0.0)) or 1.0
    steps = np.minimum((size / top * len(_WIDTHS)).astype(int), len(_WIDTHS) - 1)
    data += [
        line(segments(walls.ends[steps == i]), look.line, width, simplify=False)
        for i, width in enumerate(_WIDTHS)
        if (steps == i).any()
    ]
    data.append(_names(walls, size))
    layout = sheet(box, {}, images=[], hovermode="closest", hoverdistance=18)
    layout["margin"] = {"l": 0, "r": 58, "t": 0, "b": 0}
    return Picture(data, layout)


def _map(grid: OutputGrid, look: Theme) -> Figure:
    values = grid.values[:, :, 0]
    low, high = float(values.min()), float(values.max())
    low, high = (low, high) if low < high else (low - 1.0, high + 1.0)
    return {
        "type": "heatmap",
        "z": list(f32(values)),
        "x": f32(grid.x),
        "y": f32(grid.y),
        "zmin": low,
        "zmax": high,
        "colorscale": [[0, look.ramp[0]], [0.5, look.veil], [1, look.ramp[1]]],
        "hoverinfo": "skip",
        "colorbar": {
            "thickness": 9,
            "len": 0.94,
            "outlinewidth": 0,
            "ticks": "",
            "tickfont": {"color": look.muted},
            "tickformat": ".3~s",
        },
    }


def _names(walls: WallJumps, size: NDArray[np.float64]) -> Figure:
    """What is told at the middle of a wall."""
    kept = np.sort(np.argsort(-size, kind="stable")[:MOST_NAMED])
    middle = walls.ends[kept].mean(axis=1).reshape(-1, 2)
    texts: Sequence[str] = [
        say("wall between experts {i} and {j}: jump {jump:.3g}", i=i, j=j, jump=jump)
        for i, j, jump in zip(
            walls.leaves[kept].tolist(), walls.enters[kept].tolist(), size[kept].tolist(), strict=True
        )
    ]
    return dots(middle, size=9, opacity=0) | {"hoverinfo": "text", "hovertext": list(texts)}
