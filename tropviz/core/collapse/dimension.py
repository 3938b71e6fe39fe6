"""The dimension story: the same sweep of offsets in R^2 to R^4096."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.collapse.caps import ball_half_angle, log10_cap_fraction
from tropviz.core.collapse.certificate import critical_offset
from tropviz.core.collapse.clouds import residuals, unit
from tropviz.core.collapse.ray import Sweep, sweep
from tropviz.core.presets import random_linear
from tropviz.core.router import Array, Router


@dataclass(frozen=True)
class Dimension:
    """One dimension of :func:`dimension_story`: the same sweep in R^d.

    Attributes
    ----------
    d : int
    certified : float
        t* of the ball of radius 1.
    log10_cap : (T,) float64
        log10 of the share of the unit sphere the ball of radius 1 covers, 0 where it holds the origin.
    curves : Sweep
        Of the first router and direction.
    band : (2, T) float64
        Lowest and highest saturation over all routers, each with a direction of its own, at every offset.
    """

    d: int
    certified: float
    log10_cap: Array
    curves: Sweep
    band: Array


def dimension_story(
    N: int, k: int, dimensions: Any, offsets: Any, *, n: int = 2000, seed: int = 0, kind: str = "ball", routers: int = 8
) -> list[Dimension]:
    """The same sweep in several dimensions: the cap vanishes with d, saturation does not.

    How fast saturation rises depends on the router and the direction more than on d, hence the band of several; only in
    d = 2, where there are few cells, it is clearly higher.

    Parameters
    ----------
    N, k : int
        A random central router of this shape in every dimension.
    dimensions : iterable of int
        Such as 2, 8, 64, 512, 4096.
    offsets : array-like, shape (T,)
        In units of the data's radius.
    n, seed
        Sample size and seed.
    kind : {'ball', 'gaussian'}
        Uniform in the ball of radius 1, or a Gaussian of the same root mean square radius 1.
    routers : int
        Random routers of this shape in each dimension, at least 1.

    Returns
    -------
    list of Dimension

    Examples
    --------
    >>> low, high = dimension_story(64, 8, [2, 512], [0, 4], n=500)
    >>> bool(low.log10_cap[1] > -2), bool(high.log10_cap[1] < -300), bool(high.curves.saturation[1] < 0.5)
    (True, True, True)
    """
    if routers < 1:
        raise ValueError(f"routers is {routers}: give at least one.")
    out = []
    for d in dimensions:
        z = residuals(n, d, spread=1.0 if kind == "ball" else d**-0.5, seed=seed, kind=kind)
        curves, certified = zip(*(_one(N, k, z, offsets, seed + 1009 * i) for i in range(routers)), strict=True)
        caps = np.array([log10_cap_fraction(ball_half_angle(float(t), 1.0), d) for t in curves[0].offsets])
        every = np.stack([one.saturation for one in curves])
        band = np.stack([every.min(axis=0), every.max(axis=0)])
        band.setflags(write=False)
        out.append(Dimension(d, certified[0], caps, curves[0], band))
    return out


def _one(N: int, k: int, z: Array, offsets: Any, seed: int) -> tuple[Sweep, float]:
    """A random router and direction: its sweep and t*."""
    d = z.shape[1]
    router = Router(random_linear(N, d, seed)[0], None, k)
    u = unit(np.random.default_rng([seed, 7]).standard_normal(d), d)
    return sweep(router, z, u, offsets), critical_offset(router, u, 1.0)
