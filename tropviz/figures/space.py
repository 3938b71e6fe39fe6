"""The fan in space, as a Plotly figure: opaque cells in one mesh, thin edges, the data, the offset, a cutting plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.spatial.mesh import Surface
from tropviz.core.spatial.section import Section
from tropviz.figures.picture import Faces, Figure, Picture
from tropviz.figures.plane import set_texts
from tropviz.figures.sheet import stage
from tropviz.figures.theme import Theme, theme
from tropviz.figures.traces import dots, line, mesh

#: The rim of the cut is drawn this share of the picture above it, or the faces would swallow it.
RIM = 0.006
Floats = NDArray[np.float64]

_UP = {"x": 0, "y": 0, "z": 1}
_CENTRE = {"x": 0, "y": 0, "z": 0}
#: Where the eye stands in the named cameras, in units of the box's side.
EYES = {"Iso": (1.15, -1.0, 0.9), "Front": (0.0, -1.8, 0.0), "Top": (0.0, -0.02, 1.8)}
#: How far a box and a ball are looked at from: a box reaches farther towards the eye.
FAR_BOX, FAR_BALL = 1.22, 0.86
#: How far beside and above what it looks at the eye stands, in radians.
_ASIDE, _RISE = 0.61, 0.26
#: What is left of the other cells where a cell inside of them is shown.
_FADED = 0.13
_LIGHT = {"ambient": 0.7, "diffuse": 0.42, "specular": 0.05, "roughness": 0.9, "fresnel": 0.02}


def camera(name: str = "Iso", distance: float = 1.0) -> Figure:
    """Plotly camera of a named view, nearer or farther by a factor.

    >>> camera("Front", 2)["eye"]
    {'x': 0.0, 'y': -3.6, 'z': 0.0}
    """
    eye = {axis: distance * value for axis, value in zip("xyz", EYES[name], strict=True)}
    return {"eye": eye, "center": dict(_CENTRE), "up": dict(_UP), "projection": {"type": "perspective"}}


def towards(direction: Floats, distance: float = 1.0) -> Figure:
    """Plotly camera that sees a direction from the front, a little aside: what lies there is not seen edge-on.

    >>> camera_at = towards(np.array([0.0, 1.0, 0.0]))["eye"]
    >>> round(camera_at["x"], 3), round(camera_at["y"], 3), round(camera_at["z"], 3)
    (0.98, 1.402, 0.455)
    """
    far, (x, y, z) = distance * float(np.linalg.norm(EYES["Iso"])), direction / np.linalg.norm(direction)
    turn, rise = np.arctan2(y, x) - _ASIDE, -_RISE if z < -0.35 else _RISE
    eye = far * np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
    return camera("Iso") | {"eye": {axis: float(value) for axis, value in zip("xyz", eye, strict=True)}}


def _broken(lines: Floats, start: NDArray[np.int64], chosen: NDArray[np.bool_]) -> Floats:
    """Some polylines as one, with a gap after each."""
    which = np.flatnonzero(chosen)
    lengths = np.diff(start)[which]
    owner, place = expand(np.zeros(len(which), dtype=np.int64), lengths + 1)
    out = lines[np.minimum(start[which][owner] + place, max(len(lines) - 1, 0))] if len(lines) else np.zeros((0, 3))
    out[place == lengths[owner]] = np.nan
    return out


def lit(points: NDArray[np.floating], triangles: NDArray[np.integer], flat: bool = False) -> Figure:
    """A mesh of triangles (t, 3) over points (n, 3) in the light of every picture in space."""
    return mesh(
        points,
        triangles,
        flatshading=flat,
        lighting={**_LIGHT, "facenormalsepsilon": 0, "vertexnormalsepsilon": 0},
        lightposition={"x": 2e4, "y": -3e4, "z": 6e4},
        hoverinfo="none",  # the hover is reported, but the label is the canvas's own
        showscale=False,
    )


def _arrow(tail: Floats, head: Floats, look: Theme) -> list[Figure]:
    step = head - tail
    tip = line([tail, head], look.line, 6, 3)
    size = float(np.linalg.norm(step))
    cone = {
        "type": "cone",
        **{a: [float(v)] for a, v in zip("xyz", head, strict=True)},
        **{a: [float(v)] for a, v in zip("uvw", step / size, strict=True)},
        "anchor": "tip",
        "sizemode": "absolute",
        "sizeref": 0.16 * max(size, 0.5),
        "colorscale": [[0, look.line], [1, look.line]],
        "showscale": False,
        "hoverinfo": "skip",
    }
    return [tip, cone]


def _box_frame(box: Floats) -> Floats:
    tips = np.array([[x, y, z] for x in box[0] for y in box[1] for z in box[2]])
    pairs = [(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit]
    return np.concatenate([[tips[a], tips[b], [np.nan] * 3] for a, b in pairs])


def _ring(cut: Section) -> Floats:
    return cut.lift(shapely.get_coordinates(cut.outline.exterior))


def surface_bytes(surface: Surface, label: int, thin: bool = True) -> int:
    """About how long the message of a surface is.

    Parameters
    ----------
    label : int
        Letters in the name of a cell.
    thin : bool
        Whether the edges of all cells are in it.
    """
    cells = len(np.unique(surface.tri_cell))
    own = np.flatnonzero(~surface.line_twin)
    edges = len(own) + int(np.diff(surface.line_start)[own].sum()) if thin else 0
    return 12 * len(surface.points) + 16 * len(surface.triangles) + 12 * edges + (label + 17) * cells


def space_figure(
    surface: Surface,
    active_sets: NDArray[np.int64],
    colours: Sequence[str],
    *,
    box: Floats | None,
    reach: float,
    points: Any = None,
    selected: int | None = None,
    neighbours: Sequence[int] = (),
    arrow: Any = None,
    cut: Section | None = None,
    thin: bool = True,
    dark: bool = False,
    every: bool = True,
    inner: Surface | None = None,
) -> Picture:
    """The fan in space, ready for the canvas.

    Parameters
    ----------
    surface : Surface
        What is drawn (`core.spatial.mesh`).
    active_sets : ndarray (m, k)
        Of the whole fan, as `colours`, a list of m '#rrggbb'.
    box : ndarray (3, 2) or None
        The window; None: the unit sphere.
    reach : float
        Half the side of the cube that is shown.
    points : array-like (n, 3), optional
        The data; on the sphere, their directions.
    selected : int, optional
        Fan row outlined by a strong line; `neighbours`, rows outlined by a thinner one.
    arrow : (2, 3) array-like, optional
        Tail and head of the offset.
    cut : Section, optional
        Its rim is drawn.
    thin : bool
        Whether the edges of all cells are drawn.
    dark : bool
    every : bool
        Whether every triangle comes with its colour, or the script that shows the figure gives it that of its cell.
    inner : Surface, optional
        The skin of the selected cell where the others hide it: they fade.

    Returns
    -------
    Picture
        With its faces and its cameras.
    """
    look = theme(dark)
    there = np.zeros(len(active_sets), dtype=bool)
    there[surface.tri_cell] = True
    rows = np.flatnonzero(there)
    place = (np.cumsum(there) - 1)[surface.tri_cell]
    start, owner = surface.line_start, surface.line_cell
    edge = 1.6 if len(rows) <= 800 else 1.0
    labels = set_texts(active_sets[rows])
    body, paint = lit(surface.points, surface.triangles, box is not None), [colours[row] for row in rows.tolist()]
    faces = Faces(place.astype(np.int32), labels, rows.astype(np.int32), None if every else paint)
    if every:
        body["facecolor"] = [paint[p] for p in place.tolist()]
    data = [
        body,
        line(_broken(surface.lines, start, thin & ~surface.line_twin), look.background, edge * 1.4, 3),
        line(_broken(surface.lines, start, np.isin(owner, np.asarray(neighbours, int))), look.line, 2.5, 3),
        line(_broken(surface.lines, start, owner == (-1 if selected is None else selected)), look.line, 7, 3),
    ]
    if inner is not None and selected is not None:
        body["opacity"] = _FADED
        data.append(lit(inner.points, inner.triangles, True) | {"color": colours[selected], "hoverinfo": "skip"})
        data.append(line(_broken(inner.lines, inner.line_start, np.ones(len(inner.line_cell), bool)), look.line, 4, 3))
    if box is not None:
        data.append(line(_box_frame(box), look.hinge, 1.5, 3))
    if cut is not None and not cut.outline.is_empty:
        data.append(line(_ring(cut) + RIM * reach * cut.normal, look.line, 3, 3))
    if points is not None and len(points):
        data.append(dots(points, 3, size=2.4, color=look.line, opacity=0.75, line={"width": 0}))
    if arrow is not None:
        tail, head = np.asarray(arrow, dtype=np.float64)
        if np.linalg.norm(head - tail) > 1e-3 * reach:
            data += _arrow(tail, head, look)
    cameras = {name: camera(name, FAR_BALL if box is None else FAR_BOX) for name in EYES}
    middle = np.zeros(3) if box is None else box.mean(axis=1)
    eye = cameras["Iso"] if box is not None or arrow is None else towards(-np.subtract(*arrow), FAR_BALL)
    layout = stage(np.stack([middle - reach, middle + reach], axis=1), aspectmode="cube", camera=eye)
    return Picture(data, layout, faces=faces, cameras=cameras)
