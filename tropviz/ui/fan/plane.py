"""The plane on the Router fan page: the picture, the counts beside it, and what a click, a drag and a key mean."""

from __future__ import annotations

import math
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz import Count, Router, RoutingFan, capacity, slice_law
from tropviz.core import planar
from tropviz.core.collapse.statistics import Routed, routed
from tropviz.core.wilson import wilson_of
from tropviz.figures.colour import cell_colours, deep_all
from tropviz.figures.picture import Cloud, Picture
from tropviz.figures.plane import MOST_CELLS, plane_figure, set_text
from tropviz.figures.theme import theme
from tropviz.language import heard, plural, say
from tropviz.ui import effort, heavy, tally
from tropviz.ui.canvas import canvas
from tropviz.ui.counts import CountRow, typeset
from tropviz.ui.fan import levels, seen
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.fan.view import View
from tropviz.ui.limits import CELLS_OWN, CORNERS_OWN, DIMENSIONS_OWN, INPUTS_OWN
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
def routed_points(scene: Scene) -> tuple[NDArray[np.int64], Routed]:
    """Fan row of every data point, -1 on a wall, and the statistics of their active sets."""
    fan, points = model.scene_fan(scene), model.scene_cloud(scene)
    members = fan.router.active_sets(points)
    return planar.find_sets(fan.active_sets, members, fan.router.N), routed(fan.router, points, members=members)


@derived
def _domain(scene: Scene) -> planar.Domain:
    cells = model.scene_cells(scene)
    return planar.expert_domain(model.scene_fan(scene), cells.ids, cells.shapes, scene.expert)


#: What takes long of many cells.
CALLS = (("cells", model.scene_fan, ()), ("polygons", model.scene_cells, ()))


def selected_row(scene: Scene, fan: Any) -> int | None:
    """The fan row of the scene's selected cell; None if it names none of this fan."""
    try:
        active = np.array([[int(part) for part in scene.cell.split("-")]])
    except ValueError:
        return None
    if active.shape[1] != fan.router.k or active.min() < 0 or active.max() >= fan.router.N:
        return None
    row = int(planar.find_sets(fan.active_sets, np.sort(active, axis=1), fan.router.N)[0])
    return row if row >= 0 else None


def cell_name(active: Any) -> str:
    """An active set as it stands in a link.

    >>> cell_name([0, 3])
    '0-3'
    """
    return "-".join(str(int(i)) for i in active)


@derived
def colours(scene: Scene) -> list[str]:
    """Colour of every cell of the fan."""
    fan = model.scene_fan(scene)
    return cell_colours(fan.router.W, fan.active_sets, scene.dark)


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
        hears={
            "click": clicked,
            "drag": dragged,
            "step": stepped,
            "leave": let_go,
            "range": seen.moved,
            "remark": fit,
        },
        beside=beside,
        viewpoint=seen.view_token(scene),
        seen=scene.seen[1:] if seen.part(scene) is not None else (),
        remark=remark(view),
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
        "the window from {window:g} to {window_2:g}, and {points} data points that reach {hits} "
        "cells. Arrow keys walk from cell to cell.",
        n=scene.n,
        k=scene.k,
        ids=len(view.cells.ids),
        window=-scene.window,
        window_2=scene.window,
        points=len(view.points),
        hits=len(view.seen.hits),
    )
    if view.selected is not None:
        text += say(" Selected: {active_sets}.", active_sets=set_text(view.fan.active_sets[view.selected]))
    return text


