"""Flat and curved data manifolds of intrinsic dimension d_eff in R^d_in.

Every manifold is centred at 0 and scaled to root mean square distance `size` from it, so that flat and curved ones of
any d_in can be compared. Draws come from one stream per ambient axis: growing d_in keeps the coordinates there were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Kinds of manifold and the intrinsic dimensions they come in.
KINDS: dict[str, tuple[int, ...]] = {
    "flat": (1, 2, 3, 4),
    "circle": (1,),
    "moment curve": (1,),
    "trigonometric": (1, 2, 3, 4),
    "sphere": (2, 3, 4),
    "swiss roll": (2,),
}
#: Highest degree of a trigonometric map and of a moment curve: higher zeros lose too many digits.
MOST_DEGREE = 32
#: Words that keep the random streams apart.
_MAP, _SAMPLE = 11, 12


@dataclass(frozen=True)
class Manifold:
    """A map from parameters to R^d_in.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    d_eff, d_in : int
    points : callable (n, d_eff) -> (n, d_in)
        Parameters in [0, 1]^d_eff to points (Gaussian parameters for a flat one).
    series : ndarray (terms, d_in) or None
        Of a curve: trigonometric (1, cos, sin, cos 2t, ...) with t = 2 pi times the parameter, or Chebyshev with
        t = 2 parameter - 1.
    trigonometric : bool
        Which of the two.
    basis : ndarray (r, d_in) or None
        The manifold lies in the span of these orthonormal rows, if that is smaller than R^d_in.
    """

    kind: str
    d_eff: int
    d_in: int
    points: Callable[[Floats], Floats]
    series: Floats | None = None
    trigonometric: bool = False
    basis: Floats | None = None

    def sample(self, n: int, seed: int = 0) -> Floats:
        """Random points (n, d_in): uniform parameters (Gaussian on a flat manifold, uniform on a sphere)."""
        random = np.random.default_rng([_SAMPLE, seed])
        if self.kind in ("flat", "sphere"):
            return self.points(random.standard_normal((n, self.d_eff + (self.kind == "sphere"))))
        return self.points(random.random((n, self.d_eff)))


def manifold(kind: str, d_eff: int, d_in: int, *, degree: int = 3, size: float = 3.0, seed: int = 0) -> Manifold:
    """A flat or curved manifold.

    Parameters
    ----------
    kind : str
        'flat' (a linear subspace), 'circle', 'sphere' (of dimension d_eff), 'moment curve' (Chebyshev polynomials
        T_1 .. T_degree, mapped linearly), 'swiss roll', 'trigonometric' (a random map of the torus with all
        frequencies up to `degree` in every angle, power falling as 1/frequency^2).
    d_eff, d_in : int
        Intrinsic and ambient dimension, d_eff <= d_in (the sphere, circle and swiss roll need one more axis).
    degree : int
        Of the moment curve and the trigonometric map, 1 to 32.
    size : float
        Root mean square distance from the origin.
    seed : int

    Raises
    ------
    ValueError
        One sentence that names the entry and the remedy.

    Examples
    --------
    >>> curve = manifold("trigonometric", 1, 8, degree=2, seed=1)
    >>> curve.sample(5).shape, curve.series.shape
    ((5, 8), (5, 8))
    """
    _check(kind, d_eff, d_in, degree, size)
    random = [np.random.default_rng([_MAP, seed, axis]) for axis in range(d_in)]
    if kind == "trigonometric":
        return _trigonometric(d_eff, d_in, degree, size, random)
    extra = {"flat": d_eff, "sphere": d_eff + 1, "circle": 2, "swiss roll": 3, "moment curve": degree}[kind]
    rows = np.array([axis.standard_normal(extra) for axis in random]).T  # (extra, d_in)
    if kind == "moment curve":
        return _curve(kind, d_in, np.concatenate([np.zeros((1, d_in)), rows]), False, size)
    basis = np.linalg.qr(rows.T)[0].T
    if kind == "circle":
        return _curve(kind, d_in, np.concatenate([np.zeros((1, d_in)), basis]), True, size, basis)
    if kind == "swiss roll":
        return _swiss_roll(d_in, basis, size)
    scale = size / np.sqrt(d_eff) if kind == "flat" else size

    def points(t: Floats) -> Floats:
        if kind == "sphere":
            t = t / np.linalg.norm(t, axis=1, keepdims=True)
        return scale * t @ basis

    return Manifold(kind, d_eff, d_in, points, basis=basis)


def _check(kind: str, d_eff: Any, d_in: Any, degree: Any, size: float) -> None:
    if kind not in KINDS:
        raise ValueError(f"The manifold is {kind!r}: choose one of {', '.join(KINDS)}.")
    if d_eff not in KINDS[kind]:
        raise ValueError(f"d_eff is {d_eff}: a {kind} manifold has d_eff {', '.join(map(str, KINDS[kind]))} here.")
    least = d_eff + (kind in ("circle", "sphere", "swiss roll"))
    if d_in < d_eff:
        raise ValueError(f"d_eff = {d_eff} is more than d_in = {d_in}: choose d_eff <= d_in.")
    if d_in < least:
        raise ValueError(f"d_in is {d_in}: a {kind} manifold of dimension {d_eff} needs d_in of at least {least}.")
    if not 1 <= degree <= MOST_DEGREE:
        raise ValueError(f"degree is {degree}: give a whole number from 1 to {MOST_DEGREE}.")
    if not (np.isfinite(size) and size > 0):
        raise ValueError(f"size is {size}: give a positive number.")


def evaluate(series: Floats, trigonometric: bool, t: Floats) -> Floats:
    """Values (n, ...) of trigonometric or Chebyshev series (terms, ...) at angles or points t (n,)."""
    order = np.arange(1, len(series))
    if trigonometric:
        angle = np.outer(t, (order + 1) // 2)
        terms = np.where(order % 2 == 1, np.cos(angle), np.sin(angle))
    else:
        terms = np.cos(np.outer(np.arccos(np.clip(t, -1, 1)), order))
    return series[0] + terms @ series[1:]


def _curve(
    kind: str, d_in: int, series: Floats, trigonometric: bool, size: float, basis: Floats | None = None
) -> Manifold:
    """A curve from its series, centred and scaled (uniform parameter)."""
    grid = (np.arange(1024) + 0.5) / 1024

    def place(u: Floats) -> Floats:
        return 2 * np.pi * u if trigonometric else 2 * u - 1

    values = evaluate(series, trigonometric, place(grid))
    mean = values.mean(axis=0)
    factor = size / np.sqrt(((values - mean) ** 2).sum(axis=1).mean())
    series = series * factor
    series[0] -= mean * factor
    series.setflags(write=False)
    return Manifold(
        kind, 1, d_in, lambda u: evaluate(series, trigonometric, place(u[:, 0])), series, trigonometric, basis
    )


def _trigonometric(d_eff: int, d_in: int, degree: int, size: float, random: list[np.random.Generator]) -> Manifold:
    frequency = np.array(
        [f for f in product(range(-degree, degree + 1), repeat=d_eff) if f > (0,) * d_eff], dtype=np.float64
    )
    frequency = frequency[np.lexsort((np.arange(len(frequency)), np.abs(frequency).sum(axis=1)))]
    power = 1 / np.linalg.norm(frequency, axis=1)
    waves = np.array([axis.standard_normal((len(frequency), 2)) for axis in random]) * power[:, None]  # (d_in, F, 2)
    if d_eff == 1:
        series = np.concatenate([np.zeros((1, d_in)), waves.reshape(d_in, -1).T])
        return _curve("trigonometric", d_in, series, True, size)
    waves *= size / np.sqrt((waves**2).sum() / 2)

    def points(u: Floats) -> Floats:
        angle = 2 * np.pi * u @ frequency.T
        return np.cos(angle) @ waves[:, :, 0].T + np.sin(angle) @ waves[:, :, 1].T

    return Manifold("trigonometric", d_eff, d_in, points)


def _swiss_roll(d_in: int, basis: Floats, size: float) -> Manifold:
    def raw(u: Floats) -> Floats:
        t = 1.5 * np.pi * (1 + 2 * u[:, 0])
        return np.column_stack([t * np.cos(t), 21 * (u[:, 1] - 0.5), t * np.sin(t)])

    axis = (np.arange(256) + 0.5) / 256
    grid = raw(np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2))
    mean = grid.mean(axis=0)
    factor = size / np.sqrt(((grid - mean) ** 2).sum(axis=1).mean())
    return Manifold("swiss roll", 2, d_in, lambda u: factor * (raw(u) - mean) @ basis, basis=basis)
