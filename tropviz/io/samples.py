"""The shipped router trained on handwritten digits, with the hidden states it routes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tropviz.core.router import Router
from tropviz.core.slices import principal_directions, restrict
from tropviz.io.arrays import entries
from tropviz.io.source import open_source

Array = NDArray[np.float64]
#: The file `assets/digits/train.py` writes.
DIGITS = Path(__file__).resolve().parents[2] / "assets" / "digits" / "digits.npz"


class Digits(NamedTuple):
    """What `digits` returns; see assets/digits/README.md.

    W (8, 16), b (8,), k = 2: the router. X (1797, 16): hidden states. labels (1797,): the digit of each.
    """

    W: Array
    b: Array
    k: int
    X: Array
    labels: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DigitsPlane:
    """The digits router on the plane through the data mean along the two leading principal directions of the data.

    Parameters
    ----------
    router : Router
        The exact restriction, affine, d = 2.
    points : (1797, 2) float64, read-only
        The hidden states projected to the plane.
    origin : (16,) float64
        The data mean, which is (0, 0) of the plane.
    basis : (2, 16) float64
        Orthonormal rows.
    """

    router: Router
    points: Array
    origin: Array
    basis: Array


@lru_cache(maxsize=1)
def digits() -> Digits:
    """The shipped router and its data.

    Returns
    -------
    Digits
        A tuple (W, b, k, X, labels); arrays are read-only.

    Examples
    --------
    >>> W, b, k, X, labels = digits()
    >>> W.shape, b.shape, k, X.shape, labels.shape
    ((8, 16), (8,), 2, (1797, 16), (1797,))
    """
    found = entries(open_source(DIGITS))
    labels = found["labels"]().astype(np.int64)
    labels.setflags(write=False)
    return Digits(found["W"](), found["b"](), int(found["k"]()), found["X"](), labels)


@lru_cache(maxsize=64)
def digits_plane(dims: int = 2, k: int | None = None) -> DigitsPlane:
    """The digits router restricted to the data's leading principal directions.

    A hidden state and its projection may well be routed differently: the picture shows the exact router on the plane,
    the data's own active sets come from the full router.

    Parameters
    ----------
    dims : int
        2 for the plane, 3 for a space.
    k : int, optional
        Active experts; the model's own 2 by default.

    Returns
    -------
    DigitsPlane

    Examples
    --------
    >>> plane = digits_plane()
    >>> plane.router.N, plane.router.d, plane.points.shape
    (8, 2, (1797, 2))
    """
    found = digits()
    origin, basis = principal_directions(found.X, dims)
    points = (found.X - origin) @ basis.T
    points.setflags(write=False)
    whole = Router(found.W, found.b, k=found.k if k is None else k)
    return DigitsPlane(restrict(whole, origin, basis), points, origin, basis)
