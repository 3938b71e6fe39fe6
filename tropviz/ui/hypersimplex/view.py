"""The Hypersimplex page's three views of one object, and what a touch in any of them means in the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz import Hypersimplex, Router, RoutingFan
from tropviz.core.hypersimplex.schlegel import Schlegel, schlegel, standard_weights
from tropviz.core.hypersimplex.shadow import Shadow, Surface, shadow, sums, tropical_surface
from tropviz.core.hypersimplex.turn import STEPS, Turn, ring, turn
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.mesh import box_surface
from tropviz.core.spatial.sphere import patches
from tropviz.core.window import as_window
from tropviz.figures import polytope, tropical, turning
from tropviz.figures import shadow as flat
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Picture
from tropviz.figures.plane import MOST_NAMED, plane_figure, set_label, set_text
from tropviz.figures.space import MOST_CELLS, space_figure
from tropviz.ui.old import read_scene, rerun, update
from tropviz.ui.scene import Scene, model

Ints = NDArray[np.int64]
STAGE = "hypersimplex"
#: Polytopes up to this N can be shown whole: in the plane, in space, or as a Schlegel diagram.
WHOLE = (3, 5)
#: Sets that a list offers.
LISTED = 2000
#: Radius of the circle x turns on, in halves of the window's side.
CIRCLE = 0.82


@dataclass(frozen=True, eq=False)
class Views:
    """Everything the page shows of one scene.

    Attributes
    ----------
    shape : Hypersimplex
    whole : bool
        The polytope and its whole normal fan, rather than the router's shadow and slice.
    shadow : Shadow
        Of the router, or of the router that sees all scores: then it is the polytope itself.
    diagram : Schlegel or None
        N = 5, whole.
    fan : RoutingFan
        What the second view shows: the normal fan (N = 3, 4, whole), or its slice by the router.
    ground : RoutingFan
        The planar fan under the graph of the third view.
    level : float or None
        In space: the height z of the plane that fan is the section of. It meets the chosen cell.
    roof : Surface
    chosen : tuple of int
        The selected active set.
    """

    scene: Scene
    shape: Hypersimplex
    whole: bool
    shadow: Shadow
    diagram: Schlegel | None
    fan: RoutingFan
    ground: RoutingFan
    level: float | None
    roof: Surface
    chosen: tuple[int, ...]

    @property
    def solid(self) -> bool:
        """Whether the first view is in space."""
        return self.diagram is not None or self.shadow.points.shape[1] == 3

    @property
    def sphere(self) -> bool:
        """Whether the second view is in space: a sphere for cones, a box for cells."""
        return self.fan.router.d == 3

    @property
    def drawn(self) -> bool:
        """Whether the graph is a flat drawing, because two canvases are in space already."""
        return self.solid and self.sphere

    @property
    def sets(self) -> Ints:
        """The active sets the first view has vertices for."""
        return self.diagram.sets if self.diagram is not None else self.shadow.active_sets

    @property
    def radius(self) -> float:
        """Radius of the circle x turns on."""
        return _radius(self.scene, self.fan)

    @property
    def turns(self) -> bool:
        """Whether x can be seen turning: not in a box of solid cells."""
        return not self.sphere or self.fan.router.central

    def row(self, sets: Any) -> int | None:
        """Where the chosen set stands among some sets."""
        hits = np.flatnonzero((np.asarray(sets) == np.array(self.chosen)).all(axis=1))
        return int(hits[0]) if len(hits) else None


def listed(view: Views) -> list[tuple[int, ...]]:
    """The sets that can be chosen from a list: all, or where those are too many the chosen one and its neighbours."""
    sets, row = view.sets, view.row(view.sets)
    if len(sets) > LISTED:
        near = view.shadow.steps(row)[0] if row is not None and view.diagram is None else np.zeros(0, dtype=np.int64)
        sets = sets[np.sort(np.append(near, row))] if row is not None else sets[:LISTED]
    names = [tuple(S) for S in sets.tolist()]
    return names if view.chosen in names else [*names, view.chosen]


def named(names: list[tuple[int, ...]]) -> Callable[[tuple[int, ...]], str]:
    """How the list calls its sets; where a name is cut short a number keeps them apart.

    >>> named([(0, 3)])((0, 3)), named([tuple(range(20))])(tuple(range(20)))
    ('{0, 3}', '1. {0, 1, 2, 3, 4, 5, … 19}: 20 experts')
    """
    number = {S: i for i, S in enumerate(names, 1)}
    return lambda S: set_text(S) if len(S) <= MOST_NAMED else f"{number.get(S, 0)}. {set_label(S)}"


def can_be_whole(scene: Scene) -> bool:
    """Whether the polytope of the scene can be drawn as it is."""
    return WHOLE[0] <= scene.n <= WHOLE[1] and scene.k < scene.n


def views(scene: Scene) -> Views:
    """Compute the three views; ValueError in one sentence where the scene cannot be shown."""
    shape = Hypersimplex(scene.n, scene.k)
    whole = can_be_whole(scene) and scene.hview == "whole"
    own = model.scene_fan(scene)
    standard = whole and scene.n < WHOLE[1]
    fan = model.kept(scene, "normal fan", ("n", "k"), lambda: _standard(scene)) if standard else own
    diagram = schlegel(scene.n, scene.k) if whole and scene.n == WHOLE[1] else None
    chosen = _chosen(scene, shape, fan, whole)
    ground, level = fan if fan.router.d == 2 else own, None
    names: tuple[str, ...] = ("n", "k", "dim", "seed", "hview")
    cast = model.kept(scene, "shadow", names, lambda: shadow(fan, seed=scene.seed))
    if ground.router.d == 3:
        names = (*names, "cell", "window", "direction")
        level, ground = model.kept(scene, "ground", names, lambda: _section(own, chosen, scene.window))
    roof = model.kept(scene, "roof", (*names, "window"), lambda: tropical_surface(ground, scene.window))
    return Views(scene, shape, whole, cast, diagram, fan, ground, level, roof, chosen)


def _standard(scene: Scene) -> RoutingFan:
    return RoutingFan(Router(standard_weights(scene.n), None, scene.k))


def _section(fan: RoutingFan, chosen: tuple[int, ...], window: float) -> tuple[float, RoutingFan]:
    """The fan of a plane z = level in space: z = 0, or where that misses the chosen cell, a plane that meets it."""
    router = fan.router

    def at(level: float) -> RoutingFan:
        return RoutingFan(Router(router.W[:, :2], router.b + level * router.W[:, 2], router.k))

    flat, hits = at(0.0), np.flatnonzero((fan.active_sets == np.array(chosen)).all(axis=1))
    if not len(hits) or (flat.active_sets == np.array(chosen)).all(axis=1).any():
        return 0.0, flat
    inside = fan.witnesses[hits[0]]
    scale = window / 2 / float(np.linalg.norm(inside)) if router.central else 1.0
    level = scale * float(inside[2])
    return level, at(level)


def _radius(scene: Scene, fan: RoutingFan) -> float:
    """Radius of the circle x turns on, around the origin of a fan."""
    return 1.0 if fan.router.d == 3 and fan.router.central else CIRCLE * scene.window


def _chosen(scene: Scene, shape: Hypersimplex, fan: RoutingFan, whole: bool) -> tuple[int, ...]:
    """The scene's selected set; if it names none, the one that wins where x starts its turn."""
    try:
        return shape.check_set(int(part) for part in scene.cell.split("-"))
    except ValueError:
        row = _turn(scene, fan, whole).rows[_first_step(scene, fan)]
        return tuple(fan.active_sets[row].tolist())


