"""Space on the Router fan page as bodies: patches of a ball or blocks in a box, which are drawn, and the cut."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core import planar
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import Polyhedra, polyhedra
from tropviz.core.spatial.mesh import Surface, box_surface
from tropviz.core.spatial.section import Section, section
from tropviz.core.spatial.sphere import Patches, patches
from tropviz.figures.plane import MOST_CELLS, set_label
from tropviz.figures.space import surface_bytes
from tropviz.language import say
from tropviz.ui import effort, heavy
from tropviz.ui.fan.chosen import selected_row
from tropviz.ui.fan.view import View, routed_points
from tropviz.ui.scene import Scene, derived, model

#: What the cells of one picture may weigh on the wire, whole and apart (where a slider is being moved); data and layout
#: come on top.
MOST_BYTES, MOST_BYTES_APART = 1_500_000, 700_000


@dataclass(frozen=True, eq=False)
class Space(View):
    """Space; sizes are solid angles on the ball and volumes in the box."""

    body: Patches | Polyhedra
    drawn: NDArray[np.bool_]
    dropped: int  # cells left out because the picture would be too large to send
    surface: Surface
    thin: bool  # whether the edges of all cells are drawn
    cut: Section | None

    @property
    def ball(self) -> bool:
        """Whether the cells are shown on the unit sphere."""
        return isinstance(self.body, Patches)

    @property
    def measure(self) -> str:
        """What the size of a cell is called."""
        return say("Solid angle") if self.ball else say("Volume in the window")

    @property
    def total(self) -> float:
        """Size of all cells together."""
        return 4 * math.pi if self.ball else (2 * float(self.scene.window)) ** 3

    @property
    def outside(self) -> int:
        """Data points that lie outside the box; on the ball every point has a place."""
        return 0 if self.ball else super().outside


def space(scene: Scene) -> Space:
    """Compute what the view shows; ValueError in one sentence where the scene cannot be shown."""
    heavy.need(scene, "Cells in space", CALLS, effort.fan_seconds(scene))
    fan, points = model.scene_fan(scene), model.scene_cloud(scene)
    body, cells, cut = _body(scene), _sizes(scene), cut_of(scene) if scene.cut else None
    where, seen = routed_points(scene)
    domain = _domain(scene) if scene.expert >= 0 else None
    drawn, dropped, built, thin = _affordable(scene)
    selected = selected_row(scene, fan)
    return Space(scene, fan, cells, points, where, seen, selected, domain, body, drawn, dropped, built, thin, cut)


def _ball(scene: Scene) -> bool:
    return bool(scene.shape == "sphere" and model.scene_fan(scene).router.central)


@derived
def _body(scene: Scene) -> Patches | Polyhedra:
    fan = model.scene_fan(scene)
    return patches(fan) if _ball(scene) else polyhedra(fan, model.scene_window(scene))


@derived
def _sizes(scene: Scene) -> model.PlaneCells:
    """Rows, sizes and middles of the cells that are there; they have no polygons."""
    body, nothing = _body(scene), np.zeros(0, dtype=object)
    if isinstance(body, Patches):
        rows = np.arange(len(model.scene_fan(scene).active_sets))
        return model.PlaneCells(rows, nothing, body.solid_angles(), body.centres)
    return model.PlaneCells(body.ids, nothing, body.volumes, body.centroids)


def cut_normal(scene: Scene) -> NDArray[np.float64]:
    """Unit normal of the cutting plane; what lies on its side is taken away."""
    return model.unit_vector(math.radians(scene.cut_turn), math.radians(scene.cut_tilt))


@derived
def cut_of(scene: Scene) -> Section:
    a, fan = model.scene_window(scene), model.scene_fan(scene)
    if _ball(scene):
        return section(fan, cut_normal(scene), scene.cut_at, None)
    return section(fan, cut_normal(scene), scene.cut_at * a, a)


@derived
def _domain(scene: Scene) -> planar.Domain:
    """Where one expert is active: its cells, their size, that of the convex hull (in the box), and the pieces."""
    fan, body, cells = model.scene_fan(scene), _body(scene), _sizes(scene)
    mine = np.flatnonzero((fan.active_sets[cells.ids] == scene.expert).any(axis=1))
    ids, hull = cells.ids[mine], 0.0
    if len(ids) and isinstance(body, Polyhedra):
        from scipy.spatial import ConvexHull

        corners = body.points[np.isin(np.repeat(body.cell, np.diff(body.start)), ids)]
        hull = float(ConvexHull(corners).volume)
    pieces = int(planar.clusters(fan, ids).max(initial=-1)) + 1
    return planar.Domain(int(scene.expert), ids, None, float(cells.areas[mine].sum()), hull, pieces)


def _wanted(scene: Scene) -> NDArray[np.bool_]:
    """Which rows of the fan to draw: the largest, less what is peeled away, and of one expert if one is chosen."""
    fan, cells = model.scene_fan(scene), _sizes(scene)
    ids = cells.ids
    if len(ids) > MOST_CELLS:
        ids = np.sort(ids[np.argsort(-cells.areas)[:MOST_CELLS]])
    if scene.expert >= 0 and len(domain := _domain(scene).ids):
        ids = np.intersect1d(ids, domain)
    if scene.peel > 0 and len(ids):
        middle = cells.middles[np.searchsorted(cells.ids, ids)]
        towards = model.scene_direction(scene) if _ball(scene) else model.scene_mean(scene)
        order = np.argsort(np.linalg.norm(middle - towards, axis=1), kind="stable")
        ids = ids[order[: max(1, round(len(ids) * (1 - scene.peel)))]]
    drawn = np.zeros(len(fan.active_sets), dtype=bool)
    drawn[ids] = True
    return drawn


@derived
def _affordable(scene: Scene) -> tuple[NDArray[np.bool_], int, Surface, bool]:
    """What is drawn of it within the bytes allowed, how many cells are not, triangles and edges, and if all edges are.

    The edges go first, then the smallest cells.
    """
    fan, body, cells, drawn = model.scene_fan(scene), _body(scene), _sizes(scene), _wanted(scene)
    cut, apart = cut_of(scene) if scene.cut else None, float(scene.apart)
    build: Any = sphere_surface if isinstance(body, Patches) else box_surface
    built, wanted = build(body, drawn, apart, cut), int(drawn.sum())
    label, most = len(set_label(fan.active_sets[-1])), MOST_BYTES_APART if apart else MOST_BYTES
    thin = surface_bytes(built, label) <= most
    while (size := surface_bytes(built, label, thin)) > most and drawn.sum() > 1:
        ids = np.flatnonzero(drawn)
        areas = cells.areas[np.searchsorted(cells.ids, ids)]
        keep = ids[np.argsort(-areas, kind="stable")[: max(1, int(0.95 * len(ids) * most / size))]]
        drawn = np.zeros_like(drawn)
        drawn[keep] = True
        built = build(body, drawn, apart, cut)
    return drawn, wanted - int(drawn.sum()), built, thin


#: What takes long of many cells.
CALLS = (("cells", model.scene_fan, ()), ("polyhedra", _body, ()), ("faces", _affordable, ()))
