"""A curved sheet in space, coloured by the cells it runs through, and the same sheet unrolled."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.picture import Faces, Figure, Picture
from tropviz.figures.plane import set_texts
from tropviz.figures.sheet import sheet as flat_sheet
from tropviz.figures.space import EYES, FAR_BOX, camera, lit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_GRID = 10_000


def sheet_figure(points: Floats, cell: Ints, sets: Ints, colours: Sequence[str]) -> Picture:
    """The sheet in space.

    Parameters
    ----------
    points : (a, b, 3) float64
    cell : (a, b) int64
        Row of `sets` at every point.
    sets : (m, k) int64
    colours : sequence of str (m,)

    Returns
    -------
    Picture
        With its faces: every triangle has the colour of its first corner's cell.
    """
    a, b, _ = points.shape
    at = np.arange(a * b).reshape(a, b)
    corner, right, up, far = (at[s].ravel() for s in _QUAD)
    triangles = np.concatenate([np.stack([corner, right, far], 1), np.stack([corner, far, up], 1)]).astype(np.int32)
    flat = points.reshape(-1, 3).astype(np.float32)
    owner = np.tile(cell[:-1, :-1].ravel(), 2).astype(np.int32)
    mesh = lit(flat, triangles)
    reach = float(np.abs(points).max()) * 1.02
    axis = {"visible": False, "showspikes": False, "range": [-reach, reach]}
    cameras = {name: camera(name, FAR_BOX) for name in EYES}
    layout: Figure = {
        "scene": {f"{name}axis": dict(axis) for name in "xyz"}
        | {"aspectmode": "cube", "camera": cameras["Iso"], "dragmode": "orbit"},
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
    }
    mesh["facecolor"] = [colours[row] for row in owner.tolist()]
    faces = Faces(owner, set_texts(sets), np.arange(len(sets), dtype=np.int32))
    return Picture([mesh], layout, faces=faces, cameras=cameras)


_QUAD = (
    (slice(None, -1), slice(None, -1)),
    (slice(1, None), slice(None, -1)),
    (slice(None, -1), slice(1, None)),
    (slice(1, None), slice(1, None)),
)


def unrolled_figure(flat: Floats, cell: Ints, colours: Sequence[str]) -> Picture:
    """The sheet unrolled.

    Parameters
    ----------
    flat : (a, b, 2) float64
        Where every point of the grid lies in the plane; the first coordinate depends on the row alone, the second on
        the column.
    cell : (a, b) int64
    colours : sequence of str
        Of the cells.
    """
    x, y = flat[:, 0, 0], flat[0, :, 1]
    box = np.array([[x[0], x[-1]], [y[0], y[-1]]])
    across = np.rint((x - x[0]) / (x[-1] - x[0]) * _GRID).astype(int).tolist()
    along = np.rint((y[-1] - y) / (y[-1] - y[0]) * _GRID).astype(int).tolist()
    paths: dict[int, list[str]] = {}
    for i in range(len(x) - 1):
        column = cell[i, :-1]
        starts = np.flatnonzero(np.r_[True, column[1:] != column[:-1]]).tolist()
        for low, high in zip(starts, [*starts[1:], len(column)], strict=True):
            run = f"M{across[i]} {along[low]}H{across[i + 1]}V{along[high]}H{across[i]}z"
            paths.setdefault(int(column[low]), []).append(run)
    body = "".join(f"<path fill='{colours[row]}' d='{''.join(runs)}'/>" for row, runs in paths.items())
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_GRID} {_GRID}' preserveAspectRatio='none' "
    image = {
        "source": "data:image/svg+xml," + quote(f"{head}shape-rendering='crispEdges'>{body}</svg>", safe=" '=/:;{}.,-"),
        "xref": "x",
        "yref": "y",
        "x": float(x[0]),
        "y": float(y[-1]),
        "sizex": float(x[-1] - x[0]),
        "sizey": float(y[-1] - y[0]),
        "sizing": "stretch",
        "layer": "below",
    }
    nothing = {"type": "scatter", "mode": "lines", "x": box[0].astype(np.float32), "y": np.full(2, np.nan, np.float32)}
    return Picture([nothing], flat_sheet(box, image, dragmode=False))
