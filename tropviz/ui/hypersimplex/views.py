"""What the Hypersimplex page shows of a scene: three views of one object, complete before any is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz import Hypersimplex, Router, RoutingFan
from tropviz.core.hypersimplex.schlegel import Schlegel, schlegel, standard_weights
from tropviz.core.hypersimplex.shadow import Shadow, Surface, shadow, sums, tropical_surface
from tropviz.core.hypersimplex.turn import STEPS, Turn, ring, turn
from tropviz.core.slices import restrict
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.mesh import Surface as Mesh
from tropviz.core.spatial.mesh import box_surface
from tropviz.core.spatial.sphere import patches
from tropviz.figures.tropical import Drawing
from tropviz.language import say
from tropviz.ui import effort, heavy
from tropviz.ui.hypersimplex.soft import Softened, softened
from tropviz.ui.scene import Scene, derived, model

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
#: Cells of the second view in space: of more, the largest. So many are a message of 1.5 MB.
MOST_SOLID = 1000
#: How many times as long as the fan all views take.
SECONDS = 3.0
#: Polytopes up to this N can be shown whole: in the plane, in space, or as a Schlegel diagram.
WHOLE = (3, 5)
#: Radius of the circle x turns on, in halves of the window's side.
CIRCLE = 0.82


@dataclass(frozen=True, eq=False)
class Views:
    """Everything the page shows of one scene.

    Attributes
    ----------
    shape : Hypersimplex
    own : RoutingFan
        Of the router on screen.
    whole : bool
        The polytope and its whole normal fan, rather than the router's shadow and slice.
    shadow : Shadow
        Of the router, or of the router that sees all scores: then it is the polytope itself.
    diagram : Schlegel or None
        N = 5, whole.
    fan : RoutingFan
        What the second view shows: the normal fan (N = 3, 4, whole), or its slice by the router.
    cells : (rows, polygons), or Mesh
        Its cells in the window: in the plane, in space.
    ground : RoutingFan
        The planar fan under the graph of the third view.
    level : float or None
        In space: the height z of the plane that fan is the section of. It meets the chosen cell.
    roof : Surface
        That graph.
    drawing : Drawing or None
        The graph as a flat drawing, because two canvases are in space already.
    chosen : tuple of int
        The selected active set.
    turn : Turn
        One turn of x; it starts at step `start`.
    ring : (rows, spans) or None
        Who wins on the circle x turns on, round a shadow in the plane.
    window : float
    look : int
        How many times the sphere was turned to a chosen cone.
    soft : Softened or None
        At a temperature above 0.
    """

    shape: Hypersimplex
    own: RoutingFan
    whole: bool
    shadow: Shadow
    diagram: Schlegel | None
    fan: RoutingFan
    cells: tuple[Ints, Any] | Mesh
    ground: RoutingFan
    level: float | None
    roof: Surface
    drawing: Drawing | None
    chosen: tuple[int, ...]
    turn: Turn
    start: int
    ring: tuple[Ints, Floats] | None
    window: float
    kind: str
    seed: int
    look: int
    soft: Softened | None

    @property
    def N(self) -> int:
        """Experts."""
        return self.shape.N

    @property
    def k(self) -> int:
        """Active ones."""
        return self.shape.k

    @property
    def router(self) -> Router:
        """The router on screen."""
        return self.own.router

    @property
    def solid(self) -> bool:
        """Whether the first view is in space."""
        return self.diagram is not None or self.shadow.points.shape[1] == 3

    @property
    def sphere(self) -> bool:
        """Whether the second view is in space: a sphere for cones, a box for cells."""
        return self.fan.router.d == 3

    @property
    def biased(self) -> bool:
        """Whether biases lift the points: then a corner is one seen from above, inside the outline as well."""
        return not self.router.central and not self.whole

    @property
    def sets(self) -> Ints:
        """The active sets the first view has vertices for."""
        return self.diagram.sets if self.diagram is not None else self.shadow.active_sets

    @property
    def turns(self) -> bool:
        """Whether x can be seen turning: not in a box of solid cells."""
        return not self.sphere or self.fan.router.central

    @property
    def meets(self) -> bool:
        """Whether x meets the chosen cell on its turn."""
        return self.turns and bool((self.turn.rows == self.row(self.fan.active_sets)).any())

    def row(self, sets: Any) -> int | None:
        """Where the chosen set stands among some sets."""
        return _row(self.chosen, sets)


def _row(chosen: tuple[int, ...], sets: Any) -> int | None:
    hits = np.flatnonzero((np.asarray(sets) == np.array(chosen)).all(axis=1))
    return int(hits[0]) if len(hits) else None


def can_be_whole(scene: Scene) -> bool:
    """Whether the polytope of the scene can be drawn as it is."""
    return bool(WHOLE[0] <= scene.n <= WHOLE[1] and scene.k < scene.n)


def is_whole(scene: Scene) -> bool:
    """Whether it is."""
    return can_be_whole(scene) and bool(scene.hview == "whole")


def views_of(scene: Scene) -> Views:
    """The three views; ValueError in one sentence where the scene cannot be shown."""
    need(scene)
    return views(scene)


def views(scene: Scene) -> Views:
    """The three views, made here and now."""
    fan, own, cast = shown_fan(scene), model.scene_fan(scene), shadow_of(scene)
    diagram = schlegel(scene.n, scene.k) if is_whole(scene) and scene.n == WHOLE[1] else None
    chosen, (level, ground) = chosen_set(scene), _ground(scene)
    roof = _roof(scene)
    solid = diagram is not None or cast.points.shape[1] == 3
    flat = Drawing(roof, sums(ground.router, ground.active_sets)[0]) if solid and fan.router.d == 3 else None
    return Views(
        Hypersimplex(scene.n, scene.k),
        own,
        is_whole(scene),
        cast,
        diagram,
        fan,
        _cells(scene),
        ground,
        level,
        roof,
        flat,
        chosen,
        turn_of(scene),
        _start(scene, chosen),
        None if solid else _ring(scene),
        scene.window,
        scene.router,
        scene.seed,
        scene.look,
        _softened(scene) if scene.tau > 0 else None,
    )


@derived
def _normal_fan(scene: Scene) -> RoutingFan:
    return RoutingFan(Router(standard_weights(scene.n), None, scene.k))


def shown_fan(scene: Scene) -> RoutingFan:
    """The fan of the second view."""
    return _normal_fan(scene) if is_whole(scene) and scene.n < WHOLE[1] else model.scene_fan(scene)


@derived
def shadow_of(scene: Scene) -> Shadow:
    """What the polytope casts along the fan's router."""
    return shadow(shown_fan(scene), seed=scene.seed)


