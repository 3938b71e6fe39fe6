"""What a scene means on the Angular collapse page: router, data, direction, certificate, t axis and sweeps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz import Router, collapse
from tropviz.core import slices
from tropviz.ui.limits import OFFSET_FAR
from tropviz.ui.scene import Scene, derived, model
from tropviz.ui.scene.model import Home

Array = NDArray[np.float64]
#: Offsets of the curves. Frames take every STRIDES-th of them, as few as a message may hold.
OFFSETS, STRIDES = 121, (2, 3, 4, 6, 12)
#: The number of t* among them: a multiple of every stride, so t* is always a frame; a tenth of the axis follows.
STAR = 108
#: A t axis longer than this many radii of the data is spaced in ever larger steps, and the picture zooms out.
FAR = 12.0
#: Radii of the data on the t axis where nothing ever collapses, and the least there are.
NEVER, LEAST = 8.0, 2.0


@dataclass(frozen=True, eq=False)
class Study:
    """One scene on this page. The numbers are those of the full space R^d; the picture is a plane in it.

    Attributes
    ----------
    router : Router
        In R^d.
    flat : Router
        Its restriction to the plane of the picture, through the origin; the same router when d = 2.
    axes : (2, d) float64
        The plane of the picture. For data of its own in more than three dimensions: its mean and the leading residual
        direction. Else u and the leading principal direction of the weights after u is removed, turned so that u lies
        at its angle.
    turns_in : (2, d) float64
        The plane u turns in: in space the level circle's tangent and u; else for data of its own the same as `axes`, or
        the two leading principal directions of the weights.
    u : (d,) float64
        Unit direction of the offset, in both planes.
    z : (n, d) float64
        The centred sample; ``side`` (n,) is the side each point is carried to.
    radius : float
        Of the smallest ball around the mean that holds the sample; for a ball its own radius.
    certified : float
        t* of that ball.
    own : Home or None
        Where the data lies by itself, for data that came with the router or from a file.
    reach : float
        Largest offset on the t axis.
    """

    scene: Scene
    router: Router
    flat: Router
    axes: Array
    turns_in: Array
    u: Array
    z: Array
    side: Array
    radius: float
    certified: float
    own: Home | None
    reach: float

    @property
    def start(self) -> float:
        """The offset at which the data lies by itself, as long as it is carried along its own mean; else 0."""
        return self.own.offset if self.own is not None and self.own.towards(self.scene) else 0.0

    @property
    def now(self) -> float:
        """The scene's offset: that of own data to the last bit where the scene names it."""
        at_home = self.own is not None and self.own.here(self.scene)
        return self.start if at_home else float(self.scene.offset)

    @property
    def strength(self) -> float:
        """lambda in force."""
        return float(self.scene.lam) if self.scene.shared else 0.0

    @property
    def share(self) -> float:
        """Mean of the sides: 1, or 0 for two opposed clouds, whose mean stays 0."""
        return float(self.side.mean())

    @property
    def two_sided(self) -> bool:
        """Whether half of the data is carried the other way."""
        return bool(self.side.min() < 0)

    @property
    def heading(self) -> Array:
        """u in the picture's coordinates, (2,)."""
        return np.asarray(self.axes @ self.u)

    @property
    def star(self) -> float | None:
        """The offset that shows the certificate: t* rounded up to what a link holds; None if it is out of reach."""
        return settled(self.certified) if self.certified <= OFFSET_FAR[1] / 2 else None

    @property
    def shown_certified(self) -> float:
        """t* as it stands with the shared expert in force."""
        return collapse.rectified_offset(self.certified, self.strength * self.share)

    @property
    def far(self) -> bool:
        """Whether the t axis is too long for even steps and one window."""
        return self.reach > FAR * (self.radius or 1.0)

    def seen_at(self, t: float, strength: float) -> Array:
        """What the router sees at offset t, (n, d)."""
        if self.start:
            assert self.own is not None
            return self.own.X + ((1.0 - strength) * t - self.start) * self.u
        return self.z + t * (self.side - strength * self.share)[:, None] * self.u

    def away(self, t: float, strength: float) -> float:
        """How far the mean of the cloud (of one of two) is from the origin, as the router sees it."""
        return abs(1 - strength * self.share) * t


def settled(certified: float) -> float:
    """t* rounded up to the decimals a link keeps, so that a picture at it is certain.

    >>> settled(3.1412), settled(2.0), settled(0.00012341)
    (3.142, 2.0, 0.000124)
    """
    digits = max(3, 2 - math.floor(math.log10(certified))) if certified > 0 else 3
    return math.ceil(certified * 10**digits) / 10**digits


def round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50, ...

    >>> round_up(2021), round_up(0.3), round_up(20)
    (5000.0, 0.5, 20.0)
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= value)


# --- a scene's data ---


