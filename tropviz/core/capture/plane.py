"""Planes through router space that show the tokens of a layer: principal, mean, two experts, three tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tropviz.core.router import Array, as_float64
from tropviz.core.slices import principal_directions
from tropviz.core.tolerance import SAME_DIRECTION

#: What a plane may be laid through.
KINDS = ("principal", "mean", "experts", "tokens")


def plane(W: Any, Y: Any, kind: str = "principal", which: Sequence[int] = ()) -> tuple[Array, Array]:
    """A plane in router space, y = origin + (s, t) @ basis.

    Parameters
    ----------
    W : (N, r) array-like
        Rows of the experts in router coordinates.
    Y : (n, r) array-like
        Tokens; without any, the plane is laid through the origin along the leading directions of W.
    kind : {'principal', 'mean', 'experts', 'tokens'}
        Through the mean along the two principal directions; through the origin and the mean, with the leading direction
        of the residuals; through the mean along the difference of two experts, with the leading direction across it;
        through three tokens.
    which : sequence of int
        The two experts, or the three tokens.

    Returns
    -------
    origin : (r,) float64
    basis : (2, r) float64
        Orthonormal.

    Raises
    ------
    ValueError
        Too few directions for a plane, or a choice that spans none; one sentence.

    Examples
    --------
    >>> origin, basis = plane(np.eye(3), [[1.0, 0, 0], [3, 0, 0], [2, 1, 0], [2, -1, 0]], "mean")
    >>> origin.tolist(), np.abs(basis).round(6).tolist()
    ([0.0, 0.0, 0.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    """
    rows, points = as_float64(W, "W"), as_float64(Y, "Y")
    r = rows.shape[1]
    if r < 2:
        raise ValueError("This router sees one direction only: there is no plane to show.")
    if kind not in KINDS:
        raise ValueError(f"the plane is {kind!r}: use one of {', '.join(KINDS)}.")
    if not len(points):
        if kind in ("mean", "tokens"):
            raise ValueError("There are no tokens: give some, or choose a plane of the weights.")
        points, origin = rows, np.zeros(r)
    else:
        origin = points.mean(axis=0)
    if kind == "principal":
        return origin, principal_directions(points, 2)[1]
    if kind == "tokens":
        if len(set(which)) != 3 or not all(0 <= i < len(points) for i in which):
            raise ValueError(f"three tokens are needed, numbered 0 to {len(points) - 1}, no two alike.")
        a, b, c = points[list(which)]
        return (a + b + c) / 3, np.stack(_pair(b - a, c - a, "The three tokens lie on a line: choose another."))
    if kind == "mean":
        centred = points - origin
        return np.zeros(r), _with_residual(origin, centred, "The tokens lie at the origin: there is no mean direction.")
    if len(set(which)) != 2 or not all(0 <= i < len(rows) for i in which):
        raise ValueError(f"two experts are needed, numbered 0 to {len(rows) - 1}, not the same twice.")
    i, j = which
    same = f"Experts {i} and {j} are the same: choose another."
    return origin, _with_residual(rows[i] - rows[j], points - origin, same)


def _with_residual(first: Array, centred: Array, problem: str) -> Array:
    """`first`, and the leading direction of what is left across it."""
    size = np.linalg.norm(first)
    if not size:
        raise ValueError(problem)
    unit = first / size
    across = centred - np.outer(centred @ unit, unit)
    found = principal_directions(across, 2)[1]  # without variance they are any two: take one that is not `first`
    best = next(v for v in found if abs(float(v @ unit)) < 0.9)
    return np.stack(_pair(unit, best, problem))


def _pair(a: Array, b: Array, problem: str) -> tuple[Array, Array]:
    """Two orthonormal directions of a span."""
    length = np.linalg.norm(a)
    if not length:
        raise ValueError(problem)
    one = a / length
    rest = b - (b @ one) * one
    if np.linalg.norm(rest) <= SAME_DIRECTION * max(np.linalg.norm(b), length):
        raise ValueError(problem)
    rest = rest / np.linalg.norm(rest)
    rest = rest - (rest @ one) * one
    return one, rest / np.linalg.norm(rest)
