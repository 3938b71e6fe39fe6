"""A checkpoint as it is looked at: its exact fan in a plane, the class map in it, and the figures of the moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.slices import principal_directions, restrict
from tropviz.core.training.checkpoint import Checkpoint
from tropviz.core.training.data import Dataset
from tropviz.core.training.loop import train
from tropviz.core.training.outcome import Outcome, outcome
from tropviz.core.training.recipe import Recipe

Floats = NDArray[np.float64]
#: Points a side of the class map.
SIDE = 80
#: How far the picture reaches beyond the data, in its spread.
_REACH = 2.6
#: Hinges beyond which the regions of every checkpoint would take longer than the training.
_MOST_HINGES = 4096


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane in which a run is looked at: x = origin + y @ basis, and the window in it.

    Attributes
    ----------
    origin : (d,) float64
    basis : (2, d) float64
    box : (2, 2) float64
        Low and high of each axis.
    itself : bool
        The layer's own plane (d = 2).
    points : (n, 2) float64
        The data in it.
    """

    origin: Floats
    basis: Floats
    box: Floats
    itself: bool
    points: Floats


def plane_of(data: Dataset, measured: bool = False) -> Plane:
    """Where to look: the first two axes, or through the mean along the leading directions of `measured` data.

    The window holds the data, and the origin too where the data lie in the first two axes.
    """
    d = data.X.shape[1]
    origin, basis = np.zeros(d), np.eye(2, d)
    if measured:
        origin, basis = principal_directions(data.X, 2)
    points = (data.X - origin) @ basis.T
    middle = points.mean(axis=0)
    wide = _REACH * float(np.sqrt(((points - middle) ** 2).mean()))
    far = np.zeros(2) if measured else middle
    centre = middle - far / 2
    half = max(float(np.abs(far).max()) / 2 + wide, np.finfo(float).tiny)
    return Plane(origin, basis, np.column_stack([centre - half, centre + half]), d == 2, points)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What is shown of a checkpoint.

    Attributes
    ----------
    outcome : Outcome
    shares : (N,) float64
        Share of the choices that fall on every expert.
    effective : float
        2 to the entropy (bits) of the data over active sets: exact for these points.
    cells : Count
        Of the router, in the plane.
    regions : Count or None
        Linear regions in the plane; None where there are too many hinges to count at every step.
    walls : (s, 2, 2) float32
        Walls of the fan in the window, as lines.
    decision : (SIDE, SIDE) uint8
        Class the layer decides for; rows from low to high of the second axis.
    """

    outcome: Outcome
    shares: Floats
    effective: float
    cells: Count
    regions: Count | None
    walls: NDArray[np.float32]
    decision: NDArray[np.uint8]


def snapshot(layer: Checkpoint, plane: Plane) -> Snapshot:
    """The figures and the picture of one checkpoint.

    Examples
    --------
    >>> *_, last = train(Recipe(data="moons", points=60, N=4, k=1, H=2, steps=5))
    >>> seen = snapshot(last, plane_of(last.data))
    >>> seen.cells.kind, seen.decision.shape, float(seen.shares.sum().round(9))
    ('exact', (80, 80), 1.0)
    """
    flat = layer.router if plane.itself else restrict(layer.router, plane.origin, plane.basis)
    fan = RoutingFan(flat)
    regions = None
    if layer.N * layer.H <= _MOST_HINGES:
        U, c = (layer.U, layer.c)
        if not plane.itself:
            U, c = U @ plane.basis.T, c + U @ plane.origin
        regions = MoELayer(flat, U, c, fan=fan).regions()
    axes = [np.linspace(low, high, SIDE) for low, high in plane.box]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    decision = layer.classes(plane.origin + grid @ plane.basis).reshape(SIDE, SIDE).astype(np.uint8)
    _, counts = np.unique(layer.router.active_sets(layer.data.X), axis=0, return_counts=True)
    p = counts / counts.sum()
    effective = float(np.exp(-(p * np.log(p)).sum()))
    return Snapshot(outcome(layer), layer.shares, effective, fan.count, regions, _walls(fan, plane.box), decision)


def _walls(fan: RoutingFan, box: Floats) -> NDArray[np.float32]:
    """Every wall inside the window once, as a segment."""
    _, shapes = fan.polygons(box)
    if len(shapes) < 2:
        return np.zeros((0, 2, 2), dtype=np.float32)
    rings = shapely.get_exterior_ring(np.asarray(shapes, dtype=object))
    points, owner = shapely.get_coordinates(rings, return_index=True)
    ends = np.stack([points[:-1], points[1:]], axis=1)[owner[:-1] == owner[1:]]
    near = 1e-9 * float(np.abs(box).max())
    on_edge = (np.abs(ends[:, :, :, None] - box) <= near).all(axis=1).any(axis=(1, 2))
    ends = ends[~on_edge]
    order = np.lexsort((ends[..., 1], ends[..., 0]), axis=1)
    ends = np.take_along_axis(ends, order[..., None], axis=1).astype(np.float32)
    return np.asarray(np.unique(ends.reshape(-1, 4), axis=0).reshape(-1, 2, 2))


def snapshots(
    recipe: Recipe, own: tuple[Any, Any] | None = None, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Snapshot]:
    """`train`, seen in the plane of its data."""
    plane: Plane | None = None
    for layer in train(recipe, own=own, stopped=stopped):
        plane = plane or plane_of(layer.data, measured=own is not None)
        yield snapshot(layer, plane)
