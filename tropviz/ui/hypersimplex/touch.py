"""What a touch in any of the three views means in the others: which set it chooses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tropviz.figures import polytope, softened, tropical
from tropviz.figures import shadow as flat
from tropviz.ui.hypersimplex.views import views_of
from tropviz.ui.scene import Scene

Changes = dict[str, Any] | None
#: An event of a picture of other values than these is of no picture that is there.
OF = ("router", "n", "k", "dim", "seed", "window", "hview", "tau")


def choose(scene: Scene, S: Any, look: bool = True) -> dict[str, Any]:
    """Make a set the chosen one; with `look` the sphere turns to its cone."""
    return {"cell": "-".join(str(int(i)) for i in S)} | ({"look": scene.look + 1} if look else {})


def on_polytope(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on a vertex, on a sum that fell inside, or on the ring."""
    view = views_of(scene)
    if view.ring is None:
        hit = event.get("trace") == polytope.VERTICES and 0 <= int(event["index"]) < len(view.sets)
        return choose(scene, view.sets[int(event["index"])]) if hit else None
    found = flat.pick(view.shadow, view.ring, float(event["x"]), float(event["y"]))
    if found is None:
        return None
    kind, at = found
    return choose(scene, (view.shadow.active_sets if kind == "vertex" else view.shadow.inner_sets)[at])


def on_fan(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on a cone or cell."""
    view = views_of(scene)
    if isinstance(view.cells, tuple):
        return choose(scene, view.fan.router.active_sets(np.array([[float(event["x"]), float(event["y"])]]))[0])
    owner = view.cells.tri_cell
    if event.get("trace") != 0 or not 0 <= int(event["index"]) < len(owner):
        return None
    return choose(scene, view.fan.active_sets[owner[int(event["index"])]], look=False)


def on_graph(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on a flat piece, or on the floor below it."""
    view = views_of(scene)
    if view.drawing is not None:
        row = view.drawing.at(float(event["x"]), float(event["y"]))
    elif view.soft is not None and event.get("trace") == 0:
        at = softened.touched(view.soft.grid, int(event["index"]))
        return None if at is None else choose(scene, view.ground.router.active_sets(at[None])[0])
    else:
        row = tropical.surface_row(view.roof, event)
    return None if row is None else choose(scene, view.ground.active_sets[row])


def stopped(scene: Scene, event: dict[str, Any]) -> Changes:
    """The turn of x was stopped: the set that wins there is chosen."""
    view, step = views_of(scene), int(event["index"])
    if not 0 <= step < len(view.turn.rows):
        return None
    return choose(scene, view.fan.active_sets[view.turn.rows[step]]) | {"turned_at": step}


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """An arrow key goes to the neighbour whose edge points most that way; Enter to the next set of the list.

    An edge of the shadow is a normal of the wall between two cells, so this is the same walk in every view.
    """
    view = views_of(scene)
    row = view.row(view.sets)
    push = np.array([float(event["dx"]), float(event["dy"])])
    if row is None or not push.any():
        return choose(scene, view.sets[0 if row is None else (row + 1) % len(view.sets)])
    drawn = view.shadow if view.diagram is None else view.diagram
    near = drawn.edges[(drawn.edges == row).any(axis=1)].sum(axis=1) - row
    if not len(near):
        return None
    arm = drawn.points[near] - drawn.points[row]
    along = arm[:, :2] @ push / np.maximum(np.linalg.norm(arm, axis=1), 1e-300)
    return choose(scene, view.sets[int(near[along.argmax()])]) if along.max() > 0 else None
