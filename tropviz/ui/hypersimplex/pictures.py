"""The three pictures of the Hypersimplex page, each of a view and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tropviz import Router
from tropviz.core.hypersimplex.schlegel import Schlegel
from tropviz.core.hypersimplex.shadow import sums
from tropviz.core.window import as_window
from tropviz.figures import polytope, softened, tropical, turning
from tropviz.figures import shadow as flat
from tropviz.figures.colour import cell_colours, mixed_rgb
from tropviz.figures.picture import Picture
from tropviz.figures.plane import plane_figure, set_label
from tropviz.figures.space import space_figure
from tropviz.ui.hypersimplex.soft import Softened
from tropviz.ui.hypersimplex.views import Views


def colours_of(view: Views, sets: Any, dark: bool) -> list[str]:
    """Colours of sets: the same set has the same colour in all three views."""
    return cell_colours(view.router.W, sets, dark)


def steps(view: Views) -> list[tuple[str, str]]:
    """The names of the steps of the turn."""
    return turning.names(view.turn, view.fan.active_sets)


def mixed(view: Views, soft: Softened, dark: bool) -> Any:
    """Colours (g, g, 3) of the window, mixed by how much every expert takes part."""
    side, _, N = soft.shares.shape
    return mixed_rgb(view.router.W, soft.shares.reshape(-1, N), dark).reshape(side, side, 3)


# --- the polytope ---


def first(view: Views, dark: bool, pixels: int) -> Picture:
    """The polytope: whole, as a Schlegel diagram, or its shadow."""
    if view.diagram is not None:
        picture = _diagram(view, view.diagram, dark)
    elif view.solid:
        picture = _solid(view, dark)
    else:
        picture = _flat(view, dark, pixels)
    if view.soft is not None:
        seen = view.diagram.see if view.diagram is not None else lambda y: y @ view.fan.router.W
        picture = softened.on_polytope(picture, seen(view.soft.mixture), seen(view.soft.ways), dark)
    frames = picture.frames
    return picture if frames is None else replace(picture, frames=replace(frames, bar=True))


def _diagram(view: Views, d: Schlegel, dark: bool) -> Picture:
    here = {tuple(S) for S in view.fan.active_sets.tolist()}
    missing = np.array([tuple(S) not in here for S in d.sets.tolist()])
    colours, row = colours_of(view, d.sets, dark), view.row(d.sets)
    picture = polytope.polytope_figure(d.points, d.edges, d.sets, colours, absent=missing, selected=row, dark=dark)
    if not view.turns:
        return picture
    where = {tuple(S): i for i, S in enumerate(d.sets.tolist())}
    rows = np.array([where[tuple(S)] for S in view.fan.active_sets[view.turn.rows].tolist()])
    return turning.on_polytope(picture, d.points, rows, steps(view), None, view.start)


def caster(view: Views) -> Router:
    """The router whose shadow is shown."""
    return view.fan.router if view.whole else view.router


def _lost(view: Views) -> Any:
    """Where the chosen sum lies, if it is no vertex."""
    return None if view.row(view.sets) is not None else sums(caster(view), np.array([view.chosen]))[0][0]


def _solid(view: Views, dark: bool) -> Picture:
    cast = view.shadow
    picture = polytope.polytope_figure(
        cast.points,
        cast.edges,
        cast.active_sets,
        colours_of(view, view.sets, dark),
        triangles=cast.triangles,
        inner=cast.inner,
        selected=view.row(view.sets),
        lost=_lost(view),
        dark=dark,
    )
    if not view.turns:
        return picture
    return turning.on_polytope(picture, cast.points, view.turn.rows, steps(view), view.turn.units, view.start)


def _flat(view: Views, dark: bool, pixels: int) -> Picture:
    assert view.ring is not None
    cast, colours, lost = view.shadow, colours_of(view, view.sets, dark), _lost(view)
    row = view.row(view.sets)
    picture = flat.shadow_figure(cast, colours, view.ring, selected=row, lost=lost, pixels=pixels, dark=dark)
    line = view.fan.router.central
    return turning.on_shadow(picture, cast, view.turn, steps(view), line=line, pixels=pixels, start=view.start)


# --- the fan ---


def second(view: Views, dark: bool, pixels: int) -> Picture:
    """The fan: cones or cells."""
    row = view.row(view.fan.active_sets)
    near = view.shadow.steps(row)[0].tolist() if row is not None and view.diagram is None else []
    look: dict[str, Any] = {"selected": row, "neighbours": near, "dark": dark}
    sets, colours = view.fan.active_sets, colours_of(view, view.fan.active_sets, dark)
    if isinstance(view.cells, tuple):
        picture = plane_figure(*view.cells, sets, colours, window=view.window, pixels=pixels, **look)
        if view.soft is not None and view.ground is view.fan:
            picture = softened.on_plane(picture, mixed(view, view.soft, dark), view.window)
        return turning.on_plane(picture, view.turn, steps(view), dark, view.start)
    box = None if view.fan.router.central else as_window(view.window, 3)
    reach = 1.12 if box is None else 1.02 * view.window
    picture = space_figure(view.cells, sets, colours, box=box, reach=reach, **look)
    scale = 0.83 if box is None else 1.4
    eye = scale * polytope.eye_towards(view.fan.witnesses[row] if row is not None else None)
    picture.layout["scene"]["camera"]["eye"] = dict(zip("xyz", eye.tolist(), strict=True))
    picture = replace(picture, cameras=None)
    return turning.on_sphere(picture, view.turn, steps(view), dark, view.start) if view.turns else picture


# --- the graph ---


def third(view: Views, dark: bool) -> Picture:
    """The graph of e_k."""
    sets = view.ground.active_sets
    colours, row = colours_of(view, sets, dark), view.row(sets)
    if view.drawing is not None:
        return tropical.drawing_figure(view.drawing, sets, colours, selected=row, dark=dark)
    picture = tropical.surface_figure(view.roof, sets, colours, selected=row, dark=dark)
    if view.soft is not None:
        told = [set_label(S) for S in view.ground.router.active_sets(view.soft.grid.reshape(-1, 2))]
        colour = mixed(view, view.soft, dark)
        picture = softened.on_graph(picture, view.soft.grid, view.soft.values, colour, told)
    if view.ground is not view.fan:
        return picture
    slopes, lifts = sums(view.fan.router, sets[view.turn.rows])
    heights = (slopes * view.turn.points).sum(axis=1) + lifts
    if view.soft is not None and view.soft.heights is not None:
        heights = view.soft.heights
    return turning.on_graph(picture, view.roof, heights, view.turn, steps(view), dark, view.start)


def token(view: Views, name: str) -> str:
    """While it stays the same, a canvas keeps its zoom or camera: a camera through every control, a zoom while the
    picture keeps its scale."""
    if name == "cones" and view.sphere:
        return f"cones in space {view.fan.router.central} {view.look}"
    if {"polytope": view.solid, "graph": view.drawing is None}.get(name):
        return f"{name} in space"
    scale = f"{view.kind} {view.window} {view.whole}"
    return f"cones {scale}" if name == "cones" else f"{name} {scale} {view.seed} {view.N} {view.k}"
