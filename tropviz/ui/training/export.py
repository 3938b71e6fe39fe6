"""A run to take away: curves, the layer in view, the animation."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

import plotly

from tropviz.figures import training as drawn
from tropviz.figures.collapse_file import animation_html
from tropviz.io.training import checkpoints_zip, outcome_row
from tropviz.language import say, speaking
from tropviz.ui import heavy
from tropviz.ui.later import save_menu
from tropviz.ui.scene import Scene
from tropviz.ui.training import picture, recipes
from tropviz.ui.training.run import BUDGET, Progress


def as_csv(found: Progress) -> str:
    """One line a checkpoint and run."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    first = next(iter(found.seen.values()))[0]
    shares = [f"share_{i}" for i in range(len(first.shares))]
    writer.writerow(["run", "step", "loss", "accuracy", "active_sets", "fullest_set", "cells", "regions", *shares])
    for name, run in found.seen.items():
        for s in run:
            o = s.outcome
            regions = "" if s.regions is None else int(s.regions)
            row = [name, o.step, o.loss, o.accuracy, int(o.sets), float(o.fullest), int(s.cells), regions]
            writer.writerow([*row, *s.shares.tolist()])
    return out.getvalue()


def as_json(scene: Scene, found: Progress) -> str:
    """Recipes and curves."""
    second = recipes.other(scene)
    content = {
        "recipe": asdict(recipes.recipe(scene)),
        "other_recipe": None if second is None else asdict(second),
        "curves": {name: [outcome_row(s.outcome) for s in run] for name, run in found.seen.items()},
    }
    return json.dumps(content, indent=1, allow_nan=False)


def as_animation(scene: Scene, found: Progress) -> str:
    """Picture and curves with Play and a slider, in one file without any network."""
    run, data, plane = found.seen["this"], recipes.data(scene), recipes.plane(scene)
    made = drawn.picture(run[0], plane, data.y, data.classes, scene.dark)
    curves = drawn.curves(
        [drawn.Run(say("this run"), run)],
        picture.laws(scene),
        picture.hues(scene),
        0,
        recipes.recipe(scene).steps,
        scene.dark,
    )
    chosen = [run[i] for i in drawn.shown(run, drawn.most_frames([run]))]
    items = [drawn.picture_frame(s) for s in chosen]
    marks = [drawn.curves_frame(s.outcome.step, curves["marks"]) for s in chosen]
    library = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    title = say("A router learning: {n} experts, {k} active", n=scene.n, k=scene.k)
    return animation_html(made, items, curves, marks, library, title=title, dark=scene.dark)


def _animation(scene: Scene, found: Progress) -> str:
    with speaking(scene.lang):
        return as_animation(scene, found)


def as_layers(scene: Scene, who: str) -> bytes:
    """Every checkpoint as npz, in a zip; trained again in the pool, as its weights are kept nowhere."""
    made = recipes.recipe(scene)
    job = heavy.pool().ask(who, ("training", "layers"), ("layers", made), checkpoints_zip, made, budget=BUDGET)
    job.over.wait()
    if job.state != "done":
        raise ValueError(job.sentence)
    try:
        return bytes(job.value)
    finally:
        heavy.pool().leave(who, ("training", "layers"))


def menu(found: Progress) -> None:
    """Files to take away."""
    who = heavy.session()
    save_menu(
        say("Save curves and animation"),
        (
            (say("Curves as CSV"), lambda scene: as_csv(found), "training.csv", "text/csv"),
            (say("Everything as JSON"), lambda scene: as_json(scene, found), "training.json", "application/json"),
            (say("Checkpoints as npz, zipped"), lambda scene: as_layers(scene, who), "training.zip", "application/zip"),
            (say("Animation as HTML"), lambda scene: _animation(scene, found), "training.html", "text/html"),
        ),
    )