def colours_of(view: Views, sets: Any, dark: bool) -> list[str]:
    """Colours of sets: the same set has the same colour in all three views."""
    return cell_colours(model.scene_router(view.scene).W, sets, dark)


# ---- the three pictures -------------------------------------------------------------------------------------------


def first(view: Views, dark: bool, pixels: int) -> Picture:
    """The polytope: whole, as a Schlegel diagram, or its shadow."""
    if view.diagram is not None:
        picture = _diagram(view, view.diagram, dark)
    elif view.solid:
        picture = _solid(view, dark)
    else:
        picture = _flat(view, dark, pixels)
    frames = picture.frames
    return picture if frames is None else replace(picture, frames=replace(frames, bar=True, seek=True))


def _diagram(view: Views, d: Schlegel, dark: bool) -> Picture:
    here = {tuple(S) for S in view.fan.active_sets.tolist()}
    missing = np.array([tuple(S) not in here for S in d.sets.tolist()])
    colours, row = colours_of(view, d.sets, dark), view.row(d.sets)
    picture = polytope.polytope_figure(d.points, d.edges, d.sets, colours, absent=missing, selected=row, dark=dark)
    if not view.turns:
        return picture
    where = {tuple(S): i for i, S in enumerate(d.sets.tolist())}
    rows = np.array([where[tuple(S)] for S in view.fan.active_sets[turned(view).rows].tolist()])
    return turning.on_polytope(picture, d.points, rows, steps(view), None, start(view))


def _lost(view: Views) -> Any:
    """Where the chosen sum lies, if it is no vertex."""
    return None if view.row(view.sets) is not None else sums(_caster(view), np.array([view.chosen]))[0][0]


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
    return turning.on_polytope(picture, cast.points, turned(view).rows, steps(view), turned(view).units, start(view))


