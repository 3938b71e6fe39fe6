"""What the scene describes, computed once: every page takes router, fan, data and layer from here.

So the same scene gives the same number on every page. Routers of the app are cached for all sessions, an uploaded
one in its own session only; every cache is bounded.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz import RoutingFan
from tropviz.core import planar, presets, slices
from tropviz.core.collapse import clouds
from tropviz.core.limits import CORNERS_SPACE
from tropviz.core.router import Router
from tropviz.io.read import LayerFile, RouterFile, read_layer, read_points
from tropviz.io.samples import DIGITS
from tropviz.ui.scene import Scene

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Objects of one kind kept for all sessions together, and for one session with its own router.
KEPT, KEPT_OWN = 24, 3
#: Kinds of objects kept at once.
KINDS_KEPT = 96


@dataclass(frozen=True, eq=False)
class Source:
    """Where the weights come from, in their own dimension.

    Attributes
    ----------
    name : str
        For titles.
    W : (N, d), b : (N,) or None
    U : (N, H, d), c : (N, H), or None
        Hinges that come with the router; None: random ones are drawn.
    X : (n, d) or None
        Data that comes with the router; None: the synthetic cloud.
    """

    name: str
    W: Array
    b: Array | None = None
    U: Array | None = None
    c: Array | None = None
    X: Array | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """The flat subspace on screen: x = origin + y @ basis. None and None: the router's own space."""

    origin: Array | None = None
    basis: Array | None = None

    def coordinates(self, X: Array) -> Array:
        """Points in the subspace's own coordinates (projected orthogonally)."""
        return X if self.basis is None else (X - self.origin) @ self.basis.T


@dataclass(frozen=True, eq=False)
class PlaneCells:
    """Cells of the fan in the window: fan rows (m,), polygons (m,), their areas (m,) and middles (m, 2)."""

    ids: Ints
    shapes: NDArray[np.object_]
    areas: Array
    middles: Array


class _Kept:
    """Least-recently-used stores, one for each kind of object, so that one kind never drives out another."""

    def __init__(self, most: int) -> None:
        self.most, self.stores = most, OrderedDict[str, OrderedDict[Hashable, Any]]()

    def get(self, what: str, key: Hashable, make: Callable[[], Any]) -> Any:
        items = self.stores.setdefault(what, OrderedDict())
        with suppress(KeyError):  # dropped by another session meanwhile
            self.stores.move_to_end(what)
        while len(self.stores) > KINDS_KEPT:  # a kind may name a scene's numbers, so kinds are bounded too
            self.stores.popitem(last=False)
        if key in items:
            try:
                items.move_to_end(key)
                return items[key]
            except KeyError:  # dropped by another session meanwhile
                pass
        value = items[key] = make()
        while len(items) > self.most:
            items.popitem(last=False)
        return value


#: For all sessions of the process.
_SHARED = _Kept(KEPT)


def kept(scene: Scene, what: str, names: tuple[str, ...], make: Callable[[], Any]) -> Any:
    """`make()`, kept under `what` and the scene's values of `names`.

    Uploaded routers, and what follows from them, stay in the session that brought them.
    """
    return _cache(scene).get(what, _key(scene, names), make)


def _cache(scene: Scene) -> _Kept:
    return _SHARED if scene.router != "file" else st.session_state.setdefault("own_cache", _Kept(KEPT_OWN))


def _key(scene: Scene, names: tuple[str, ...]) -> Hashable:
    token = st.session_state["upload"].token if scene.router == "file" else 0
    return (token, scene.router, *scene.subset(*names))


def is_kept(scene: Scene, what: str, names: tuple[str, ...]) -> bool:
    """Whether :func:`kept` has the answer already."""
    return _key(scene, names) in _cache(scene).stores.get(what, ())


@dataclass(frozen=True, eq=False)
class Upload:
    """An accepted file; the token tells two uploads apart."""

    file: RouterFile | LayerFile
    token: int


def upload() -> RouterFile | LayerFile | None:
    """The router file of this session, if there is one."""
    held = st.session_state.get("upload")
    return held.file if held else None


def take_upload(file: RouterFile | LayerFile) -> None:
    """Keep an accepted router file in this session."""
    held = st.session_state.get("upload")
    st.session_state["upload"] = Upload(file, held.token + 1 if held else 1)
    for stale in ("own_cache", "ready"):
        st.session_state.pop(stale, None)


def _digits() -> Source:
    layer = read_layer(DIGITS)
    return Source("Trained on digits", layer.W, layer.b, layer.U, layer.c, read_points(DIGITS, d=layer.W.shape[1]))


def _preset(scene: Scene) -> Source:
    d = scene_dim(scene)
    makers = {
        "affine": lambda: presets.random_affine(scene.n, d, scene.seed),
        "linear": lambda: presets.random_linear(scene.n, d, scene.seed),
        "polygon": lambda: presets.regular_polygon(scene.n, d),
        "moment": lambda: presets.moment_curve(scene.n, d),
    }
    return Source(scene.router, *makers[scene.router]())


def scene_dim(scene: Scene) -> int:
    """2 or 3: the space on screen."""
    return int(scene.dim)


def scene_source(scene: Scene) -> Source:
    """The weights, in their own dimension."""
    if scene.router == "digits":
        return kept(scene, "source", (), _digits)
    if scene.router == "file":
        file = upload()
        experts = (file.U, file.c) if isinstance(file, LayerFile) else (None, None)
        return Source(file.name, file.W, file.b, *experts)
    return kept(scene, "source", ("n", "dim", "seed"), lambda: _preset(scene))


