"""What the scene describes, computed once: every page takes router, fan, data and layer from here.

So the same scene gives the same number on every page, and what two sessions both ask is computed once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz import RoutingFan, capacity
from tropviz.core import presets, slices
from tropviz.core.collapse import clouds
from tropviz.core.router import Router
from tropviz.io.read import LayerFile, read_layer, read_points
from tropviz.io.samples import DIGITS
from tropviz.io.training import trained_to
from tropviz.ui import heavy
from tropviz.ui.limits import CORNERS_SPACE
from tropviz.ui.scene import taught
from tropviz.ui.scene.derived import derived
from tropviz.ui.scene.own import Points
from tropviz.ui.scene.rows import BY_NAME
from tropviz.ui.scene.table import Scene

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Most numbers of random hinges drawn in a file's own dimension: the cut is in rationals, some 100 bytes a number.
#: Beyond, they are drawn on the subspace that is shown: Gaussian in all directions, they have the same law there.
DRAWN = 2**21


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
    V : (N, m, H) or None
        Output weights that come with the hinges; None: random ones are drawn where an output is shown.
    """

    name: str
    W: Array
    b: Array | None = None
    U: Array | None = None
    c: Array | None = None
    X: Array | None = None
    V: Array | None = None


@dataclass(frozen=True, eq=False)
class Subspace:
    """The flat subspace on screen: x = origin + y @ basis. None and None: the router's own space."""

    origin: Array | None = None
    basis: Array | None = None

    def coordinates(self, X: Array) -> Array:
        """Points in the subspace's own coordinates (projected orthogonally)."""
        return X if self.basis is None or self.origin is None else (X - self.origin) @ self.basis.T


@dataclass(frozen=True, eq=False)
class Home:
    """Where own data lies by itself.

    The rows of the scene hold its place rounded; while a scene names this place, the data is `X` to the last bit.

    Attributes
    ----------
    X : (n, d)
    mean : (d,)
    offset : float
        Length of the mean.
    place : dict
        The same as the scene's rows say it: offset, direction, and in three dimensions elevation. In more than three
        the direction counts from the mean itself, so it is 0.
    """

    X: Array
    mean: Array
    offset: float
    place: dict[str, float]

    def towards(self, scene: Scene) -> bool:
        """Whether the scene's direction is that of the mean."""
        return all(getattr(scene, name) == value for name, value in self.place.items() if name != "offset")

    def here(self, scene: Scene) -> bool:
        """Whether the scene has the data where it lies by itself."""
        return bool(scene.offset == self.place["offset"]) and self.towards(scene)


def home_of(X: Array) -> Home:
    """Where points lie.

    >>> home_of(np.array([[0.0, 1.0], [0.0, 3.0]])).place
    {'offset': 2.0, 'direction': 90.0}
    """
    mean = X.mean(axis=0)
    length, d = float(np.linalg.norm(mean)), len(mean)
    at = {"offset": length, "direction": 0.0}
    if d == 1 and mean[0] < 0:
        at["direction"] = 180.0
    if d in {2, 3}:
        at["direction"] = math.degrees(math.atan2(mean[1], mean[0]))
    if d == 3:
        at["elevation"] = math.degrees(math.atan2(mean[2], math.hypot(mean[0], mean[1])))
    place = {name: float(BY_NAME[name].clamp(value, {})[0]) for name, value in at.items()}
    return Home(X, mean, length, place)


@dataclass(frozen=True, eq=False)
class PlaneCells:
    """Cells of the fan in the window: fan rows (m,), polygons (m,), their areas (m,) and middles (m, 2)."""

    ids: Ints
    shapes: NDArray[np.object_]
    areas: Array
    middles: Array


@derived
def _digits(_: Scene) -> Source:
    layer = read_layer(DIGITS)
    assert layer.W is not None
    X = read_points(DIGITS, d=layer.W.shape[1])
    return Source("Trained on digits", layer.W, layer.b, layer.U, layer.c, X, layer.V)


def scene_dim(scene: Scene) -> int:
    """2 or 3: the space on screen."""
    return int(scene.dim)


def has_size(scene: Scene) -> bool:
    """Whether the weights have a size of their own, as those of a file: no more experts or dimensions can be made."""
    return scene.router not in presets.PRESETS and scene.router != "designed"


def brings_data(scene: Scene) -> bool:
    """Whether the router comes with data of its own."""
    return scene.router in {"digits", "trained"}


