"""The fan in the plane, as a Plotly figure.

The cells are one vector image laid under the traces, in data coordinates. Every cell so keeps its own exact colour,
and drawing costs the same for 30 cells and for 3,000: measured in headless Chromium on 2 cores, `Plotly.react` with
300 cells of 300 colours takes 96 ms this way and 413 ms with one trace a colour, and a figure whose cells did not
change skips them. What is picked out (selected cell, its neighbours, a domain) and the data are ordinary traces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.window import as_window
from tropviz.figures.colour import deep_all
from tropviz.figures.mosaic import mosaic, rings
from tropviz.figures.picture import Figure, Picture, Regions
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import Theme, theme
from tropviz.figures.traces import broken, dots, line, trace
from tropviz.figures.traces import segments as path_of
from tropviz.language import say

#: Experts of a set that a label names; of more it names half of them.
MOST_NAMED = 12
#: More cells than this are not drawn (the largest are); the page says so.
MOST_CELLS = 4000
#: More line segments than this make the browser stick.
MOST_SEGMENTS = 5000
_FONT = 11
#: Blur of the light round a label, in pixels: it is read over dots.
_HALO = (1, 2, 2, 3, 5)
#: Width of a label's character and height of its line, in pixels, and air around it.
_CHAR, _LINE, _AIR = 5.9, 12.0, 5.0
#: What the drag handle and its word cover round the arrow's head, in pixels: left, below, right, above.
_GRIP = np.array([-15.0, -15.0, 50.0, 15.0])


def set_text(active: Any) -> str:
    """'{0, 3}' of an active set.

    >>> set_text([0, 3])
    '{0, 3}'
    """
    return "{" + ", ".join(map(str, np.asarray(active).tolist())) + "}"


def set_label(active: Any) -> str:
    """`set_text` for a label on a picture, of which there are thousands: a large set is told by its first and last.

    >>> set_label([0, 3]), set_label(range(128))
    ('{0, 3}', '{0, 1, 2, 3, 4, 5, … 127}: 128 experts')
    """
    experts = np.asarray(active).tolist()
    if len(experts) <= MOST_NAMED:
        return set_text(experts)
    few = ", ".join(map(str, experts[: MOST_NAMED // 2]))
    return f"{{{few}, … {experts[-1]}}}: " + say("{n} experts", n=len(experts))


def set_texts(active_sets: NDArray[np.int64]) -> list[str]:
    """`set_label` of every row.

    >>> set_texts(np.array([[0, 3], [1, 2]]))
    ['{0, 3}', '{1, 2}']
    """
    if len(active_sets) and len(active_sets[0]) > MOST_NAMED:
        return [set_label(row) for row in active_sets]
    rows = str(np.asarray(active_sets).tolist())[2:-2].split("], [")
    return ["{" + row + "}" for row in rows] if len(active_sets) else []


def _inner(ring: NDArray[np.float64], box: NDArray[np.float64], near: float) -> list[NDArray[np.float64]]:
    """A ring without its sides along the window's edge, as open lines."""
    on_edge = np.abs(ring[:, :, None] - box) < near  # (corner, axis, low or high)
    along = (on_edge[:-1] & on_edge[1:]).any(axis=(1, 2))
    return [ring[i : i + 2] for i in np.flatnonzero(~along)] if along.any() else [ring]


def outline(lines: Sequence[NDArray[np.float64]], colour: str, width: float, dash: str = "solid") -> Figure:
    """Some lines as one trace."""
    return line(broken(lines), colour, width, dash=dash, simplify=False)


def boundaries(shape: Any) -> list[NDArray[np.float64]]:
    """The rings of a polygon, or of several; of None there are none."""
    if shape is None or shapely.is_empty(shape):
        return []
    loops = [ring for part in shapely.get_parts(shape) for ring in (part.exterior, *part.interiors)]
    return [shapely.get_coordinates(ring) for ring in loops]


def _poles(shapes: NDArray[np.object_], tolerance: float) -> NDArray[np.object_]:
    """Centres of the largest inscribed circles, which take much longer to find than centroids."""
    return shapely.get_point(shapely.maximum_inscribed_circle(shapes, tolerance=tolerance), 0)


def _beside(shapes: NDArray[np.object_], avoid: Any) -> NDArray[np.object_]:
    """Polygons without what is to be avoided: the largest part that is left, or the whole where nothing is."""
    out = shapes.copy()
    for i in np.flatnonzero(shapely.intersects(shapes, avoid)).tolist() if avoid is not None else ():
        parts = shapely.get_parts(shapely.difference(shapes[i], avoid))
        out[i] = max(parts, key=shapely.area, default=shapes[i])
    return out


