"""A fan as a small SVG with its counts: what a notebook shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.window import as_window
from tropviz.figures.plane import fitting_labels, set_texts
from tropviz.figures.theme import LIGHT

#: Side of the picture in pixels.
SIDE = 320
#: Hundredths of a pixel are enough for any screen.
_DIGITS = 2


def fan_svg(
    ids: NDArray[np.int64],
    shapes: NDArray[np.object_],
    active_sets: NDArray[np.int64],
    colours: Sequence[str],
    *,
    window: Any,
    segments: Any = None,
    points: Any = None,
    side: int = SIDE,
    words: bool = True,
) -> str:
    """The cells of a fan in a window as SVG text.

    Parameters
    ----------
    ids, shapes
        What `RoutingFan.polygons(window)` returns.
    active_sets : ndarray (m, k)
        Of the whole fan, as `colours`, m '#rrggbb'.
    window : float or two (low, high) pairs
    segments : array-like (s, 2, 2), optional
        Thin lines, such as hinges.
    points : array-like (n, 2), optional
        Data, as dots.
    side : int
        Width in pixels.
    words : bool
        Whether cells that have room for it bear their names.

    Examples
    --------
    >>> box = shapely.box(-1, -1, 1, 1)
    >>> fan_svg(np.array([0]), np.array([box]), np.array([[0]]), ["#aabbcc"], window=1)[:4]
    '<svg'
    """
    box = as_window(window, 2)
    span = box[:, 1] - box[:, 0]
    scale = side / span[0]
    high = round(float(span[1] * scale))

    def path(points: NDArray[np.float64], close: str) -> str:
        places = np.column_stack([(points[:, 0] - box[0, 0]) * scale, (box[1, 1] - points[:, 1]) * scale])
        return "M" + " ".join(f"{x:g},{y:g}" for x, y in places.round(_DIGITS).tolist()) + close

    texts = set_texts(active_sets[ids]) if len(ids) else []
    cells = [
        f'<path fill="{colours[row]}" d="{path(shapely.get_coordinates(shape)[:-1], "z")}"><title>{text}</title></path>'
        for row, shape, text in zip(ids.tolist(), shapes, texts, strict=True)
    ]
    lines = np.zeros((0, 2, 2)) if segments is None else np.asarray(segments, dtype=np.float64)
    hinges = "".join(path(line, "") for line in lines)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6"/>'
        for x, y in (() if points is None else _seen(points, box, float(scale)).tolist())
    )
    which, where = fitting_labels(np.asarray(shapes, dtype=object), texts, float(1 / scale))
    names = [
        f'<text x="{(x - box[0, 0]) * scale:.1f}" y="{(box[1, 1] - y) * scale + 4:.1f}">{texts[i]}</text>'
        for i, (x, y) in zip(which.tolist(), where.tolist(), strict=True)
        if words
    ]
    size = f'width="{side}" height="{high}" viewBox="0 0 {side} {high}"'
    quiet = f'fill="none" stroke="{LIGHT.line}" stroke-opacity=".3" stroke-width=".8"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
        f"<title>{len(ids)} routing cells in the window</title>"
        f'<g stroke="{LIGHT.background}" stroke-linejoin="round">{"".join(cells)}</g>'
        + (f'<path d="{hinges}" {quiet}/>' if hinges else "")
        + (f'<g fill="{LIGHT.line}" fill-opacity=".55">{dots}</g>' if dots else "")
        + f'<g fill="{LIGHT.label}" font-family="sans-serif" font-size="11" text-anchor="middle" pointer-events="none">'
        f"{''.join(names)}</g></svg>"
    )


def _seen(points: Any, box: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Where the points within the window are on the picture, in pixels."""
    X = np.asarray(points, dtype=np.float64)
    inside = X[((box[:, 0] <= X) & (box[:, 1] >= X)).all(axis=1)]
    return np.column_stack([(inside[:, 0] - box[0, 0]) * scale, (box[1, 1] - inside[:, 1]) * scale])


def card(picture: str, title: str, rows: Sequence[tuple[str, str, str]], note: str = "") -> str:
    """A picture with its counts under it, as HTML that stands alone.

    Parameters
    ----------
    picture : str
        SVG, or nothing.
    title : str
    rows : sequence of (label, value, what kind of number it is)
    note : str
        A sentence below.

    Examples
    --------
    >>> card("", "top-2 of 8", [("cells", "16", "exact")]).count("<tr>")
    1
    """
    cell = 'style="text-align:left;padding:1px 14px 1px 0"'
    table = "".join(
        f"<tr><td {cell}>{escape(label)}</td><td {cell}><b>{escape(value)}</b></td><td {cell}>{escape(kind)}</td></tr>"
        for label, value, kind in rows
    )
    below = f"<small>{escape(note)}</small>" if note else ""
    return f"<div><div>{picture}</div><div>{escape(title)}</div><table>{table}</table>{below}</div>"