def chosen_set(scene: Scene) -> tuple[int, ...]:
    """The scene's selected set; if it names none, the one that wins where x starts its turn."""
    try:
        return Hypersimplex(scene.n, scene.k).check_set(int(part) for part in scene.cell.split("-"))
    except ValueError:
        row = turn_of(scene).rows[_first_step(scene)]
        return tuple(shown_fan(scene).active_sets[row].tolist())


def _ground(scene: Scene) -> tuple[float | None, RoutingFan]:
    """The planar fan under the graph, and at which height it is a section."""
    fan, own = shown_fan(scene), model.scene_fan(scene)
    if fan.router.d == 2:
        return None, fan
    if own.router.d == 2:
        return None, own
    return _level(scene)


@derived
def _level(scene: Scene) -> tuple[float, RoutingFan]:
    return _section(model.scene_fan(scene), chosen_set(scene), scene.window)


def _section(fan: RoutingFan, chosen: tuple[int, ...], window: float) -> tuple[float, RoutingFan]:
    """The fan of a plane z = level in space: z = 0, or where that misses the chosen cell, a plane that meets it."""
    router = fan.router

    def at(level: float) -> RoutingFan:
        return RoutingFan(restrict(router, [0, 0, level], [[1, 0, 0], [0, 1, 0]]))

    flat, row = at(0.0), _row(chosen, fan.active_sets)
    if row is None or _row(chosen, flat.active_sets) is not None:
        return 0.0, flat
    inside = fan.witnesses[row]
    scale = window / 2 / float(np.linalg.norm(inside)) if router.central else 1.0
    level = scale * float(inside[2])
    return level, at(level)