def fitting_labels(
    shapes: NDArray[np.object_], texts: Sequence[str], unit_per_pixel: float, avoid: Any = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which texts fit into their polygons, and where.

    A text is tried at the polygon's centroid, then at the centre of its largest inscribed circle; it is kept where its
    whole box lies inside the polygon.

    Parameters
    ----------
    shapes : ndarray of shapely.Polygon (m,)
    texts : sequence of str (m,)
    unit_per_pixel : float
        Length of one pixel in data coordinates.
    avoid : shapely geometry, optional
        No text is put over it.

    Returns
    -------
    which : ndarray (f,)
    where : ndarray (f, 2)
    """
    size = np.array([[_CHAR * len(text) + _AIR, _LINE + _AIR] for text in texts]).reshape(-1, 2) * unit_per_pixel
    bounds = shapely.bounds(shapes).reshape(-1, 4)
    wide = (bounds[:, 2:] - bounds[:, :2] > size).all(axis=1)
    left = np.flatnonzero(wide & (shapely.area(shapes) > 1.5 * size.prod(axis=1)))
    found: dict[int, NDArray[np.float64]] = {}
    for middles in (shapely.centroid, lambda cells: _poles(_beside(cells, avoid), 4 * unit_per_pixel)):
        if not len(left):
            break
        centres, half = shapely.get_coordinates(middles(shapes[left])), size[left] / 2
        boxes = shapely.box(*(centres - half).T, *(centres + half).T)
        fits = shapely.contains(shapes[left], boxes)
        if avoid is not None:
            fits &= ~shapely.intersects(boxes, avoid)
        found |= {int(row): centre for row, centre in zip(left[fits], centres[fits], strict=True)}
        left = left[~fits]
    which = np.array(sorted(found), dtype=np.int64)
    return which, np.array([found[i] for i in which.tolist()]).reshape(-1, 2)


def _labels(shapes: NDArray[np.object_], texts: Sequence[str], look: Theme, unit_per_pixel: float, head: Any) -> Figure:
    avoid = None if head is None else shapely.box(*(np.tile(head, 2) + _GRIP * unit_per_pixel))
    which, where = fitting_labels(shapes, texts, unit_per_pixel, avoid)
    light = ", ".join(f"0 0 {wide}px {look.halo}" for wide in _HALO)
    font = {"color": look.label, "size": _FONT, "shadow": light}
    return trace(where, mode="text", text=[texts[i] for i in which.tolist()], textfont=font)


def _points(points: NDArray[np.float64], cells: Any, colours: Sequence[str], look: Theme, dark: bool) -> Figure:
    """The data: in the deep colour of the cell each point lies in, or in one neutral colour."""
    marker: Figure = {"size": 5 if len(points) <= 1500 else 3.5, "line": {"width": 0}, "opacity": 0.72}
    if cells is None:
        marker |= {"color": look.point, "opacity": 1}
    else:
        hit, index = np.unique(np.asarray(cells), return_inverse=True)
        deeps = iter(deep_all([colours[row] for row in hit.tolist() if row >= 0], dark))
        shades = [next(deeps) if row >= 0 else look.line for row in hit.tolist()]
        top = max(len(shades) - 1, 1)
        scale = [[i / top, shade] for i, shade in enumerate(shades)]
        marker |= {
            "color": index.astype(np.int32),
            "cmin": 0,
            "cmax": top,
            "colorscale": scale if len(scale) > 1 else [[0, shades[0]], [1, shades[0]]] if shades else "Greys",
        }
    return dots(points, **marker)


def _arrow(tail: Sequence[float], head: Sequence[float], look: Theme) -> Figure:
    return {
        "x": float(head[0]),
        "y": float(head[1]),
        "ax": float(tail[0]),
        "ay": float(tail[1]),
        "xref": "x",
        "yref": "y",
        "axref": "x",
        "ayref": "y",
        "showarrow": True,
        "arrowhead": 2,
        "arrowsize": 1.1,
        "arrowwidth": 2,
        "arrowcolor": look.line,
        "text": "",
    }


def _add_axes(layout: Figure, look: Theme) -> None:
    """Numbers along the edges, inside the picture, and a line through the origin on both axes."""
    axis = {
        "visible": True,
        "zeroline": True,
        "zerolinewidth": 1.6,
        "zerolinecolor": look.line,
        "ticks": "inside",
        "ticklen": 6,
        "tickcolor": look.line,
        "ticklabelposition": "inside",
        "tickfont": {"color": look.line, "shadow": f"0 0 2px {look.halo}, 0 0 4px {look.halo}"},
    }
    for name in ("xaxis", "yaxis"):
        layout[name] |= axis
    origin = {"type": "circle", "xsizemode": "pixel", "ysizemode": "pixel", "xanchor": 0, "yanchor": 0}
    size = {"x0": -4, "y0": -4, "x1": 4, "y1": 4, "line": {"color": look.background, "width": 1.5}}
    layout["shapes"] = [{**origin, **size, "fillcolor": look.line}]


def plane_figure(
    ids: NDArray[np.int64],
    shapes: Sequence[Any] | NDArray[np.object_],
    active_sets: NDArray[np.int64],
    colours: Sequence[str],
    *,
    window: Any,
    points: Any = None,
    point_cells: Any = None,
    selected: int | None = None,
    neighbours: Sequence[int] = (),
    domain: Any = None,
    domain_cells: Sequence[int] | NDArray[np.int64] | None = None,
    segments: Any = None,
    picked: Any = None,
    arrow: Any = None,
    ground: NDArray[np.float64] | None = None,
    view: NDArray[np.float64] | None = None,
    axes: bool = False,
    labels: bool = True,
    pixels: int = 700,
    dark: bool = False,
) -> Picture:
    """The fan in a window, ready for the canvas.

    Parameters
    ----------
    ids, shapes
        What `RoutingFan.polygons(window)` returns.
    active_sets : ndarray (m, k)
        Of the whole fan, as `colours`, a list of m '#rrggbb' (`figures.colour.cell_colours`).
    window : float or two (low, high) pairs
    points : array-like (n, 2), optional
        The data cloud.
    point_cells : array-like of int (n,), optional
        Cell of every point (`core.planar.locate`), -1 if none: points then take their cell's deep colour.
    selected : int, optional
        Row of the fan that is outlined; `neighbours`, rows outlined by a thin dashed line.
    domain : shapely geometry, optional
        Outline of an expert's domain; with `domain_cells` (rows of the fan) all other cells turn pale.
    segments : array-like (s, 2, 2), optional
        Thin lines, such as hinges; at most 5,000 are drawn.
    picked : shapely geometry, optional
        A part of a cell that is outlined, such as one linear region.
    arrow : (2,) or (2, 2) array-like, optional
        Head (from the origin), or tail and head.
    ground : ndarray (2, 2), optional
        Box that the cells are cut to, where that is not the window.
    view : ndarray (2, 2), optional
        The part that is seen, where that is not the window: labels fit there.
    axes : bool
        Axes with numbers, and a mark at the origin.
    labels : bool
        Write active sets where they fit.
    pixels : int
        Width of the picture, for fitting labels.
    dark : bool

    Returns
    -------
    Picture
        With its regions.
    """
    box, look = as_window(window, 2), theme(dark)
    ground, view = box if ground is None else ground, box if view is None else view
    ids, cells = np.asarray(ids, dtype=np.int64), np.asarray(shapes, dtype=object)
    hidden = max(0, len(ids) - MOST_CELLS)
    if hidden:
        largest = np.sort(np.argsort(-shapely.area(cells))[:MOST_CELLS])
        ids, cells = ids[largest], cells[largest]
    corners, starts = rings(cells)
    row_of = {int(row): place for place, row in enumerate(ids)}
    faint = np.zeros(len(ids), dtype=bool) if domain_cells is None else ~np.isin(ids, np.asarray(domain_cells, int))
    texts = [set_label(active) for active in active_sets[ids]]
    span = float(view[0, 1] - view[0, 0])

    data: list[Figure] = []
    if segments is not None:
        hidden += max(0, len(segments) - MOST_SEGMENTS)
        data.append(line(path_of(segments[:MOST_SEGMENTS]), look.hinge, 0.8))
    data.append(outline(boundaries(domain), look.line, 2.2))
    walls = [ring for n in neighbours if n in row_of for ring in boundaries(cells[row_of[n]])]
    half = span / pixels / 2
    data.append(outline([part for ring in walls for part in _inner(ring, ground, half)], look.line, 1.3, "dot"))
    if points is not None:
        data.append(_points(np.asarray(points, dtype=np.float64).reshape(-1, 2), point_cells, colours, look, dark))
    data.append(outline(boundaries(cells[row_of[selected]] if selected in row_of else None), look.line, 3))
    data.append(outline(boundaries(picked), look.line, 2, "dash"))
    ends = None if arrow is None else np.asarray(arrow, dtype=np.float64).reshape(-1, 2)
    if labels:
        seen = cells if view is box else shapely.intersection(cells, shapely.box(*view[:, 0], *view[:, 1]))
        data.append(_labels(seen, texts, look, span / pixels, None if ends is None else ends[-1]))

    layout = sheet(box, mosaic(corners, starts, [colours[row] for row in ids.tolist()], faint, ground, look))
    if axes:
        _add_axes(layout, look)
    if ends is not None:
        tail, head = (np.zeros(2), *ends)[-2:]
        if np.abs(head - tail).max() > span / pixels:
            layout["annotations"].append(_arrow(tail, head, look))
    x, y = corners.astype(np.float32).T
    return Picture(data, layout, Regions(starts, x, y, texts, ids.astype(np.int32)), hidden=hidden)
