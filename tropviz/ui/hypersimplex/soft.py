"""The Hypersimplex page at a temperature: the point inside the polytope, the plane and the graph, softened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz import Router, RoutingFan
from tropviz.core.hypersimplex.softening import sharp_top, soft_top
from tropviz.core.hypersimplex.turn import Turn

Floats = NDArray[np.float64]
#: Points along a side of the window at which the softened score is computed: few where it costs much.
SIDE, SIDE_WIDE, WIDE = 49, 25, 1500
#: Temperatures along the path of the point, in spreads of the scores: from the middle to a corner.
COOLING = np.geomspace(20.0, 0.01, 22)


@dataclass(frozen=True, eq=False)
class Softened:
    """e_k at a temperature.

    Attributes
    ----------
    tau : float
    mixture : ndarray (steps, N)
        The point of Delta(k,N), for every x of the turn.
    ways : ndarray (steps, t, N)
        Its way as the temperature falls.
    added : ndarray (steps,)
        By how much softening raises the score there.
    grid : ndarray (g, g, 2)
        Points of the window, rows from below.
    values : ndarray (g, g)
        The softened score over the plane of the graph.
    shares : ndarray (g, g, N)
        Its gradient there.
    heights : ndarray (steps,) or None
        The softened score at every x of the turn, if x turns in the plane of the graph.
    """

    tau: float
    mixture: Floats
    ways: Floats
    added: Floats
    grid: Floats
    values: Floats
    shares: Floats
    heights: Floats | None


def scores(router: Router, X: Floats) -> Floats:
    """Scores of inputs (n, d): (n, N)."""
    return np.asarray(X @ router.W.T + router.b)


def softened(fan: RoutingFan, ground: RoutingFan, turn: Turn, window: float, tau: float) -> Softened:
    """All that is shown at a temperature tau > 0."""
    router, k = fan.router, fan.router.k
    at = scores(router, turn.points)
    values, shares = soft_top(at, k, tau)
    spread = float(np.ptp(at, axis=1).max()) or 1.0
    ways = [soft_top(at, k, spread * t)[1] for t in COOLING]
    side = SIDE if router.N * k <= WIDE else SIDE_WIDE
    line = np.linspace(-window, window, side)
    grid = np.stack(np.meshgrid(line, line), axis=-1)
    over, mixed = soft_top(scores(ground.router, grid.reshape(-1, 2)), k, tau)
    return Softened(
        tau,
        shares,
        np.stack(ways, axis=1),
        values - sharp_top(at, k),
        grid,
        over.reshape(side, side),
        mixed.reshape(side, side, -1),
        values if fan is ground else None,
    )