@derived
def _taught(scene: Scene) -> Source:
    """The router of a recipe, trained again here, in a process of its own."""
    recipe, step = taught.decode(scene.taught)
    what = f"Training the router of this link again: {recipe.data}, {step:,} steps"
    weights = heavy.wait(what, trained_to, recipe, step)
    return Source(f"Trained on {recipe.data}, step {step:,}", *weights)


def designs(scene: Scene, d: int) -> tuple[capacity.Design, capacity.Design]:
    """How a designed layer may be made: so that its regions can be seen, and with the most regions.

    They differ in the plane, for some shapes: a layout found by a search has more regions than a polygon, but its
    hinges lie too close together to be seen.
    """
    every = capacity.constructions(scene.n, scene.k, scene.h, d)
    most = max(every, key=lambda one: one.regions)
    return next((one for one in every if one.name == "polygon"), most), most


def design(scene: Scene, d: int) -> capacity.Design:
    """The construction that the designed layer on screen is made by, in d dimensions."""
    return designs(scene, d)[scene.construction == "most"]


@derived
def _designed(scene: Scene) -> Source:
    return Source("Designed for many regions", *design(scene, scene_dim(scene)).weights())


@derived
def scene_source(scene: Scene) -> Source:
    """The weights, in their own dimension."""
    if scene.router == "digits":
        return _digits(scene)
    if scene.router == "trained":
        return _taught(scene)
    if scene.router == "designed":
        return _designed(scene)
    if scene.router == "file":
        file = scene.own_router.file
        if isinstance(file, LayerFile):
            assert file.W is not None  # a dense network is no router on screen
            return Source(file.name, file.W, file.b, file.U, file.c, V=file.V)
        return Source(file.name, file.W, file.b)
    n, d = scene.n, scene_dim(scene)
    seed = (scene.seed,) if presets.seeded(scene.router) else ()  # the others do not read it
    return Source(scene.router, *presets.preset(scene.router, n, d, *seed))


def own_points(scene: Scene) -> Points | None:
    """The points this session brought, if they have as many numbers as the router has inputs."""
    found: Points | None = scene.own_points
    return found if found is not None and found.X.shape[1] == scene_source(scene).W.shape[1] else None


@derived
def home(scene: Scene) -> Home | None:
    """Where the session's own points lie, if they are the data."""
    found = own_points(scene)
    return None if found is None else home_of(found.X)


def data_given(scene: Scene) -> Array | None:
    """Data that is not drawn at random here, in the router's own space: the session's points, or the router's own."""
    found = own_points(scene)
    return scene_source(scene).X if found is None else found.X


@derived
def scene_subspace(scene: Scene) -> Subspace:
    """The subspace on screen: through the data's mean along its leading principal directions, or those of W."""
    source, d, X = scene_source(scene), scene_dim(scene), data_given(scene)
    own = source.W.shape[1]
    if own == d:
        return Subspace()
    if own < d:
        return Subspace(np.zeros(own), np.eye(own, d).T)
    mean, basis = slices.principal_directions(source.W if X is None else X, d)
    return Subspace(np.zeros(own) if X is None else mean, basis)


@derived
def scene_router(scene: Scene) -> Router:
    """The scene's router in the space on screen (the exact restriction to it), with `scene.k` active experts."""
    source, subspace = scene_source(scene), scene_subspace(scene)
    if subspace.basis is None:
        return Router(source.W, source.b, scene.k)
    if len(subspace.basis) > source.W.shape[1]:  # a line shown in a plane: the other axis changes nothing
        return Router(source.W @ subspace.basis.T, source.b, scene.k)
    return slices.restrict(Router(source.W, source.b, scene.k), subspace.origin, subspace.basis)


def scene_affine(scene: Scene) -> bool:
    """Whether the router on screen has a bias: the laws of random routers are other ones then."""
    return not scene_router(scene).central


@derived
def scene_fan(scene: Scene) -> RoutingFan:
    """Every full-dimensional cell of the scene's router in the space on screen."""
    budget = {"budget": CORNERS_SPACE} if scene_dim(scene) == 3 else {}
    return RoutingFan(scene_router(scene), **budget)


@derived
def ties(scene: Scene) -> list[list[int]]:
    """Experts that are the same (same weights, same bias), in groups of two and more."""
    source = scene_source(scene)
    rows = np.column_stack([source.W, np.zeros(len(source.W)) if source.b is None else source.b])
    _, group, size = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return [np.flatnonzero(group.ravel() == g).tolist() for g in np.flatnonzero(size > 1)]


