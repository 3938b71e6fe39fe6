"""Router: scores, active sets, tropical polynomial and margin of top-k routing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def as_float64(values: Any, name: str) -> Array:
    """Array-like or tensor of any real type to a read-only float64 array; NaN and infinity are refused by entry."""
    if hasattr(values, "detach"):  # a tensor, bfloat16 included, which numpy cannot read
        values = values.detach().cpu().double().numpy()
    try:
        out = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{name} is not a rectangular array of numbers: give rows of equal length.") from problem
    if not np.isfinite(out).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(out))[0])
        raise ValueError(f"{name}[{', '.join(map(str, where))}] is {out[where]}: replace it by a finite number.")
    out.setflags(write=False)
    return out


class Router:
    """First draft: replaced by the fan builder."""

    def __init__(self, W: Any, b: Any = None, k: int = 2) -> None:
        self.W = as_float64(W, "W")
        if self.W.ndim != 2:
            raise ValueError(f"W has {self.W.ndim} axes: give a matrix with one row per expert.")
        self.N, self.d = self.W.shape
        self.b = np.zeros(self.N) if b is None else as_float64(b, "b")
        self.central = not self.b.any()
        self.k = int(k)

    def scores(self, X: Any) -> Array:
        return np.asarray(X, dtype=np.float64) @ self.W.T + self.b

    def active_sets(self, X: Any) -> NDArray[np.int64]:
        order = np.argsort(-self.scores(X), axis=1, kind="stable")[:, : self.k]
        return np.sort(order, axis=1)