def scene_frame(scene: Scene) -> Frame:
    """The subspace on screen: through the data's mean along its leading principal directions, or those of W."""
    source, d = scene_source(scene), scene_dim(scene)
    if source.W.shape[1] == d:
        return Frame()

    def make() -> Frame:
        own = source.W.shape[1]
        if own < d:
            return Frame(np.zeros(own), np.eye(own, d).T)
        mean, basis = slices.principal_directions(source.W if source.X is None else source.X, d)
        return Frame(np.zeros(own) if source.X is None else mean, basis)

    return kept(scene, "frame", ("dim",), make)


def _restricted(scene: Scene) -> Router:
    source, frame = scene_source(scene), scene_frame(scene)
    if frame.basis is None:
        return Router(source.W, source.b, scene.k)
    if len(frame.basis) > source.W.shape[1]:  # a line shown in a plane: the other axis changes nothing
        return Router(source.W @ frame.basis.T, source.b, scene.k)
    return slices.restrict(Router(source.W, source.b, scene.k), frame.origin, frame.basis)


def scene_router(scene: Scene) -> Router:
    """The scene's router in the space on screen (the exact restriction to it), with `scene.k` active experts."""
    return kept(scene, "router", ("n", "k", "dim", "seed"), lambda: _restricted(scene))


def scene_affine(scene: Scene) -> bool:
    """Whether the router on screen has a bias: the laws of random routers are other ones then."""
    return not scene_router(scene).central


def scene_fan(scene: Scene) -> RoutingFan:
    """Every full-dimensional cell of the scene's router in the space on screen."""
    budget = {"budget": CORNERS_SPACE} if scene_dim(scene) == 3 else {}
    return kept(scene, "fan", ("n", "k", "dim", "seed"), lambda: RoutingFan(scene_router(scene), **budget))


def ties(scene: Scene) -> list[list[int]]:
    """Experts that are the same (same weights, same bias), in groups of two and more."""
    source = scene_source(scene)
    rows = np.column_stack([source.W, np.zeros(len(source.W)) if source.b is None else source.b])
    _, group, size = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return [np.flatnonzero(group.ravel() == g).tolist() for g in np.flatnonzero(size > 1)]


def scene_cells(scene: Scene) -> PlaneCells:
    """The cells in the window of the plane."""

    def make() -> PlaneCells:
        import shapely

        ids, shapes = scene_fan(scene).polygons(scene_window(scene))
        shapes = np.asarray(shapes, dtype=object)
        middles = shapely.get_coordinates(shapely.centroid(shapes)).reshape(-1, 2)
        return PlaneCells(np.asarray(ids), shapes, shapely.area(shapes), middles)

    return kept(scene, "cells", ("n", "k", "dim", "seed", "window"), make)


def scene_direction(scene: Scene) -> Array:
    """Unit vector of the data's offset in the space on screen."""
    angle = math.radians(scene.direction)
    if scene_dim(scene) == 2:
        return np.array([math.cos(angle), math.sin(angle)])
    return unit_vector(angle, math.radians(scene.elevation))


def unit_vector(azimuth: float, elevation: float) -> Array:
    """The direction in space at some angles, in radians."""
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)])


def scene_mean(scene: Scene) -> Array:
    """How far the data cloud is carried from where it lies at offset 0: offset times direction."""
    return scene.offset * scene_direction(scene)


def scene_cloud(scene: Scene) -> Array:
    """The data points, (points, d): the same centred sample at every offset, or the data that came with the router."""
    source = scene_source(scene)
    if source.X is not None:
        own = kept(scene, "data", ("dim",), lambda: scene_frame(scene).coordinates(source.X))
        return own[: scene.points] + scene_mean(scene)

    def make() -> Array:
        return clouds.cloud(
            scene.points,
            scene_dim(scene),
            offset=scene.offset,
            direction=scene_direction(scene),
            spread=scene.spread,
            seed=scene.seed,
            kind=scene.cloud,
        )

    names = ("points", "dim", "offset", "direction", "elevation", "spread", "seed", "cloud")
    return kept(scene, "cloud", names, make)


def scene_point_cells(scene: Scene) -> Ints:
    """Fan row of every data point, -1 on a wall."""
    return planar.locate(scene_fan(scene), scene_cloud(scene))


def scene_window(scene: Scene) -> float:
    """Half the side of the window; the window is [-a, a]^d."""
    return float(scene.window)


def scene_experts(scene: Scene) -> tuple[Array, Array]:
    """Hinges of the scene's experts in the space on screen: U (N, H, d) and c (N, H)."""
    source, frame = scene_source(scene), scene_frame(scene)

    def make() -> tuple[Array, Array]:
        d = source.W.shape[1] if frame.basis is not None else scene_dim(scene)
        U, c = (source.U, source.c) if source.U is not None else presets.random_experts(scene.n, scene.h, d, scene.seed)
        return (U, c) if frame.basis is None else (U @ frame.basis.T, c + U @ frame.origin)

    return kept(scene, "experts", ("n", "h", "dim", "seed"), make)


def scene_layer(scene: Scene) -> Any:
    """The scene's MoE layer in the space on screen."""
    from tropviz import MoELayer

    def make() -> MoELayer:
        U, c = scene_experts(scene)
        return MoELayer(scene_router(scene), U, c, fan=scene_fan(scene))

    return kept(scene, "layer", ("n", "k", "h", "dim", "seed"), make)
