"""Pictures of fans and layers: cells in the plane with what one reads by pointing at them, cells in space."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from tropviz.core import planar
from tropviz.core.count import Count
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.router import as_float64
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.mesh import box_surface
from tropviz.core.spatial.sphere import patches
from tropviz.core.window import as_window
from tropviz.figures.colour import cell_colours
from tropviz.figures.plane import plane_figure, set_text
from tropviz.figures.space import space_figure
from tropviz.figures.traces import dots
from tropviz.plotting.section import Plane, plane_of, usual_window


def cells_title(fan: RoutingFan) -> str:
    """What a fan is, with its count and what kind of number that is."""
    return f"top-{fan.router.k} of {fan.router.N}: {fan.count} {noun(fan.count, 'cell')} ({fan.count.kind})"


def regions_title(layer: MoELayer) -> str:
    """The same of a layer, with its linear regions in the whole space where they can be counted (d <= 3)."""
    text = cells_title(layer.fan)
    if layer.d > 3:
        return text
    regions = layer.regions()
    return f"{text}, {regions} linear {noun(regions, 'region')} ({regions.kind})"


def noun(count: Count, word: str) -> str:
    """The word in the number that fits."""
    return word if count.value == 1 else word + "s"


def plane(
    fan: RoutingFan,
    *,
    window: Any = None,
    data: Any = None,
    labels: bool = True,
    dark: bool = False,
    layer: MoELayer | None = None,
    hinges: bool = True,
    title: str = "",
) -> dict[str, Any]:
    """A fan as coloured cells in the plane; every cell tells its active set and its area."""
    cut = plane_of(fan, window, dark)
    points = _data(data, fan, cut)
    made = plane_figure(
        cut.ids,
        list(cut.shapes),
        cut.fan.active_sets,
        cut.colours,
        window=cut.window,
        points=points,
        point_cells=None if points is None else planar.locate(cut.fan, points),
        segments=_hinges(layer, cut) if layer is not None and hinges else None,
        labels=labels,
        dark=dark,
    )
    made.data.append(_told(cut))
    made.layout["hovermode"] = "closest"
    return {**made.figure, "title": "<br>".join(filter(None, (title or cells_title(fan), _small(cut.note))))}


def space(
    fan: RoutingFan,
    *,
    window: Any = None,
    data: Any = None,
    dark: bool = False,
    title: str = "",
    labels: bool = True,
) -> dict[str, Any]:
    """A fan in space: patches of the unit sphere if it is central, else solid cells in a box."""
    central = fan.router.central and window is None
    box = None if central else as_window(usual_window(fan) if window is None else window, 3)
    everything = np.ones(len(fan.active_sets), dtype=bool)
    surface = sphere_surface(patches(fan), everything) if box is None else box_surface(polyhedra(fan, box), everything)
    points = None
    if data is not None:
        points = _points(data, 3)
        if box is None:
            size = np.linalg.norm(points, axis=1)
            points = points[size > 0] / size[size > 0, None]
    made = space_figure(
        surface,
        fan.active_sets,
        cell_colours(fan.router.W, fan.active_sets, dark),
        box=box,
        reach=1.0 if box is None else float(np.diff(box).max()) / 2,
        points=points,
        dark=dark,
    )
    return {**made.figure, "title": title or cells_title(fan)}


def _small(text: str) -> str:
    return f"<sup>{text}</sup>" if text else ""


def _told(cut: Plane) -> dict[str, Any]:
    """What one reads of a cell by pointing near its middle: an unseen marker there."""
    middles = shapely.get_coordinates(shapely.point_on_surface(cut.shapes)).reshape(-1, 2)
    sets = cut.fan.active_sets[cut.ids]
    texts = [f"experts {set_text(S)}<br>area {a:.4g} in the window" for S, a in zip(sets, cut.areas, strict=True)]
    label = {"bgcolor": [cut.colours[row] for row in cut.ids.tolist()]}
    return dots(middles, size=22, opacity=0) | {"text": texts, "hoverinfo": "text", "hoverlabel": label}


def _points(data: Any, d: int) -> Any:
    points = as_float64(data, "data")
    if points.ndim != 2 or points.shape[1] != d:
        raise ValueError(f"data has shape {points.shape}: give (n, {d}) points, in the space of the router.")
    return points


def _data(data: Any, fan: RoutingFan, cut: Plane) -> Any:
    if data is None:
        return None
    points = _points(data, fan.router.d)
    if fan.router.d == 1:
        return np.column_stack([points, np.zeros(len(points))])
    return points if cut.subspace is None else (points - cut.subspace[0]) @ cut.subspace[1].T


def _hinges(layer: MoELayer, cut: Plane) -> Any:
    """Hinges of the active experts; a section or a strip has the layer's hinges seen in it."""
    if cut.fan is not layer.fan and cut.subspace is not None:
        layer = layer.restrict(*cut.subspace, fan=cut.fan)
    elif cut.fan is not layer.fan:
        U = np.concatenate([layer.U, np.zeros_like(layer.U)], axis=2)
        layer = MoELayer(cut.fan.router, U, layer.c, fan=cut.fan)
    return layer.hinge_segments(cut.window, polygons=(cut.ids, cut.shapes)).ends
