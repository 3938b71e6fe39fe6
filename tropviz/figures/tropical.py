"""The graph of the tropical polynomial e_k over the plane: flat pieces, and the hypersurface on them and below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.hypersimplex.shadow import Surface
from tropviz.figures.mosaic import mosaic
from tropviz.figures.picture import Figure, Picture, Regions
from tropviz.figures.plane import set_label
from tropviz.figures.sheet import sheet, stage
from tropviz.figures.theme import theme
from tropviz.figures.traces import broken, line, longest, mesh, segments

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: The floor lies below the graph by this share of the graph's height.
DROP = 0.45
#: Height of the graph on screen, in widths of the window.
TALL = 0.62
#: Size of the graph in an orthographic view.
ZOOM = 1.38
#: The drawing's line of sight: from the right, from above (degrees).
AZIMUTH, ELEVATION = 28.0, 27.0


#: Pieces of the graph that are drawn: of more, the largest.
MOST_FACETS = 1300


def largest(surface: Surface, most: int = MOST_FACETS) -> Surface:
    """The surface with the largest of its pieces alone, and as many of its longest creases as they may have."""
    if len(surface.ids) <= most:
        return surface
    x, y = surface.points[:, 0], surface.points[:, 1]
    after = np.arange(len(x)) + 1
    after[surface.starts[1:] - 1] = surface.starts[:-1]
    twice = np.add.reduceat(x * y[after] - x[after] * y, surface.starts[:-1])
    keep = np.sort(np.argsort(-np.abs(twice), kind="stable")[:most])
    sizes = np.diff(surface.starts)[keep]
    starts = np.r_[0, np.cumsum(sizes)]
    rows = np.repeat(surface.starts[keep] - starts[:-1], sizes) + np.arange(starts[-1])
    return Surface(surface.ids[keep], starts, surface.points[rows], longest(surface.creases, 3 * most))


def floor_of(surface: Surface) -> float:
    """Height of the floor the hypersurface is drawn on."""
    z = surface.points[:, 2]
    return float(z.min() - DROP * max(np.ptp(z), 1e-9 * max(1.0, float(np.abs(z).max()))))


def _mesh(points: Floats, triangles: Ints, fills: list[str], **more: Any) -> Figure:
    light = {"ambient": 0.86, "diffuse": 0.25, "specular": 0.02, "roughness": 0.9, "fresnel": 0.02}
    there = {"x": 1e4, "y": -1e4, "z": 3e4}
    return mesh(points, triangles, facecolor=fills, flatshading=True, lighting=light, lightposition=there, **more)


def surface_figure(
    surface: Surface, active_sets: Ints, colours: Sequence[str], *, selected: int | None = None, dark: bool = False
) -> Picture:
    """The graph in space, ready for the canvas. Traces 0 (graph) and 1 (floor) have one face colour per triangle.

    Parameters
    ----------
    surface : Surface
    active_sets, colours
        Of the whole fan.
    selected : int, optional
        Row of the fan whose facet and floor are outlined.
    dark : bool
    """
    look, floor, surface = theme(dark), floor_of(surface), largest(surface)
    triangles, facet = surface.triangles()
    row = surface.ids[facet].tolist()
    fills = [colours[r] for r in row]
    below = surface.points.copy()
    below[:, 2] = floor
    texts = [set_label(active_sets[r]) for r in np.repeat(surface.ids, np.diff(surface.starts)).tolist()]
    hover = {"text": texts, "hoverinfo": "text"}
    creases = np.asarray(surface.creases).reshape(-1, 2, 3)
    flat = np.concatenate([creases[..., :2], np.full_like(creases[..., :1], floor)], axis=2)
    top, bottom, posts = np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 2, 3))
    if selected is not None and selected in surface.ids:
        at = int(np.flatnonzero(surface.ids == selected)[0])
        ring = surface.points[surface.starts[at] : surface.starts[at + 1]]
        ground = np.column_stack([ring[:, :2], np.full(len(ring), floor)])
        posts = np.stack([ring, ground], axis=1)
        top, bottom = np.concatenate([ring, ring[:1]]), np.concatenate([ground, ground[:1]])
    data = [
        _mesh(surface.points, triangles, fills, **hover),
        _mesh(below, triangles, fills, opacity=0.5, **hover),
        line(segments(creases), look.line, 3, 3),
        line(segments(flat), look.line, 2, 3),
        line(segments(posts), look.line, 2, 3) | {"opacity": 0.55},
        line(bottom, look.line, 7, 3),
        line(top, look.line, 9, 3),
    ]
    eye, centre = {"x": 0.95, "y": -1.5, "z": 0.85}, {"x": 0, "y": 0, "z": -0.02}
    layout = stage(
        aspectmode="manual",
        aspectratio={"x": ZOOM, "y": ZOOM, "z": ZOOM * TALL * (1 + DROP)},
        camera={"eye": eye, "center": centre, "projection": {"type": "orthographic"}},
    )
    return Picture(data, layout)


def surface_row(surface: Surface, event: dict[str, Any]) -> int | None:
    """Fan row of a clicked triangle of `surface_figure`, None for anything else."""
    if event.get("trace") not in (0, 1):
        return None
    surface = largest(surface)
    _, facet = surface.triangles()
    index = int(event.get("index", -1))
    return int(surface.ids[facet[index]]) if 0 <= index < len(facet) else None


class Drawing:
    """The same graph as a flat drawing, for pages that have their two WebGL canvases already.

    Seen from far away, from above. Facets are painted from back to front; going away from the eye one meets cells in
    the order of p_S . v, v the direction of sight along the ground, because a wall from S to T has the normal
    p_T - p_S: the painter's order is the order of the shadow's vertices along v.
    """

    def __init__(self, surface: Surface, slopes: Floats) -> None:
        self.surface = surface
        self.floor = floor_of(surface)
        azimuth, elevation = np.radians([AZIMUTH, ELEVATION])
        self.away = np.array([-np.sin(azimuth), np.cos(azimuth)])
        self.right = np.array([np.cos(azimuth), np.sin(azimuth)])
        self.lift, self.depth = np.cos(elevation), np.sin(elevation)
        width = float(np.ptp(surface.points[:, 0]))
        height = float(np.ptp(surface.points[:, 2]))
        self.scale = TALL * width / height if height > 0 else 1.0
        self.order = np.argsort(-(slopes[surface.ids] @ self.away), kind="stable")

    def project(self, points: Floats) -> Floats:
        """Points of space (n, 3) on the drawing (n, 2)."""
        ground = points[:, :2]
        up = (points[:, 2] - self.floor) * self.scale
        return np.column_stack([ground @ self.right, ground @ self.away * self.depth + up * self.lift])

    def ring(self, facet: int, ground: bool = False) -> Floats:
        """Corners of a facet, or of the cell below it, on the drawing."""
        points = self.surface.points[self.surface.starts[facet] : self.surface.starts[facet + 1]].copy()
        if ground:
            points[:, 2] = self.floor
        return self.project(points)

    def at(self, x: float, y: float) -> int | None:
        """Fan row of what is painted last at a point: the graph's facets, else the floor's cells."""
        for ground in (False, True):
            for facet in self.order[::-1].tolist():
                if _inside(self.ring(facet, ground), x, y):
                    return int(self.surface.ids[facet])
        return None


def _inside(ring: Floats, x: float, y: float) -> bool:
    """Whether a point lies in a convex polygon."""
    side = np.roll(ring, -1, axis=0) - ring
    cross = side[:, 0] * (y - ring[:, 1]) - side[:, 1] * (x - ring[:, 0])
    return bool((cross >= 0).all() or (cross <= 0).all())


def drawing_figure(
    drawing: Drawing, active_sets: Ints, colours: Sequence[str], *, selected: int | None = None, dark: bool = False
) -> Picture:
    """The flat drawing, ready for the canvas: data, layout and hover regions (nearest first)."""
    look, surface = theme(dark), drawing.surface
    drawn = np.flatnonzero(np.isin(surface.ids, largest(surface).ids))
    order = drawing.order[np.isin(drawing.order, drawn)]
    facets = order.tolist()
    rings = [drawing.ring(f, ground=True) for f in facets] + [drawing.ring(f) for f in facets]
    fills = [colours[r] for r in surface.ids[order].tolist()] * 2
    everything = np.concatenate(rings)
    low, high = everything.min(axis=0), everything.max(axis=0)
    half = 0.53 * float((high - low).max())
    box = np.stack([(low + high) / 2 - half, (low + high) / 2 + half], axis=1)
    faint = np.repeat([True, False], len(facets))
    starts = np.r_[0, np.cumsum([len(r) for r in rings])].astype(np.int32)
    image = mosaic(everything, starts, fills, faint, box, look)
    creases = np.array(
        [drawing.project(np.column_stack([c[:, :2], [drawing.floor] * 2])) for c in longest(surface.creases)]
    )
    outline: list[Floats] = []
    if selected is not None and selected in surface.ids:
        at = int(np.flatnonzero(surface.ids == selected)[0])
        rim = (drawing.ring(at, ground=True), drawing.ring(at))
        outline = [np.concatenate([ring, ring[:1]]) for ring in rim]
    data = [
        line(segments(creases.reshape(-1, 2, 2)), look.hinge, 1.0),
        line(broken(outline), look.line, 2.6),
    ]
    layout = sheet(box, image)
    near = [drawing.ring(f) for f in facets[::-1]] + [drawing.ring(f, ground=True) for f in facets[::-1]]
    x, y = np.concatenate(near).astype(np.float32).T
    labels = [set_label(active_sets[r]) for r in surface.ids[order[::-1]].tolist()] * 2
    return Picture(data, layout, Regions(np.r_[0, np.cumsum([len(r) for r in near])].astype(np.int32), x, y, labels))
