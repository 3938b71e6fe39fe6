"""The picture of the Angular collapse page, its frames for the browser, and what a click, a drag and a key mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz import RoutingFan, collapse
from tropviz.core import planar
from tropviz.figures import collapse as drawn
from tropviz.figures.collapse_curves import offset_text
from tropviz.figures.collapse_lens import lens_rings
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Frames, Once, Picture
from tropviz.figures.plane import plane_figure
from tropviz.language import numeral, say
from tropviz.ui import effort, heavy, tally
from tropviz.ui.canvas import canvas
from tropviz.ui.collapse.study import (
    OFFSETS,
    STRIDES,
    Study,
    _plane,
    _sweep,
    nearest,
    offsets,
    reach_of,
    routed_now,
    seen_now,
    settled,
    study,
    sweep_shown,
)
from tropviz.ui.limits import OFFSET_FAR
from tropviz.ui.scene import Scene, derived, model
from tropviz.ui.scene.board import Changes

#: Its canvas.
KEY = "collapse_picture"
#: Bytes all frames may have, their grounds included.
FRAME_BYTES = 1_200_000
#: Bytes of the whole message, what one cell of the picture at rest takes of it, and what is left to frames at least.
MESSAGE_BYTES, CELL_BYTES, LEAST_BYTES = 1_850_000, 130, 150_000
#: Cells of one of several grounds.
_MOST = 2500
_NO_IMAGE = [{"source": ""}]
#: Half windows go in steps of this factor, so that small changes leave the picture where it is.
_STEP = 1.08
#: A far picture: radii of the data in half of its first window, part of the half window at which the cloud stays while
#: the picture zooms out, how much wider each ground is than the last, and the least part of it that a cell must cover.
_FIRST, _STAYS, _WIDER, _LEAST = 4.5, 0.62, 8.0, 1.5e-6


# --- camera ---


def _stepped(need: float) -> float:
    return float(_STEP ** math.ceil(math.log(need, _STEP)))


def first_half(view: Study) -> float:
    """Half the side of the picture where it starts: the whole sweep fits, or, if it goes far, the cloud is large."""
    window, r = float(view.scene.window), view.radius or 1.0
    if view.own is not None and view.reach + r < window / 8:  # data far smaller than the window is not a dot in it
        window = 0.0
    if view.far:
        return _stepped(max(window, _FIRST * r))
    return _stepped(max(window, (view.reach + r) / (drawn.RING - 0.02)))


def half_at(view: Study, t: float, strength: float) -> float:
    """Half the side at offset t: the picture zooms out, around the origin, as a cloud goes far."""
    first = first_half(view)
    return max(first, view.away(t, strength) / _STAYS) if view.far else first


# --- what is drawn ---


@derived
def _flat_fan(scene: Scene) -> RoutingFan:
    return RoutingFan(_plane(scene)[0])


def fan(scene: Scene) -> RoutingFan:
    """Cells of the picture's plane."""
    return model.scene_fan(scene) if model.scene_source(scene).W.shape[1] == 2 else _flat_fan(scene)


@derived
def _sets(scene: Scene, reach: float) -> NDArray[np.int64]:
    """Active sets that have a colour: the cells of the picture, then those that only data outside its plane is in."""
    cells = fan(scene).active_sets
    if model.scene_source(scene).W.shape[1] == 2:
        return np.asarray(cells)
    view = study(scene, reach)
    met = sweep_shown(view).sets
    return np.concatenate([cells, met[planar.find_sets(cells, met, view.router.N) < 0]])


@derived
def _ground_figure(scene: Scene, half: float, far: bool) -> Picture:
    cells = fan(scene)
    ids, polygons = cells.polygons(half)
    shapes = np.asarray(polygons, dtype=object)
    if far:  # a far picture has a crowd of cells at the origin, each smaller than a pixel
        area = shapely.area(shapes)
        large = area > max(_LEAST * (2 * half) ** 2, float(np.sort(area)[-_MOST - 1]) if len(area) > _MOST else 0.0)
        ids, shapes = np.asarray(ids)[large], shapes[large]
    colours = cell_colours(cells.router.W, cells.active_sets, scene.dark)
    return plane_figure(ids, shapes, cells.active_sets, colours, window=half, dark=scene.dark, pixels=620)


def ground(view: Study, half: float) -> drawn.Ground:
    """What does not move in the picture."""
    figure, shades = _ground_figure(view.scene, half, view.far), colours(view.scene, view.reach)
    return drawn.Ground(figure, shades, half, view.radius, view.two_sided, view.scene.dark)


@derived
def colours(scene: Scene, reach: float) -> list[str]:
    """Colours of :func:`_sets`."""
    return cell_colours(_plane(scene)[0].W, _sets(scene, reach), scene.dark)