def _beside(W: Array, plane: Array, heading: Array) -> Array:
    """The plane through u and the leading residual direction of the weights; in it, u lies where `heading` points."""
    u, across = heading @ plane, np.array([-heading[1], heading[0]]) @ plane
    rest = W - W.mean(axis=0)
    rest = rest - np.outer(rest @ u, u)
    v = slices.principal_directions(rest, 1)[1][0]
    v = v - (v @ u) * u
    if np.linalg.norm(v) < 1e-9:  # nothing is left of the weights: any plane through u shows all there is
        v = across
    v = v / np.linalg.norm(v) * (1.0 if v @ across >= 0 else -1.0)
    cos, sin = heading
    return np.stack([cos * u - sin * v, sin * u + cos * v])


def _level(scene: Scene) -> Array:
    """In space: the plane through u and the level direction across it, in which u lies at its azimuth."""
    cos, sin = _heading(scene)
    own, across = _home(scene), np.array([-sin, cos, 0.0])
    if own is not None and own.towards(scene) and own.offset:
        u = np.asarray(collapse.unit(own.mean, 3))
    else:
        u = model.unit_vector(math.atan2(sin, cos), math.radians(scene.elevation))
    return np.stack([cos * u - sin * across, sin * u + cos * across])


def _axes(W: Array, X: Array | None, scene: Scene) -> Array:
    """The plane u turns in."""
    d = W.shape[1]
    if d <= 2:
        return np.eye(2, d)
    if d == 3:
        return _level(scene)
    if X is None:
        return slices.principal_directions(W, 2)[1]
    mean, z = collapse.centred(X)
    first = collapse.unit(mean, d) if mean.any() else slices.principal_directions(z, 1)[1][0]
    second = slices.principal_directions(z - np.outer(z @ first, first), 1)[1][0]
    second = second - (second @ first) * first
    if np.linalg.norm(second) < 1e-9:  # all the data lies on one line: the weights choose the second direction
        rest = W - np.outer(W @ first, first)
        second = slices.principal_directions(rest, 1)[1][0]
        second = second - (second @ first) * first
    return np.stack([first, second / np.linalg.norm(second)])


@derived
def weights(scene: Scene) -> Router:
    """The router in its own space, R^d."""
    source = model.scene_source(scene)
    return Router(source.W, source.b, scene.k)


@derived
def _home(scene: Scene) -> Home | None:
    """Data that is not drawn at random here: this session's own, or what came with the router."""
    if (own := model.home(scene)) is not None:
        return own
    X = model.scene_source(scene).X
    return None if X is None else model.home_of(X[: scene.points])


def _data(scene: Scene) -> Array | None:
    found = _home(scene)
    return None if found is None else found.X


@derived
def _turns_in(scene: Scene) -> Array:
    return _axes(model.scene_source(scene).W, _data(scene), scene)


def _heading(scene: Scene) -> Array:
    """u in the plane it turns in."""
    own, d = _home(scene), model.scene_source(scene).W.shape[1]
    if own is not None and d in {2, 3} and own.mean[:2].any() and own.towards(scene):
        return np.asarray(collapse.unit(own.mean[:2], 2))
    angle = math.radians(scene.direction)
    heading = np.array([math.cos(angle), math.sin(angle)])
    if d == 1:
        return np.array([1.0 if heading[0] >= 0 else -1.0, 0.0])
    return heading


@derived
def _plane(scene: Scene) -> tuple[Router, Array]:
    """The router restricted to the plane of the picture, and that plane."""
    source, plane = model.scene_source(scene), _turns_in(scene)
    d = source.W.shape[1]
    axes = plane if d <= 2 or (d > 3 and _data(scene) is not None) else _beside(source.W, plane, _heading(scene))
    if d == 2:
        return weights(scene), axes
    own = Router(source.W, source.b, scene.k)
    # of one input the other axis of the picture changes nothing
    return Router(own.W @ axes.T, own.b, own.k) if d == 1 else slices.restrict(own, np.zeros(d), axes), axes


@derived
def _sample(scene: Scene) -> tuple[Array, Array, float, Home | None]:
    """z, sides, radius and where own data lies."""
    own = _home(scene)
    if own is not None:
        return own.X - own.mean, np.ones(len(own.X)), _radius(own), own
    d = model.scene_source(scene).W.shape[1]
    z = collapse.residuals(scene.points, d, spread=scene.spread, seed=scene.seed, kind=scene.cloud)
    radius = scene.spread if scene.cloud == "ball" else float(np.linalg.norm(z, axis=1).max())
    return z, collapse.sides(len(z), scene.cloud), float(radius), None


def _radius(own: Home) -> float:
    """Of a ball round the point at the mean's offset that certainly holds own data, rounding included."""
    z = own.X - own.mean
    if not z.any():
        return 0.0
    rounding = 4.0 * math.sqrt(z.shape[1]) * float(np.spacing(np.abs(own.X).max()))
    return float(np.linalg.norm(z, axis=1).max()) * (1.0 + 1e-15) + rounding


