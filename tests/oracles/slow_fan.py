"""A slow, obvious fan for tests: lists all C(N, k) sets, keeps those with interior, calls every pair neighbours.

More half-spaces than needed never change what they cut out, so polygons, polyhedra and patches of this fan must be
those of the real one.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from tropviz.core.count import Count
from tropviz.core.fan.record import Fan
from tropviz.core.fan.reduce import reduce
from tropviz.core.router import Router


def half_spaces(router: Router, active: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Unit normals and offsets of n.x + o >= 0 for every pair (in, out) with different rows."""
    inside, outside = list(active), [j for j in range(router.N) if j not in active]
    n = (router.W[inside][:, None] - router.W[outside][None]).reshape(-1, router.d)
    o = (router.b[inside][:, None] - router.b[outside][None]).ravel()
    first = [i < j for i in inside for j in outside]
    size = np.linalg.norm(n, axis=1)
    tied = size == 0
    if any(t and (v < 0 or (v == 0 and not f)) for t, v, f in zip(tied, o, first, strict=True)):
        return np.zeros((1, router.d)), np.array([-1.0])  # a twin of a lower index must be taken first: empty
    return n[~tied] / size[~tied, None], o[~tied] / size[~tied]


def inner_point(router: Router, active: tuple[int, ...]) -> np.ndarray | None:
    """Centre of a ball inside the cell (radius at most 1, within [-1e3, 1e3]^d), or None."""
    n, o = half_spaces(router, active)
    if not len(n):
        return np.zeros(router.d)
    a = np.hstack([-n, np.ones((len(n), 1))])
    bounds = [(-1e3, 1e3)] * router.d + [(0, 1)]
    got = linprog(np.r_[np.zeros(router.d), -1], A_ub=a, b_ub=o, bounds=bounds)
    return got.x[:-1] if got.success and got.x[-1] > 1e-7 else None


def slow_fan(router: Router) -> Fan:
    """The record of a fan without corners and rays, whose cells are cut out by half-spaces alone."""
    sets = [s for s in combinations(range(router.N), router.k) if inner_point(router, s) is not None]
    pairs = list(combinations(range(len(sets)), 2))
    nowhere, none = np.zeros((0, router.d)), (np.zeros(0, dtype=np.int64), np.zeros(len(sets) + 1, dtype=np.int64))
    return Fan(
        router=router,
        count=Count(len(sets), "exact", "all C(N, k) sets, one linear programme each"),
        active_sets=np.array(sets, dtype=np.int64).reshape(-1, router.k),
        neighbours=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        vertices=nowhere,
        directions=nowhere,
        lineality=nowhere,
        cell_vertices=none,
        cell_directions=none,
        reduced=reduce(router),
        seen=np.array([inner_point(router, s) for s in sets]),
    )
