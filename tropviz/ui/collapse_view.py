"""The Angular collapse page: what one scene means there, its picture, its frames and its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz import Count, Router, RoutingFan, collapse
from tropviz.core import planar, slices
from tropviz.core.limits import OFFSET
from tropviz.figures import collapse as drawn
from tropviz.figures import collapse_curves as curves_drawn
from tropviz.figures.collapse_curves import offset_text
from tropviz.figures.colour import cell_colours, expert_colours
from tropviz.figures.plane import plane_figure
from tropviz.ui import model
from tropviz.ui.canvas import canvas
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import Scene, read_scene, rerun, update

Array = NDArray[np.float64]
#: Fragments of the page: those that follow a drag live, those that a new offset changes (the curves follow in the
#: browser), and all.
LIVE = ("picture", "numbers")
OFFSET_ONLY = (*LIVE, "undo")
FRAGMENTS = ("controls", *OFFSET_ONLY, "curves", "directions", "sphere")
#: Offsets of the curves; frames take every second one, or fewer when they grow too heavy.
OFFSETS, STRIDES, FRAME_BYTES = 121, (2, 3, 4, 6, 12), 1_250_000
#: Offsets beyond the picture, out to a certificate that lies there; farther than FAR the curves do not follow.
FAR_OFFSETS, FAR = 60, 100_000.0
#: Half windows go in steps of this factor, so that small changes leave the picture where it is.
_STEP = 1.08

_WEIGHTS = ("n", "k", "dim", "seed")
#: Properties of the scene that the sweep depends on.
DATA = (*_WEIGHTS, "points", "spread", "cloud", "direction")


def offset_only(scene: Scene) -> tuple[str, ...]:
    """The fragments that a new offset changes; on the sphere the colours do not follow by themselves."""
    return (*OFFSET_ONLY, "sphere") if scene.dim == "3" else OFFSET_ONLY


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
        The plane u turns in: for data of its own the same; else the two leading principal directions of the weights.
    u : (d,) float64
        Unit direction of the offset, in both planes.
    z : (n, d) float64
        The centred sample; ``side`` (n,) is the side each point is carried to.
    radius : float
        Of the smallest ball around the mean that holds the sample; for a ball its own radius.
    certified : float
        t* of that ball.
    own_offset : float or None
        Distance of the data's own mean from the origin, for data that came with the router.
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
    own_offset: float | None

    @property
    def strength(self) -> float:
        """lambda in force."""
        return float(self.scene.lam) if self.scene.shared else 0.0

    @property
    def heading(self) -> Array:
        """u in the picture's coordinates, (2,)."""
        return np.asarray(self.axes @ self.u)

    @property
    def reach(self) -> float:
        """Largest offset on the t axis: beyond the certificate where there is room, whatever the offset now."""
        wanted = 1.15 * self.certified if math.isfinite(self.certified) else OFFSET[1]
        return float(min(OFFSET[1], max(wanted, 2 * self.radius)))

    @property
    def far(self) -> bool:
        """Whether the certificate lies beyond the picture but near enough for the curves to go out to it."""
        return self.reach < self.certified <= FAR

    @property
    def plane_of(self) -> tuple[str, ...]:
        """Properties of the scene that the picture's plane depends on."""
        return _WEIGHTS if self.router.d <= 2 or self.own_offset is not None else (*_WEIGHTS, "direction")

    @property
    def half(self) -> float:
        """Half the side of the picture: the sweep and the circle of directions fit."""
        far = max(self.reach, self.scene.offset) + self.radius
        need = max(self.scene.window, far / (drawn.RING - 0.02))
        return float(_STEP ** math.ceil(math.log(need, _STEP)))

    def seen_at(self, t: float, strength: float) -> Array:
        """What the router sees at offset t, (n, d)."""
        return self.z + t * (self.side - strength * self.side.mean())[:, None] * self.u


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


