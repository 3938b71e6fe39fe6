"""Numbers to take away: cells as CSV and JSON, and a script that finds the same numbers. Made only when asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tropviz.io.write import cells_csv, counts_csv
from tropviz.language import english, say
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.fan.counts import counts as cell_counts
from tropviz.ui.fan.page import view_of
from tropviz.ui.fan.view import View
from tropviz.ui.later import save_menu
from tropviz.ui.scene import Scene, model


def cells(view: View) -> list[dict[str, Any]]:
    """Every cell, one record each."""
    m = len(view.fan.active_sets)
    area = np.zeros(m)
    area[view.cells.ids] = view.cells.areas
    hits = np.bincount(view.point_cells[view.point_cells >= 0], minlength=m)
    bounded = np.asarray(view.fan.bounded, dtype=bool)
    return [
        {
            "active_set": active.tolist(),
            english(view.measure).lower().replace(" ", "_"): float(area[row]),
            "data_points": int(hits[row]),
            "bounded": bool(bounded[row]),
        }
        for row, active in enumerate(view.fan.active_sets)
    ]


def as_csv(view: View) -> str:
    """The cells as a table with a header."""
    records = cells(view)
    names = [name for name in records[0] if name not in ("active_set", "bounded")]
    return cells_csv(view.fan, columns={name: [record[name] for record in records] for name in names})


def counts(view: View) -> list[Any]:
    """Every count beside the picture: (label, Count, ...)."""
    return [*cell_counts(view), *regions_view.counts(view.scene), *regions_view.dense_rows(view.scene)]


def as_counts(view: View) -> str:
    """The counts as a table with a header."""
    return counts_csv(counts(view))


def as_json(view: View) -> str:
    """Scene, router, counts, cells and neighbours."""
    router = view.fan.router
    numbers = {row[0]: row[1].to_json() for row in counts(view)}
    return json.dumps(
        {
            "scene": dict(view.scene.values),
            "W": router.W.tolist(),
            "b": router.b.tolist(),
            "k": router.k,
            "counts": numbers,
            "cells": cells(view),
            "neighbours": np.asarray(view.fan.neighbours).tolist(),
        },
        indent=1,
        allow_nan=False,
    )


def as_python(view: View) -> str:
    """A script that finds the same numbers with the library alone; the weights stand in it in full precision."""
    scene = view.scene
    shift = f"offset={scene.offset!r}, direction={model.scene_direction(scene).tolist()!r}"
    if model.data_given(scene) is None:
        data = (
            "from tropviz.core.collapse.clouds import cloud\n\n"
            f"X = cloud({scene.points}, {scene.dim}, {shift}, spread={scene.spread!r}, seed={scene.seed}, "
            f"kind={scene.cloud!r})"
        )
    else:
        data = f"import numpy as np\n\nX = np.array({view.points.tolist()!r})"
    return f'''"""The scene {scene.link("fan")} of tropviz.

Run it where tropviz can be imported, such as the project's folder.
"""

from tropviz import MoELayer, Router, RoutingFan, capacity
from tropviz.core.presets import random_experts
from tropviz.core.experts.inside import cells_inside
from tropviz.core.collapse.statistics import routed
from tropviz.core.slices import restrict
{data}

{_weights(view)}fan = RoutingFan(router)
seen = routed(router, X)
promise = capacity.table({scene.n}, {scene.k}, {scene.h}, {scene.dim})

print("cells promised", promise["routing_multiplier"])
print("cells in all", fan.count)
print("cells in the window", len(cells_inside(fan, {scene.window!r})))
print("cells reached by the data", seen.sets_hit)
print("saturation", seen.saturation)
print("regions promised", promise["moe_bound"])
print("regions, slice bound", promise["slice_bound"])
{_regions(scene)}'''


#: Weights of a larger router are written as they are on the slice; more would make no script.
MOST_WEIGHTS = 200_000


def _cut(scene: Scene) -> tuple[Any, Any] | None:
    """Origin and basis where the script itself cuts a wider router, exactly as the page does; None: it need not."""
    source, plane = model.scene_source(scene), model.scene_subspace(scene)
    if plane.basis is None or len(plane.basis) > source.W.shape[1] or source.W.size > MOST_WEIGHTS:
        return None
    return plane.origin, plane.basis


def _weights(view: View) -> str:
    """The lines of the script that make the router."""
    router, cut, source = view.fan.router, _cut(view.scene), model.scene_source(view.scene)
    if cut is None:
        return f"router = Router(\n    {router.W.tolist()!r},\n    {router.b.tolist()!r},\n    k={router.k},\n)\n"
    bias = None if source.b is None else source.b.tolist()
    return (
        f"whole = Router(\n    {source.W.tolist()!r},\n    {bias!r},\n    k={router.k},\n)\n"
        f"origin, basis = {cut[0].tolist()!r}, {cut[1].tolist()!r}\n"
        "router = restrict(whole, origin, basis)  # an exact section, not its rounding\n"
    )


def _regions(scene: Scene) -> str:
    """The lines of the script that count linear regions, where the page does."""
    if not regions_view.affordable(scene):
        return ""
    source = model.scene_source(scene)
    if _cut(scene) is not None and source.U is not None and source.c is not None:
        layer = f"MoELayer(whole, {source.U.tolist()!r}, {source.c.tolist()!r}).restrict(origin, basis, fan=fan)"
        return (
            f"layer = {layer}\n"
            'print("regions in all", layer.regions(None))\n'
            f'print("regions in the window", layer.regions({scene.window!r}))\n'
        )
    U, c = model.scene_experts(scene)
    own = model.scene_source(scene).U is None and model.scene_subspace(scene).basis is None
    experts = f"random_experts({scene.n}, {scene.h}, {scene.dim}, {scene.seed})"
    return (
        f"layer = MoELayer(router, *{experts if own else f'({U.tolist()!r}, {c.tolist()!r})'}, fan=fan)\n"
        'print("regions in all", layer.regions(None))\n'
        f'print("regions in the window", layer.regions({scene.window!r}))\n'
    )


def _made(make: Callable[[View], str | bytes]) -> Callable[[Scene], str | bytes]:
    return partial(_of_view, make)


def _of_view(make: Callable[[View], str | bytes], scene: Scene) -> str | bytes:
    return make(view_of(scene))


def menu() -> None:
    """The menu of downloads. Each file is made when its button is pressed, from the scene of that moment."""
    save_menu(
        say("Save numbers"),
        (
            (say("Cells as CSV"), _made(as_csv), "cells.csv", "text/csv"),
            (say("Counts as CSV"), _made(as_counts), "counts.csv", "text/csv"),
            (say("Everything as JSON"), _made(as_json), "scene.json", "application/json"),
            (say("Python script"), _made(as_python), "scene.py", "text/x-python"),
        ),
        pooled=True,
    )
