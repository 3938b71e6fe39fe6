"""The certificate of collapse as JSON-ready values, for the command line and the downloads."""

from __future__ import annotations

import math
from typing import Any

from tropviz.core.collapse.caps import ball_half_angle, cap_fraction, log10_cap_fraction
from tropviz.core.collapse.certificate import certify, collapse_intervals
from tropviz.core.collapse.clouds import unit
from tropviz.core.collapse.disks import disk_shares, square
from tropviz.core.router import Array, Router


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
        square(offset * u, radius, f"offset is {offset}")  # its refusal names what was given, the centre was not
        sets, shares = disk_shares(router, offset * u, radius)
        out["disk_shares"] = {",".join(map(str, s)): float(p) for s, p in zip(sets.tolist(), shares, strict=True)}
    return out