@derived
def _towards(scene: Scene) -> Array:
    """u."""
    return collapse.unit(_heading(scene) @ _turns_in(scene), model.scene_source(scene).W.shape[1])


@derived
def _certified(scene: Scene) -> float:
    _, side, radius, _ = _sample(scene)
    u = _towards(scene)
    both = [u] if side.min() > 0 else [u, -u]  # two clouds: both must have settled
    return max(collapse.critical_offset(weights(scene), v, radius) for v in both)


def reach_of(scene: Scene) -> float:
    """Largest offset on the t axis: beyond the certificate, whatever the offset now, unless that lies farther."""
    _, _, radius, own = _sample(scene)
    radius, certified = radius or 1.0, _certified(scene)
    far = certified > OFFSET_FAR[1] / 2
    end = NEVER * radius if far else max(settled(certified) * (OFFSETS - 1) / STAR, LEAST * radius)
    if own is not None:  # where it lies is on the axis, and something beyond
        end = max(end, own.offset * (OFFSETS - 1) / STAR)
    return float(end if scene.offset <= end else round_up(scene.offset))


def study(scene: Scene, reach: float | None = None) -> Study:
    """What the scene means on this page; ValueError in one sentence where it cannot be shown.

    With a `reach` that is known already, the offset is not read: what is kept of a sweep serves all offsets on it.
    """
    (flat, axes), (z, side, radius, own) = _plane(scene), _sample(scene)
    reach = reach_of(scene) if reach is None else reach
    router, u, certified = weights(scene), _towards(scene), _certified(scene)
    return Study(scene, router, flat, axes, _turns_in(scene), u, z, side, radius, certified, own, reach)


# --- the t axis and what happens along it ---


def offsets(view: Study) -> Array:
    """The t axis, (OFFSETS,): in even steps, or as sinh of even steps where it reaches far.

    t* is one of them, and so is where own data lies; both are frames whatever the stride.
    """
    end = view.reach
    onto: Any = (lambda t: math.asinh(t / view.radius)) if view.far and view.radius else float
    last = onto(end)
    marks = sorted({t for t in (view.star, view.start) if t is not None and 0 < t < end})
    at = [int(np.clip(round((OFFSETS - 1) / 12 * onto(t) / last), 1, STAR // 12)) for t in marks]
    if len(at) == 2 and at[0] == at[1]:
        at = [at[0] - 1, at[0]] if at[0] > 1 else [1, 2]
    knots = [0, *(12 * i for i in at), OFFSETS - 1]
    even = np.interp(np.arange(OFFSETS), knots, [0.0, *(onto(t) for t in marks), last])
    t = view.radius * np.sinh(even) if view.far and view.radius else even
    t[knots] = [0.0, *marks, end]
    return np.asarray(np.maximum.accumulate(t))


def place(view: Study, stride: int) -> int:
    """The frame nearest to the scene's offset; the browser goes on from there by itself."""
    t = offsets(view)[::stride]
    return nearest(t, view.scene.aside.offset)


def nearest(t: Array, offset: float) -> int:
    """The place of an offset on the axis.

    >>> nearest(np.array([0.0, 1.0, 2.0]), 1.4)
    1
    """
    return int(np.abs(t - offset).argmin())


@derived
def _sweep(scene: Scene, strength: float, reach: float) -> collapse.Sweep:
    view = study(scene, reach)
    sample = view.own.X if view.own is not None and view.start else view.z
    t = offsets(view)
    return collapse.sweep(view.router, sample, view.u, t, rectifier=strength, sides=view.side, start=view.start)


def sweeps(view: Study) -> tuple[collapse.Sweep, collapse.Sweep]:
    """The numbers without the shared expert, and with it."""
    return _sweep(view.scene, 0.0, view.reach), _sweep(view.scene, float(view.scene.lam), view.reach)


def sweep_shown(view: Study) -> collapse.Sweep:
    """The one in force."""
    return _sweep(view.scene, view.strength, view.reach)


def cap(view: Study, t: float, strength: float) -> float:
    """Share of the unit sphere in R^d that the ball covers, as the router sees it."""
    return collapse.cap_fraction(collapse.ball_half_angle(view.away(t, strength), view.radius), view.router.d)


@derived
def routed_now(scene: Scene) -> tuple[collapse.Routed, Any]:
    """Statistics at the scene's offset, shared expert included, and the active set of every point."""
    view = study(scene)
    seen = view.seen_at(view.now, view.strength)
    members = view.router.active_sets(seen)
    return collapse.routed(view.router, seen, scene.seed, members), members


def seen_now(view: Study) -> collapse.Routed:
    """Statistics at the scene's offset, shared expert included."""
    return routed_now(view.scene)[0]
