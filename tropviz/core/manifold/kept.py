"""How many of the C(N, k) active sets one router keeps: counted where that is quick, else sampled set by set.

Whether a given set has a cell is a linear programme of N rows and d + 2 unknowns, in any dimension. A random sample of
sets so gives the share kept with an interval, where there are far too many cells to count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.special import stdtrit

from tropviz.core.count import Count
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.router import Array, Router
from tropviz.core.tolerance import CELL_DEPTH
from tropviz.core.wilson import wilson_of

Ints = NDArray[np.int64]
#: Two-sided level of Student's interval.
LEVEL = 0.95


def has_cell(router: Router, active: Ints) -> bool:
    """Whether some input has exactly this active set, with room around it.

    Parameters
    ----------
    router : Router
    active : (k,) int

    Returns
    -------
    bool
        The deepest point of the cell in the unit box (of the cone over it, for an affine router) is found by a linear
        programme; it must lie deeper than the rounding of the solver. Of copies the lowest are active first, as in
        a count of all cells; one with active and inactive copies is itself the threshold.

    Examples
    --------
    >>> router = Router([[1, 0], [0, 1], [-1, -1], [0.1, 0.1]], k=1)
    >>> [has_cell(router, np.array([i])) for i in range(4)]
    [True, True, True, False]
    >>> twins = Router([[1, 0], [1, 0], [-1, 0]], k=1)
    >>> [has_cell(twins, np.array([i])) for i in range(3)]
    [True, False, True]
    """
    first, class_of, place, copies = router.exact.classes
    used = np.bincount(class_of[active], minlength=len(first))
    split = np.flatnonzero((used > 0) & (used < copies))
    if (place[active] >= used[class_of[active]]).any() or len(split) > 1:
        return False
    W, b = (part[router._classes[1][first]] for part in router._scaled)
    W, b = _unit(W - W[0]), _unit(b - b[0])  # what all rows have in common is no gap
    lifted = np.column_stack([W, b]) if b.any() else W
    sign = np.where(used > 0, -1.0, 1.0)
    # sign * (score - threshold) + depth <= 0 for every expert; the threshold and the depth are unknowns
    depth = np.ones(len(first))
    depth[split] = 0.0
    both = np.column_stack([sign[:, None] * lifted, -sign, depth])
    both = np.concatenate([both, -both[split]])
    box = [(-1.0, 1.0)] * router.d + [(0.0, 1.0)] * (lifted.shape[1] - router.d)
    goal = np.zeros(both.shape[1])
    goal[-1] = -1.0
    found = linprog(goal, A_ub=both, b_ub=np.zeros(len(both)), bounds=[*box, (None, None), (None, 1.0)], method="highs")
    return bool(found.status == 0 and found.fun is not None and -found.fun > CELL_DEPTH)


def _unit(array: Array) -> Array:
    """The array with its largest entry brought to size 1; zeros stay."""
    size = float(np.abs(array).max(initial=0.0))
    return array / size if size > 0 else array


def random_sets(N: int, k: int, n: int, seed: int) -> Ints:
    """n uniformly random active sets (n, k), with replacement between rows."""
    random = np.random.default_rng([31, seed])
    return np.sort(np.argsort(random.random((n, N)), axis=1)[:, :k], axis=1)


def sampled_share(routers: Callable[[int], Router], N: int, k: int, n: int, seed: int = 0) -> Count:
    """Share of the C(N, k) sets that have a cell, from n random sets; set i is asked of `routers(i)`.

    Parameters
    ----------
    routers : callable
        Index to router: always the same one for its own share, a fresh random one each time for their mean share.
    N, k, n, seed : int

    Returns
    -------
    Count of kind 'sampled', with a 95 % Wilson interval.
    """
    hits = sum(has_cell(routers(i), active) for i, active in enumerate(random_sets(N, k, n, seed)))
    method = f"{hits} of {n} random active sets have a cell, by linear programming"
    return Count(hits / n, "sampled", method, "sets drawn uniformly", wilson_of(hits / n, n))


def counted_share(router: Router) -> Count:
    """Share of the C(N, k) sets that have a cell, by counting every cell.

    >>> counted_share(Router([[1, 0], [0, 1], [-1, -1], [0.1, 0.1]], k=1)).value
    0.75
    """
    count = RoutingFan(router).count
    method = f"{int(count):,} cells of C({router.N}, {router.k}), counted"
    return Count(int(count) / math.comb(router.N, router.k), count.kind, method, count.assumption)


def mean_share(routers: Sequence[Router]) -> Count:
    """Mean share of several routers, each counted, with a 95 % interval for the mean of their kind.

    Student's interval, and never narrower than Wilson's for all their sets together: routers that happen to agree, as
    when every one keeps all its sets, do not make the mean certain.
    """
    shares = np.array([counted_share(router).value for router in routers])
    n = len(shares)
    half = float(stdtrit(n - 1, 0.5 + LEVEL / 2)) * float(shares.std(ddof=1)) / math.sqrt(n)
    mean = float(shares.mean())
    sets = n * math.comb(routers[0].N, routers[0].k)
    least = wilson_of(mean, sets)
    method = f"mean of {n} random routers, each counted exactly"
    interval = (max(0.0, min(mean - half, least[0])), min(1.0, max(mean + half, least[1])))
    return Count(mean, "sampled", method, "", interval)
