"""Data clouds ``x = t u + z``: a centred sample z, moved out along a direction u by the offset t.

The sample z depends on the size, dimension, spread, seed and kind only, never on the offset: moving the offset
translates the same points, so a picture or a curve changes because of the offset and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tropviz.core.router import Array, as_float64
from tropviz.core.tolerance import BALL_INSET

#: Most points of one cloud, and most numbers (points x dimensions): 0.8 GB.
MAX_POINTS = 1_000_000
MAX_NUMBERS = 100_000_000
#: Clusters of the mixture, and the share of its variance that lies between them.
CLUSTERS = 4
BETWEEN = 0.85
#: Standard deviations of the anisotropic cloud fall as ``j**-DECAY`` over its principal axes j = 1, 2, ...
DECAY = 1.5


def unit(direction: Any, d: int) -> Array:
    """The direction as a unit vector of d entries.

    Parameters
    ----------
    direction : array-like, shape (d,)
        Any nonzero vector; its length does not matter.
    d : int

    Raises
    ------
    ValueError
        For a zero vector, a wrong length or an entry that is not finite.

    Examples
    --------
    >>> unit([3, 4], 2).tolist()
    [0.6, 0.8]
    """
    u = as_float64(direction, "direction")
    if u.shape != (d,):
        raise ValueError(f"direction has shape {u.shape}: give {d} numbers, one per input dimension.")
    largest = np.abs(u).max()
    if largest == 0:
        raise ValueError("direction is the zero vector: give one with at least one nonzero entry.")
    # an exact power of two first: 1e-300 must not underflow when squared, and nothing is rounded
    u = np.ldexp(u, -math.frexp(largest)[1])
    u = u / math.sqrt(math.fsum(u * u))
    u.setflags(write=False)
    return u


def _check(n: Any, d: Any, spread: Any, seed: Any, kind: str) -> tuple[int, int, float]:
    if int(n) != n or not 1 <= n <= MAX_POINTS:
        raise ValueError(f"n is {n}: give a whole number of points from 1 to {MAX_POINTS:,}.")
    if int(d) != d or d < 1:
        raise ValueError(f"d is {d}: give a whole number of dimensions of at least 1.")
    if n * d > MAX_NUMBERS:
        most = MAX_NUMBERS // int(d)
        raise ValueError(f"{n:,} points in {d:,} dimensions are too many: use at most {most:,} points.")
    if not (math.isfinite(spread) and spread >= 0):
        raise ValueError(f"spread is {spread}: give a finite number of at least 0.")
    if int(seed) != seed or seed < 0:
        raise ValueError(f"seed is {seed}: give a whole number of at least 0.")
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}: use one of {', '.join(KINDS)}.")
    return int(n), int(d), float(spread)


def _turned(z: Array, rng: np.random.Generator) -> Array:
    """Turn the rows by two random reflections (O(n d), where a random rotation would cost O(d^3))."""
    for _ in range(2):
        v = rng.standard_normal(z.shape[1])
        z = z - np.outer(np.dot(z, v), 2.0 * v / np.dot(v, v))
    return z


def residuals(n: int, d: int, *, spread: float, seed: int, kind: str = "gaussian") -> Array:
    """The centred part z of a cloud (its expectation is 0).

    Parameters
    ----------
    n, d : int
        Points and dimensions; the first points stay when n grows.
    spread : float
        ``ball``: its radius. ``gaussian``, ``opposed``: standard deviation of each coordinate. ``mixture`` and
        ``anisotropic``: root mean square of the standard deviations of the coordinates.
    seed : int
    kind : str
        One of `SHAPES`: gaussian, ball, mixture, anisotropic, opposed.

    Returns
    -------
    z : (n, d) float64, read-only

    Raises
    ------
    ValueError
        For n of 0 or above ``MAX_POINTS``, a negative spread or an unknown kind.

    Examples
    --------
    >>> z = residuals(5, 3, spread=2, seed=0, kind="ball")
    >>> bool((np.linalg.norm(z, axis=1) <= 2).all())
    True
    """
    n, d, spread = _check(n, d, spread, seed, kind)
    points, shape = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
    members = np.random.default_rng([seed, 2])
    z = SHAPES[kind](points.standard_normal((n, d)), shape, members) * spread
    z.setflags(write=False)
    return z


def _gaussian(z: Array, _: np.random.Generator, __: np.random.Generator) -> Array:
    return z


def _ball(z: Array, shape: np.random.Generator, _: np.random.Generator) -> Array:
    n, d = z.shape
    radii = shape.random(n) ** (1.0 / d)
    z *= (radii / np.linalg.norm(z, axis=1))[:, None]
    # rounding must not carry a point out of the closed ball the certificate speaks of
    return np.asarray(z * (1.0 - BALL_INSET))


def _mixture(z: Array, shape: np.random.Generator, members: np.random.Generator) -> Array:
    n, d = z.shape
    centres = shape.standard_normal((CLUSTERS, d))
    centres -= centres.mean(axis=0)  # equal weights, so the mixture is centred
    centres *= math.sqrt(BETWEEN * d) / np.sqrt((centres**2).sum(axis=1).mean())
    return np.asarray(math.sqrt(1 - BETWEEN) * z + centres[members.integers(CLUSTERS, size=n)])


def _anisotropic(z: Array, shape: np.random.Generator, _: np.random.Generator) -> Array:
    d = z.shape[1]
    scales = np.arange(1, d + 1) ** -DECAY
    return _turned(z * (scales * math.sqrt(d / (scales**2).sum())), shape)


#: What the letter z can be: made of standard normal rows and two streams, whose first draws stay when n grows.
#: ``opposed`` has a Gaussian z, and half of the points at ``-t u`` (see :func:`sides`).
SHAPES: dict[str, Callable[[Array, np.random.Generator, np.random.Generator], Array]] = {
    "gaussian": _gaussian,
    "ball": _ball,
    "mixture": _mixture,
    "anisotropic": _anisotropic,
    "opposed": _gaussian,
}
KINDS = tuple(SHAPES)


def sides(n: int, kind: str) -> Array:
    """+1 or -1 for each point: on which side of the origin the offset carries it, shape (n,).

    Only ``opposed`` clouds have points at ``-t u``: every second one. Their mean is 0 at any offset.

    >>> sides(4, "opposed").tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    s = np.ones(n)
    if kind == "opposed":
        s[1::2] = -1.0
    s.setflags(write=False)
    return s