def _flat(view: Views, dark: bool, pixels: int) -> Picture:
    cast, row = view.shadow, view.row(view.sets)
    colours = colours_of(view, view.sets, dark)
    picture = flat.shadow_figure(cast, colours, around(view), selected=row, lost=_lost(view), pixels=pixels, dark=dark)
    line = view.fan.router.central
    return turning.on_shadow(picture, cast, turned(view), steps(view), line=line, pixels=pixels, start=start(view))


def around(view: Views) -> tuple[Ints, NDArray[np.float64]]:
    """Who wins on the circle x turns on, in the plane."""
    names = ("n", "k", "dim", "seed", "window")
    return model.kept(view.scene, f"ring {view.whole}", names, lambda: ring(view.fan, view.shadow, view.radius))


def turned(view: Views) -> Turn:
    """One turn of x."""
    return _turn(view.scene, view.fan, view.whole)


def _turn(scene: Scene, fan: RoutingFan, whole: bool) -> Turn:
    names = ("n", "k", "dim", "seed", "window")
    return model.kept(scene, f"turn {whole}", names, lambda: turn(fan, _radius(scene, fan)))


def steps(view: Views) -> list[tuple[str, str]]:
    """The names of the steps of the turn."""
    return turning.names(turned(view), view.fan.active_sets)


def _first_step(scene: Scene, fan: RoutingFan) -> int:
    """Where x starts its turn: in the direction of the data; in space on the side of the eye."""
    angle = 300.0 if fan.router.d == 3 else scene.direction
    return round(angle / 360 * STEPS) % STEPS


def start(view: Views) -> int:
    """The step shown first: x lies in the chosen cell, where it was stopped or else deep inside, if x ever meets it."""
    rows = turned(view).rows[:STEPS]
    step = int(st.session_state.get("hs_at", _first_step(view.scene, view.fan))) % STEPS
    row = view.row(view.fan.active_sets)
    inside, others = np.flatnonzero(rows == row), np.flatnonzero(rows != row)
    if not len(inside) or rows[step] == row:
        return step
    gap = np.abs(inside[:, None] - others)
    depth = np.minimum(gap, STEPS - gap).min(axis=1, initial=STEPS)
    return int(inside[depth.argmax()])


def meets(view: Views) -> bool:
    """Whether x meets the chosen cell on its turn."""
    return view.turns and bool((turned(view).rows == view.row(view.fan.active_sets)).any())


def _caster(view: Views) -> Router:
    """The router whose shadow is shown."""
    return view.fan.router if view.whole else model.scene_router(view.scene)


def second(view: Views, dark: bool, pixels: int) -> Picture:
    """The fan: cones or cells."""
    fan = view.fan
    colours = colours_of(view, fan.active_sets, dark)
    row = view.row(fan.active_sets)
    near = view.shadow.steps(row)[0].tolist() if row is not None and view.diagram is None else []
    if view.sphere:
        box = None if fan.router.central else as_window(view.scene.window, 3)
        fig = space_figure(
            _patches(view),
            fan.active_sets,
            colours,
            box=box,
            reach=1.12 if box is None else 1.02 * view.scene.window,
            selected=row,
            neighbours=near,
            dark=dark,
        )
        scale = 0.83 if box is None else 1.4
        eye = scale * polytope.eye_towards(fan.witnesses[row] if row is not None else None)
        fig.layout["scene"]["camera"]["eye"] = dict(zip("xyz", eye.tolist(), strict=True))
        fig = replace(fig, views=None)
        return turning.on_sphere(fig, turned(view), steps(view), dark, start(view)) if view.turns else fig
    ids, shapes = model.kept(
        view.scene,
        f"fan cells {view.whole}",
        ("n", "k", "dim", "seed", "window"),
        lambda: fan.polygons(view.scene.window),
    )
    fig = plane_figure(
        ids,
        shapes,
        fan.active_sets,
        colours,
        window=view.scene.window,
        selected=row,
        neighbours=near,
        pixels=pixels,
        dark=dark,
    )
    return turning.on_plane(fig, turned(view), steps(view), dark, start(view))


def _patches(view: Views) -> Any:
    """The second view in space: the largest cells as patches of the sphere, or as polyhedra in the window."""
    fan = view.fan

    def make() -> Any:
        drawn = np.ones(len(fan.active_sets), dtype=bool)
        if fan.router.central:
            if len(drawn) > MOST_CELLS:
                drawn[np.argsort(fan.solid_angles())[:-MOST_CELLS]] = False
            return sphere_surface(patches(fan), drawn)
        cells = polyhedra(fan, view.scene.window)
        if len(cells.ids) > MOST_CELLS:
            drawn[cells.ids[np.argsort(cells.volumes)[:-MOST_CELLS]]] = False
        return box_surface(cells, drawn)

    return model.kept(view.scene, f"patches {view.whole}", ("n", "k", "dim", "seed", "window"), make)


