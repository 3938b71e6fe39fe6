"""The certified offset in every direction of a plane, the best of them, and those that never collapse."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.collapse.certificate import critical_offset
from tropviz.core.count import Count
from tropviz.core.router import Array, Router, as_float64
from tropviz.core.tolerance import SAME_DIRECTION, SIEVE, STEEP

#: Numbers held at once.
CHUNK = 1 << 21


@dataclass(frozen=True)
class Directions:
    """t* around a circle of directions.

    Attributes
    ----------
    angles : (m,) float64
        Radians, in increasing order.
    offsets : (m,) float64
        t* of each angle, as `critical_offset` gives it; inf along a wall.
    never : (w,) float64
        The angles, in [0, 2 pi), whose direction runs along a wall of the active set: t* is infinite there, and grows
        without bound near them.
    best_angle, best_offset : float
        The direction that collapses first, refined beyond the grid, and its t*; never sooner than on the grid.
    """

    angles: Array
    offsets: Array
    never: Array
    best_angle: float
    best_offset: float

    @property
    def best(self) -> Count:
        """The least t* that was found: no more than that is certain, another direction may collapse sooner."""
        if math.isinf(self.best_offset):
            return self.count(0)
        method = f"least t* of {len(self.angles):,} directions, refined"
        return Count(self.best_offset, "upper", method, "another direction may collapse sooner")

    def count(self, i: int) -> Count:
        """t* of one angle of the grid as a Count, the same as that of `critical_offset`."""
        value = float(self.offsets[i])
        why = "" if math.isfinite(value) else "never: the direction runs along a wall that is nearer than the radius"
        return Count(value, "exact", "max over pairs of (r |w_i - w_j| - (b_i - b_j)) / (w_i - w_j).u", why)


def _batch(router: Router, units: Array, r: float) -> Array:
    """t* of many unit vectors: all at once in float64, and those that are close to a wall by the certificate."""
    k, N = router.k, router.N
    if k == N:
        return np.zeros(len(units))
    power = int(np.frexp(np.abs(router.W).max(initial=0.0))[1])
    order = np.lexsort((np.arange(N), -router.b))  # of equal rows, the one with the larger bias comes first
    rows, name = np.unique(router.W[order], axis=0, return_inverse=True)
    rows, name = np.ldexp(rows, -power), name.ravel()
    with np.errstate(over="ignore"):  # then the quotients are not finite, and the certificate takes over
        W, b = rows[name], np.ldexp(router.b[order], -power)
    lengths = np.linalg.norm(W[:, None, :] - W[None, :, :], axis=2)
    out = np.empty(len(units))
    step = max(1, CHUNK // (k * (N - k)))
    for low in range(0, len(units), step):
        s = (units[low : low + step] @ rows.T)[:, name]
        ranked = np.argsort(-s, axis=1, kind="stable")
        inside, outside = ranked[:, :k, None], ranked[:, None, k:]
        length, twins = lengths[inside, outside], name[inside] == name[outside]
        slope = np.take_along_axis(s, ranked[:, :k], 1)[:, :, None] - np.take_along_axis(s, ranked[:, k:], 1)[:, None]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            each = np.where(twins, 0.0, (r * length - (b[inside] - b[outside])) / slope)
        sure = twins | ((slope > STEEP) & np.isfinite(each))
        out[low : low + step] = each.max(axis=(1, 2))
        for i in np.flatnonzero(~sure.all(axis=(1, 2))):
            out[low + i] = critical_offset(router, units[low + i], r)
    return np.maximum(out, 0.0)


def _wall_angles(router: Router, plane: Array, r: float) -> Array:
    """Angles of the plane whose direction runs along a wall between the k-th and the next score, nearer than r."""
    if router.k == router.N:
        return np.zeros(0)
    W = np.ldexp(router.W, -int(np.frexp(np.abs(router.W).max(initial=0.0))[1]) - 1)
    flat = W @ plane.T
    size = float(np.abs(flat).max(initial=0.0))
    i, j = np.triu_indices(router.N, 1)
    normals = (W[i] - W[j]) @ plane.T
    apart = normals.any(axis=1)
    angle = np.arctan2(normals[apart, 1], normals[apart, 0]) + math.pi / 2
    angle, expert = np.mod(np.concatenate([angle, angle + math.pi]), 2 * math.pi), np.tile(i[apart], 2)
    found: list[float] = []
    step = max(1, CHUNK // router.N)
    for low in range(0, len(angle), step):
        # of the N (N - 1) crossings only those at rank k are walls: a coarse sieve, then the certificate
        scores = _towards(angle[low : low + step]) @ flat.T
        ranked = -np.partition(-scores, (router.k - 1, router.k), axis=1)[:, router.k - 1 : router.k + 1]
        mine = np.take_along_axis(scores, expert[low : low + step, None], 1)
        close = (np.abs(ranked - mine) <= SIEVE * size).all(axis=1)
        found += angle[low : low + step][close].tolist()
    kept = np.unique(found)
    kept = kept[np.append(True, np.diff(kept) > SAME_DIRECTION)] if len(kept) else kept
    return np.array([a for a in kept if math.isinf(critical_offset(router, _towards(a) @ plane, r))])


def _towards(angle: Any) -> Array:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def all_directions(router: Router, r: float, *, plane: Any = None, steps: int = 720) -> Directions:
    """t* for every direction of the plane, or of a plane in a larger space.

    Parameters
    ----------
    router : Router
    r : float
        Radius of the data, greater than 0.
    plane : array-like, shape (2, d), optional
        Two orthonormal directions; for d = 2 the axes.
    steps : int
        Directions on the grid.

    Raises
    ------
    ValueError
        For a radius that is not positive, or d > 2 without a plane.

    Examples
    --------
    >>> found = all_directions(Router([[1, 0], [-1, 0]], None, k=1), 1.0, steps=8)
    >>> found.best_offset, np.degrees(found.never).round(6).tolist()
    (1.0, [90.0, 270.0])
    """
    if not (math.isfinite(r) and r > 0):
        raise ValueError(f"r is {r}: give a positive radius.")
    if plane is None and router.d != 2:
        raise ValueError(f"The router has {router.d} inputs: give the plane of directions as two orthonormal rows.")
    axes = np.eye(2) if plane is None else as_float64(plane, "plane")
    if axes.shape != (2, router.d):
        raise ValueError(f"plane has shape {axes.shape}: give two rows of {router.d} numbers.")
    angles = np.linspace(0.0, 2 * math.pi, steps, endpoint=False)
    offsets = _batch(router, _towards(angles) @ axes, r)
    angle = float(angles[np.argmin(offsets)])
    half = 2 * math.pi / steps
    for _ in range(12):  # t* is quasi-convex inside a cell: zoom in on the best
        near = angle + np.linspace(-half, half, 33)
        angle = float(near[np.argmin(_batch(router, _towards(near) @ axes, r))])
        half /= 8
    best = float(_batch(router, _towards(np.array([angle])) @ axes, r)[0])
    if best > offsets.min():
        angle, best = float(angles[np.argmin(offsets)]), float(offsets.min())
    never = _wall_angles(router, axes, r)
    for a in (angles, offsets, never):
        a.setflags(write=False)
    return Directions(angles, offsets, never, angle % (2 * math.pi), best)
