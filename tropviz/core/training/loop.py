"""`train`: Adam on cross-entropy, softmax gates over the selected experts, every remedy an option."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tropviz.core.router import Router
from tropviz.core.training.checkpoint import Checkpoint
from tropviz.core.training.data import Dataset, dataset
from tropviz.core.training.recipe import Recipe


class Diverged(ValueError):
    """The weights stopped being numbers; what was yielded before is finite."""


def recorded_steps(steps: int, most: int) -> list[int]:
    """Steps to record: 0, the last, and between them log-spaced ones.

    >>> recorded_steps(1000, 7)
    [0, 1, 4, 16, 63, 251, 1000]
    >>> recorded_steps(3, 50)
    [0, 1, 2, 3]
    """
    between = np.geomspace(1, steps, max(most - 1, 1)).round().astype(int).tolist() if most > 2 else []
    return sorted({0, *between, steps})


def data_of(recipe: Recipe, own: tuple[Any, Any] | None = None) -> Dataset:
    """The points a recipe trains on; `own` are the measured points of 'digits'."""
    d = recipe.d if own is None else np.asarray(own[0]).shape[1]
    angle = np.radians(recipe.angle)
    direction = np.zeros(d)
    direction[:2] = np.cos(angle), np.sin(angle)
    return dataset(
        recipe.data,
        recipe.points,
        d,
        offset=recipe.offset,
        direction=direction,
        spread=recipe.spread,
        seed=recipe.seed,
        own=own,
    )


def train(
    recipe: Recipe, *, own: tuple[Any, Any] | None = None, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Checkpoint]:
    """Train one layer and yield it as it was before the first step, at log-spaced steps, and after the last.

    Parameters
    ----------
    recipe : Recipe
    own : (X (m, D), y (m,)), optional
        Measured points with classes; needed for data 'digits' (`tropviz.io.digits()` has them).
    stopped : callable, optional
        Asked before every recorded step; True ends the run there.

    Yields
    ------
    Checkpoint
        An `MoELayer`, with `step`, `loss`, `accuracy` and the data.

    Raises
    ------
    ValueError
        For data that do not fit.
    Diverged
        When the loss or a weight is no finite number any more: lower the learning rate.

    Notes
    -----
    Loss: cross-entropy + balance * N sum_i f_i P_i, f_i the share of the batch's choices that fall on expert i (no
    gradient), P_i its mean softmax probability (Fedus et al. 2021). The selection-only bias moves by
    ``bias_rate * sign(mean load - load_i)`` after every step (Wang et al. 2024).

    Examples
    --------
    >>> run = list(train(Recipe(data="moons", points=200, N=4, k=1, H=4, steps=60)))
    >>> run[0].step, run[-1].step, run[-1].loss < run[0].loss, run[-1].regions(3).kind
    (0, 60, True, 'exact')
    """
    data = data_of(recipe, own)
    return _run(recipe, data, stopped)


def _run(recipe: Recipe, data: Dataset, stopped: Callable[[], bool]) -> Iterator[Checkpoint]:
    from tropviz.core.training.model import Model

    model = Model(recipe, data)
    at = 0
    for step in recorded_steps(recipe.steps, recipe.checkpoints):
        if stopped():
            return
        model.steps(step - at)
        at = step
        checkpoint = _checkpoint(model, recipe, data, step)
        yield checkpoint


def _checkpoint(model: Any, recipe: Recipe, data: Dataset, step: int) -> Checkpoint:
    weights = model.weights()
    if not all(np.isfinite(x).all() for x in weights.values()):
        remedy = f"lower the learning rate (it is {recipe.rate:g})"
        raise Diverged(f"The weights grew without bound before step {step:,}: {remedy}; the layer before is kept.")
    W, b = weights["W"], weights["b"] - weights["W"] @ weights["mean"]
    router = Router(W, b + weights["beta"], recipe.k)
    made = Checkpoint(
        router,
        weights["U"],
        weights["c"],
        weights["V"],
        gate_b=b,
        A=weights["A"],
        a=weights["a"],
        data=data,
    )
    made.step = step
    made.measured()
    if not np.isfinite(made.loss):
        raise Diverged(
            f"The loss was no finite number any more at step {step:,}: lower the learning rate (it is {recipe.rate:g});"
            " the layer before is kept."
        )
    return made
