"""A moment of a training run, as an ordinary layer: fan, regions and collapse apply to it exactly."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.collapse.statistics import Routed, routed
from tropviz.core.experts import MoELayer
from tropviz.core.router import Router
from tropviz.core.training.data import Dataset

Floats = NDArray[np.float64]
#: Hidden numbers that are held at once, 32 MB: the plane of a layer of 79 experts of width 256 would take 2 GB.
_HIDDEN = 2**22


class Checkpoint(MoELayer):
    """The layer after some steps.

    The router is the one that chooses: with a running mean m subtracted from its input and a selection bias beta its
    scores are ``W (x - m) + b + beta``, an affine router like any other. The gate weights of the chosen are the softmax
    of ``W (x - m) + b``.

    Attributes
    ----------
    step : int
    loss, accuracy : float
        Cross-entropy (nats) and share of right classes over all of the data, by this layer.
    data : Dataset
    gate_b : (N,) float64
        Bias of the scores the gates are made of.
    A, a : (classes, d), (classes,) float64
        The affine shared expert; zero without one.
    And everything an `MoELayer` has: router, U, c, V, `fan`, `regions(window)`, ...
    """

    step: int
    loss: float
    accuracy: float
    data: Dataset
    gate_b: Floats
    A: Floats
    a: Floats

    def __init__(self, router: Router, U: Any, c: Any, V: Any, *, gate_b: Any, A: Any, a: Any, data: Dataset) -> None:
        super().__init__(router, U, c, V)
        self.gate_b, self.A, self.a = (np.asarray(x, dtype=np.float64) for x in (gate_b, A, a))
        self.data, self.step, self.loss, self.accuracy = data, 0, float("nan"), float("nan")

    def outputs(self, X: Any) -> Floats:
        """Class scores (n, classes) of points (n, d): softmax gates over the chosen, plus the affine shared expert."""
        points = np.asarray(X, dtype=np.float64)
        chosen = self.router.active_sets(points)
        scores = np.take_along_axis(points @ self.router.W.T + self.gate_b, chosen, axis=1)
        gates = np.exp(scores - scores.max(axis=1, keepdims=True))
        gates /= gates.sum(axis=1, keepdims=True)
        weights = np.zeros((len(points), self.N))
        np.put_along_axis(weights, chosen, gates, axis=1)
        out = points @ self.A.T + self.a
        rows = max(1, _HIDDEN // (self.N * self.H))
        for start in range(0, len(points), rows):
            some = slice(start, start + rows)
            out[some] += self._mixed(points[some], weights[some])
        return np.asarray(out, dtype=np.float64)

    def _mixed(self, points: Floats, weights: Floats) -> Floats:
        """What the experts say together (n, classes), each with its weight (n, N)."""
        assert self.V is not None
        V = self.V.transpose(0, 2, 1).reshape(self.N * self.H, -1)
        hidden = np.maximum(points @ self.U.reshape(-1, self.d).T + self.c.ravel(), 0)
        return np.asarray((hidden * np.repeat(weights, self.H, axis=1)) @ V)

    def classes(self, X: Any) -> NDArray[np.int64]:
        """The class (n,) that the layer decides for."""
        return np.asarray(self.outputs(X).argmax(axis=1), dtype=np.int64)

    def measured(self) -> None:
        """Set `loss` and `accuracy` from the data."""
        out, y = self.outputs(self.data.X), self.data.y
        top = out.max(axis=1, keepdims=True)
        logs = np.log(np.exp(out - top).sum(axis=1)) + top[:, 0]
        self.loss = float((logs - out[np.arange(len(y)), y]).mean())
        self.accuracy = float((out.argmax(axis=1) == y).mean())

    @cached_property
    def routed(self) -> Routed:
        """How this router sends the data: sets, load, saturation."""
        return routed(self.router, self.data.X)

    @property
    def shares(self) -> Floats:
        """Share (N,) of the choices that fall on every expert; sums to 1."""
        load = np.asarray(self.routed.load, dtype=np.float64)
        return load / load.sum()