def stand(view: Study, t: float, strength: float, cells: Any = None) -> drawn.Stand:
    """Where everything is at offset t; ``cells`` are the rows of the points' colours, if they are known."""
    seen = view.seen_at(t, strength)
    if cells is None:
        cells = planar.find_sets(_sets(view.scene, view.reach), view.router.active_sets(seen), view.router.N)
    away = (1 - strength * view.share) * t
    sides = (1, -1) if view.two_sided else (1,)
    margin = min(float(view.router.margin((s * away * view.u)[None])[0]) for s in sides)
    half = half_at(view, t, strength)
    magnified = half / first_half(view)
    centre = away * view.heading
    return drawn.Stand(
        seen @ view.axes.T,
        cells,
        centre,
        t * view.heading,
        collapse.ball_half_angle(abs(away), view.radius),
        margin >= view.radius,
        half,
        view.side if view.two_sided else None,
        magnified,
        lens_rings(fan(view.scene), [s * centre for s in sides], view.radius, magnified) if magnified > 1 else (),
    )


def need(scene: Scene, reach: float | None = None) -> None:
    """In a part: the sweep and its frames, of wide routers and many cells, are made in the pool."""
    if reach is None:
        scene = _began(scene) if scene.held[:1] == (KEY,) else scene
        reach = reach_of(scene)
    d = model.scene_source(scene).W.shape[1]
    seconds = 2 * OFFSETS * scene.points * (effort.SCORE * scene.n + effort.MOVED * d)
    seconds += 2 * effort.PLANE * effort.plane_cells(scene)
    flat = d == 2
    calls: list[heavy.Call] = [("cells", model.scene_fan if flat else _flat_fan, ())]
    calls += [("sweep", _sweep, (strength, reach)) for strength in (0.0, float(scene.lam))]
    calls.append(("frames", picture_frames, (reach,)))
    heavy.need(scene.replace(offset=0.0)[0], say("The sweep"), calls, seconds)


def _began(scene: Scene) -> Scene:
    """The scene in which the hand that holds the cloud took it."""
    _, offset, direction, elevation = scene.held
    return scene.replace(offset=offset, direction=direction, elevation=elevation)[0]


def offset_name(t: float) -> str:
    """An offset beside the slider: as `offset_text`, but as short as it goes.

    >>> offset_name(3.14159), offset_name(0.9), offset_name(2021.4)
    ('3.142', '0.90', '2,021')
    """
    return numeral(f"{t:.2f}") if t == round(t, 2) and t < 100 else offset_text(t)


def frame_note(saturation: Any, sets: Any) -> str:
    """The words beside the slider.

    >>> frame_note(0.5, 2.345)
    'saturation 50 %, 2.3 sets'
    >>> frame_note(1.0, 1.0)
    'saturation 100 %, 1 set'
    """
    if f"{float(sets):.1f}" == "1.0":
        return say("saturation {saturation:.0f} %, 1 set", saturation=100 * float(saturation))
    return say("saturation {saturation:.0f} %, {sets:.1f} sets", saturation=100 * float(saturation), sets=float(sets))


@dataclass(frozen=True)
class Sweep:
    """The sweep as frames of the picture, at every `stride`-th offset; `token` names them to the browser."""

    token: str
    stride: int
    items: list[dict[str, Any]]
    sheets: list[dict[str, Any]]  # grounds at several scales


