"""The picture of the Angular collapse page, its frames for the browser, and what a click, a drag and a key mean."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import shapely
import streamlit as st
from numpy.typing import NDArray

from tropviz import RoutingFan, collapse
from tropviz.core import planar
from tropviz.core.limits import OFFSET_FAR
from tropviz.figures import collapse as drawn
from tropviz.figures.collapse_curves import offset_text
from tropviz.figures.collapse_lens import lens_rings
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Frames, Picture
from tropviz.figures.plane import plane_figure
from tropviz.ui.canvas import canvas
from tropviz.ui.canvas.follow import outdated
from tropviz.ui.collapse.study import (
    OFFSETS,
    STRIDES,
    Study,
    offsets,
    routed_now,
    seen_now,
    study,
    sweep_shown,
    token,
)
from tropviz.ui.scene import Scene, model, read_scene, rerun, update

#: Its canvas.
KEY = "collapse_picture"
#: Fragments of the page: those that a new offset changes (the curves follow in the browser), those that follow when
#: the picture stands still, and all.
LIVE = ("picture",)
LATER = ("undo",)
FRAGMENTS = ("controls", *LIVE, "places", *LATER, "curves", "directions", "sphere")
#: Bytes all frames may have, their grounds included.
FRAME_BYTES = 1_200_000
#: Half windows go in steps of this factor, so that small changes leave the picture where it is.
_STEP = 1.08
#: A far picture: radii of the data in half of its first window, part of the half window at which the cloud stays while
#: the picture zooms out, how much wider each ground is than the last, and the least part of it that a cell must cover.
_FIRST, _STAYS, _WIDER, _LEAST = 4.5, 0.62, 8.0, 2e-7


def offset_only(scene: Scene) -> tuple[str, ...]:
    """The fragments that a new offset changes at once; on the sphere the colours do not follow by themselves."""
    return (*LIVE, "sphere") if model.scene_source(scene).W.shape[1] == 3 else LIVE


# --- camera ---


def _stepped(need: float) -> float:
    return float(_STEP ** math.ceil(math.log(need, _STEP)))


def first_half(view: Study) -> float:
    """Half the side of the picture where it starts: the whole sweep fits, or, if it goes far, the cloud is large."""
    window, r = float(view.scene.window), view.radius or 1.0
    if view.far:
        return _stepped(max(window, _FIRST * r))
    return _stepped(max(window, (view.reach + r) / (drawn.RING - 0.02)))


def half_at(view: Study, t: float, strength: float) -> float:
    """Half the side at offset t: the picture zooms out, around the origin, as a cloud goes far."""
    first = first_half(view)
    return max(first, view.away(t, strength) / _STAYS) if view.far else first


# --- what is drawn ---


def fan(view: Study) -> RoutingFan:
    """Cells of the picture's plane."""
    if view.router.d == 2:
        return model.scene_fan(view.scene)
    return view.kept("collapse fan", view.plane_of, lambda: RoutingFan(view.flat))


def _sets(view: Study) -> NDArray[np.int64]:
    """Active sets that have a colour: the cells of the picture, then those that only data outside its plane is in."""
    cells = fan(view).active_sets
    if view.router.d == 2:
        return np.asarray(cells)
    met = sweep_shown(view).sets
    return np.concatenate([cells, met[planar.find_sets(cells, met, view.router.N) < 0]])


def ground(view: Study, half: float, dark: bool) -> drawn.Ground:
    """What does not move in the picture."""

    def make() -> Any:
        cells = fan(view)
        ids, shapes = cells.polygons(half)
        shapes = np.asarray(shapes, dtype=object)
        if view.far:  # a far picture has a crowd of cells at the origin, each smaller than a pixel
            kept = shapely.area(shapes) > _LEAST * (2 * half) ** 2
            ids, shapes = np.asarray(ids)[kept], shapes[kept]
        colours = cell_colours(cells.router.W, cells.active_sets, dark)
        return plane_figure(ids, shapes, cells.active_sets, colours, window=half, dark=dark, pixels=620)

    figure = view.kept(f"collapse ground {half:g} {view.far} {dark}", view.plane_of, make)
    return drawn.Ground(figure, colours(view, dark), half, view.radius, view.two_sided, dark)