def _axes(source: model.Source) -> Array:
    """The plane u turns in."""
    d = source.W.shape[1]
    if d <= 2:
        return np.eye(2, d)
    if source.X is None:
        return slices.principal_directions(source.W, 2)[1]
    mean, z = collapse.centred(source.X)
    first = collapse.unit(mean, d) if mean.any() else slices.principal_directions(z, 1)[1][0]
    second = slices.principal_directions(z - np.outer(z @ first, first), 1)[1][0]
    second = second - (second @ first) * first
    return np.stack([first, second / np.linalg.norm(second)])


def _sample(scene: Scene, source: model.Source) -> tuple[Array, Array, float, float | None]:
    """z, sides, radius and the data's own offset."""
    if source.X is not None:
        mean, z = collapse.centred(source.X[: scene.points])
        return z, np.ones(len(z)), float(np.linalg.norm(z, axis=1).max()), float(np.linalg.norm(mean))
    z = collapse.residuals(scene.points, source.W.shape[1], spread=scene.spread, seed=scene.seed, kind=scene.cloud)
    radius = scene.spread if scene.cloud == "ball" else float(np.linalg.norm(z, axis=1).max())
    return z, collapse.sides(len(z), scene.cloud), float(radius), None


def study(scene: Scene) -> Study:
    """What the scene means on this page; ValueError in one sentence where it cannot be shown."""
    source = model.scene_source(scene)
    d = source.W.shape[1]

    def weights() -> tuple[Router, Array]:
        return Router(source.W, source.b, scene.k), _axes(source)

    router, plane = model.kept(scene, "collapse weights", _WEIGHTS, weights)
    angle = math.radians(scene.direction)
    heading = np.array([math.cos(angle), math.sin(angle)])
    if d == 1:
        heading = np.array([1.0 if heading[0] >= 0 else -1.0, 0.0])
    u = collapse.unit(heading @ plane, d)

    def picture() -> tuple[Router, Array]:
        axes = plane if d <= 2 or source.X is not None else _beside(source.W, plane, heading)
        return router if d == 2 else Router(source.W @ axes.T, source.b, scene.k), axes

    flat, axes = model.kept(scene, "collapse plane", (*_WEIGHTS, "direction"), picture)
    names = (*_WEIGHTS, "points", "spread", "cloud")
    z, side, radius, own = model.kept(scene, "collapse sample", names, lambda: _sample(scene, source))

    def certify() -> float:
        both = [u] if side.min() > 0 else [u, -u]  # two clouds: both must have settled
        return max(collapse.critical_offset(router, v, radius) for v in both)

    certified = model.kept(scene, "collapse certified", DATA, certify)
    return Study(scene, router, flat, axes, plane, u, z, side, radius, certified, own)


# --- sweeps ---


def offsets(view: Study) -> Array:
    """The t axis: evenly over what the picture shows, then, if t* lies farther out, in even ratios past it."""
    near = np.linspace(0.0, view.reach, OFFSETS)
    if not view.far:
        return near
    return np.concatenate([near, np.geomspace(view.reach, 1.2 * view.certified, FAR_OFFSETS + 1)[1:]])


def _sweep(view: Study, strength: float, flat: bool) -> collapse.Sweep:
    names = (*DATA, "window")
    what = f"collapse sweep {strength:.4f} {flat} {view.reach:.6f}"

    def make() -> collapse.Sweep:
        z = view.z @ view.axes.T if flat else view.z
        router, u = (view.flat, view.heading) if flat else (view.router, view.u)
        t = offsets(view)[:OFFSETS] if flat else offsets(view)
        return collapse.sweep(router, z, u, t, rectifier=strength, sides=view.side)

    return model.kept(view.scene, what, names, make)


def sweeps(view: Study) -> tuple[collapse.Sweep, collapse.Sweep]:
    """The numbers without the shared expert, and with it."""
    return _sweep(view, 0.0, False), _sweep(view, float(view.scene.lam), False)


def cap(view: Study, t: float, strength: float) -> float:
    """Share of the unit sphere in R^d that the ball covers, as the router sees it."""
    away = abs(1 - strength * float(view.side.mean())) * t
    return collapse.cap_fraction(collapse.ball_half_angle(away, view.radius), view.router.d)


# --- picture ---