@derived
def _roof(scene: Scene) -> Surface:
    return tropical_surface(_ground(scene)[1], scene.window)


@derived
def _cells(scene: Scene) -> tuple[Ints, Any] | Mesh:
    """The second view: polygons in the window, or the largest cells as patches of the sphere or as polyhedra."""
    fan = shown_fan(scene)
    if fan.router.d == 2:
        ids, shapes = fan.polygons(scene.window)
        return ids, np.asarray(shapes, dtype=object)
    drawn = np.ones(len(fan.active_sets), dtype=bool)
    if fan.router.central:
        if len(drawn) > MOST_SOLID:
            drawn[np.argsort(fan.solid_angles())[:-MOST_SOLID]] = False
        return sphere_surface(patches(fan), drawn)
    cells = polyhedra(fan, scene.window)
    if len(cells.ids) > MOST_SOLID:
        drawn[cells.ids[np.argsort(cells.volumes)[:-MOST_SOLID]]] = False
    return box_surface(cells, drawn)


# --- x turns ---


@derived
def _softened(scene: Scene) -> Softened:
    return softened(shown_fan(scene), _ground(scene)[1], turn_of(scene), scene.window, scene.tau)


def _radius(scene: Scene) -> float:
    """Radius of the circle x turns on, around the origin of the second view."""
    router = shown_fan(scene).router
    return 1.0 if router.d == 3 and router.central else CIRCLE * float(scene.window)


#: What is drawn of the views, entered by those who draw it.
DRAWN: list[heavy.Call] = []


def need(scene: Scene) -> None:
    """In a part: the views of many cells are made in the pool, down to what is drawn of them."""
    calls: list[heavy.Call] = [("cells", model.scene_fan, ()), ("shadow", shadow_of, ()), ("turn", turn_of, ())]
    calls += [("graph", _roof, ()), ("cones", _cells, ())]
    if scene.dim == "2" and not is_whole(scene):
        calls.append(("winners", _ring, ()))
    heavy.need(scene, say("Three views"), [*calls, *DRAWN], SECONDS * effort.fan_seconds(scene))


@derived
def turn_of(scene: Scene) -> Turn:
    """One turn of x."""
    return turn(shown_fan(scene), _radius(scene))


@derived
def _ring(scene: Scene) -> tuple[Ints, Floats]:
    return ring(shown_fan(scene), shadow_of(scene), _radius(scene))


def _first_step(scene: Scene) -> int:
    """Where x starts its turn: in the direction of the data; in space on the side of the eye."""
    angle = 300.0 if shown_fan(scene).router.d == 3 else scene.direction
    return round(angle / 360 * STEPS) % STEPS


def _start(scene: Scene, chosen: tuple[int, ...]) -> int:
    """The step shown first: x lies in the chosen cell, where it was stopped or else deep inside, if x ever meets it."""
    rows = turn_of(scene).rows[:STEPS]
    step = scene.turned_at % STEPS if scene.turned_at >= 0 else _first_step(scene)
    row = _row(chosen, shown_fan(scene).active_sets)
    inside, others = np.flatnonzero(rows == row), np.flatnonzero(rows != row)
    if not len(inside) or rows[step] == row:
        return step
    gap = np.abs(inside[:, None] - others)
    depth = np.minimum(gap, STEPS - gap).min(axis=1, initial=STEPS)
    return int(inside[depth.argmax()])
