"""What is seen of one router: its tokens in router coordinates, the plane through them, and the cells in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz import Count, Router, RoutingFan
from tropviz.core import slices
from tropviz.core.capture.layer import in_coordinates
from tropviz.core.capture.plane import plane
from tropviz.core.gates import Gate
from tropviz.core.wilson import wilson_of
from tropviz.language import say
from tropviz.ui.lab import model
from tropviz.ui.scene import BY_NAME, Scene, derived, viewpoint

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Tokens that are drawn: of a capture the first of its sample, which is in random order.
DRAWN = 3000
#: Side of the grid on which a curved gate is evaluated.
GRID = 240


@dataclass(frozen=True, eq=False)
class Tokens:
    """Tokens of a router.

    Attributes
    ----------
    y : (m, r) float64
        In router coordinates.
    sets : (m, k) int64
        Their active sets: those that were captured, or those of the gate.
    margin : (m,) float64
        Distance to the nearest wall of plain top-k; of class C, in the space of scores.
    names : tuple of str or None
        Their texts, or the names of their sources.
    texts : bool
        Whether the names are texts.
    """

    y: Array
    sets: Ints
    margin: Array
    names: tuple[str, ...] | None
    texts: bool


@derived
def gate_of(scene: Scene) -> Gate:
    """The gate in router coordinates."""
    gate = model.gates(scene)[model.number(scene)]
    if model.model_of(scene).capture is not None or gate.kind == "X":
        return gate
    Q = gate.coordinates
    return in_coordinates(gate, Q) if len(Q) else gate


@derived
def tokens(scene: Scene) -> Tokens:
    """The tokens that are drawn; none where only weights, or only choices, are known."""
    gate = gate_of(scene)
    layer, own = model.captured(scene), model.own_tokens(scene)
    if gate.kind == "X" or (layer is None and own is None) or (layer is not None and layer.moments is None):
        none = np.zeros(0)
        return Tokens(np.zeros((0, gate.d)), np.zeros((0, gate.k), np.int64), none, None, False)
    if layer is not None:
        thing, sample = model.model_of(scene), layer.sample
        sources = thing.capture.sources  # type: ignore[union-attr]
        y, sets = sample.y[:DRAWN].astype(np.float64), sample.chosen[:DRAWN].astype(np.int64)
        names = tuple(sources[i] for i in sample.source[:DRAWN].tolist()) if len(sources) > 1 else None
        known = gate.kind != "C" and not np.isnan(sample.margin).any()
        margin = sample.margin[:DRAWN].astype(np.float64) if known else _margin(gate, y)
        return Tokens(y, sets, margin, names, thing is model.sample())  # what each of its tokens is: a digit
    assert own is not None
    whole = model.gates(scene)[model.number(scene)]
    X = own.X[:DRAWN]
    y, texts = X @ whole.coordinates.T, getattr(own, "texts", None)
    return Tokens(y, np.asarray(whole.active_sets(X)), _margin(gate, y), texts and texts[:DRAWN], texts is not None)


def _margin(gate: Gate, y: Array) -> Array:
    if gate.k == gate.N:
        return np.full(len(y), np.inf)
    return np.asarray(gate.diagram.margin(gate.squash(y)) if gate.kind == "C" else gate.plain.margin(y))


@derived
def frame(scene: Scene) -> tuple[Array, Array]:
    """Origin and basis of the plane, in router coordinates; ValueError in one sentence."""
    kind, gate = scene.lab_slice, gate_of(scene)
    if gate.kind == "X":
        raise ValueError(say("Nothing can be drawn: {refused}.", refused=gate.rule.refused))
    asked = {"experts": (viewpoint.pair, "lab_experts"), "tokens": (viewpoint.triple, "lab_tokens")}
    which: tuple[int, ...] = ()
    if kind in asked:
        read, name = asked[kind]
        try:
            which = read(getattr(scene, name))
        except ValueError as problem:
            raise ValueError(f"{BY_NAME[name].label} {problem}.") from None
    return plane(gate.W, tokens(scene).y, kind, which)


@derived
def points(scene: Scene) -> Array:
    """The tokens in the plane, (m, 2), projected orthogonally."""
    origin, basis = frame(scene)
    return np.asarray((tokens(scene).y - origin) @ basis.T)


@derived
def router(scene: Scene) -> Router:
    """Plain top-k in the plane: the gate itself for classes A and A+."""
    return slices.restrict(gate_of(scene).plain, *frame(scene))


@derived
def fan(scene: Scene) -> RoutingFan:
    """Its exact fan."""
    return RoutingFan(router(scene))


@derived
def window(scene: Scene) -> Array:
    """Low and high end of each axis, (2, 2): a square round the tokens, or round the corners of the fan."""
    found = points(scene)
    if not len(found):
        corners = np.abs(fan(scene).vertices)
        reach = 1.6 * float(np.quantile(corners.max(axis=1), 0.9)) if len(corners) else 1.0
        return np.array([[-reach, reach]] * 2) if reach else np.array([[-1.0, 1.0]] * 2)
    if scene.lab_slice == "mean":  # the origin, where all cells meet, is in it
        found = np.concatenate([found, np.zeros((1, 2))])
    low, high = np.quantile(found, [0.0, 1.0], axis=0)
    half = 0.54 * float((high - low).max()) or 1.0
    middle = (low + high) / 2
    return np.stack([middle - half, middle + half], axis=1)


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of the exact fan in the window: fan rows (m,) and polygons (m,)."""

    ids: Ints
    shapes: NDArray[np.object_]