def fan(view: Study) -> RoutingFan:
    """Cells of the picture's plane."""
    if view.router.d == 2:
        return model.scene_fan(view.scene)
    return model.kept(view.scene, "collapse fan", view.plane_of, lambda: RoutingFan(view.flat))


def ground(view: Study, half: float, dark: bool) -> drawn.Ground:
    """What does not move in the picture."""

    def make() -> tuple[Any, list[str]]:
        cells = fan(view)
        ids, shapes = cells.polygons(half)
        colours = cell_colours(cells.router.W, cells.active_sets, dark)
        return plane_figure(ids, shapes, cells.active_sets, colours, window=half, dark=dark, pixels=620), colours

    figure, colours = model.kept(view.scene, f"collapse ground {half:g} {dark}", view.plane_of, make)
    return drawn.Ground(figure, colours, half, view.radius, bool(view.side.min() < 0), dark)


def stand(view: Study, t: float, strength: float, cells: Any = None) -> drawn.Stand:
    """Where everything is at offset t; ``cells`` are the fan rows of the points, if they are known."""
    seen = view.seen_at(t, strength) @ view.axes.T
    away = (1 - strength * float(view.side.mean())) * t
    centre = away * view.heading
    if cells is None:
        cells = planar.locate(fan(view), seen)
    sides = (1,) if view.side.min() > 0 else (1, -1)
    margin = min(float(view.router.margin((s * away * view.u)[None])[0]) for s in sides)
    half_angle = collapse.ball_half_angle(abs(away), view.radius)
    return drawn.Stand(seen, cells, centre, t * view.heading, half_angle, margin >= view.radius)


def token(view: Study, dark: bool) -> str:
    """Names the frames: everything they depend on but the offset itself."""
    names = (*DATA, "router", "window", "shared", "lam")
    own = st.session_state["upload"].token if view.scene.router == "file" else 0
    return f"{view.scene.subset(*names)} {view.half:.4g} {dark} {own}"


