"""Flat slices of input space: a router seen on a line, a plane or any affine subspace is again a router."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.router import Router, as_float64
from tropviz.core.tolerance import SAME_DIRECTION

Floats = NDArray[np.float64]

#: Numbers from which on the directions of a tall matrix are first asked of its products.
TALL = 2**15
#: Share of the largest variance below which a covariance does not tell a direction well.
WEAK = 1e-4


def restrict(router: Router, origin: Any, basis: Any) -> Router:
    """The router on the affine subspace x = origin + y @ basis.

    The scores W x + b become (W basis^T) y + (W origin + b): the fan of the result is the exact section of the fan by
    the subspace, affine unless the subspace passes through the origin of a central router. W and b of the result are
    rounded once, but it remembers the exact numbers: its cells are those of the section, not of the rounding.

    Parameters
    ----------
    router : Router
        In R^d.
    origin : array-like (d,)
        A point of the subspace.
    basis : array-like (r, d)
        Independent directions, one a row. Lengths, areas and margins are kept if the rows are orthonormal.

    Returns
    -------
    Router
        In R^r, with the same N and k.

    Raises
    ------
    ValueError
        If a shape does not fit, or the directions are dependent.

    Examples
    --------
    >>> cut = restrict(Router([[1, 0, 2], [0, 1, 3]], k=1), [0, 0, 1], [[1, 0, 0], [0, 1, 0]])
    >>> cut.W.tolist(), cut.b.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [2.0, 3.0])
    """
    return router.image(slice_matrix(router.d, origin, basis))


def slice_matrix(d: int, origin: Any, basis: Any) -> Floats:
    """The matrix (r + 1, d + 1) whose transpose takes a row (w, b) in R^d to the one on the slice.

    Parameters and errors are those of `restrict`.

    >>> slice_matrix(2, [5, 0], [[0, 1]]).tolist()
    [[0.0, 1.0, 0.0], [5.0, 0.0, 1.0]]
    """
    start, rows = as_float64(origin, "origin"), as_float64(basis, "basis")
    if start.shape != (d,):
        raise ValueError(f"The slice's origin has shape {start.shape}: give {d} numbers, one per input axis.")
    if rows.ndim != 2 or rows.shape[1] != d or not 1 <= len(rows) <= d:
        raise ValueError(f"The slice's basis has shape {rows.shape}: give 1 to {d} rows of {d} numbers.")
    size = np.linalg.norm(rows, axis=1)
    if not size.all() or np.linalg.svd(rows / size[:, None], compute_uv=False)[-1] <= SAME_DIRECTION:
        raise ValueError("The slice's directions are dependent: give rows that span the whole slice.")
    matrix = np.zeros((len(rows) + 1, d + 1))
    matrix[:-1, :-1], matrix[-1, :-1], matrix[-1, -1] = rows, start, 1.0
    return matrix


def principal_directions(rows: Any, r: int = 2) -> tuple[Floats, Floats]:
    """Mean and leading principal directions of some points or weight rows.

    Parameters
    ----------
    rows : array-like (n, d)
    r : int
        Number of directions, 1 <= r <= d.

    Returns
    -------
    mean : ndarray (d,)
    basis : ndarray (r, d)
        Orthonormal, by falling variance, each with its largest entry positive. Where the points have lower rank it is
        filled up with any orthonormal directions.

    Raises
    ------
    ValueError
        If r is out of range.

    Examples
    --------
    >>> mean, basis = principal_directions([[0, 0, 1], [4, 0, 1], [2, 1, 1], [2, -1, 1]])
    >>> mean.tolist(), basis.round(6).tolist()
    ([2.0, 0.0, 1.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    """
    points = as_float64(rows, "rows")
    if points.ndim != 2 or not 1 <= r <= points.shape[1]:
        raise ValueError(
            f"{r} principal directions of an array of shape {points.shape}: ask for 1 to d of (n, d) rows."
        )
    mean = points.mean(axis=0)
    centred = points - mean
    axes = _of_many(centred, r) if len(points) > 2 * points.shape[1] and points.size > TALL else None
    if axes is None:
        axes = np.linalg.svd(centred, full_matrices=len(points) < r)[2][:r]
    lead = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return mean, axes * np.where(lead < 0, -1.0, 1.0)


def _of_many(centred: Floats, r: int) -> Floats | None:
    """The same of far more points than axes, from their covariance, which is 20 times faster; None where it is blind.

    Squares halve the digits: a direction far weaker than the first is left to the singular vectors.
    """
    unit = float(np.abs(centred).max()) or 1.0
    sizes, axes = np.linalg.eigh((centred / unit).T @ (centred / unit))
    return axes[:, ::-1].T[:r] if sizes[-r] > WEAK * sizes[-1] > 0 else None


def plane_through(normal: Any) -> Floats:
    """Two orthonormal directions of the plane in space with a given normal, turning smoothly with it.

    Parameters
    ----------
    normal : array-like (3,)
        Not zero.

    Returns
    -------
    ndarray (2, 3)
        Right-handed with the normal.

    Examples
    --------
    >>> (plane_through([0, 0, 2]) + 0).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    n = as_float64(normal, "normal")
    if n.shape != (3,) or not n.any():
        raise ValueError("The normal of a cutting plane is three numbers, not all zero.")
    x, y, z = n / np.linalg.norm(n)
    turn = np.copysign(1.0, z)  # Duff et al. 2017: no direction is singular
    a, c = -1.0 / (turn + z), -x * y / (turn + z)
    return np.array([[1.0 + turn * x * x * a, turn * c, -turn * x], [c, turn + y * y * a, -y]])
