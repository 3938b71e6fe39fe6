"""The share of the unit sphere that lies within an angle of a point, in any dimension and without underflow.

``f(theta, d) = 1/2 I_x((d-1)/2, 1/2)``, ``x = sin(theta)^2``, for theta up to pi/2, and the complement beyond.
"""

from __future__ import annotations

import math
from typing import Any

from tropviz.core.router import as_number
from tropviz.core.tolerance import FRACTION_ITERATIONS, UNIT_ROUNDOFF

#: Up to here gamma(a) is a float; beyond, the ratio of two of them comes from its asymptotic series.
_GAMMA_LIMIT = 100.0
#: pi minus the float nearest to it: without it the angle left over beyond theta has no digits near theta = pi.
_PI_LOW = math.sin(math.pi)
#: Below this cos^2 * d (two standard deviations of a coordinate) the share exceeds 0.02: one half minus a belt.
_BELT = 4.0
#: Up to here the sine of half an angle is half the angle in float64; half of the smallest float is 0.
_SMALL = 1e-100
#: Gamma(a + 1/2) / Gamma(a) = sqrt(a) * sum of these times a^-n (first term left out below 1e-17 at a = 100).
_RATIO = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304, 39325 / 33554432)


def _gamma_ratio(a: float) -> float:
    """Gamma(a + 1/2) / Gamma(a) for a > 0, to a few roundings."""
    if a <= _GAMMA_LIMIT:
        return math.gamma(a + 0.5) / math.gamma(a)
    return math.sqrt(a) * math.fsum(c * a**-n for n, c in enumerate(_RATIO))


def _tail_fraction(a: float, z: float) -> float:
    """``2F1(1, 1/2; a+1; -z)`` for z > 0 by Gauss' continued fraction (DLMF 15.7.3) and Lentz's method.

    Every coefficient is positive, so nothing cancels: the fraction in x = sin^2 of DLMF 8.17.22 loses d roundings
    near the equator.
    """
    c, d, out = 1.0, 0.0, 1.0
    for n in range(1, FRACTION_ITERATIONS):
        m = n // 2
        top = (0.5 + m) * (a + m) if n % 2 else m * (a - 0.5 + m)
        below = (a + 2 * m) * (a + 2 * m + 1) if n % 2 else (a + 2 * m - 1) * (a + 2 * m)
        term = top / below * z
        d = 1.0 / (1.0 + term * d)
        c = 1.0 + term / c
        step = c * d
        out *= step
        if abs(step - 1.0) <= UNIT_ROUNDOFF:
            return 1.0 / out
    raise ArithmeticError(f"The continued fraction at a = {a}, z = {z} did not settle.")  # pragma: no cover


def _belt(a: float, y: float, log_x: float) -> float:
    """``I_y(1/2, a)``, the share within the latitude arcsin(sqrt(y)) of the equator: a series of positive terms."""
    term, total, n = 1.0, 1.0, 0
    while term > UNIT_ROUNDOFF * total:
        term *= (a + 0.5 + n) / (1.5 + n) * y
        total += term
        n += 1
    return 2.0 / math.sqrt(math.pi) * _gamma_ratio(a) * math.sqrt(y) * math.exp(a * log_x) * total


def _half(theta: float, d: int) -> tuple[float, float]:
    """(fraction, log of it) for 0 < theta <= pi/2 and d >= 4; the log survives where the fraction underflows."""
    sine, cosine, a = math.sin(theta), math.cos(theta), (d - 1) / 2
    y = cosine * cosine
    log_x = math.log1p(-y) if y < 0.5 else 2 * math.log(sine)  # relative accuracy near the equator too
    if y * (2 * a + 1) < _BELT and y < 0.5:
        share = 0.5 - 0.5 * _belt(a, y, log_x)
        return share, math.log(share)
    log = a * log_x + math.log(
        _gamma_ratio(a) / (2 * a * math.sqrt(math.pi) * cosine) * _tail_fraction(a, (sine / cosine) ** 2)
    )
    return math.exp(log), log


def _fraction(theta: float, d: int) -> tuple[float, float]:
    """(fraction, natural log) for any angle in [0, pi]."""
    if theta > math.pi / 2:
        if d == 1:
            share = 1.0 if theta >= math.pi else 0.5
            return share, math.log(share)
        if d == 2:
            return theta / math.pi, math.log(theta / math.pi)
        if d == 3:
            share = math.cos(theta / 2) ** 2
        else:
            share = _half(math.pi - theta + _PI_LOW, d)[0] if theta < math.pi else 0.0
        return 1.0 - share, math.log1p(-share)
    if d == 1:
        return 0.5, math.log(0.5)  # the two points -1 and 1: the cap holds one of them
    if theta == 0:
        return 0.0, -math.inf
    if d == 2:  # the quotient of the smallest angles rounds to 0, its logarithm does not
        return theta / math.pi, math.log(theta) - math.log(math.pi)
    if d == 3:
        sine = math.sin(theta / 2)
        return sine**2, 2 * (math.log(sine) if theta > _SMALL else math.log(theta) - math.log(2))
    return _half(theta, d)


def _checked(theta: Any, d: Any) -> tuple[float, int]:
    theta = as_number(theta, "theta")
    if not 0 <= theta <= math.pi:
        raise ValueError(f"theta is {theta}: give an angle from 0 to pi, in radians.")
    if not (as_number(d, "d").is_integer() and d >= 1):
        raise ValueError(f"d is {d}: give a whole number of dimensions of at least 1.")
    return theta, int(d)


def cap_fraction(theta: float, d: int) -> float:
    """Share of the unit sphere in R^d within the angle theta of a given point.

    Parameters
    ----------
    theta : float
        Half-angle of the cap in radians, 0 to pi.
    d : int
        Dimension of the space, at least 1 (in R^1 the sphere is two points).

    Returns
    -------
    float
        To a relative error of 1e-12 wherever it is not below the smallest float (1e-308), where it is 0: use
        :func:`log10_cap_fraction` there.

    Raises
    ------
    ValueError
        For an angle outside [0, pi] or d < 1.

    Examples
    --------
    >>> import math
    >>> round(cap_fraction(math.pi / 3, 2), 12), round(cap_fraction(math.pi / 3, 3), 12)
    (0.333333333333, 0.25)
    """
    return _fraction(*_checked(theta, d))[0]


def log10_cap_fraction(theta: float, d: int) -> float:
    """log10 of :func:`cap_fraction`, accurate where the fraction itself underflows; -inf for theta = 0.

    Parameters
    ----------
    theta : float
        Half-angle in radians, 0 to pi.
    d : int
        Dimension of the space, at least 1.

    Examples
    --------
    >>> import math
    >>> f"{log10_cap_fraction(math.pi / 4, 4096):.10f}"
    '-618.4137504636'
    """
    log = _fraction(*_checked(theta, d))[1]
    return 0.0 if log == 0 else log / math.log(10)


def ball_half_angle(offset: float, radius: float) -> float:
    """Half-angle in radians under which the origin sees the ball B(t u, r): arcsin(r / t), or pi when it is inside.

    Parameters
    ----------
    offset, radius : float
        t >= 0 and r >= 0, in the same unit.

    Examples
    --------
    >>> import math
    >>> math.degrees(ball_half_angle(2, 1))
    30.000000000000004
    """
    offset, radius = as_number(offset, "offset"), as_number(radius, "radius")
    if not (radius >= 0 and offset >= 0):
        raise ValueError(f"offset {offset} and radius {radius} must be at least 0: give lengths.")
    return math.asin(radius / offset) if offset > radius else (0.0 if radius == 0 < offset else math.pi)