@derived
def picture_frames(scene: Scene, reach: float) -> Sweep:
    """The frames of the picture, within the weight a message may have."""
    view = study(scene, reach)
    t, swept, first = offsets(view), sweep_shown(view), first_half(view)
    row = planar.find_sets(_sets(scene, reach), swept.sets, view.router.N)
    grounds = [ground(view, first)]
    while grounds[-1].half < half_at(view, float(t[-1]), view.strength):
        grounds.append(ground(view, grounds[-1].half * _WIDER))

    def one(index: int) -> dict[str, Any]:
        at = stand(view, float(t[index]), view.strength, row[swept.ids[index]])
        under = next(g for g in grounds if g.half >= at.half)
        note = frame_note(swept.saturation[index], swept.effective_sets[index])
        still = first if len(grounds) > 1 else None
        made = drawn.frame(under, at, offset_name(float(t[index])), note, still_half=still)
        return {**made, "at": float(t[index])}

    sheets = []
    if len(grounds) > 1:
        sheets = [{"source": g.picture.layout["images"][0]["source"], "half": g.half} for g in grounds]
    still = len(grounds[0].rows) * CELL_BYTES + len((grounds[0].picture.layout.get("images") or _NO_IMAGE)[0]["source"])
    sent = sum(len(sheet["source"]) for sheet in sheets)
    room = max(LEAST_BYTES, min(FRAME_BYTES - sent, MESSAGE_BYTES - still - sent))
    heavy = max(drawn.weight(one(i)) for i in (0, OFFSETS // 2, OFFSETS - 1))
    stride = next((s for s in STRIDES if heavy * ((OFFSETS - 1) // s + 1) <= room), STRIDES[-1])
    most = room / (heavy * ((OFFSETS - 1) // stride + 1))
    if most < 1:  # thousands of cells: while it plays, those too small to be told apart keep their colour
        grounds = [drawn.thinned(g, max(1, int(most * len(g.rows)))) for g in grounds]
    return Sweep(uuid4().hex, stride, Once(one(i) for i in range(0, OFFSETS, stride)), sheets)


def first_figure(view: Study) -> Picture:
    """The picture as the play begins."""
    return drawn.scene_figure(ground(view, first_half(view)), stand(view, 0.0, view.strength))


def show(view: Study, beside: dict[str, str]) -> None:
    """The picture on its canvas; while the cloud is dragged the window and the frames stay as they are."""
    scene = view.scene
    tally.note(len(fan(scene).active_sets))
    rows = planar.find_sets(_sets(scene, view.reach), routed_now(scene)[1], view.router.N)
    at = stand(view, view.now, view.strength, rows)
    began = view
    if scene.held[:1] == (KEY,):
        began = study(_began(scene))
        half = half_at(began, began.scene.offset, began.strength)
        at = replace(at, half=half, magnified=1.0, lens=())  # nothing is magnified under the hand
    seen, frames, t = seen_now(view), picture_frames(began.scene, began.reach), offsets(began)
    words = frame_note(seen.hits[0] / seen.n, 2 ** collapse.entropy_bits(seen.hits))
    played = Frames(
        frames.token,
        frames.items,
        label="t =",
        start=nearest(t[:: frames.stride], view.now),
        interval=70,
        group="collapse",
        still=True,
        fast=True,
        over=[drawn.LABELS],
        sheets=frames.sheets,
        beside=".tv-now",
        now={"name": offset_name(scene.offset), "note": words},
    )
    canvas(
        replace(drawn.scene_figure(ground(view, at.half), at), frames=played),
        key=KEY,
        alt=alt_text(view),
        hands=say("Play moves the cloud out; arrow keys move it by hand."),
        hears={"click": clicked, "drag": dragged, "step": stepped, "seek": sought},
        beside=beside,
        viewpoint=f"{scene.router} {at.half:g}",
        handle=(float(at.raw[0]), float(at.raw[1])),
        name=f"collapse_N{scene.n}_k{scene.k}",
        toolbar=not scene.embed,
        link=True,
        below=150 if not scene.embed else 70,
    )


def alt_text(view: Study) -> str:
    """The picture in words."""
    scene, seen = view.scene, seen_now(view)
    share = float(seen.hits[0] / seen.n)
    zoomed = half_at(view, view.now, view.strength) / first_half(view)
    lens = (
        say(" The picture is zoomed out; the cloud is magnified {zoomed:,.1f} times.", zoomed=zoomed)
        if zoomed > 1
        else ""
    )
    return say(
        "Routing cells of {n} experts, {k} active, with a data cloud at offset {offset:g} in "
        "direction {direction:g} degrees. Cells without data are pale. {share:.0f} per cent of "
        "the data is in one active set.{lens}",
        n=scene.n,
        k=scene.k,
        offset=scene.offset,
        direction=scene.direction,
        share=100 * share,
        lens=lens,
    ).replace(" -", " −")


def places(view: Study) -> dict[str, dict[str, Any]]:
    """Where to go at once: what stands on the button, and what changes."""
    found: dict[str, dict[str, Any]] = {}
    goal = view.shown_certified
    if view.star is not None and 0 < goal <= OFFSET_FAR[1] / 2:
        found[say("Go to t* = {offset}", offset=offset_text(goal))] = {"offset": settled(goal)}
    if view.own is not None:
        found[say("Where the data really lies")] = dict(view.own.place)
    if view.scene.router == "affine":
        found[say("Take the bias away")] = {"router": "linear", "cell": "", "expert": -1}
    return found


# --- events ---


def _move(event: dict[str, Any]) -> dict[str, Any]:
    x, y = float(event["x"]), float(event["y"])
    return {"offset": min(OFFSET_FAR[1], math.hypot(x, y)), "direction": math.degrees(math.atan2(y, x))}


def clicked(_: Scene, event: dict[str, Any]) -> Changes:
    """A click carries the cloud there."""
    return _move(event)


def dragged(scene: Scene, event: dict[str, Any]) -> Changes:
    """The cloud follows its handle; what holds it says where it began."""
    held = scene.held or (KEY, scene.offset, scene.direction, scene.elevation)
    return {**_move(event), "held": () if event["end"] else held}


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """Left and right change the offset, up and down turn the direction."""
    step = max(0.25, 0.04 * scene.offset) * float(event["dx"])
    direction = (scene.direction + 3 * float(event["dy"]) + 180) % 360 - 180
    return {"offset": min(max(scene.offset + step, 0.0), OFFSET_FAR[1]), "direction": direction}


def sought(_: Scene, event: dict[str, Any]) -> Changes:
    """A person stopped at a frame: the scene is that offset now."""
    return {"offset": float(event["at"])}