def _picture_frames(view: Study, dark: bool) -> tuple[int, list[dict[str, Any]]]:
    """(stride, frames) of the picture, within the weight a message may have."""
    base, t = ground(view, view.half, dark), offsets(view)
    flat = _sweep(view, view.strength, True)
    row = planar.find_sets(fan(view).active_sets, flat.sets, view.router.N)
    swept = _sweep(view, view.strength, False)

    def one(index: int) -> dict[str, Any]:
        place = stand(view, float(t[index]), view.strength, row[flat.ids[index]])
        note = frame_note(swept.saturation[index], swept.effective_sets[index])
        return drawn.frame(base, place, f"{t[index]:.2f}", note)

    heavy = max(drawn.weight(one(i)) for i in (0, OFFSETS // 2, OFFSETS - 1))
    stride = next((s for s in STRIDES if heavy * ((OFFSETS - 1) // s + 1) <= FRAME_BYTES), STRIDES[-1])
    return stride, [one(i) for i in range(0, OFFSETS, stride)]


def frame_note(saturation: Any, sets: Any) -> str:
    """The words beside the slider.

    >>> frame_note(0.5, 2.345)
    'saturation 50 %, 2.3 sets'
    """
    return f"saturation {100 * float(saturation):.0f} %, {float(sets):.1f} sets"


def picture_frames(view: Study, dark: bool) -> tuple[int, list[dict[str, Any]]]:
    """The frames, kept as long as they are the ones in view."""
    held = st.session_state.get("collapse_frames")
    name = token(view, dark)
    if held is None or held[0] != name:
        held = st.session_state["collapse_frames"] = (name, *_picture_frames(view, dark))
    return held[1], held[2]


def show_picture(view: Study, dark: bool) -> None:
    """The picture on its canvas; while the cloud is dragged the window and the frames stay as they are."""
    scene = view.scene
    held = st.session_state.get("collapse_drag")
    if held is None:
        stride, items = picture_frames(view, dark)
        name, half = token(view, dark), view.half
        frames: dict[str, Any] = {"token": name, "items": items, "interval": 70}
        st.session_state["collapse_view"] = (name, half, stride, view.reach, len(items))
    else:
        name, half, stride, reach, count = held
        frames = {"token": name}
    name, half, stride, reach, count = st.session_state["collapse_view"]
    start = min(count - 1, round(scene.offset / reach * (OFFSETS - 1) / stride))
    frames |= {"label": "t =", "start": start, "group": "collapse", "still": True, "seek": True}
    frames |= {"fast": True, "over": [len(drawn.MOVING), len(drawn.MOVING) + 1]}
    cells = None
    if view.router.d == 2:
        cells = planar.find_sets(fan(view).active_sets, _routed_now(view)[1], view.router.N)
    place = stand(view, scene.offset, view.strength, cells)
    hits = seen_now(view).hits
    words = frame_note(hits[0] / hits.sum(), 2 ** collapse.entropy_bits(hits))
    frames["now"] = {"name": f"{scene.offset:.2f}", "note": words}
    canvas(
        drawn.scene_figure(ground(view, half, dark), place) | {"frames": frames},
        key="collapse_picture",
        alt=alt_text(view),
        view=f"{scene.router} {half:g}",
        handle=(float(place.raw[0]), float(place.raw[1])),
        name=f"collapse_N{scene.n}_k{scene.k}",
        toolbar=not scene.embed,
        below=150 if not scene.embed else 70,
        on_click=clicked,
        on_drag=dragged,
        on_step=stepped,
        on_seek=sought,
    )


def curve_figure(view: Study, dark: bool, stride: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The curves at the scene's offset, and their frames."""
    scene, t = view.scene, offsets(view)
    plain, shared = curve_pair(view)
    index = min(OFFSETS - 1, round(scene.offset / view.reach * (OFFSETS - 1)))
    figure = curves_drawn.curves_figure(
        t,
        plain,
        shared,
        far=view.far,
        on=bool(scene.shared),
        strength=float(scene.lam),
        index=index,
        expert_colours=expert_colours(view.flat.W, dark),
        k=scene.k,
        dark=dark,
    )
    chosen = range(0, OFFSETS, stride)
    return figure, [
        curves_drawn.curves_frame(t, i, plain, shared, bool(scene.shared), figure["moving"]) for i in chosen
    ]


def show_curves(view: Study, dark: bool) -> None:
    """The curves on their canvas; they follow the picture's frames."""
    stride, _ = picture_frames(view, dark)
    figure, items = curve_figure(view, dark, stride)
    start = min(len(items) - 1, round(view.scene.offset / view.reach * (OFFSETS - 1) / stride))
    frames = {"token": f"curves {token(view, dark)}", "items": items, "start": start, "group": "collapse"}
    canvas(
        {
            "data": figure["data"],
            "layout": figure["layout"],
            "frames": frames | {"bar": False, "still": True, "fast": True},
        },
        key="collapse_curves",
        alt=curves_text(view),
        view=f"curves {view.far}",
        height=590,
        toolbar=False,
    )
    if not view.scene.embed:
        st.html(f'<p class="tv-hint">{reading(view)}</p>')


def curve_pair(view: Study) -> tuple[curves_drawn.Curve, curves_drawn.Curve]:
    """The curves without and with the shared expert."""
    out = []
    for swept, strength in zip(sweeps(view), (0.0, float(view.scene.lam)), strict=True):
        low, high = swept.saturation_interval.T
        share = np.array([cap(view, float(t), strength) for t in swept.offsets])
        certified = collapse.rectified_offset(view.certified, strength * float(view.side.mean()))
        out.append(
            curves_drawn.Curve(
                swept.saturation, low, high, swept.effective_sets, share, swept.load / swept.n, certified
            )
        )
    return out[0], out[1]


# --- words and numbers ---


def reading(view: Study) -> str:
    """How to read the picture and the curves together."""
    n, d = len(view.z), view.router.d
    ball = "circle" if d == 2 else "ball"
    edge = "" if view.scene.cloud == "ball" and view.own_offset is None else ", the smallest that holds this sample"
    both = " of both clouds" if view.side.min() < 0 else ""
    return (
        f"<b>t*</b> is certain: from there on the whole dotted {ball}{both}{edge}, lies in one cell. The saturation "
        f"curve counts the {n:,} points of the sample, so it can reach 100 % earlier, never later. <b>Orange</b>: the "
        f"cap, the directions in which the router sees the {ball}; its share falls as the dotted orange curve."
    )


def alt_text(view: Study) -> str:
    """The picture in words."""
    scene = view.scene
    seen = seen_now(view)
    share = float(seen.hits[0] / seen.n)
    return (
        f"Routing cells of {scene.n} experts, {scene.k} active, with a data cloud at offset {scene.offset:g} in "
        f"direction {scene.direction:g} degrees. Cells without data are grey. {100 * share:.0f} per cent of the data "
        f"is in one active set. Play moves the cloud out; arrow keys move it by hand."
    )


def curves_text(view: Study) -> str:
    """The curves in words."""
    plain, shared = sweeps(view)
    return (
        f"Over the offset from 0 to {view.reach:.3g}: saturation rises from {100 * plain.saturation[0]:.0f} to "
        f"{100 * plain.saturation[-1]:.0f} per cent without the shared expert, and with it from "
        f"{100 * shared.saturation[0]:.0f} to {100 * shared.saturation[-1]:.0f}. Bars show the load of every expert."
    )


def _routed_now(view: Study) -> tuple[collapse.Routed, Any]:
    """Statistics at the scene's offset, and the active set of every point."""

    def make() -> tuple[collapse.Routed, Any]:
        seen = view.seen_at(view.scene.offset, view.strength)
        members = view.router.active_sets(seen)
        return collapse.routed(view.router, seen, view.scene.seed, members), members

    return model.kept(view.scene, "collapse seen", (*DATA, "offset", "shared", "lam"), make)


def seen_now(view: Study) -> collapse.Routed:
    """Statistics at the scene's offset, shared expert included."""
    return _routed_now(view)[0]


def offset_count(t: float, what: str) -> Count:
    """An offset as a count that says never instead of a number where there is none."""
    return Count(float(t), "exact", what, "" if math.isfinite(t) else "never reached")


def collapse_counts(view: Study) -> list[CountRow | tuple[str, Count, str, str]]:
    """Angular collapse in numbers."""
    seen, scene = seen_now(view), view.scene
    rows: list[Any] = [
        ("Saturation", seen.saturation, "Share of the data in its fullest active set; 100 % is collapse.", "share")
    ]
    if view.router.d == 2 and scene.cloud == "ball" and view.own_offset is None:
        centre = (1 - view.strength) * scene.offset * view.u
        share = float(collapse.disk_shares(view.router, centre, view.radius)[1][0])
        rows.append(
            ("of the whole disk", Count(share, "exact", "circle and polygon, closed form"), "Not sampled.", "share")
        )
    certified = collapse.rectified_offset(view.certified, view.strength * float(view.side.mean()))
    ball = "of the ball" if scene.cloud == "ball" else f"of the smallest ball around the data, r = {view.radius:.3g}"
    rows += [
        ("Routing entropy, bits", seen.entropy, "Over active sets."),
        ("Effective active sets", seen.effective_sets, "2^entropy: so many equally full sets have that entropy."),
        ("Active sets hit", seen.sets_hit, "Different ones in this sample."),
        (
            "Certified offset t*",
            offset_count(certified, "r over the nearest wall's slope along u"),
            f"From here on all {ball} is in one active set.",
            "offset",
        ),
        (
            "Cap of directions",
            Count(cap(view, scene.offset, view.strength), "exact", "half the regularised incomplete beta function"),
            "Share of the unit sphere the data can be seen in. A small cap alone is no collapse.",
        ),
    ]
    return rows


def load_counts(view: Study) -> list[CountRow]:
    """Load imbalance in numbers: another thing."""
    seen = seen_now(view)
    return [
        (
            "Coefficient of variation",
            Count(seen.imbalance, "sampled", "standard deviation over mean of the experts' loads"),
            "0 when every expert gets the same.",
        ),
        (
            "Switch loss",
            Count(seen.switch_loss, "sampled", "N times the sum of f_i P_i"),
            f"1 when even, up to N / k = {view.scene.n / view.scene.k:.3g} with hard gates.",
        ),
    ]


def sentence(view: Study) -> str:
    """The line of meaning under the picture."""
    scene, seen = view.scene, seen_now(view)
    share, sets = 100 * float(seen.saturation), len(seen.hits)
    word = "active set" if sets == 1 else "active sets"
    if scene.shared and view.side.min() < 0:
        return "The two clouds have mean 0: there is <b>nothing a shared expert could carry</b>. They end in two sets."
    if scene.shared and scene.lam >= 1:
        return (
            f"The shared expert carries the mean, so the router sees the <b>centred</b> data at every offset: "
            f"<b>{sets}</b> {word}, <b>{share:.0f} %</b> in the fullest one. Switch it off and play again."
        )
    where = f"in <b>{sets}</b> {word}, <b>{share:.0f} %</b> of it in one"
    if math.isinf(view.certified):
        return f"The data is {where}. This direction runs along a wall: however far it goes, it <b>never collapses</b>."
    end = "two sets, one for each cloud" if view.side.min() < 0 else "one"
    if view.certified > view.reach:
        far = "the curves go out to it" if view.far else f"farther than the curves go ({FAR:,.0f})"
        return (
            f"The data is {where}. This direction runs close to a wall: only from "
            f"<b>t* = {offset_text(view.certified)}</b> on, outside the picture, is all of it certain to be in {end}; "
            f"{far}. Turn the data to see it collapse sooner."
        )
    return (
        f"The data is {where}. As it slides out, the router sees fewer directions; from "
        f"<b>t* = {offset_text(view.certified)}</b> on all of it is certain to be in {end}."
    )


def plane_note(view: Study) -> str | None:
    """For d > 2: what the picture is of."""
    d = view.router.d
    if d <= 2:
        return None
    if view.own_offset is None:
        plane = (
            "the plane through the offset direction u and the leading residual direction of the weights (their leading "
            "principal direction once u is removed); it turns along with u"
        )
    else:
        plane = "the plane through the data's mean direction (0°) and its leading residual direction"
    own = "" if view.own_offset is None else f" Its mean really lies at offset {view.own_offset:.3g}, 0°."
    return (
        f"All numbers are those of the full space, d = {d}. The picture is {plane}; points are projected to it, so a "
        f"point can lie over a cell that is not its own.{own}"
    )


# --- events ---


def as_it_is(own_offset: float) -> None:
    """Data that came with the router, where it really lies."""
    update(direction=0.0, offset=min(OFFSET[1], own_offset))
    rerun(*FRAGMENTS)


def _move(x: float, y: float) -> None:
    update(offset=min(OFFSET[1], math.hypot(x, y)), direction=math.degrees(math.atan2(y, x)))


def clicked(event: dict[str, Any]) -> None:
    """A click carries the cloud there."""
    _move(float(event["x"]), float(event["y"]))
    rerun(*FRAGMENTS)


def dragged(event: dict[str, Any]) -> None:
    """The cloud follows its handle; everything else follows when it is let go."""
    _move(float(event["x"]), float(event["y"]))
    if event["end"]:
        st.session_state.pop("collapse_drag", None)
        rerun(*FRAGMENTS)
    st.session_state["collapse_drag"] = st.session_state["collapse_view"]
    rerun(*LIVE)


def stepped(event: dict[str, Any]) -> None:
    """Left and right change the offset, up and down turn the direction."""
    scene = read_scene()
    offset = min(max(scene.offset + 0.25 * float(event["dx"]), 0.0), OFFSET[1])
    direction = (scene.direction + 3 * float(event["dy"]) + 180) % 360 - 180
    update(offset=offset, direction=direction)
    rerun(*FRAGMENTS)


def sought(event: dict[str, Any]) -> None:
    """A person stopped at a frame: the scene is that offset now."""
    _, _, stride, reach, count = st.session_state["collapse_view"]
    index = min(max(int(event["index"]), 0), count - 1) * stride
    update(offset=float(reach * index / (OFFSETS - 1)))
    rerun("controls", *offset_only(read_scene()))
