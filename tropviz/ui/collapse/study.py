"""What a scene means on the Angular collapse page: router, data, direction, certificate, t axis and sweeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz import Router, collapse
from tropviz.core import slices
from tropviz.core.limits import OFFSET_FAR
from tropviz.ui.collapse import data as collapse_data
from tropviz.ui.scene import Scene, model

Array = NDArray[np.float64]
#: Offsets of the curves. Frames take every STRIDES-th of them, as few as a message may hold.
OFFSETS, STRIDES = 121, (2, 3, 4, 6, 12)
#: The number of t* among them: a multiple of every stride, so t* is always a frame; a tenth of the axis follows.
STAR = 108
#: A t axis longer than this many radii of the data is spaced in ever larger steps, and the picture zooms out.
FAR = 12.0
#: Radii of the data on the t axis where nothing ever collapses, and the least there are.
NEVER, LEAST = 8.0, 2.0

_WEIGHTS = ("n", "k", "dim", "seed")
_TURN = ("direction", "elevation")
_SAMPLE = ("points", "spread", "cloud")
#: Properties of the scene that the sweep depends on.
DATA = (*_WEIGHTS, *_SAMPLE, *_TURN)
#: Those that do not turn the data.
STILL = (*_WEIGHTS, *_SAMPLE)


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
        The plane of the picture. For data of its own: its mean and the leading residual direction. Else u and the
        leading principal direction of the weights after u is removed, turned so that u lies at its angle.
    turns_in : (2, d) float64
        The plane u turns in: for data of its own the same; in space the level circle's tangent and u; else the two
        leading principal directions of the weights.
    u : (d,) float64
        Unit direction of the offset, in both planes.
    z : (n, d) float64
        The centred sample; ``side`` (n,) is the side each point is carried to.
    radius : float
        Of the smallest ball around the mean that holds the sample; for a ball its own radius.
    certified : float
        t* of that ball.
    own : (offset, direction) or None
        Where the data's own mean lies, for data that came with the router or from a file.
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
    own: tuple[float, float] | None

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
    def reach(self) -> float:
        """Largest offset on the t axis: beyond the certificate, whatever the offset now, unless that lies farther."""
        r = self.radius or 1.0
        end = NEVER * r if self.star is None else max(self.star * (OFFSETS - 1) / STAR, LEAST * r)
        return float(end if self.scene.offset <= end else round_up(self.scene.offset))

    @property
    def far(self) -> bool:
        """Whether the t axis is too long for even steps and one window."""
        return self.reach > FAR * (self.radius or 1.0)

    @property
    def plane_of(self) -> tuple[str, ...]:
        """Properties of the scene that the picture's plane depends on."""
        if self.router.d <= 2:
            return _WEIGHTS
        return (*_WEIGHTS, "points") if self.own is not None else (*_WEIGHTS, *_TURN)

    def kept(self, what: str, names: Sequence[str], make: Callable[[], Any]) -> Any:
        """`make()`, kept under `what` and the scene's values of `names`."""
        return collapse_data.kept(self.scene, what, names, make)

    def seen_at(self, t: float, strength: float) -> Array:
        """What the router sees at offset t, (n, d)."""
        return self.z + t * (self.side - strength * self.share)[:, None] * self.u

    def away(self, t: float, strength: float) -> float:
        """How far the mean of the cloud (of one of two) is from the origin, as the router sees it."""
        return abs(1 - strength * self.share) * t


def settled(certified: float) -> float:
    """t* rounded up to the decimals a link keeps, so that a picture at it is certain.

    >>> settled(3.1412), settled(2.0)
    (3.142, 2.0)
    """
    return math.ceil(certified * 1000) / 1000


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
    azimuth = math.radians(scene.direction)
    u, across = model.unit_vector(azimuth, math.radians(scene.elevation)), np.zeros(3)
    across[:2] = -math.sin(azimuth), math.cos(azimuth)
    cos, sin = math.cos(azimuth), math.sin(azimuth)
    return np.stack([cos * u - sin * across, sin * u + cos * across])


def _axes(W: Array, X: Array | None, scene: Scene) -> Array:
    """The plane u turns in."""
    d = W.shape[1]
    if d <= 2:
        return np.eye(2, d)
    if X is None:
        return _level(scene) if d == 3 else slices.principal_directions(W, 2)[1]
    mean, z = collapse.centred(X)
    first = collapse.unit(mean, d) if mean.any() else slices.principal_directions(z, 1)[1][0]
    second = slices.principal_directions(z - np.outer(z @ first, first), 1)[1][0]
    second = second - (second @ first) * first
    if np.linalg.norm(second) < 1e-9:  # all the data lies on one line: the weights choose the second direction
        rest = W - np.outer(W @ first, first)
        second = slices.principal_directions(rest, 1)[1][0]
        second = second - (second @ first) * first
    return np.stack([first, second / np.linalg.norm(second)])


