"""Is the arg max of the tropical monomials the top-k set? Checked by evaluating the monomials one by one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.hypersimplex.subsets import some_sets, without
from tropviz.core.tolerance import UNIT_ROUNDOFF

#: Up to this many monomials all are evaluated.
MOST_MONOMIALS = 20_000
#: Beyond, the known cells' and a uniform sample of this size: most of the others never come near the maximum.
SAMPLE = 2000
_BLOCK = 100


@dataclass(frozen=True)
class Agreement:
    """How often the largest monomial is the top-k set's.

    Attributes
    ----------
    agreed, tested : int
        Points.
    ties : int
        Points counted as agreed because several monomials share the maximum within rounding, the top-k set's too.
    monomials, total : int
        How many monomials were evaluated at each point, of C(N,k).
    """

    agreed: int
    tested: int
    ties: int
    monomials: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether every monomial was evaluated."""
        return self.monomials == self.total


def check_argmax(router: Any, points: Any, cells: Any = (), most: int = MOST_MONOMIALS, seed: int = 0) -> Agreement:
    """Compare, at each point, the set of the largest monomial with the router's top-k set.

    The monomials are sums over explicitly listed sets; nothing is sorted, so the two ways share only the scores.

    Parameters
    ----------
    router : Router
    points : array-like (n, d)
    cells : array-like (m, k), optional
        Sets that must be among the monomials where not all are evaluated, such as all cells of the fan.
    most : int
        Up to so many, all monomials are listed; beyond, the cells' and a sample of `SAMPLE`.
    seed : int
        Of the sample.

    Examples
    --------
    >>> from tropviz import Router
    >>> check_argmax(Router([[1, 0], [0, 1], [-1, -1]], k=2), [[1.0, 0.3], [-1.0, 0.5]])
    Agreement(agreed=2, tested=2, ties=0, monomials=3, total=3)
    """
    X = np.asarray(points, dtype=np.float64)
    total = math.comb(router.N, router.k)
    sets = some_sets(router.N, router.k, most if total <= most else min(most, SAMPLE), seed)
    if len(sets) < total and len(cells):
        sets = np.concatenate([np.asarray(cells, dtype=np.int64), without(sets, cells)])
    chosen = np.zeros((len(sets), router.N))
    chosen[np.arange(len(sets))[:, None], sets] = 1.0
    top = router.active_sets(X)
    agreed = ties = 0
    for at in range(0, len(X), _BLOCK):
        block, sets_at = X[at : at + _BLOCK], top[at : at + _BLOCK]
        scores = block @ router.W.T + router.b
        values = scores @ chosen.T
        best = np.argmax(values, axis=1)
        same = (sets[best] == sets_at).all(axis=1)
        # rounding of a sum of N products of d terms, as a bound on the values compared
        size = np.abs(block) @ np.abs(router.W).T + np.abs(router.b)
        slack = 4 * (router.N + router.d) * UNIT_ROUNDOFF * size.sum(axis=1)
        own = np.take_along_axis(scores, sets_at, axis=1).sum(axis=1)
        tie = ~same & (own >= values.max(axis=1) - slack)
        agreed += int((same | tie).sum())
        ties += int(tie.sum())
    return Agreement(agreed, len(X), ties, len(sets), total)