def cloud(n: int, d: int, *, offset: float, direction: Any, spread: float, seed: int, kind: str = "gaussian") -> Array:
    """Points ``x = t u + z`` (``opposed``: half of them ``-t u + z``).

    Parameters
    ----------
    n, d : int
        Points (1 to ``MAX_POINTS``) and dimensions.
    offset : float
        t >= 0.
    direction : array-like, shape (d,)
        Any nonzero vector; only its direction counts.
    spread, seed, kind
        As in :func:`residuals`.

    Returns
    -------
    X : (n, d) float64, read-only

    Raises
    ------
    ValueError
        For a zero direction, a negative offset or spread, n of 0 or above ``MAX_POINTS``, an unknown kind.

    Examples
    --------
    >>> here = cloud(4, 2, offset=0, direction=[1, 0], spread=1, seed=3)
    >>> there = cloud(4, 2, offset=5, direction=[1, 0], spread=1, seed=3)
    >>> bool(np.allclose(there - here, [5, 0]))
    True
    """
    if not (math.isfinite(offset) and offset >= 0):
        raise ValueError(f"offset is {offset}: give a finite number of at least 0, and turn the direction instead.")
    z = residuals(n, d, spread=spread, seed=seed, kind=kind)
    out = z + offset * sides(len(z), kind)[:, None] * unit(direction, z.shape[1])
    out.setflags(write=False)
    return out


def centred(points: Any) -> tuple[Array, Array]:
    """Own points as (mean, centred part): ``points = mean + z``.

    Parameters
    ----------
    points : array-like, shape (n, d)

    Returns
    -------
    mean : (d,) float64, read-only
    z : (n, d) float64, read-only

    Raises
    ------
    ValueError
        For an empty table, a wrong number of axes, or an entry that is not finite (named by row and column).

    Examples
    --------
    >>> mean, z = centred([[1, 2], [3, 6]])
    >>> mean.tolist(), z.tolist()
    ([2.0, 4.0], [[-1.0, -2.0], [1.0, 2.0]])
    """
    x = as_float64(points, "points")
    if x.ndim != 2 or not x.size:
        raise ValueError(f"points has shape {x.shape}: give a table with one row per point, at least one row.")
    mean = x.mean(axis=0)
    z = x - mean
    for a in (mean, z):
        a.setflags(write=False)
    return mean, z
