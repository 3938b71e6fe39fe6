"""Router coordinates: the few directions of the input that a gate can tell apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from tropviz.core.router import Array, as_float64
from tropviz.core.tolerance import UNIT_ROUNDOFF


def router_coordinates(W: Any, differences: bool = True) -> Array:
    """An orthonormal basis Q of span{w_i - w_j} (or of span{w_i}), (r, d).

    With y = Q x every difference of scores is (Q (w_i - w_j)).y: active sets and margins are those of x, in at most
    N - 1 numbers a point instead of d. What |x|^2 loses on the way no gate could see.

    Parameters
    ----------
    W : (N, d) array-like
    differences : bool
        False for gates that see the logits themselves, not their differences alone (a sigmoid with a bias).

    Returns
    -------
    Q : (r, d) float64, read-only
        Rows orthonormal; r is the numerical rank, 0 for identical experts.

    Examples
    --------
    >>> abs(router_coordinates([[3.0, 4.0, 7.0], [0.0, 0.0, 7.0]])).round(1).tolist()
    [[0.6, 0.8, 0.0]]
    """
    rows = as_float64(W, "W")
    if differences:
        rows = rows[1:] - rows[0]
    largest = np.abs(rows).max(initial=0.0)
    if not largest:
        out = np.zeros((0, rows.shape[1]))
    else:
        _, sizes, basis = np.linalg.svd(rows / largest, full_matrices=False)
        rank = int((sizes > sizes[0] * max(rows.shape) * 2 * UNIT_ROUNDOFF).sum())
        out = np.ascontiguousarray(basis[:rank])
        out *= np.where(out[np.arange(rank), np.abs(out).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]
    out.setflags(write=False)
    return out