def colours(view: Study, dark: bool) -> list[str]:
    """Colours of :func:`_sets`."""
    make = lambda: cell_colours(view.flat.W, _sets(view), dark)  # noqa: E731
    return view.kept(f"collapse colours {dark}", view.plane_of, make) if view.router.d == 2 else make()


def stand(view: Study, t: float, strength: float, cells: Any = None) -> drawn.Stand:
    """Where everything is at offset t; ``cells`` are the rows of the points' colours, if they are known."""
    seen = view.seen_at(t, strength)
    if cells is None:
        cells = planar.find_sets(_sets(view), view.router.active_sets(seen), view.router.N)
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
        lens_rings(fan(view), [s * centre for s in sides], view.radius, magnified) if magnified > 1 else (),
    )


def offset_name(t: float) -> str:
    """An offset beside the slider: as `offset_text`, but as short as it goes.

    >>> offset_name(3.14159), offset_name(0.9), offset_name(2021.4)
    ('3.142', '0.90', '2,021')
    """
    return f"{t:.2f}" if t == round(t, 2) and t < 100 else offset_text(t)


def frame_note(saturation: Any, sets: Any) -> str:
    """The words beside the slider.

    >>> frame_note(0.5, 2.345)
    'saturation 50 %, 2.3 sets'
    """
    return f"saturation {100 * float(saturation):.0f} %, {float(sets):.1f} sets"