def counts(view: Plane) -> list[CountRow | tuple[str, Count, str, str]]:
    """Promise beside fact."""
    scene = view.scene
    promised = promise(scene)
    inside = Count(len(view.cells.ids), view.fan.count.kind, "cells that share an area with the window")
    whole = say("Those between {window:g} and {window_2:g} on both axes.", window=-scene.window, window_2=scene.window)
    now = seen.cells_seen(scene)
    zoomed: list[CountRow] = []
    if now is not None:
        here = Count(now, view.fan.count.kind, "cells that share an area with what is seen")
        zoomed = [(say("Cells in view, as zoomed"), here, say("The other counts are not of what is zoomed to."))]
    rows: list[CountRow | tuple[str, Count, str, str]] = [
        (
            say("Cells promised, C(N,k)"),
            promised["routing_multiplier"],
            say("Every choice of k experts out of N: a maximum over weights, which no plane holds for large N."),
        ),
        (say("Cells in the whole plane"), view.fan.count, say("The cells this router really has in this plane.")),
        *own_cells(scene),
        (say("Cells in the window"), inside, whole),
        *zoomed,
        (say("Cells reached by the data"), view.seen.sets_hit, say("Different active sets of the data points.")),
        (
            say("Saturation"),
            view.seen.saturation,
            say("Share of the data in its fullest cell; 100 % is collapse."),
            "share",
        ),
    ]
    rows[-2:-2] = levels.counts(scene)
    alike = routed_alike(scene)
    if alike is not None:
        meaning = say("Points whose own active set is that of the cell.")
        rows.insert(-1, (say("Routed alike in full space"), alike, meaning, "share"))
    return rows


@derived
def promise(scene: Scene) -> dict[str, Count]:
    """What is promised in the space on screen."""
    return capacity.table(scene.n, scene.k, scene.h, model.scene_dim(scene))


@derived
def own_cells(scene: Scene) -> list[CountRow]:
    """The cells of a router of more dimensions than the screen has, in its own; as far as they are found quickly."""
    source = model.scene_source(scene)
    d = source.W.shape[1]
    if d <= model.scene_dim(scene):
        return []
    law = slice_law.expected_cells(len(source.W), scene.k, d, source.b is not None)
    if float(law.value) <= CELLS_OWN and (d <= DIMENSIONS_OWN or len(source.W) <= d + 1):
        count = _own_count(source.W, source.b, scene.k)
    else:
        count = None
    if count is None:
        here = int(model.scene_fan(scene).count.value)
        count = Count(here, "lower", "every cell of the picture is cut from another of these", "not searched")
    return [
        (say("In its own {d:,} dimensions", d=d), count, say("Cells of the router before it is cut by this picture."))
    ]


def _own_count(W: model.Array, b: model.Array | None, k: int) -> Count | None:
    """The cells of a router in its own dimensions; None if there are too many of these.

    As many coordinates as experts are tried first: what they have of cells is there in all, and mostly it is every
    choice. With sixteen thousand coordinates the exact search takes a quarter of a minute and 2 GB.
    """
    N, d = W.shape
    if d > N:
        count = RoutingFan(Router(W[:, :N], b, k), budget=CORNERS_OWN).count
        if int(count.value) == math.comb(N, k):
            return count
    return RoutingFan(Router(W, b, k), budget=CORNERS_OWN).count if d <= INPUTS_OWN else None


@derived
def routed_alike(scene: Scene) -> Count | None:
    """Share of the data that the whole router sends where the plane shows it; None if the plane is all there is."""
    source, subspace = model.scene_source(scene), model.scene_subspace(scene)
    X = model.data_given(scene)
    if X is None or subspace.basis is None:
        return None
    full = model.Router(source.W, source.b, scene.k).active_sets(X)
    shown = model.scene_router(scene).active_sets(subspace.coordinates(X))
    share = float((full == shown).all(axis=1).mean())
    what = say(
        "{full:,} points, in {shape} dimensions and projected to the picture", full=len(full), shape=source.W.shape[1]
    )
    return Count(share, "sampled", what, "where the data lies; 95 % Wilson interval", wilson_of(share, len(full)))


def sentence(view: Plane) -> str:
    """The line of meaning under the picture."""
    scene, all_sets = view.scene, math.comb(view.scene.n, view.scene.k)
    fan, hit = view.fan.count, len(view.seen.hits)
    few = say("one expert") if scene.k == 1 else say("{k} experts", k=scene.k)
    before = origin(scene) + designed(scene) + tied(scene)
    colours = say("Each colour is one choice of <b>{few}</b> out of {n}.", few=few, n=scene.n)
    exist = plural(
        "Of {all} choices <b>{fan}</b> exists in this plane, and the data reaches {reached}.",
        "Of {all} choices <b>{fan}</b> exist in this plane, and the data reaches {reached}.",
        int(fan.value),
        all=Count(all_sets, "exact", ""),
        fan=fan,
        reached=f'<b class="tv-reached">{hit}</b>',  # the browser changes it during a drag
    )
    return f"{before}{colours} {exist} " + (
        say("Drag the cloud away from the middle and watch it fall into fewer cells.")
        if fan.value > 1
        else say("There is one cell only: wherever the data lies, it is sent to the same.")
    )