def _sample(scene: Scene, d: int, X: Array | None) -> tuple[Array, Array, float, tuple[float, float] | None]:
    """z, sides, radius and where the data's own mean lies."""
    if X is not None:
        _, z = collapse.centred(X[: scene.points])
        return z, np.ones(len(z)), float(np.linalg.norm(z, axis=1).max()), collapse_data.lies(X[: scene.points])
    z = collapse.residuals(scene.points, d, spread=scene.spread, seed=scene.seed, kind=scene.cloud)
    radius = scene.spread if scene.cloud == "ball" else float(np.linalg.norm(z, axis=1).max())
    return z, collapse.sides(len(z), scene.cloud), float(radius), None


def study(scene: Scene) -> Study:
    """What the scene means on this page; ValueError in one sentence where it cannot be shown."""
    source = model.scene_source(scene)
    d = source.W.shape[1]
    brought = collapse_data.fitting(d)
    X = source.X if brought is None else brought.X

    def kept(what: str, names: Sequence[str], make: Callable[[], Any]) -> Any:
        return collapse_data.kept(scene, what, names, make)

    router = kept("collapse weights", _WEIGHTS, lambda: Router(source.W, source.b, scene.k))
    turns = (*_WEIGHTS, "points", *_TURN) if d == 3 and X is None else (*_WEIGHTS, "points")
    plane = kept("collapse turns", turns, lambda: _axes(source.W, None if X is None else X[: scene.points], scene))
    angle = math.radians(scene.direction)
    heading = np.array([math.cos(angle), math.sin(angle)])
    if d == 1:
        heading = np.array([1.0 if heading[0] >= 0 else -1.0, 0.0])
    u = collapse.unit(heading @ plane, d)

    def picture() -> tuple[Router, Array]:
        axes = plane if d <= 2 or X is not None else _beside(source.W, plane, heading)
        return router if d == 2 else Router(source.W @ axes.T, source.b, scene.k), axes

    flat, axes = kept("collapse plane", (*_WEIGHTS, "points", *_TURN), picture)
    z, side, radius, own = kept("collapse sample", STILL, lambda: _sample(scene, d, X))

    def certify() -> float:
        both = [u] if side.min() > 0 else [u, -u]  # two clouds: both must have settled
        return max(collapse.critical_offset(router, v, radius) for v in both)

    certified = kept("collapse certified", DATA, certify)
    return Study(scene, router, flat, axes, plane, u, z, side, radius, certified, own)


# --- the t axis and what happens along it ---


def offsets(view: Study) -> Array:
    """The t axis, (OFFSETS,): in even steps, or as sinh of even steps where it reaches far. t* is one of them."""
    end, star = view.reach, view.star
    onto: Any = (lambda t: math.asinh(t / view.radius)) if view.far and view.radius else float
    last = onto(end)
    at = 0
    if star is not None and 0 < star < end:
        at = int(np.clip(12 * round((OFFSETS - 1) / 12 * onto(star) / last), 12, STAR))
    middle = onto(star) if at else 0.0
    even = np.concatenate([np.linspace(0.0, middle, at + 1)[:-1], np.linspace(middle, last, OFFSETS - at)])
    t = view.radius * np.sinh(even) if view.far and view.radius else even
    t[0], t[-1] = 0.0, end
    if at:
        t[at] = star
    return t


def place(view: Study, stride: int) -> int:
    """The frame nearest to the scene's offset."""
    t = offsets(view)[::stride]
    return int(np.abs(t - view.scene.offset).argmin())


def _sweep(view: Study, strength: float) -> collapse.Sweep:
    what = f"collapse sweep {strength:.4f} {view.reach:.9g}"
    return view.kept(
        what,
        DATA,
        lambda: collapse.sweep(view.router, view.z, view.u, offsets(view), rectifier=strength, sides=view.side),
    )


def sweeps(view: Study) -> tuple[collapse.Sweep, collapse.Sweep]:
    """The numbers without the shared expert, and with it."""
    return _sweep(view, 0.0), _sweep(view, float(view.scene.lam))


def sweep_shown(view: Study) -> collapse.Sweep:
    """The one in force."""
    return _sweep(view, view.strength)


def cap(view: Study, t: float, strength: float) -> float:
    """Share of the unit sphere in R^d that the ball covers, as the router sees it."""
    return collapse.cap_fraction(collapse.ball_half_angle(view.away(t, strength), view.radius), view.router.d)


def routed_now(view: Study) -> tuple[collapse.Routed, Any]:
    """Statistics at the scene's offset, shared expert included, and the active set of every point."""

    def make() -> tuple[collapse.Routed, Any]:
        seen = view.seen_at(view.scene.offset, view.strength)
        members = view.router.active_sets(seen)
        return collapse.routed(view.router, seen, view.scene.seed, members), members

    return view.kept("collapse seen", (*DATA, "offset", "shared", "lam"), make)


def seen_now(view: Study) -> collapse.Routed:
    """Statistics at the scene's offset, shared expert included."""
    return routed_now(view)[0]


def token(view: Study, dark: bool) -> str:
    """Names the frames: everything they depend on but the offset itself."""
    names = (*DATA, "router", "window", "shared", "lam")
    own = st.session_state["upload"].token if view.scene.router == "file" else 0
    brought = collapse_data.fitting(view.router.d)
    return f"{view.scene.subset(*names)} {view.reach:.9g} {dark} {own} {brought.token if brought else 0}"