def _make_frames(view: Study, dark: bool) -> tuple[int, list[dict[str, Any]], list[dict[str, Any]]]:
    """(stride, frames, grounds at several scales) of the picture, within the weight a message may have."""
    t, swept, first = offsets(view), sweep_shown(view), first_half(view)
    row = planar.find_sets(_sets(view), swept.sets, view.router.N)
    grounds = [ground(view, first, dark)]
    while grounds[-1].half < half_at(view, float(t[-1]), view.strength):
        grounds.append(ground(view, grounds[-1].half * _WIDER, dark))

    def one(index: int) -> dict[str, Any]:
        at = stand(view, float(t[index]), view.strength, row[swept.ids[index]])
        under = next(g for g in grounds if g.half >= at.half)
        note = frame_note(swept.saturation[index], swept.effective_sets[index])
        still = first if len(grounds) > 1 else None
        return drawn.frame(under, at, offset_name(float(t[index])), note, still_half=still)

    sheets = []
    if len(grounds) > 1:
        sheets = [{"source": g.picture.layout["images"][0]["source"], "half": g.half} for g in grounds]
    room = FRAME_BYTES - sum(len(sheet["source"]) for sheet in sheets)
    heavy = max(drawn.weight(one(i)) for i in (0, OFFSETS // 2, OFFSETS - 1))
    stride = next((s for s in STRIDES if heavy * ((OFFSETS - 1) // s + 1) <= room), STRIDES[-1])
    most = room / (heavy * ((OFFSETS - 1) // stride + 1))
    if most < 1:  # thousands of cells: while it plays, those too small to be told apart keep their colour
        grounds = [drawn.thinned(g, int(most * len(g.rows))) for g in grounds]
    return stride, [one(i) for i in range(0, OFFSETS, stride)], sheets


def picture_frames(view: Study, dark: bool) -> tuple[int, list[dict[str, Any]], list[dict[str, Any]]]:
    """The frames, kept as long as they are the ones in view."""
    held = st.session_state.get("collapse_frames")
    name = token(view, dark)
    if held is None or held[0] != name:
        held = st.session_state["collapse_frames"] = (name, _make_frames(view, dark))
    return held[1]


def first_figure(view: Study, dark: bool) -> Picture:
    """The picture as the play begins."""
    return drawn.scene_figure(ground(view, first_half(view), dark), stand(view, 0.0, view.strength))


def show(view: Study, dark: bool) -> None:
    """The picture on its canvas; while the cloud is dragged the window and the frames stay as they are."""
    scene = view.scene
    held = st.session_state.get("collapse_drag")
    rows = planar.find_sets(_sets(view), routed_now(view)[1], view.router.N)
    at = stand(view, scene.offset, view.strength, rows)
    if held is None:
        stride, items, sheets = picture_frames(view, dark)
        name = token(view, dark)
        frames = Frames(name, items, sheets=sheets, interval=70)
        st.session_state["collapse_view"] = (name, at.half, stride, offsets(view)[::stride])
    else:
        name, half, stride, _ = held
        frames = Frames(name)
        at = drawn.Stand(
            at.seen, at.cells, at.at, at.raw, at.half_angle, at.certified, half, at.sides
        )  # nothing is magnified under the hand
    seen = seen_now(view)
    words = frame_note(seen.hits[0] / seen.n, 2 ** collapse.entropy_bits(seen.hits))
    shown = st.session_state["collapse_view"][3]
    frames = replace(
        frames,
        label="t =",
        start=int(np.abs(shown - scene.offset).argmin()),
        group="collapse",
        still=True,
        seek=True,
        fast=True,
        over=[drawn.LABELS],
        beside=".tv-now",
        now={"name": offset_name(scene.offset), "note": words},
    )
    canvas(
        replace(drawn.scene_figure(ground(view, at.half, dark), at), frames=frames),
        key=KEY,
        alt=alt_text(view),
        view=f"{scene.router} {at.half:g}",
        handle=(float(at.raw[0]), float(at.raw[1])),
        name=f"collapse_N{scene.n}_k{scene.k}",
        toolbar=not scene.embed,
        link=scene.link("collapse"),
        below=150 if not scene.embed else 70,
        on_click=clicked,
        on_drag=dragged,
        on_step=stepped,
        on_seek=sought,
        on_settle=None if scene.embed else settled,
        stale=".st-key-collapse_curves" if outdated("curves", token(view, False)) else "",
    )


def alt_text(view: Study) -> str:
    """The picture in words."""
    scene, seen = view.scene, seen_now(view)
    share = float(seen.hits[0] / seen.n)
    zoomed = half_at(view, scene.offset, view.strength) / first_half(view)
    lens = f" The picture is zoomed out; the cloud is magnified {zoomed:,.1f} times." if zoomed > 1 else ""
    return (
        f"Routing cells of {scene.n} experts, {scene.k} active, with a data cloud at offset {scene.offset:g} in "
        f"direction {scene.direction:g} degrees. Cells without data are grey. {100 * share:.0f} per cent of the data "
        f"is in one active set.{lens} Play moves the cloud out; arrow keys move it by hand."
    )


# --- events ---


def go_to(offset: float, direction: float | None = None) -> None:
    """A button that carries the cloud somewhere."""
    update(offset=offset, **({} if direction is None else {"direction": direction, "elevation": 0.0}))
    rerun(*(("controls", *offset_only(read_scene()), *LATER) if direction is None else FRAGMENTS))


def _move(x: float, y: float) -> None:
    update(offset=min(OFFSET_FAR[1], math.hypot(x, y)), direction=math.degrees(math.atan2(y, x)))


def clicked(event: dict[str, Any]) -> None:
    """A click carries the cloud there."""
    _move(float(event["x"]), float(event["y"]))
    rerun(*FRAGMENTS)


def dragged(event: dict[str, Any]) -> None:
    """The cloud follows its handle; everything else follows when it is let go.

    The fragment of the picture runs by itself: asking for a rerun would make two runs of one.
    """
    _move(float(event["x"]), float(event["y"]))
    if event["end"]:
        st.session_state.pop("collapse_drag", None)
        rerun(*FRAGMENTS)
    st.session_state["collapse_drag"] = st.session_state["collapse_view"]
    st.session_state["rerun"] = LIVE


def stepped(event: dict[str, Any]) -> None:
    """Left and right change the offset, up and down turn the direction."""
    scene = read_scene()
    step = max(0.25, 0.04 * scene.offset) * float(event["dx"])
    offset = min(max(scene.offset + step, 0.0), OFFSET_FAR[1])
    direction = (scene.direction + 3 * float(event["dy"]) + 180) % 360 - 180
    update(offset=offset, direction=direction)
    rerun(*FRAGMENTS)


def sought(event: dict[str, Any]) -> None:
    """A person stopped at a frame: the scene is that offset now."""
    shown = st.session_state["collapse_view"][3]
    update(offset=float(shown[min(max(int(event["index"]), 0), len(shown) - 1)]))
    rerun("controls", *offset_only(read_scene()))


def settled(_: dict[str, Any]) -> None:
    """The picture stands still: what costs more follows, and the curves if they are of another sweep."""
    behind = outdated("curves", token(study(read_scene()), False))
    rerun(*(("controls", "places", "curves", *LATER) if behind else LATER))