@derived
def cells(scene: Scene) -> Cells:
    """The exact cells in the window."""
    ids, shapes = fan(scene).polygons(window(scene))
    return Cells(np.asarray(ids), np.asarray(shapes, dtype=object))


@dataclass(frozen=True, eq=False)
class Sampled:
    """A gate evaluated on a grid over the window: sets (m, k), and the number of its set at each place (g, g)."""

    sets: Ints
    at: NDArray[np.int32]


@derived
def sampled(scene: Scene) -> Sampled:
    """What a gate that is no plain top-k chooses, place by place."""
    (origin, basis), box, gate = frame(scene), window(scene), gate_of(scene)
    step = (box[:, 1] - box[:, 0]) / GRID
    x, y = (box[i, 0] + step[i] * (np.arange(GRID) + 0.5) for i in (0, 1))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    sets, at = np.unique(gate.active_sets(origin + places @ basis), axis=0, return_inverse=True)
    return Sampled(sets, at.reshape(GRID, GRID).astype(np.int32))


@derived
def elsewhere(scene: Scene) -> Count | None:
    """Share of the tokens that plain top-k would send elsewhere; None where there is nothing to say."""
    gate, found = gate_of(scene), tokens(scene)
    return None if gate.exact or gate.kind == "X" or not len(found.y) else gate.elsewhere(found.y)


@derived
def alike(scene: Scene) -> Count | None:
    """Share of the tokens that the plane shows in the cell of their own active set."""
    found = tokens(scene)
    if not len(found.y):
        return None
    gate, (origin, basis) = gate_of(scene), frame(scene)
    there = gate.active_sets(origin + points(scene) @ basis)
    share = float((there == found.sets).all(axis=1).mean())
    return Count(
        share, "sampled", "tokens, projected to the plane", "95 % Wilson interval", wilson_of(share, len(there))
    )


@derived
def regions(scene: Scene) -> Count | None:
    """Linear regions of the ReLU experts in the window; None where the experts have none or are not known."""
    from tropviz import MoELayer

    brought = model.hinges(scene)
    if brought is None or not gate_of(scene).exact:
        return None
    whole, U, c = brought
    (origin, basis), Q = frame(scene), whole.coordinates
    rest = beside(scene)
    layer = MoELayer(Router(whole.W, whole.b, whole.k), U, c)
    cut = layer.restrict(origin @ Q + rest, basis @ Q)
    return cut.regions(window(scene).tolist())


def beside(scene: Scene) -> Array:
    """The part of the mean input that no router sees, (d,): where the plane lies in the space of the inputs."""
    layer, own = model.captured(scene), model.own_tokens(scene)
    whole = model.hinges(scene)
    assert whole is not None
    Q = whole[0].coordinates
    if layer is not None and layer.moments is not None:
        mean = layer.moments.total / layer.moments.n
    elif own is not None:
        mean = own.X.mean(axis=0)
    else:
        return np.zeros(whole[0].d)
    return np.asarray(mean - Q.T @ (Q @ mean))


def nearest(scene: Scene, place: Any) -> int:
    """The drawn token next to a place in the plane, -1 where none is near."""
    found, box = points(scene), window(scene)
    if not len(found):
        return -1
    far = np.linalg.norm(found - np.asarray(place, dtype=np.float64), axis=1)
    best = int(far.argmin())
    return best if far[best] < 0.03 * float(box[0, 1] - box[0, 0]) else -1


def walls(scene: Scene) -> Array:
    """Walls of the exact plain top-k fan in the window, (s, 2, 2), each once."""
    rings = [shapely.get_coordinates(shape.exterior) for shape in cells(scene).shapes]
    parts = np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings])
    box, size = window(scene), float(np.ptp(window(scene)[0])) * 1e-7
    on_edge = np.any(np.all(np.abs(parts[:, :, :, None] - box) < size, axis=1), axis=(1, 2))
    parts = parts[~on_edge]
    _, once = np.unique(np.rint(parts.mean(axis=1) / size), axis=0, return_index=True)  # two cells share a wall
    return np.asarray(parts[once])
