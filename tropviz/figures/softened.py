"""Temperature in the pictures of the Hypersimplex page: colours that mix, a point that moves, a surface that bends."""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.colour import hexes
from tropviz.figures.picture import Figure, Once, Picture
from tropviz.figures.theme import theme
from tropviz.figures.traces import dots, line, moved

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]


def png(rgb: Bytes) -> str:
    """An image (rows from above, columns, 3) as a data address.

    >>> png(np.zeros((1, 1, 3), dtype=np.uint8))[:30]
    'data:image/png;base64,iVBORw0K'
    """
    height, width, _ = rgb.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    lines = np.concatenate([np.zeros((height, 1), np.uint8), rgb.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines.tobytes())) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + data).decode()


def on_plane(picture: Picture, rgb: Bytes, window: float) -> Picture:
    """The plane with mixed colours, in place of the cells: rgb (g, g, 3), rows from below, at the points of a grid."""
    step = 2 * window / (len(rgb) - 1)
    low = -window - step / 2
    size = 2 * window + step
    place = {"x": low, "y": -low, "sizex": size, "sizey": size, "source": png(rgb[::-1])}
    image = {**picture.layout["images"][0], **place}
    return replace(picture, layout={**picture.layout, "images": [image]})


def on_polytope(picture: Picture, points: Floats, paths: Floats, dark: bool) -> Picture:
    """The polytope with the point of every step of the turn, and its way from the middle to a corner."""
    look, solid = theme(dark), points.shape[1] == 3
    d = 3 if solid else 2
    more = [
        line([], look.line, 3 if solid else 1.6, d, dash="dot"),
        dots([], d, size=7 if solid else 13, symbol="diamond", color=look.line, opacity=1),
    ]
    return _in_frames(picture, more, [[moved(way), moved([at])] for way, at in zip(paths, points, strict=True)])


def on_graph(picture: Picture, grid: Floats, values: Floats, rgb: Bytes, labels: list[str]) -> Picture:
    """The graph with the softened surface in place of its flat pieces; the hypersurface stays on the floor."""
    g = len(values)
    corner = (np.arange(g - 1)[:, None] * g + np.arange(g - 1)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + g + 1])
    upper = np.column_stack([corner, corner + g + 1, corner + g])
    i, j, k = np.stack([lower, upper], axis=1).reshape(-1, 3).astype(np.int32).T
    fills = np.repeat(np.array(hexes(rgb.reshape(-1, 3)))[corner], 2).tolist()
    flat = grid.reshape(-1, 2).astype(np.float32)
    surface = {
        **picture.data[0],
        **{"x": flat[:, 0], "y": flat[:, 1], "z": values.ravel().astype(np.float32)},
        **{"i": i, "j": j, "k": k, "facecolor": fills, "text": labels, "flatshading": False},
    }
    empty = np.zeros(0, dtype=np.float32)
    bare = [{**trace, "x": empty, "y": empty, "z": empty} for trace in picture.data]
    hidden = {2, 4, 6}  # creases, posts and outline of the sharp surface
    data = [surface if n == 0 else bare[n] if n in hidden else trace for n, trace in enumerate(picture.data)]
    return replace(picture, data=data)


def touched(grid: Floats, index: int) -> Floats | None:
    """The point of the plane under a clicked triangle of the softened surface."""
    side = len(grid) - 1
    if not 0 <= index < 2 * side * side:
        return None
    row, column = divmod(index // 2, side)
    return np.asarray((grid[row, column] + grid[row + 1, column + 1]) / 2)


def _in_frames(picture: Picture, more: list[Figure], each: list[list[Figure]]) -> Picture:
    """Some traces more, which every frame restyles too; without frames they stand as in the first."""
    first, frames = len(picture.data), picture.frames
    if frames is None:
        return replace(picture, data=[*picture.data, *({**t, **at} for t, at in zip(more, each[0], strict=True))])
    at = list(range(first, first + len(more)))
    items = Once(
        {**item, "traces": [*item["traces"], *at], "data": [*item["data"], *data]}
        for item, data in zip(frames.items or (), each, strict=True)
    )
    token = hashlib.sha256(repr(items).encode()).hexdigest()[:16]
    return replace(
        picture,
        data=[*picture.data, *more],
        frames=replace(frames, token=token, items=items),
    )