def tied(scene: Scene) -> str:
    """Which experts are the same, if any are."""
    groups = model.ties(scene)
    if not groups:
        return ""
    names = [str(i) for i in groups[0]]
    names = [*names[:7], say("{names} more", names=len(names) - 7)] if len(names) > 8 else names
    others = say(" So do {groups} more groups.", groups=len(groups) - 1) if len(groups) > 1 else ""
    return say(
        "Experts {names} and {names_2} are the same: they tie everywhere, and the lowest number is taken.{others} ",
        names=", ".join(names[:-1]),
        names_2=names[-1],
        others=others,
    )


def designed(scene: Scene) -> str:
    """What the weights of a designed layer were chosen for."""
    if scene.router != "designed":
        return ""
    made, (_, most) = model.design(scene, model.scene_dim(scene)), model.designs(scene, model.scene_dim(scene))
    more = ""
    if made.regions < most.regions:
        more = say(
            "The {regions:,} that stand beside the promise are of another layer ({name}), whose hinges lie too close "
            "together to be seen: “Designed layer” opens it. ",
            regions=most.regions,
            name=most.name,
        )
    found = say(
        "Weights chosen for many regions ({name}, {formula}): <b>{regions:,}</b> of them in all, "
        "which the counts beside the picture find again. ",
        name=made.name,
        formula=typeset(made.formula),
        regions=made.regions,
    )
    return f"{found}{more}"


def origin(scene: Scene) -> str:
    """Where the weights and the plane come from, for routers that were not drawn at random here."""
    if scene.router not in {"digits", "file"}:
        return ""
    source, own = model.scene_source(scene), model.scene_source(scene).W.shape[1]
    name = say("A router trained on handwritten digits") if scene.router == "digits" else escape(heard(source.name))
    where = (
        say("the data's mean and its") if model.data_given(scene) is not None else say("the origin and the weights'")
    )
    plane = say(", cut along {where} two leading directions", where=where) if own > 2 else ""
    return say("{name}, {own} input dimensions{plane}. ", name=name, own=own, plane=plane)


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


def select(scene: Scene, row: int | None, point: NDArray[np.float64] | None = None) -> Changes:
    """Make a fan row the selected cell of the scene, and the region round a point of it the one looked at."""
    return {
        "cell": "" if row is None else cell_name(model.scene_fan(scene).active_sets[row]),
        "spot": "" if row is None or point is None else regions_view.spot_name(point),
    }


def let_go(scene: Scene, _: dict[str, Any]) -> Changes:
    """Escape lets the cell go."""
    return select(scene, None)


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


def hidden_note(view: Plane) -> str | None:
    """What is not drawn, if anything."""
    extra = len(view.cells.ids) - MOST_CELLS
    cells = (
        say("The {most_cells:,} largest of {ids:,} cells are drawn.", most_cells=MOST_CELLS, ids=len(view.cells.ids))
        if extra > 0
        else None
    )
    return " ".join(filter(None, [cells, regions_view.note(view.scene)])) or None


def remark(view: View) -> tuple[str, str] | None:
    """What stands on the picture about data that is not on it, and the button that mends it; None if all is there."""
    away, many = seen.unseen(view.scene, view.points) if view.outside else 0, len(view.points)
    if not away:
        return None
    if away == many:
        return say("All {many:,} data points lie outside the window.", many=many), say("Fit the window")
    told = say("{away:,} of {many:,} data points lie outside the window.", away=away, many=many)
    return told, say("Fit the window")


def fit(scene: Scene, _: dict[str, Any]) -> Changes:
    """The window that holds the data."""
    return {"window": fit_window(model.scene_cloud(scene))}


def fit_window(points: NDArray[np.float64]) -> float:
    """The smallest window, in half steps, that holds all data points."""
    return float(min(50.0, max(0.5, math.ceil(2.04 * float(np.abs(points).max())) / 2)))
