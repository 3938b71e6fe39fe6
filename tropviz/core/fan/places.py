"""Corners and rays of a fan as float64 points and directions of input space, each with nearly all its digits.

The unit vectors a fan was walked with have an absolute error; a corner far away is the quotient by a small last
coordinate and would lose as many digits as it is far. Its tied experts name it exactly, so integers work it out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan import exact
from tropviz.core.fan.diagram import Diagram
from tropviz.core.fan.reduce import Reduced
from tropviz.core.fan.sides import Experts
from tropviz.core.tolerance import DIGITS_LEFT

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def places(reduced: Reduced, diagram: Diagram) -> tuple[Floats, Floats]:
    """Vertices (V, d) and directions (R, d) of a fan that was walked; a whole fan has its origin for a vertex."""
    e = reduced.experts
    assert e is not None
    if not reduced.half:
        return reduced.origin[None], _directions(reduced, e, diagram.points, diagram.bases, diagram.errors, False)
    rays = _directions(reduced, e, diagram.rays, diagram.ray_bases, diagram.ray_errors, True)
    return _corners(reduced, e, diagram), rays


def _corners(reduced: Reduced, e: Experts, diagram: Diagram) -> Floats:
    out = reduced.lift_points(diagram.points)
    for n in _vague(reduced, diagram.errors, np.abs(diagram.points[:, -1])):
        out[n] = reduced.corner(e.exact_null(diagram.bases[n]))
    return out


def _directions(reduced: Reduced, e: Experts, points: Floats, bases: Ints, errors: Floats, infinite: bool) -> Floats:
    out = reduced.lift_directions(points)
    if infinite and e.D == 2:
        return out
    for n in _vague(reduced, errors, np.ones(len(points))):
        vector = e.exact_null(bases[n], infinite)
        out[n] = reduced.heading(vector if exact.to_unit(vector) @ points[n] > 0 else [-x for x in vector])
    return out


def _vague(reduced: Reduced, errors: Floats, least: Floats) -> list[int]:
    """Which vectors lose too many digits when they are divided by `least`."""
    if reduced.wide:
        return list(range(len(errors)))
    vague: list[int] = np.flatnonzero(~(errors <= DIGITS_LEFT * least)).tolist()
    return vague
