"""A polytope in space: Delta(k,4), a Schlegel diagram, or a shadow; vertices in the colours of their active sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.picture import Figure, Picture
from tropviz.figures.plane import set_label
from tropviz.figures.sheet import stage
from tropviz.figures.theme import Theme, theme
from tropviz.figures.traces import dots, line, longest, mesh, segments
from tropviz.language import say

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Up to so many vertices all carry their label; of more, only the selected one (the others on hover).
MOST_LABELS = 20
#: Size of the polytope in an orthographic view: it just fits whichever way it is turned.
ZOOM = 1.75
#: Where the eye stands; the sphere of cones is seen from there too, so that a vertex and its cone lie the same way.
EYE = {"x": 0.9, "y": -1.35, "z": 0.6}
#: A cone this far (degrees) from the eye is still well in sight; one that was not is shown this far off the middle.
IN_SIGHT, OFF_MIDDLE = 50.0, 25.0
#: The trace whose points are vertices, and those that frames restyle (`figures.turning`).
VERTICES, ARROW, SUPPORTED = 4, 6, 7


def eye_towards(cone: Any = None) -> Floats:
    """Where the eye stands so that a cone of the sphere is seen: at `EYE` if that will do.

    Parameters
    ----------
    cone : array-like (3,), optional
        A point inside the cone.

    Examples
    --------
    >>> eye = eye_towards([0.0, 1.0, 0.0])
    >>> bool(eye @ [0, 1, 0] > 0.9 * np.linalg.norm(eye)), eye_towards([1, -1, 0]).tolist()
    (True, [0.9, -1.35, 0.6])
    """
    home = np.array([EYE[axis] for axis in "xyz"])
    far = float(np.linalg.norm(home))
    size = float(np.linalg.norm(cone)) if cone is not None else 0.0
    if size == 0:
        return home
    w, base = np.asarray(cone, dtype=np.float64) / size, home / far
    if w @ base >= np.cos(np.radians(IN_SIGHT)):
        return home
    side = base - (base @ w) * w
    if np.linalg.norm(side) < 1e-6:  # exactly behind: any way round will do
        side = np.cross(w, [0.0, 0.0, 1.0])
    turn = np.radians(OFF_MIDDLE)
    eye = np.cos(turn) * w + np.sin(turn) * side / np.linalg.norm(side)
    if abs(eye[2]) > 0.95:  # looking straight down, up would have no meaning
        flat = eye[:2] if np.linalg.norm(eye[:2]) > 1e-3 else base[:2]
        eye = np.r_[np.sqrt(1 - 0.95**2) * flat / np.linalg.norm(flat), 0.95 * np.sign(eye[2])]
    return np.asarray(far * eye)


#: Vertices up to which each has a label under the mouse; of more, those on the surface.
MOST_TOLD = 4000


def _dots(points: Any, **marker: Any) -> Figure:
    return dots(points, 3, opacity=1, **marker)


def polytope_figure(
    points: Floats,
    edges: Ints,
    active_sets: Ints,
    colours: Sequence[str],
    *,
    triangles: Ints | None = None,
    inner: Floats | None = None,
    absent: NDArray[np.bool_] | None = None,
    selected: int | None = None,
    lost: Any = None,
    dark: bool = False,
) -> Picture:
    """A polytope in space, ready for the canvas. A click on trace `VERTICES` gives the vertex as its index.

    Parameters
    ----------
    points : ndarray (m, 3)
    edges : ndarray (e, 2)
    active_sets : ndarray (m, k)
    colours : list of str (m,)
    triangles : ndarray (t, 3), optional
        Its surface, drawn as a faint skin.
    inner : ndarray (q, 3), optional
        Sums that are no vertex.
    absent : ndarray of bool (m,), optional
        Vertices without a cell in the router's slice: drawn hollow.
    selected : int, optional
        Vertex drawn larger, with its edges.
    lost : array-like (3,), optional
        A sum that is no vertex and is selected instead.
    dark : bool
    """
    look = theme(dark)
    points = np.asarray(points, dtype=np.float64)
    texts = [set_label(S) for S in active_sets]
    if len(points) > MOST_TOLD:  # what lies within a crowd cannot be pointed at
        told = set(np.unique(triangles if triangles is not None else [])[:MOST_TOLD].tolist()) | {selected}
        texts = [text if i in told else "" for i, text in enumerate(texts)]
    star = edges[(edges == selected).any(axis=1)] if selected is not None else edges[:0]
    labelled = [i for i in range(len(points)) if len(points) <= MOST_LABELS or i == selected]
    labels = [_label(points[i], texts[i], look, i == selected) for i in labelled]
    hollow = np.zeros(len(points), dtype=bool) if absent is None else absent
    size = 8 if len(points) <= 60 else 5
    corner = points[[selected]] if selected is not None else np.zeros((0, 3))
    skin = triangles if triangles is not None else np.zeros((0, 3), dtype=int)
    data = [
        mesh(points, skin, color=look.skin, opacity=0.16, flatshading=True, hoverinfo="skip", visible=bool(len(skin))),
        line(segments(longest(points[edges])), look.hinge if len(edges) > 200 else look.soft, 2.5, 3),
        line(segments(points[star]), look.line, 7, 3),
        _dots(inner if inner is not None else [], size=1.8, color=look.soft),
        {
            **_dots(
                points,
                size=size,
                color=[look.background if h else c for c, h in zip(colours, hollow, strict=True)],
                line={"color": look.line, "width": 1},
            ),
            "text": [t + (say(" (no cell here)") if h else "") for t, h in zip(texts, hollow, strict=True)],
            "hoverinfo": "text",
        },
        _dots(
            corner,
            size=size + 4,
            color=colours[selected] if selected is not None else look.line,
            line={"color": look.line, "width": 2},
        ),
        line([], look.line, 4, 3)
        | {"mode": "lines+markers", "marker": {"size": [0, 5], "color": look.line, "opacity": 1}},
        _dots([], size=size + 10, symbol="circle-open", color=look.line),
        _dots([lost] if lost is not None else [], size=5, symbol="x", color=look.line),
    ]
    return Picture(data, _layout(points, labels))


def _label(where: Floats, text: str, look: Theme, strong: bool) -> Figure:
    """A label that stays upright and readable; texts drawn by WebGL lose their size when they are updated."""
    return {
        **dict(zip("xyz", where.tolist(), strict=True)),
        "text": f"<b>{text}</b>" if strong else text,
        "font": {"color": look.line, "size": 14 if strong else 11},
        "showarrow": False,
        "yshift": 37 if strong else 17,
        **({"bgcolor": look.background, "opacity": 0.9} if strong else {}),  # its own edges run behind it
    }


def _layout(points: Floats, labels: list[Figure]) -> Figure:
    """A cube round the points, the same scale on all axes; in an orthographic view the aspect ratio is the zoom."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    reach = float(np.linalg.norm(points - middle, axis=1).max()) or 1.0
    return stage(
        np.stack([middle - reach, middle + reach], axis=1),
        annotations=labels,
        aspectmode="manual",
        aspectratio={"x": ZOOM, "y": ZOOM, "z": ZOOM},
        camera={"eye": dict(EYE), "center": {"x": 0, "y": 0, "z": 0}, "projection": {"type": "orthographic"}},
    )
