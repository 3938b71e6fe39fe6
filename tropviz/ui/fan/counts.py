"""The counts beside the picture of the Router fan page: promise beside fact."""

from __future__ import annotations

import math

from tropviz import Count, Router, RoutingFan, capacity, slice_law
from tropviz.core.experts.inside import cells_inside
from tropviz.core.wilson import wilson_of
from tropviz.language import say
from tropviz.ui.counts import CountRow
from tropviz.ui.fan import levels, seen
from tropviz.ui.fan.body import Space
from tropviz.ui.fan.view import View
from tropviz.ui.limits import CELLS_OWN, CORNERS_OWN, DIMENSIONS_OWN, INPUTS_OWN
from tropviz.ui.scene import Scene, derived, model

Row = CountRow | tuple[str, Count, str, str]


def counts(view: View) -> list[Row]:
    """Promise beside fact."""
    scene, here = view.scene, _in_space(view) if isinstance(view, Space) else _in_plane(view)
    alike = None if isinstance(view, Space) else routed_alike(scene)
    rows: list[Row] = [
        *here[:2],
        *own_cells(scene),
        *here[2:],
        (say("Cells reached by the data"), view.seen.sets_hit, say("Different active sets of the data points.")),
    ]
    if alike is not None:
        meaning = say("Points whose own active set is that of the cell.")
        rows.append((say("Routed alike in full space"), alike, meaning, "share"))
    fullest = say("Share of the data in its fullest cell; 100 % is collapse.")
    return [*rows, (say("Saturation"), view.seen.saturation, fullest, "share")]


def _in_plane(view: View) -> list[CountRow]:
    scene = view.scene
    most = say("Every choice of k experts out of N: a maximum over weights, which no plane holds for large N.")
    found = cells_inside(view.fan, model.scene_window(scene))
    inside = Count(len(found), view.fan.count.kind, "cells that share an area with the window")
    whole = say("Those between {window:g} and {window_2:g} on both axes.", window=-scene.window, window_2=scene.window)
    rows = [
        (say("Cells promised, C(N,k)"), promise(scene)["routing_multiplier"], most),
        (say("Cells in the whole plane"), view.fan.count, say("The cells this router really has in this plane.")),
        (say("Cells in the window"), inside, whole),
    ]
    now = seen.cells_seen(scene)
    if now is not None:
        here = Count(now, view.fan.count.kind, "cells that share an area with what is seen")
        rows.append((say("Cells in view, as zoomed"), here, say("The other counts are not of what is zoomed to.")))
    return [*rows, *levels.counts(scene)]


def _in_space(view: Space) -> list[CountRow]:
    scene = view.scene
    most = say("Every choice of k experts out of N: a maximum.")
    real = say("The cells this router really has in these three dimensions.")
    rows = [
        (say("Cells promised, C(N,k)"), promise(scene)["routing_multiplier"], most),
        (say("Cells in all of space"), view.fan.count, real),
    ]
    if not view.ball:
        found = cells_inside(view.fan, model.scene_window(scene))
        inside = Count(len(found), view.fan.count.kind, "cells that share a volume with the box")
        within = say(
            "Those between {window:g} and {window_2:g} on every axis.", window=-scene.window, window_2=scene.window
        )
        rows.append((say("Cells in the window"), inside, within))
    if view.cut is not None and not view.cut.outline.is_empty:
        rows.append((say("Cells on the cut"), view.cut.count, say("Two dimensions see fewer.")))
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
