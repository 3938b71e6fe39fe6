"""Labelled point clouds to learn from: centred shapes, carried off the origin by an offset."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.collapse.clouds import MAX_POINTS, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Noise of every shape, as a share of its spread.
NOISE = 0.06
#: Side of the checkerboard in squares, clusters, and how far apart those are in their own width.
SQUARES, CLUSTERS, APART = 4, 4, 5.0


@dataclass(frozen=True, eq=False)
class Dataset:
    """Points with classes.

    Attributes
    ----------
    X : (n, d) float64, read-only
        ``offset * direction + spread * shape``; the shape has mean 0 and root mean square 1 a coordinate (of those
        that it uses).
    y : (n,) int64, read-only
        Class of every point, 0 to `classes` - 1.
    classes : int
    mean : (d,) float64
        Where the shape was carried: offset times direction.
    """

    X: Floats
    y: Ints
    classes: int
    mean: Floats

    def __len__(self) -> int:
        return len(self.y)


Shape = Callable[[int, int, np.random.Generator], tuple[Floats, Ints, int]]


def _lifted(flat: Floats, d: int, rng: np.random.Generator) -> Floats:
    """Points of a plane in R^d: a third coordinate on is noise alone."""
    if d < flat.shape[1]:
        raise ValueError(f"d is {d}: these data lie in a plane, so give 2 or more dimensions.")
    return np.hstack([flat, np.zeros((len(flat), d - flat.shape[1]))]) + NOISE * rng.standard_normal((len(flat), d))


def _spirals(n: int, d: int, rng: np.random.Generator) -> tuple[Floats, Ints, int]:
    """Two arms of a spiral, one and a quarter turns each."""
    y = np.arange(n) % 2
    s = np.sqrt(rng.random(n))
    angle = 2.5 * math.pi * s + math.pi * y
    return _lifted(2.0 * s[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), d, rng), y, 2


def _rings(n: int, d: int, rng: np.random.Generator) -> tuple[Floats, Ints, int]:
    """Three rings, one inside the other, the middle one of the other class."""
    ring = np.arange(n) % 3
    angle = 2 * math.pi * rng.random(n)
    radius = np.array([0.35, 1.1, 1.9])[ring]
    return _lifted(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), d, rng), ring % 2, 2


def _checkerboard(n: int, d: int, rng: np.random.Generator) -> tuple[Floats, Ints, int]:
    """Squares of a board of four by four."""
    flat = rng.random((n, 2))
    y = np.floor(flat * SQUARES).astype(np.int64).sum(axis=1) % 2
    return _lifted((flat - 0.5) * math.sqrt(12), d, rng), y, 2


def _moons(n: int, d: int, rng: np.random.Generator) -> tuple[Floats, Ints, int]:
    """Two half circles, each reaching into the other."""
    y = np.arange(n) % 2
    angle = math.pi * rng.random(n)
    sign = 1 - 2 * y
    flat = np.column_stack([np.cos(angle) * sign + y - 0.5, np.sin(angle) * sign + 0.5 * y - 0.25])
    return _lifted(1.35 * flat, d, rng), y, 2


def _clusters(n: int, d: int, rng: np.random.Generator) -> tuple[Floats, Ints, int]:
    """Four classes, a round cloud each, around the middle."""
    y = np.arange(n) % CLUSTERS
    turn = 2 * math.pi * (np.arange(CLUSTERS) / CLUSTERS + rng.random())
    centres = np.hstack([np.cos(turn)[:, None], np.sin(turn)[:, None], 0.5 * rng.standard_normal((CLUSTERS, d - 2))])
    return centres[y] + rng.standard_normal((n, d)) / APART, y, CLUSTERS


#: Shapes by name; `digits`, whose points are measured, is put in by the caller (`dataset(..., own=...)`).
SHAPES: dict[str, Shape] = {
    "spirals": _spirals,
    "rings": _rings,
    "checkerboard": _checkerboard,
    "moons": _moons,
    "clusters": _clusters,
}
KINDS = (*SHAPES, "digits")


def classes(kind: str) -> int:
    """How many classes the points of a kind have.

    >>> classes("spirals"), classes("clusters"), classes("digits")
    (2, 4, 10)
    """
    return SHAPES[kind](8, 2, np.random.default_rng(0))[2] if kind in SHAPES else 10


def dataset(
    kind: str = "spirals",
    n: int = 1000,
    d: int = 2,
    *,
    offset: float = 0.0,
    direction: Any = None,
    spread: float = 1.0,
    seed: int = 0,
    own: tuple[Any, Any] | None = None,
) -> Dataset:
    """Points of one kind.

    Parameters
    ----------
    kind : {'spirals', 'rings', 'checkerboard', 'moons', 'clusters', 'digits'}
    n, d : int
        Points and dimensions (at least 2). With `own`, the first n of its points in their own dimensions.
    offset : float
        How far the whole is carried.
    direction : array-like (d,), optional
        Where to; by default along (1, 1, ...).
    spread : float
        Root mean square of a coordinate.
    seed : int
    own : (X (m, D), y (m,)), optional
        Measured points for 'digits', or anybody's.

    Raises
    ------
    ValueError
        For an unknown kind, a number out of range, or points of fewer than two classes.

    Examples
    --------
    >>> data = dataset("spirals", 400, offset=6, direction=[1, 0])
    >>> data.X.shape, data.classes, data.mean.tolist()
    ((400, 2), 2, [6.0, 0.0])
    """
    for name, value, least in (("offset", offset, 0.0), ("spread", spread, 0.0)):
        if not (math.isfinite(value) and value >= least):
            raise ValueError(f"{name} is {value}: give a finite number of at least 0.")
    if int(n) != n or not 2 <= n <= MAX_POINTS:
        raise ValueError(f"n is {n}: give a whole number of points from 2 to {MAX_POINTS:,}.")
    if int(seed) != seed or seed < 0:
        raise ValueError(f"seed is {seed}: give a whole number of at least 0.")
    if own is not None:
        shape, y, classes = _own(own, int(n))
    elif kind not in SHAPES:
        known = ", ".join(SHAPES)
        remedy = "give its points as own=(X, y)" if kind == "digits" else f"use one of {known}"
        raise ValueError(f"kind is {kind!r}: {remedy}.")
    else:
        if int(d) != d or d < 2:
            raise ValueError(f"d is {d}: give a whole number of dimensions of at least 2.")
        shape, y, classes = SHAPES[kind](int(n), int(d), np.random.default_rng([seed, 7]))
    shape = shape - shape.mean(axis=0)
    shape = shape / max(float(np.sqrt((shape**2).mean())), np.finfo(float).tiny)
    where = np.ones(shape.shape[1]) if direction is None else direction
    mean = offset * unit(where, shape.shape[1])
    X = spread * shape + mean
    for a in (X, y, mean):
        a.setflags(write=False)
    return Dataset(X, y, classes, mean)


def _own(own: tuple[Any, Any], n: int) -> tuple[Floats, Ints, int]:
    X, labels = np.asarray(own[0], dtype=np.float64), np.asarray(own[1])
    if X.ndim != 2 or labels.shape != X.shape[:1] or not np.isfinite(X).all():
        raise ValueError(
            f"own has shapes {X.shape} and {labels.shape}: give finite points (m, D) and a class for each."
        )
    X, labels = X[:n], labels[:n]
    names, y = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise ValueError(f"own has {len(names)} class among its first {len(X)} points: give points of two or more.")
    return X, y.astype(np.int64), len(names)
