"""The pictures of the Training page: two fans that play together, and the curves under them."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import streamlit as st

from tropviz import Router, slice_law
from tropviz.core.training import Snapshot, snapshots
from tropviz.core.training.snapshot import SIDE
from tropviz.figures import training as drawn
from tropviz.figures.colour import expert_colours
from tropviz.figures.picture import Frames, Picture
from tropviz.language import say
from tropviz.ui import heavy, tally
from tropviz.ui.canvas import canvas
from tropviz.ui.counts import title_html
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.board import Changes
from tropviz.ui.training import recipes
from tropviz.ui.training.run import Progress

GROUP = "training"
#: Seconds for one hidden unit at one point of the plane.
UNIT = 2e-8


@derived
def untrained(scene: Scene) -> Snapshot:
    """The layer before its first step."""
    return next(snapshots(recipes.recipe(scene), recipes.own(scene)))


def need(scene: Scene) -> None:
    """In a part: the layer before its first step, if it is a wide one, is looked at in the pool."""
    seconds = UNIT * scene.n * scene.h * (SIDE**2 + scene.points)
    heavy.need(scene, say("Training"), (("untrained", untrained, ()),), seconds)


def sought(_: Scene, event: dict[str, Any]) -> Changes:
    """A person stopped at a frame: that step is in view."""
    return {"moment": int(event["at"])}


def in_view(scene: Scene, run: list[Snapshot]) -> int:
    """Which checkpoint is in view: the last at or before the scene's step."""
    if scene.moment < 0:
        return len(run) - 1
    steps = [s.outcome.step for s in run]
    return max(int(np.searchsorted(steps, scene.moment, side="right")) - 1, 0)


def show(scene: Scene, run: list[Snapshot], name: str, title: str, over: bool, most: int) -> None:
    """One fan on its canvas, with its frames once the run is over."""
    data, plane = recipes.data(scene), recipes.plane(scene)
    at = in_view(scene, run)
    tally.note(int(run[at].cells))
    made = drawn.picture(run[at], plane, data.y, data.classes, scene.dark)
    frames = None
    if over and len(run) > 1:
        chosen = drawn.shown(run, most)
        frames = Frames(
            f"{name} {scene.trained} {scene.dark} {len(run)}",
            label="step",
            start=int(np.abs(np.array(chosen) - at).argmin()),
            group=GROUP,
            bar=name == "this",
            interval=90,
            later=lambda: [drawn.picture_frame(run[i]) for i in chosen],
        )
    found = run[at].outcome
    st.html(title_html(title))
    canvas(
        Picture(**made, frames=frames),
        key=f"training_{name}",
        alt=(
            say(
                "{title}: the fan of the router after {step:,} steps, over the classes the layer decides "
                "for, with the data. The data uses {sets} active sets; loss {loss:.3f}.",
                title=title,
                step=found.step,
                sets=int(found.sets),
                loss=found.loss,
            )
        ),
        hears={"seek": sought},
        of=("trained",),
        viewpoint=f"{scene.learn} {scene.offset:g} {scene.direction:g} {scene.spread:g}",
        name=f"training_{name}",
        toolbar=not scene.embed,
        below=330,
        link=name == "this",
    )


@derived
def laws(scene: Scene) -> drawn.Laws | None:
    """Means over random routers of this shape in the plane; None where they are out of reach."""
    affine = scene.router_bias or scene.centred
    try:
        cells = slice_law.expected_cells(scene.n, scene.k, 2, affine)
        regions = slice_law.expected_regions(scene.n, scene.k, scene.h, 2, affine)
    except ValueError:
        return None
    return drawn.Laws(float(cells), float(regions))


@derived
def hues(scene: Scene) -> list[str]:
    """Colours of the experts: of the router before its first step, so that they stay."""
    made = recipes.recipe(scene)
    angle = 2 * np.pi * np.arange(made.N) / made.N
    return expert_colours(Router(np.column_stack([np.cos(angle), np.sin(angle)]), k=made.k).W, scene.dark)


def curves(scene: Scene, found: Progress) -> None:
    """All curves over the steps."""
    run = found.seen["this"]
    named = [drawn.Run(say("this run"), run)]
    if other := found.seen.get("other"):
        named.append(drawn.Run(recipes.other_name(scene), other, other=True))
    at, steps, most = in_view(scene, run), recipes.recipe(scene).steps, drawn.most_frames(found.seen.values())
    made = drawn.curves(named, laws(scene), hues(scene), run[at].outcome.step, steps, scene.dark)
    frames = None
    if found.over and len(run) > 1:
        chosen = drawn.shown(run, most)
        start = int(np.abs(np.array(chosen) - at).argmin())

        def later() -> list[dict[str, Any]]:
            return [drawn.curves_frame(run[i].outcome.step, made["marks"]) for i in chosen]

        frames = Frames(f"curves {scene.trained} {len(run)}", start=start, group=GROUP, bar=False, later=later)
    last = run[-1].outcome
    if len(named) > 1:
        key = say("Solid: this run. Dotted: {name}. Dashed: the mean over random routers.", name=escape(named[1].name))
        st.html(f'<p class="tv-hint">{key}</p>')
    canvas(
        Picture(made["data"], made["layout"], frames=frames),
        key="training_curves",
        alt=(
            say(
                "Over {step:,} steps the loss goes from {loss:.2f} to {loss_2:.3f}, and the active sets "
                "that the data uses from {sets} to {sets_2}.",
                step=last.step,
                loss=run[0].outcome.loss,
                loss_2=last.loss,
                sets=int(run[0].outcome.sets),
                sets_2=int(last.sets),
            )
        ),
        viewpoint=str([axis.get("range") for name, axis in made["layout"].items() if "axis" in name]),
        height=640,
        toolbar=False,
        name="training_curves",
    )
