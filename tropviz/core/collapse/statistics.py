"""Statistics of routed data: how concentrated the active sets are, and how unevenly the experts are loaded.

Two different things are measured and never mixed. *Angular collapse* is about active sets: saturation, entropy,
effective number of sets. *Load imbalance* is about experts: coefficient of variation, Switch loss. Neither tells the
other: the same even load can come from all C(N, k) sets or from N / k of them only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.collapse.entropy import estimated_entropy
from tropviz.core.collapse.fullest import fullest_interval
from tropviz.core.collapse.load import sampled_imbalance, sampled_switch_loss
from tropviz.core.count import Count
from tropviz.core.router import Array


@dataclass(frozen=True)
class Routed:
    """What a router does with n points.

    Attributes
    ----------
    n, N, k : int
    active_sets : (m, k) int64
        The sets hit, most frequent first (then in lexicographic order).
    hits : (m,) int64
        Points in each of them; they sum to n.
    load : (N,) int64
        Points that use each expert; they sum to n k.
    mean_gate : (N,) float64
        Mean softmax probability of each expert over the points.
    switch_loss : Count
        ``N sum f_i P_i``, 1 when even.
    """

    n: int
    N: int
    k: int
    active_sets: NDArray[np.int64]
    hits: NDArray[np.int64]
    load: NDArray[np.int64]
    mean_gate: Array
    switch_loss: Count

    @property
    def saturation(self) -> Count:
        """Share of the points in the most frequent active set; 1 = collapsed."""
        low, high = fullest_interval(int(self.hits[0]), self.n)
        note = "95 % interval that allows for picking the fullest set after the fact"
        share = float(self.hits[0] / self.n)
        return Count(share, "sampled", "share of the most frequent active set", note, (float(low), float(high)))

    @cached_property
    def entropy(self) -> Count:
        """Routing entropy of all such data in bits, over active sets; a lower bound where too little has been seen."""
        found = estimated_entropy(self.hits, math.log2(math.comb(self.N, self.k)))
        if found.interval is None:
            note = "holds for 95 of 100 samples; too many sets were hit once, if at all, for an estimate"
            return Count(found.bound, "lower", "-sum p log2 p over active sets, from below", note)
        method = "-sum p log2 p over active sets, with an allowance for those not hit"
        return Count(found.estimate, "sampled", method, "95 % interval", found.interval)

    @property
    def effective_sets(self) -> Count:
        """Effective number of active sets, 2^entropy: so many equally used sets have that entropy."""
        bits = self.entropy
        interval = None if bits.interval is None else (2.0 ** bits.interval[0], 2.0 ** bits.interval[1])
        return Count(2.0 ** float(bits), bits.kind, "2^entropy", bits.assumption, interval)

    @property
    def sets_hit(self) -> Count:
        """Different active sets of these points: exact for them; other points may reach more."""
        return Count(len(self.hits), "exact", f"distinct active sets among the {self.n:,} points drawn")

    @cached_property
    def imbalance(self) -> Count:
        """Coefficient of variation of the experts' loads (population form)."""
        return sampled_imbalance(self.active_sets, self.hits, self.N)


def set_codes(N: int) -> NDArray[np.int64]:
    """One 64-bit code an expert; a set is named by the sum of its codes.

    Up to 63 experts they are bits and every name is exact; beyond, random numbers, and two of a million sets share a
    name with a probability of 3e-8.

    >>> set_codes(3).tolist()
    [1, 2, 4]
    """
    if N <= 63:
        return np.left_shift(np.int64(1), np.arange(N, dtype=np.int64))
    return np.random.default_rng(N).integers(-(2**62), 2**62, size=N, dtype=np.int64)


def softmax(scores: Any) -> Array:
    """softmax of each row, in log-safe form.

    >>> softmax([[0.0, 0.0], [1e5, 0.0]]).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    s = np.asarray(scores, dtype=np.float64)
    gates = np.exp(s - s.max(axis=1, keepdims=True))
    gates /= gates.sum(axis=1, keepdims=True)
    return np.asarray(gates)


def occupied(router: Any, X: Any, members: Any = None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Active sets the points hit, fullest first (then in lexicographic order), and how many points each holds.

    Parameters
    ----------
    router : Router
    X : array-like, shape (n, d)
    members : (n, k) int64, optional
        ``router.active_sets(X)``, where it is known already.

    Returns
    -------
    sets : (m, k) int64
    hits : (m,) int64

    Examples
    --------
    >>> from tropviz.core.router import Router
    >>> sets, hits = occupied(Router([[1, 0], [0, 1]], k=1), [[0, 1], [2, 1], [1, 0]])
    >>> sets.tolist(), hits.tolist()
    ([[0], [1]], [2, 1])
    """
    members = router.active_sets(X) if members is None else members
    # one number a set: sorting numbers is ten times faster than sorting rows
    _, first, hits = np.unique(set_codes(router.N)[members].sum(axis=1), return_index=True, return_counts=True)
    sets = members[first]
    order = np.lexsort((*sets.T[::-1], -hits))
    return sets[order], hits[order]


def routed(router: Any, X: Any, seed: int = 0, members: Any = None) -> Routed:
    """Route the points and count.

    Parameters
    ----------
    router : Router
    X : array-like, shape (n, d)
        At least one point.
    seed : int
        Of no effect: the intervals are not drawn.
    members : (n, k) int64, optional
        ``router.active_sets(X)``, where it is known already.

    Raises
    ------
    ValueError
        For an empty table.

    Examples
    --------
    >>> from tropviz.core.router import Router
    >>> seen = routed(Router([[1, 0], [0, 1], [-1, -1]], k=1), [[2, 1], [3, 1], [0, 1], [1, 0]])
    >>> seen.active_sets.tolist(), seen.hits.tolist(), seen.load.tolist()
    ([[0], [1]], [3, 1], [3, 1, 0])
    """
    x = np.asarray(X, dtype=np.float64)
    if x.ndim != 2 or not len(x):
        raise ValueError(f"X has shape {x.shape}: give a table with at least one point.")
    members = router.active_sets(x) if members is None else members
    sets, hits = occupied(router, x, members)
    load = np.bincount(sets.ravel(), weights=np.repeat(hits, router.k), minlength=router.N).astype(np.int64)
    gates = softmax(router.scores(x))
    mean, loss = gates.mean(axis=0), sampled_switch_loss(members, gates)
    for a in (sets, hits, load, mean):
        a.setflags(write=False)
    return Routed(len(x), router.N, router.k, sets, hits, load, mean, loss)
