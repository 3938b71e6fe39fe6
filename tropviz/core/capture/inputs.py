"""Sums over the inputs of a gate in router coordinates, with no second product where its scores tell them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.capture.layer import Moments
from tropviz.core.gates import Gate
from tropviz.core.quick import full_precision
from tropviz.core.router import Array, Ints

#: Scores tell the coordinates where no direction of the experts' differences is weaker than this against their rows:
#: float32 scores are good to about 1e-6 of |w| |x|.
WEAKEST = 2.0**-8


class Inputs:
    """Sums of x, |x|^2, y = Q x and y y^T, and the choices of a gate of class A while at it.

    The product W x that a choice needs costs as much as Q x. Both tell the same: the centred scores are V y with
    V = W Q^T less its mean row, so sums of scores give those of y through the pseudo-inverse of V.

    Parameters
    ----------
    gate : Gate
        In the model's coordinates.
    Q : (r, d) float64
    """

    def __init__(self, gate: Gate, Q: Array) -> None:
        import torch

        self.gate, self.Q = gate, Q
        self._Q32 = torch.from_numpy(np.ascontiguousarray(Q.T.astype(np.float32)))
        N, (r, d) = gate.N, Q.shape
        self._n, self._square, self._total = 0, 0.0, torch.zeros(d, dtype=torch.float64)
        self._y, self._yy = torch.zeros(r, dtype=torch.float64), torch.zeros(r, r, dtype=torch.float64)
        self._z, self._zz = torch.zeros(N, dtype=torch.float64), torch.zeros(N, N, dtype=torch.float64)
        self._back = _back(gate, Q)

    @property
    def quick(self) -> bool:
        """Whether `choose` can be asked."""
        return self.gate.exact and self.gate.k < self.gate.N and self.gate.plain._quick.able and full_precision()

    def choose(self, x: Any) -> Ints | None:
        """Active sets of a batch, (n, k) sorted, its sums added; None, and nothing added, where x is not finite."""
        import torch

        x32, quick = x.float(), self.gate.plain._quick
        size = torch.linalg.vector_norm(x32, dim=1)
        scores = quick.scores(x32)
        if not self._add(x32, float(size.double().square().sum()), scores if self._back is not None else None):
            return None
        chosen: Ints
        chosen, doubtful = quick.certain(scores, size, self.gate.k)
        if len(doubtful):
            chosen[doubtful] = self.gate.plain._select_slowly(x[torch.from_numpy(doubtful)], 0)
        return chosen

    def add(self, x: Any) -> bool:
        """Sums of a batch; False, and nothing added, where x is not finite."""
        import torch

        x32 = x.float()
        return self._add(x32, float(torch.dot(x32.reshape(-1), x32.reshape(-1))), None)

    def coordinates(self, x: Any) -> NDArray[np.float32]:
        """Points y = Q x of a few rows, (n, d) -> (n, r)."""
        out: NDArray[np.float32] = (x.float() @ self._Q32).numpy()
        return out

    def _add(self, x32: Any, square: float, scores: Any) -> bool:
        if not np.isfinite(square):
            return False
        self._n, self._square = self._n + len(x32), self._square + square
        self._total += x32.new_ones(len(x32)) @ x32
        if scores is None:
            y = x32 @ self._Q32
            self._y += y.sum(0)
            self._yy += y.T @ y
        else:
            self._z += scores.sum(0)
            self._zz += scores.T @ scores
        return True

    def go_on(self, seen: Moments) -> None:
        """Begin with these sums."""
        import torch

        self._n, self._square = seen.n, seen.square
        self._total, self._y, self._yy = (torch.from_numpy(v.copy()) for v in (seen.total, seen.y, seen.yy))

    @property
    def moments(self) -> Moments:
        """The sums so far."""
        y, yy = self._y.numpy().copy(), self._yy.numpy().copy()
        if self._back is not None:
            y += self._back @ self._z.numpy()
            yy += self._back @ self._zz.numpy() @ self._back.T
        return Moments(self._n, self._total.numpy().copy(), self._square, y, yy)


def _back(gate: Gate, Q: Array) -> Array | None:
    """From scores, as `Quick` gives them, to y, (r, N); None where they do not tell it well, or hold a bias."""
    if not gate.exact or gate.plain.b.any() or not Q.any():
        return None
    V = gate.W @ Q.T
    V = V - V.mean(axis=0)
    size = np.linalg.svd(V, compute_uv=False)
    if size[-1] < WEAKEST * np.linalg.norm(gate.W, axis=1).max():
        return None
    return np.asarray(np.linalg.pinv(V) * 2.0**-gate.plain._quick.power)