@derived
def scene_cells(scene: Scene) -> PlaneCells:
    """The cells in the window of the plane."""
    import shapely

    ids, polygons = scene_fan(scene).polygons(scene_window(scene))
    shapes = np.asarray(polygons, dtype=object)
    middles = shapely.get_coordinates(shapely.centroid(shapes)).reshape(-1, 2)
    return PlaneCells(np.asarray(ids), shapes, shapely.area(shapes), middles)


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


def movable(scene: Scene) -> bool:
    """Whether the offset carries the data on screen; own points projected from more dimensions stay where they are."""
    return home(scene) is None or scene_subspace(scene).basis is None


def scene_mean(scene: Scene) -> Array:
    """How far the data cloud is carried from where it lies at offset 0: offset times direction."""
    if (own := home(scene)) is not None and (own.here(scene) or not movable(scene)):
        return np.asarray(scene_subspace(scene).coordinates(own.mean))
    return scene.offset * scene_direction(scene)


@derived
def _own_data(scene: Scene) -> Array:
    """Data that came with the router, or the session's points, in the subspace on screen."""
    found = data_given(scene)
    assert found is not None
    return scene_subspace(scene).coordinates(found)


@derived
def scene_cloud(scene: Scene) -> Array:
    """The data points, (points, d): the same centred sample at every offset, or the data that came with the router.

    The session's own points lie where they are, to the last bit, until the scene moves them.
    """
    if (own := home(scene)) is not None:
        here, X = own.here(scene) or not movable(scene), _own_data(scene)
        return X if here else X + (scene_mean(scene) - own.mean)
    if scene_source(scene).X is not None:
        return _own_data(scene)[: scene.points] + scene_mean(scene)
    return clouds.cloud(
        scene.points,
        scene_dim(scene),
        offset=scene.offset,
        direction=scene_direction(scene),
        spread=scene.spread,
        seed=scene.seed,
        kind=scene.cloud,
    )


def scene_window(scene: Scene) -> float:
    """Half the side of the window; the window is [-a, a]^d."""
    return float(scene.window)


def _own_experts(scene: Scene) -> tuple[Array, Array]:
    """Hinges of the scene's experts in the router's own space."""
    source = scene_source(scene)
    d = source.W.shape[1] if scene_subspace(scene).basis is not None else scene_dim(scene)
    if source.U is None or source.c is None:
        return presets.random_experts(scene.n, scene.h, d, scene.seed)
    return source.U, source.c


def _drawn_on_screen(scene: Scene) -> bool:
    """Whether random hinges are so many numbers in the router's own space that they are drawn on the subspace shown."""
    source = scene_source(scene)
    wide = scene.n * scene.h * source.W.shape[1] > DRAWN
    return wide and (source.U is None or source.c is None) and scene_subspace(scene).basis is not None


def _whole(scene: Scene) -> Any:
    from tropviz import MoELayer

    source = scene_source(scene)
    return MoELayer(Router(source.W, source.b, scene.k), *_own_experts(scene), source.V)


@derived
def own_layer(scene: Scene) -> Any:
    """The scene's MoE layer in the router's own space; None where its hinges are drawn on the subspace shown."""
    return None if _drawn_on_screen(scene) else _whole(scene)


@derived
def scene_experts(scene: Scene) -> tuple[Array, Array]:
    """Hinges of the scene's experts in the space on screen: U (N, H, d) and c (N, H)."""
    if _drawn_on_screen(scene):
        return presets.random_experts(scene.n, scene.h, scene_dim(scene), scene.seed)
    subspace, (U, c) = scene_subspace(scene), _own_experts(scene)
    if subspace.basis is None or subspace.origin is None:
        return U, c
    return U @ subspace.basis.T, c + U @ subspace.origin


@derived
def scene_layer(scene: Scene) -> Any:
    """The scene's MoE layer in the space on screen."""
    from tropviz import MoELayer

    source, subspace = scene_source(scene), scene_subspace(scene)
    if subspace.basis is None or len(subspace.basis) > source.W.shape[1] or _drawn_on_screen(scene):
        return MoELayer(scene_router(scene), *scene_experts(scene), source.V, fan=scene_fan(scene))
    return _whole(scene).restrict(subspace.origin, subspace.basis, fan=scene_fan(scene))
