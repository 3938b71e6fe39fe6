"""Angular collapse: what happens to routing when the data is off-centre, certified, measured and undone.

Data ``x = t u + z``. A central router sees directions only: as the offset t grows, the data fills an ever smaller cap
and ends in one active set. This module is the front door; one idea a file behind it: ``clouds``, ``caps``,
``certificate``, ``disks``, ``routed``, ``sweep``, ``directions``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.caps import ball_half_angle, cap_fraction, log10_cap_fraction
from tropviz.core.certificate import Collapse, certify, collapse_intervals, critical_offset, gaussian_bounds
from tropviz.core.clouds import centred, cloud, residuals, sides, unit
from tropviz.core.directions import Directions, all_directions
from tropviz.core.disks import disk_shares
from tropviz.core.presets import random_linear
from tropviz.core.routed import Routed, routed, wilson
from tropviz.core.router import Array, Router, as_float64
from tropviz.core.sweep import Sweep, sweep

__all__ = [
    "Collapse",
    "Dimension",
    "Directions",
    "Routed",
    "Sweep",
    "all_directions",
    "ball_half_angle",
    "cap_fraction",
    "centred",
    "certify",
    "cloud",
    "collapse_intervals",
    "critical_offset",
    "dimension_story",
    "disk_shares",
    "gaussian_bounds",
    "log10_cap_fraction",
    "rectified",
    "rectified_offset",
    "residuals",
    "routed",
    "sides",
    "sweep",
    "unit",
    "wilson",
]


def rectified(router: Router, mu: Any, strength: float = 1.0) -> Router:
    """The router behind an affine rectifier: it sees ``x - lambda mu``, which is the bias ``b - lambda W mu``.

    Parameters
    ----------
    router : Router
    mu : array-like, shape (d,)
        Mean of the data.
    strength : float
        lambda; 1 takes the whole mean away.

    Notes
    -----
    In the paper the mean is carried by a shared expert, which is not routed. A shared expert that runs in parallel
    does not change its own layer's router input: what counts is that the mean reaches the output without passing the
    router. Centring the input or this bias does the same for the router.

    Examples
    --------
    >>> plain = Router([[1, 0], [0, 1]], k=1)
    >>> rectified(plain, [5, 1]).active_sets([[5.5, 2]]).tolist(), plain.active_sets([[5.5, 2]]).tolist()
    ([[1]], [[0]])
    """
    mean = as_float64(mu, "mu")
    if mean.shape != (router.d,):
        raise ValueError(f"mu has shape {mean.shape}: give {router.d} numbers.")
    return Router(router.W, np.asarray(router.b) - strength * (router.W @ mean), router.k)


def rectified_offset(offset: float, strength: float) -> float:
    """The offset in front of the rectifier at which the router sees the given one: ``t / (1 - lambda)``.

    >>> rectified_offset(3, 0.5), rectified_offset(3, 1.0), rectified_offset(0, 1.0)
    (6.0, inf, 0.0)
    """
    if offset == 0:
        return 0.0
    return float("inf") if strength >= 1 else offset / (1 - strength)


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
    """

    d: int
    certified: float
    log10_cap: Array
    curves: Sweep


def dimension_story(
    N: int, k: int, dimensions: Any, offsets: Any, *, n: int = 2000, seed: int = 0, kind: str = "ball"
) -> list[Dimension]:
    """The same sweep in several dimensions: the cap vanishes with d, the collapse does not.

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

    Returns
    -------
    list of Dimension

    Examples
    --------
    >>> low, high = dimension_story(64, 8, [2, 512], [0, 4], n=500)
    >>> bool(low.log10_cap[1] > -2), bool(high.log10_cap[1] < -300), bool(high.curves.saturation[1] < 0.5)
    (True, True, True)
    """
    out = []
    for d in dimensions:
        router = Router(random_linear(N, d, seed)[0], None, k)
        u = unit(np.random.default_rng([seed, 7]).standard_normal(d), d)
        z = residuals(n, d, spread=1.0 if kind == "ball" else d**-0.5, seed=seed, kind=kind)
        curves = sweep(router, z, u, offsets)
        caps = np.array([log10_cap_fraction(ball_half_angle(float(t), 1.0), d) for t in curves.offsets])
        out.append(Dimension(d, critical_offset(router, u, 1.0), caps, curves))
    return out
