"""A curved sheet in space, coloured by the cells it runs through, and the same sheet unrolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from tropviz.core.manifold.patches import Patches
from tropviz.figures.picture import Faces, Picture
from tropviz.figures.plane import set_texts
from tropviz.figures.sheet import sheet as flat_sheet
from tropviz.figures.sheet import stage
from tropviz.figures.space import EYES, FAR_BOX, camera, lit
from tropviz.figures.traces import trace

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_GRID = 10_000


def sheet_figure(sheet: Patches, sets: Ints, colours: Sequence[str]) -> Picture:
    """The sheet in space.

    Parameters
    ----------
    sheet : Patches
        Of `core.manifold.patches`.
    sets : (m, k) int64
    colours : sequence of str (m,)

    Returns
    -------
    Picture
        With its faces, which bring the colour of every cell.
    """
    owner = sheet.cell.astype(np.int32)
    mesh = lit(sheet.points, sheet.triangles)
    reach = float(np.abs(sheet.points).max()) * 1.02
    cameras = {name: camera(name, FAR_BOX) for name in EYES}
    layout = stage(np.array([[-reach, reach]] * 3), aspectmode="cube", camera=cameras["Iso"])
    faces = Faces(owner, set_texts(sets), np.arange(len(sets), dtype=np.int32), colours)
    return Picture([mesh], layout, faces=faces, cameras=cameras)


def unrolled_figure(sheet: Patches, flat: Floats, cell: Ints, colours: Sequence[str]) -> Picture:
    """The sheet unrolled: squares of the grid that lie in one cell in runs, the others in their pieces.

    Parameters
    ----------
    sheet : Patches
    flat : (a, b, 2) float64
        Where every point of the grid lies in the plane; the first coordinate depends on the row alone, the second on
        the column.
    cell : (a, b) int64
        Of every point of the grid.
    colours : sequence of str
        Of the cells.
    """
    x, y = flat[:, 0, 0], flat[0, :, 1]
    box = np.array([[x[0], x[-1]], [y[0], y[-1]]])
    across = np.rint((x - x[0]) / (x[-1] - x[0]) * _GRID).astype(int).tolist()
    along = np.rint((y[-1] - y) / (y[-1] - y[0]) * _GRID).astype(int).tolist()
    paths: dict[int, list[str]] = {}
    whole = np.where(
        (cell[:-1, :-1] == cell[1:, :-1]) & (cell[:-1, :-1] == cell[:-1, 1:]) & (cell[:-1, :-1] == cell[1:, 1:]),
        cell[:-1, :-1],
        -1,
    )
    for i, column in enumerate(whole):
        starts = np.flatnonzero(np.r_[True, column[1:] != column[:-1]]).tolist()
        for low, high in zip(starts, [*starts[1:], len(column)], strict=True):
            if column[low] >= 0:
                run = f"M{across[i]} {along[low]}H{across[i + 1]}V{along[high]}H{across[i]}z"
                paths.setdefault(int(column[low]), []).append(run)
    for owner, piece in _pieces(sheet, box, whole.ravel()):
        paths.setdefault(owner, []).append(piece)
    body = "".join(
        f"<path fill='{colours[row]}' stroke='{colours[row]}' d='{''.join(d)}'/>" for row, d in paths.items()
    )
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_GRID} {_GRID}' preserveAspectRatio='none'>"
        f"<style>path{{stroke-width:.7px;vector-effect:non-scaling-stroke}}</style>{body}</svg>"
    )
    image = {
        "source": "data:image/svg+xml," + quote(svg, safe=" '=/:;{}.,-"),
        "xref": "x",
        "yref": "y",
        "x": float(x[0]),
        "y": float(y[-1]),
        "sizex": float(x[-1] - x[0]),
        "sizey": float(y[-1] - y[0]),
        "sizing": "stretch",
        "layer": "below",
    }
    nothing = trace(np.column_stack([box[0], [np.nan] * 2]))  # the image lies in its axes
    return Picture([nothing], flat_sheet(box, image, dragmode=False))


def _pieces(sheet: Patches, box: Floats, whole: Ints) -> Iterator[tuple[int, str]]:
    """Cell and outline of every triangle in a square that more than one cell shares."""
    some = whole[sheet.square] < 0
    low, span = box[:, 0], box[:, 1] - box[:, 0]
    at = np.rint((sheet.unrolled[sheet.triangles[some]] - low) / span * _GRID).astype(int)
    for owner, ((a, b), (c, d), (e, f)) in zip(sheet.cell[some].tolist(), at.tolist(), strict=True):
        yield owner, f"M{a} {_GRID - b}L{c} {_GRID - d} {e} {_GRID - f}z"
