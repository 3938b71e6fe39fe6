"""The output of the layer itself over the plane: frozen gates, softmax gates, or the tropical polynomial."""

from __future__ import annotations

import math

import numpy as np

from tropviz import MoELayer
from tropviz.core import presets
from tropviz.core.experts import gates
from tropviz.figures.output import output_figure
from tropviz.figures.picture import Picture
from tropviz.io.write import table_csv
from tropviz.language import say
from tropviz.ui import heavy
from tropviz.ui.canvas import canvas
from tropviz.ui.controls import widget
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.later import save_menu
from tropviz.ui.scene import Scene, derived, model
from tropviz.ui.shell import meaning

#: Its canvas.
KEY = "output"
#: Points along a side of the map at most and at least, and hinges at all its points together.
FINE, COARSE, VALUES = 180, 60, 2e8
#: Seconds for one active expert at one point of the map, and for each of its hinges.
EXPERT, HINGE = 1e-6, 1.6e-8
#: Hinges of the layer and cells beyond which there is nothing to be seen.
MOST_HINGES, MOST_CELLS = 8192, 4000
#: Points from which on a bend is measured.
FEWEST = 10


@derived
def possible(scene: Scene) -> bool:
    """Whether there is something to be drawn: the plane, and not too many walls."""
    return bool(
        scene.dim == "2"
        and model.scene_layer(scene).H * scene.n <= MOST_HINGES
        and len(model.scene_fan(scene).active_sets) <= MOST_CELLS
    )


@derived
def layer(scene: Scene) -> MoELayer:
    """The scene's layer in the plane with its own output weights; where it has none, with one random output."""
    own: MoELayer = model.scene_layer(scene)
    if own.V is not None:
        return own
    V = presets.random_outputs(own.N, own.H, 1, scene.seed)
    return MoELayer(own.router, own.U, own.c, V=V, fan=model.scene_fan(scene))


def outputs(scene: Scene) -> int:
    """How many outputs the layer has."""
    V = model.scene_source(scene).V
    return 1 if V is None else V.shape[1]


def number(scene: Scene) -> int:
    """Which of them is shown."""
    return min(int(scene.nth_output), outputs(scene) - 1)


@derived
def one(scene: Scene) -> MoELayer:
    """The layer with the output alone that is shown."""
    every, n = layer(scene), number(scene)
    assert every.V is not None
    return MoELayer(every.router, every.U, every.c, V=every.V[:, n : n + 1], fan=model.scene_fan(scene))


@derived
def walls(scene: Scene, kind: str) -> gates.WallJumps:
    """Every wall in the window with its jump."""
    return gates.wall_jumps(one(scene), model.scene_window(scene), kind)


@derived
def _figure(scene: Scene, kind: str) -> Picture:
    made = one(scene)
    grid = gates.output_grid(made, model.scene_window(scene), kind, _side(scene))
    cuts = None if kind == "tropical" else regions_view.segments(scene)
    window = model.scene_window(scene)
    return output_figure(grid, walls(scene, kind), None if cuts is None else cuts.ends, window, scene.dark)


@derived
def bends(scene: Scene, kind: str) -> gates.Bends:
    """How far the outputs, all of them together, bend in regions and jump at walls, where the data is."""
    return gates.measured_bends(layer(scene), model.scene_cloud(scene), kind, scene.seed)


def _side(scene: Scene) -> int:
    """Points along a side of the map."""
    return int(min(max(math.sqrt(VALUES / (scene.k * model.scene_layer(scene).H)), COARSE), FINE))


def need(scene: Scene) -> None:
    """In a part: the map of many experts and hinges, and how it bends, are made in the pool."""
    if scene.output == "none":
        return
    seconds = _side(scene) ** 2 * scene.k * (EXPERT + HINGE * model.scene_layer(scene).H)
    calls: list[heavy.Call] = [("map", _figure, (scene.output,))]
    if scene.output == "softmax" and len(model.scene_cloud(scene)) >= FEWEST:
        calls.append(("bends", bends, (scene.output,)))
    heavy.need(scene, _name(scene), calls, seconds)


