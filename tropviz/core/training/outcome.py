"""What a run came to: the row of a table that compares remedies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tropviz.core.collapse.certificate import critical_offset
from tropviz.core.count import Count
from tropviz.core.training.checkpoint import Checkpoint


@dataclass(frozen=True)
class Outcome:
    """Figures of one layer on its data.

    Attributes
    ----------
    step : int
    loss, accuracy : float
    sets : Count
        Active sets that the data uses: exact for these points.
    fullest : Count
        Share of the data in its fullest set: exact for these points.
    alive : int
        Experts that at least one point uses; `dead`, the others.
    collapse_offset : float
        t* along the mean for the ball that holds the data (infinite: never); nan where the data has no offset.
    """

    step: int
    loss: float
    accuracy: float
    sets: Count
    fullest: Count
    alive: int
    dead: int
    collapse_offset: float


def outcome(layer: Checkpoint) -> Outcome:
    """The figures of a checkpoint.

    Examples
    --------
    >>> from tropviz.core.training import Recipe, train
    >>> *_, last = train(Recipe(data="moons", points=100, N=4, k=1, H=2, steps=20))
    >>> found = outcome(last)
    >>> found.alive + found.dead, found.sets.kind
    (4, 'exact')
    """
    data = layer.data
    chosen = layer.router.active_sets(data.X)
    _, counts = np.unique(chosen, axis=0, return_counts=True)
    alive = len(np.unique(chosen))
    how = "counted over the points of this run"
    far = float(np.linalg.norm(data.mean))
    star = float("nan")
    if far:
        radius = float(np.linalg.norm(data.X - data.mean, axis=1).max())
        star = critical_offset(layer.router, data.mean / far, radius)
    return Outcome(
        layer.step,
        layer.loss,
        layer.accuracy,
        Count(len(counts), "exact", how),
        Count(float(counts.max() / len(chosen)), "exact", how),
        alive,
        layer.N - alive,
        star,
    )
