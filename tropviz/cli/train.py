"""``train``: one MoE layer learning to classify, and what it came to."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from tropviz.cli.values import REAL, WHOLE, emit, output_of


@click.command()
@click.option(
    "--data", default="spirals", show_default=True, help="spirals, rings, checkerboard, moons, clusters, digits."
)
@click.option("--points", type=WHOLE, default=1000, show_default=True, help="Points to learn from.")
@click.option("-d", "d", type=WHOLE, default=2, show_default=True, help="Input dimensions (digits have 16).")
@click.option("-N", "N", type=WHOLE, default=8, show_default=True, help="Experts.")
@click.option("-k", "k", type=WHOLE, default=2, show_default=True, help="Active experts.")
@click.option("-H", "H", type=WHOLE, default=8, show_default=True, help="Hinges of an expert.")
@click.option(
    "--offset", type=REAL, default=0.0, show_default=True, help="How far the data's mean lies from the origin."
)
@click.option("--angle", type=REAL, default=45.0, show_default=True, help="In which direction, in degrees.")
@click.option("--spread", type=REAL, default=1.0, show_default=True, help="How wide the data is.")
@click.option("--steps", type=WHOLE, default=1500, show_default=True, help="Steps of Adam.")
@click.option("--batch", type=WHOLE, default=256, show_default=True, help="Points in a step.")
@click.option("--rate", type=REAL, default=0.01, show_default=True, help="Learning rate.")
@click.option("--balance", type=REAL, default=0.0, show_default=True, help="Weight of the balance loss.")
@click.option("--bias-rate", type=REAL, default=0.0, show_default=True, help="Rate of the selection-only bias rule.")
@click.option("--noise", type=REAL, default=0.0, show_default=True, help="Noise on the logits that choose.")
@click.option("--centred", is_flag=True, help="The router reads x minus the data's running mean.")
@click.option("--shared", is_flag=True, help="An affine map is always added.")
@click.option("--no-router-bias", is_flag=True, help="The router has no bias.")
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Every random number.")
@click.option("--checkpoints", type=WHOLE, default=100, show_default=True, help="Layers looked at, log-spaced.")
@click.option("-o", "--out", help="Write the last layer here, as npz (W, b, k, U, c, V, X, labels).")
def train(no_router_bias: bool, out: str | None, **options: Any) -> None:
    """Train one MoE layer; every checkpoint is an ordinary router, counted exactly. Progress on standard error."""
    from tropviz.core.training import Checkpoint, Diverged, Recipe, outcome
    from tropviz.core.training import train as run
    from tropviz.io.samples import digits
    from tropviz.io.training import outcome_row, save_checkpoint

    file = None if out is None else output_of(out if out.endswith(".npz") else f"{out}.npz", [".npz"])
    recipe = Recipe(**options, router_bias=not no_router_bias)
    own = (digits().X, digits().labels) if recipe.data == "digits" else None
    curve: list[dict[str, Any]] = []
    last: Checkpoint | None = None
    problem = ""
    try:
        for last in run(recipe, own=own):
            curve.append(outcome_row(outcome(last)))
            click.echo(f"step {last.step:,} of {recipe.steps:,}: loss {last.loss:.3f}", err=True)
    except Diverged as found:
        problem = str(found)
    if last is not None and file is not None:
        save_checkpoint(file, last)
    if problem:
        raise ValueError(problem)
    assert last is not None  # the first is yielded before any step
    emit({"recipe": asdict(recipe), "outcome": curve[-1], "cells": last.fan.count.to_json(), "curve": curve})
