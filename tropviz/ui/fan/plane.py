"""The plane on the Router fan page: the picture, and what a click, a drag and a key mean."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from tropviz.core import planar
from tropviz.figures.colour import deep_all
from tropviz.figures.picture import Cloud, Picture
from tropviz.figures.plane import plane_figure, set_text
from tropviz.figures.theme import theme
from tropviz.language import plural, say
from tropviz.ui import effort, heavy, tally
from tropviz.ui.canvas import canvas
from tropviz.ui.fan import levels, seen
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.fan.chosen import let_go, select, selected_row
from tropviz.ui.fan.view import View, colours, routed_points
from tropviz.ui.scene import Scene, derived, model, viewpoint
from tropviz.ui.scene.board import Changes

#: Its canvas.
KEY = "plane"


class Plane(View):
    """The plane; sizes are areas in the window."""

    @property
    def measure(self) -> str:
        """What the size of a cell is called."""
        return say("Area in the window")

    @property
    def total(self) -> float:
        """Size of all cells together."""
        return (2 * float(self.scene.window)) ** 2


def plane(scene: Scene) -> Plane:
    """Compute what the plane view shows; ValueError in one sentence where the scene cannot be shown."""
    heavy.need(scene, say("Cells in the plane"), CALLS, effort.fan_seconds(scene))
    fan, cells, points = model.scene_fan(scene), model.scene_cells(scene), model.scene_cloud(scene)
    where, seen = routed_points(scene)
    domain = _domain(scene) if scene.expert >= 0 else None
    return Plane(scene, fan, cells, points, where, seen, selected_row(scene, fan), domain)


@derived
def _domain(scene: Scene) -> planar.Domain:
    cells = model.scene_cells(scene)
    return planar.expert_domain(model.scene_fan(scene), cells.ids, cells.shapes, scene.expert)


#: What takes long of many cells.
CALLS = (("cells", model.scene_fan, ()), ("polygons", model.scene_cells, ()))


@derived
def _deep(scene: Scene, rows: tuple[int, ...]) -> list[str]:
    """Colours of the points in some cells."""
    shades = colours(scene)
    return deep_all([shades[row] for row in rows], scene.dark)


def figure(view: Plane, pixels: int = 700) -> Picture:
    """The picture of the plane."""
    scene = view.scene
    near = view.neighbours(view.selected) if view.selected is not None else np.zeros(0, np.int64)
    hinges, shades = regions_view.segments(scene), colours(scene)
    box, ids, shapes = seen.ground(scene)
    made = plane_figure(
        ids,
        shapes,
        view.fan.active_sets,
        shades,
        window=model.scene_window(scene),
        ground=box,
        view=seen.part(scene),
        axes=scene.axes,
        points=view.points,
        point_cells=view.point_cells,
        selected=view.selected,
        neighbours=near.tolist(),
        domain=view.domain.outline if view.domain else None,
        domain_cells=view.domain.ids if view.domain else None,
        segments=hinges.ends if hinges is not None else None,
        picked=picked(view),
        arrow=model.scene_mean(scene),
        pixels=pixels,
        dark=scene.dark,
    )
    assert made.regions is not None and made.regions.rows is not None
    fills = _deep(scene, tuple(made.regions.rows.tolist()))
    trace = next(i for i, trace in enumerate(made.data) if trace["mode"] == "markers")
    router = {"W": view.fan.router.W.ravel(), "b": np.asarray(view.fan.router.b), "k": view.fan.router.k}
    return levels.drawn(scene, replace(made, cloud=Cloud(trace, fills, theme(scene.dark).line, router)))


def picked(view: Plane) -> Any:
    """Outline of the linear region that is looked at, if hinges are shown and a cell is selected."""
    if view.selected is None or regions_view.segments(view.scene) is None:
        return None
    at = view.place(view.selected)
    point = regions_view.spot_of(view.scene, view.selected, None if at is None else view.cells.middles[at])
    return None if point is None or at is None else regions_view.outline(view.scene, point)


def show(view: Plane, beside: dict[str, str]) -> None:
    """Put the picture on the canvas; while the cloud is in somebody's hand, the picture there stands."""
    scene, mean = view.scene, model.scene_mean(view.scene)
    tally.note(len(view.cells.ids))
    canvas(
        None if scene.held == (KEY,) else figure(view),
        key=KEY,
        alt=alt_text(view),
        hands=say("Arrow keys walk from cell to cell, with Shift they pan; plus and minus zoom."),
        hears={
            "click": clicked,
            "drag": dragged,
            "step": stepped,
            "leave": let_go,
            "range": seen.moved,
            "remark": seen.fit,
        },
        beside=beside,
        viewpoint=seen.view_token(scene),
        seen=scene.seen[1:] if seen.part(scene) is not None else (),
        remark=seen.remark(view),
        handle=(float(mean[0]), float(mean[1])) if model.movable(scene) else None,
        name=f"fan_N{scene.n}_k{scene.k}",
        link=True,
        start={"zoom": viewpoint.zoom(scene.zoom)} if scene.zoom else None,
        toolbar=not scene.embed,
        below=116,
    )


def alt_text(view: Plane) -> str:
    """The picture in words."""
    scene = view.scene
    text = say(
        "Routing cells of {n} experts, {k} active, in the plane: {ids} coloured convex cells in "
        "the window from {window:g} to {window_2:g}, and {points} data points that reach {hits}.",
        n=scene.n,
        k=scene.k,
        ids=len(view.cells.ids),
        window=-scene.window,
        window_2=scene.window,
        points=len(view.points),
        hits=plural("{n} cell", "{n} cells", len(view.seen.hits)),
    ).replace(" -", " −")
    if view.selected is not None:
        text += say(" Selected: {active_sets}.", active_sets=set_text(view.fan.active_sets[view.selected]))
        text += f" {view.share_text(view.selected)}"
    return text


def clicked(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click selects the cell and the linear region it hit; a second click on the same region lets both go."""
    fan, point = model.scene_fan(scene), np.array([float(event["x"]), float(event["y"])])
    row = int(planar.find_sets(fan.active_sets, fan.router.active_sets(point[None]), fan.router.N)[0])
    again = row == selected_row(scene, fan)
    if again and regions_view.segments(scene) is not None:
        cells = model.scene_cells(scene)
        at = np.flatnonzero(cells.ids == row)
        before = regions_view.spot_of(scene, row, cells.middles[at[0]] if len(at) else None)
        again = before is None or regions_view.region(scene, before).name == regions_view.region(scene, point).name
    return select(scene, None if row < 0 or again else row, point)


def dragged(_: Scene, event: dict[str, Any]) -> Changes:
    """The cloud follows its handle."""
    x, y = float(event["x"]), float(event["y"])
    moved = {"offset": math.hypot(x, y), "direction": math.degrees(math.atan2(y, x))}
    return {**moved, "held": () if event["end"] else (KEY,)}


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """An arrow key walks to the nearest neighbour in its direction."""
    view = plane(scene)
    here = view.selected
    if here is None or view.place(here) is None:
        start = int(planar.locate(view.fan, model.scene_mean(scene)[None, :])[0])
        return select(scene, start if view.place(start) is not None else int(view.cells.ids[view.cells.areas.argmax()]))
    found = view.step(here, np.array([float(event["dx"]), float(event["dy"])]))
    return None if found is None else select(scene, found)
