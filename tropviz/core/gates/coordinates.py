"""Router coordinates: the few directions of the input that a gate can tell apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from tropviz.core.router import Array, Router, as_float64
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


def in_router_coordinates(router: Router, X: Any) -> tuple[Router, Array]:
    """A router and points in router coordinates: the same active sets and margins, and a smaller cloud.

    What is taken off the points no expert could see. A ball around the residuals is smaller here, and with it
    the certified offset t*: it falls by the same factor, and counts in the same unit.

    Parameters
    ----------
    router : Router
    X : (n, d) array-like

    Returns
    -------
    router : Router
        W Q^T, b, k.
    Y : (n, r) float64
        X Q^T.

    Examples
    --------
    >>> small, Y = in_router_coordinates(Router([[1, 0, 5], [-1, 0, 5]], k=1), [[3.0, 4.0, 2.0]])
    >>> small.d, abs(Y).round(6).tolist(), small.margin(Y).round(6).tolist()
    (1, [[3.0]], [3.0])
    """
    Q = router_coordinates(router.W)
    if not len(Q):  # identical experts: one coordinate that tells nothing
        Q = np.zeros((1, router.d))
    points = as_float64(X, "X")
    if points.ndim != 2 or points.shape[1] != router.d:
        raise ValueError(f"X has shape {points.shape}: give one row of {router.d} numbers for each point.")
    out = points @ Q.T
    out.setflags(write=False)
    return Router(router.W @ Q.T, router.b, router.k), out
