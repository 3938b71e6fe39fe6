"""Angular collapse: what happens to routing when the data is off-centre, certified, measured and undone.

Data ``x = t u + z``. A central router sees directions only: as the offset t grows, the data fills an ever smaller cap
and ends in one active set. This module is the front door; one idea a file behind it: ``clouds``, ``caps``,
``certificate``, ``disks``, ``routed``, ``sweep``, ``directions``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.caps import ball_half_angle, cap_fraction, log10_cap_fraction
from tropviz.core.certificate import Collapse, certify, collapse_intervals, critical_offset, gaussian_bounds
from tropviz.core.clouds import centred, cloud, residuals, sides, unit
from tropviz.core.directions import Directions, all_directions
from tropviz.core.disks import disk_shares
from tropviz.core.presets import random_linear
from tropviz.core.routed import Routed, entropy_bits, occupied, routed, wilson
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
    "entropy_bits",
    "gaussian_bounds",
    "log10_cap_fraction",
    "occupied",
    "rectified",
    "rectified_offset",
    "report",
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


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def report(router: Router, direction: Any, radius: float, offset: float | None = None) -> dict[str, Any]:
    """The certificate as JSON-ready values; infinity is None with a reason.

    Parameters
    ----------
    router : Router
    direction : array-like, shape (d,)
    radius : float
    offset : float, optional
        Also what the ball meets at this offset: its cap of directions, its margin, and in the plane the exact shares.

    Examples
    --------
    >>> out = report(Router([[1, 0], [-1, 0]], k=1), [1, 0], 2)
    >>> out["critical_offset"], out["active_set"], out["wall"]
    (2.0, [0], [0, 1])
    >>> report(Router([[1, 0], [-1, 0]], k=1), [0, 1], 2)["critical_offset"] is None
    True
    """
    found = certify(router, direction, radius)
    out: dict[str, Any] = {"critical_offset": _finite(found.offset)}
    if math.isinf(found.offset):
        out["reason"] = "never: the direction runs along a wall that is nearer than the radius"
    out |= {"active_set": list(found.active_set), "wall": list(found.wall) if found.wall else None}
    out["margin"] = _finite(found.margin)
    if math.isinf(found.margin):
        out["margin_reason"] = "the router has one cell: no wall is anywhere"
    if radius > 0:
        spans = collapse_intervals(router, direction, radius)
        out["intervals"] = [{"from": a, "to": _finite(b), "active_set": list(members)} for a, b, members in spans]
    if offset is not None:
        out["at_offset"] = _report_at(router, unit(direction, router.d), radius, float(offset))
    return out


def _report_at(router: Router, u: Array, radius: float, offset: float) -> dict[str, Any]:
    """What the ball meets at one offset."""
    if not (math.isfinite(offset) and offset >= 0):
        raise ValueError(f"offset is {offset}: give a finite number of at least 0.")
    theta = ball_half_angle(offset, radius)
    log = log10_cap_fraction(theta, router.d)
    out: dict[str, Any] = {
        "offset": offset,
        "margin": _finite(float(router.margin((offset * u)[None])[0])),
        "cap_fraction": cap_fraction(theta, router.d),
        "log10_cap_fraction": _finite(log),
    }
    if router.d == 2 and radius > 0:
        sets, shares = disk_shares(router, offset * u, radius)
        out["disk_shares"] = {",".join(map(str, s)): float(p) for s, p in zip(sets.tolist(), shares, strict=True)}
    return out


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