def show(scene: Scene) -> None:
    """The switch, and what it asks for."""
    if not possible(scene):
        return
    need(scene)
    widget("output", scene)
    if scene.output == "none":
        return
    if outputs(scene) > 1 and scene.output != "tropical":
        widget("nth_output", scene)
    canvas(
        _figure(scene, scene.output),
        key=KEY,
        alt=alt(scene),
        viewpoint=str(scene.window),
        name=f"output_{scene.output}",
        below=170,
    )
    meaning(sentence(scene))
    save_menu(say("Save walls"), ((say("Walls and jumps as CSV"), walls_csv, "walls.csv", "text/csv"),), pooled=True)


def walls_csv(scene: Scene) -> str:
    """One line a wall: its ends, its two experts, and the jump of the output at its middle."""
    found = walls(scene, scene.output)
    head = ("x0", "y0", "x1", "y1", "leaves", "enters", "jump")
    rows = zip(
        found.ends.reshape(-1, 4).tolist(),
        found.leaves.tolist(),
        found.enters.tolist(),
        found.jump[:, 0].tolist(),
        strict=True,
    )
    return table_csv(head, [[*ends, i, j, jump] for ends, i, j, jump in rows])


def alt(scene: Scene) -> str:
    """The picture in words."""
    found = walls(scene, scene.output)
    what = {
        "frozen": say("gates frozen at 1/k"),
        "softmax": say("softmax gates"),
        "tropical": say("the sum of the k largest scores"),
    }
    return say(
        "{output} over the window, {what}: a map of its values with {ends} walls, the "
        "wider the larger the jump, at most {size:.3g}.",
        output=_name(scene),
        what=what[scene.output],
        ends=len(found.ends),
        size=found.size.max(initial=0.0),
    )


def sentence(scene: Scene) -> str:
    """Where the output is linear, and where it is not."""
    kind, size = scene.output, walls(scene, scene.output).size
    if kind == "tropical":
        return say(
            "The tropical polynomial, the sum of the k largest scores, is <b>continuous</b>: no jump "
            "at any wall. It is linear on every cell, so its linear regions are the cells; hinges "
            "are no part of it."
        )
    jump = (
        say(
            "At the {size:,} walls in the window it <b>jumps</b>, by {size_2:.3g} in the median and "
            "at most {size_3:.3g} (in closed form, at the middle of each; wider lines, larger jumps).",
            size=len(size),
            size_2=np.median(size),
            size_3=size.max(),
        )
        if len(size)
        else say("There is no wall in the window, so it jumps nowhere.")
    )
    mine = _weights(scene)
    if kind == "frozen":
        return say(
            "With gates frozen at 1/k the output is <b>linear in every region</b>; for generic V "
            "these are the linear regions. {jump} {weights}",
            jump=jump,
            weights=mine,
        )
    return say(
        "With softmax gates walls and hinges are the same, but the output is <b>not linear "
        "inside a region</b>{bent}. {jump} {weights}",
        bent=_bent(scene, kind),
        jump=jump,
        weights=mine,
    )


def _name(scene: Scene) -> str:
    if outputs(scene) == 1:
        return say("Output of the layer")
    return say("Output {number} (from 0) of the layer", number=number(scene))


def _weights(scene: Scene) -> str:
    """Whose output weights they are."""
    many = outputs(scene)
    if model.scene_source(scene).V is None:
        return say("One output, weights V at random from the seed: this layer has none of its own.")
    if many == 1:
        return say("Its own output weights V.")
    return say("Its own output weights V, output {number} of 0 to {last}.", number=number(scene), last=many - 1)


def _bent(scene: Scene, kind: str) -> str:
    if len(model.scene_cloud(scene)) < FEWEST:
        return ""
    every = bends(scene, kind)
    found = every.bend
    low, high = found.interval or (found.value, found.value)
    numbers = {"found": float(found.value), "low": low, "high": high, "change": float(every.turn.value)}
    if outputs(scene) == 1:
        return say(
            ": where the data is, it bends by {found:.2%} of its size in the median (95 % interval "
            "{low:.2%} to {high:.2%}), {change:.1%} of its change across a region",
            **numbers,
        )
    return say(
        ": where the data is, all outputs together bend by {found:.2%} of their size in the median "
        "(95 % interval {low:.2%} to {high:.2%}), {change:.1%} of their change across a region",
        **numbers,
    )
