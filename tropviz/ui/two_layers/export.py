"""The stack to take away: its depths and paths as CSV, everything as JSON, and a script that counts it again."""

from __future__ import annotations

import json

from tropviz.figures.stacked import path_label
from tropviz.io.write import counts_csv, table_csv
from tropviz.language import say
from tropviz.ui.later import save_menu
from tropviz.ui.scene import Scene
from tropviz.ui.two_layers import stack, words


def depths_csv(scene: Scene) -> str:
    """One line a depth."""
    view = stack.view(scene)
    head = ["layers", "regions", "paths", "regions_dense", "regions_dense_total_width"]
    rows = []
    for i, (moe, dense) in enumerate(zip(view.moe, view.dense, strict=True)):
        total = "" if view.total is None else int(view.total[i].regions)
        rows.append([i + 1, int(moe.regions), int(moe.path_count), int(dense.regions), total])
    return table_csv(head, rows)


def paths_csv(scene: Scene) -> str:
    """One line a routing path at the depth in view, with its number of regions."""
    level = stack.view(scene).moe[-1]
    regions = [0] * len(level.paths)
    for path in level.path.tolist():
        regions[path] += 1
    return table_csv(["path", "regions"], [[path_label(p), n] for p, n in zip(level.paths, regions, strict=True)])


def as_counts(scene: Scene) -> str:
    """The counts as a table with a header."""
    return counts_csv(words.counts(stack.view(scene)))


def as_json(scene: Scene) -> str:
    """Scene, layers, and every region with its path."""
    view = stack.view(scene)
    level = view.moe[-1]
    made = [
        {"W": one.router.W.tolist(), "b": one.router.b.tolist(), "k": one.k, "U": one.U.tolist(), "c": one.c.tolist()}
        | {"V": None if one.V is None else one.V.tolist()}
        for one in stack.layers(scene)
    ]
    regions = [
        {"path": [list(active) for active in level.paths[p]], "corners": ring.tolist()}
        for p, ring in zip(level.path.tolist(), level.polygons, strict=True)
    ]
    numbers = {row[0]: row[1].to_json() for row in words.counts(view)}
    content = {"scene": dict(scene.values), "layers": made, "counts": numbers, "regions": regions}
    return json.dumps(content, allow_nan=False)


def as_python(scene: Scene) -> str:
    """A script that counts the same with the library alone; the weights stand in it in full precision."""
    made = "".join(
        f"    MoELayer(\n        Router({one.router.W.tolist()!r}, {one.router.b.tolist()!r}, k={one.k}),\n"
        f"        {one.U.tolist()!r},\n        {one.c.tolist()!r},\n"
        f"        V={None if one.V is None else one.V.tolist()!r},\n    ),\n"
        for one in stack.layers(scene)
    )
    return f'''"""The scene {scene.link("two_layers")} of tropviz.

Run it where tropviz can be imported, such as the project's folder.
"""

from tropviz import MoELayer, Router, experts

layers = [
{made}]
for depth, level in enumerate(experts.Stack(layers).levels({scene.window!r}), 1):
    print(depth, "layers:", level.regions, "regions,", level.path_count, "routing paths")
'''


def menu() -> None:
    """The menu of downloads, made from the scene of the moment in which a button is pressed."""
    save_menu(
        say("Save numbers"),
        (
            (say("Depths as CSV"), depths_csv, "depths.csv", "text/csv"),
            (say("Routing paths as CSV"), paths_csv, "paths.csv", "text/csv"),
            (say("Counts as CSV"), as_counts, "stack_counts.csv", "text/csv"),
            (say("Everything as JSON"), as_json, "stack.json", "application/json"),
            (say("Python script"), as_python, "stack.py", "text/x-python"),
        ),
    )