def third(view: Views, dark: bool) -> Picture:
    """The graph of e_k."""
    sets = view.ground.active_sets
    colours, row = colours_of(view, sets, dark), view.row(sets)
    if view.drawn:
        return tropical.drawing_figure(drawing(view), sets, colours, selected=row, dark=dark)
    fig = tropical.surface_figure(view.roof, sets, colours, selected=row, dark=dark)
    if view.ground is view.fan:
        t = turned(view)
        slopes, lifts = sums(view.fan.router, sets[t.rows])
        heights = (slopes * t.points).sum(axis=1) + lifts
        return turning.on_graph(fig, view.roof, heights, t, steps(view), dark, start(view))
    return fig


def drawing(view: Views) -> tropical.Drawing:
    """The graph as a flat drawing."""
    return tropical.Drawing(view.roof, sums(view.ground.router, view.ground.active_sets)[0])


def token(view: Views, name: str) -> str:
    """While it stays the same, a canvas keeps its zoom or camera: a camera through every control, a zoom while the
    picture keeps its scale."""
    scene = view.scene
    if name == "cones" and view.sphere:
        return f"cones in space {view.fan.router.central} {st.session_state.get('hs_look', 0)}"
    if {"polytope": view.solid, "graph": not view.drawn}.get(name):
        return f"{name} in space"
    if name == "cones":
        return f"cones {scene.router} {scene.window} {view.whole}"
    return f"{name} {scene.router} {scene.seed} {scene.n} {scene.k} {scene.window} {view.whole}"


# ---- what a touch means -------------------------------------------------------------------------------------------


def choose(S: Any, look: bool = True) -> None:
    """Make a set the chosen one: all three views follow; with `look` the sphere turns to its cone."""
    if look:
        st.session_state["hs_look"] = st.session_state.get("hs_look", 0) + 1
    update(cell="-".join(str(int(i)) for i in S))
    rerun(STAGE)


def touched_first(event: dict[str, Any]) -> None:
    """A click on a vertex, on a sum that fell inside, or on the ring."""
    view = views(read_scene())
    if view.solid:
        if event.get("trace") == polytope.VERTICES and 0 <= int(event["index"]) < len(view.sets):
            choose(view.sets[int(event["index"])])
        return
    hit = flat.pick(view.shadow, around(view), float(event["x"]), float(event["y"]))
    if hit is not None:
        kind, at = hit
        choose((view.shadow.active_sets if kind == "vertex" else view.shadow.inner_sets)[at])


def touched_second(event: dict[str, Any]) -> None:
    """A click on a cone or cell."""
    view = views(read_scene())
    if view.sphere:
        cell = _patches(view).tri_cell
        if event.get("trace") == 0 and 0 <= int(event["index"]) < len(cell):
            choose(view.fan.active_sets[cell[int(event["index"])]], look=False)
        return
    choose(view.fan.router.active_sets(np.array([[float(event["x"]), float(event["y"])]]))[0])


def touched_third(event: dict[str, Any]) -> None:
    """A click on a flat piece, or on the floor below it."""
    view = views(read_scene())
    if view.drawn:
        row = drawing(view).at(float(event["x"]), float(event["y"]))
    else:
        row = tropical.surface_row(view.roof, event)
    if row is not None:
        choose(view.ground.active_sets[row])


def stopped(event: dict[str, Any]) -> None:
    """The turn of x was stopped: the set that wins there is chosen."""
    view = views(read_scene())
    rows = turned(view).rows
    if 0 <= int(event["index"]) < len(rows):
        st.session_state["hs_at"] = int(event["index"])
        choose(view.fan.active_sets[rows[int(event["index"])]])


def stepped(event: dict[str, Any]) -> None:
    """An arrow key goes to the neighbour whose edge points most that way; Enter to the next set of the list.

    An edge of the shadow is a normal of the wall between two cells, so this is the same walk in every view.
    """
    view = views(read_scene())
    row = view.row(view.sets)
    push = np.array([float(event["dx"]), float(event["dy"])])
    if row is None or not push.any():
        choose(view.sets[0 if row is None else (row + 1) % len(view.sets)])
    points = view.shadow.points if view.diagram is None else view.diagram.points
    edges = view.shadow.edges if view.diagram is None else view.diagram.edges
    touching = edges[(edges == row).any(axis=1)]
    near = touching.sum(axis=1) - row
    if not len(near):
        return
    arm = points[near][:, :2] - points[row][:2]
    along = arm @ push / np.maximum(np.linalg.norm(points[near] - points[row], axis=1), 1e-300)
    if along.max() > 0:
        choose(view.sets[int(near[along.argmax()])])
