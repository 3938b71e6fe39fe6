"""Statistics of routed data: how concentrated the active sets are, and how unevenly the experts are loaded.

Two different things are measured and never mixed. *Angular collapse* is about active sets: saturation, entropy,
effective number of sets. *Load imbalance* is about experts: coefficient of variation, Switch loss. Neither tells the
other: the same even load can come from all C(N, k) sets or from N / k of them only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.router import Array
from tropviz.core.wilson import wilson_of

#: Bootstrap resamples of the entropy.
RESAMPLES = 200


def entropy_bits(counts: Any) -> float:
    """Entropy in bits of the shares counts / sum(counts).

    >>> entropy_bits([1, 1, 2]), entropy_bits([7])
    (1.5, 0.0)
    """
    c = np.asarray(counts, dtype=np.float64)
    c = c[c > 0]
    n = c.sum()
    return max(0.0, float(math.log2(n) - (c * np.log2(c)).sum() / n)) if n else 0.0


def entropy_interval(counts: Any, seed: int = 0, resamples: int = RESAMPLES) -> tuple[float, float]:
    """95 % bootstrap interval of :func:`entropy_bits`, the same for the same seed.

    The resampled entropies are lower than the observed one by about (cells - 1) / 2n nats; the interval is moved
    back by the mean of that, so that it holds the observed value.

    >>> low, high = entropy_interval([50, 50])
    >>> low < 1 <= high
    True
    """
    c = np.asarray(counts, dtype=np.float64)
    c = c[c > 0]
    n = int(c.sum())
    if len(c) < 2:
        return 0.0, 0.0
    draws = np.random.default_rng(seed).multinomial(n, c / n, size=resamples).astype(np.float64)
    logs = np.log2(draws, out=np.zeros_like(draws), where=draws > 0)
    sampled = math.log2(n) - (draws * logs).sum(axis=1) / n
    here = entropy_bits(c)
    low, high = np.quantile(sampled - sampled.mean(), [0.025, 0.975])
    return max(0.0, here + float(low)), min(math.log2(len(c)), here + float(high)) if high > 0 else here


def imbalance(load: Any) -> float:
    """Coefficient of variation of the experts' loads, population form: standard deviation over mean.

    >>> imbalance([2, 2, 2]), imbalance([1, 0])
    (0.0, 1.0)
    """
    x = np.asarray(load, dtype=np.float64)
    return float(x.std() / x.mean()) if x.sum() else 0.0


def switch_loss(load: Any, mean_gate: Any) -> float:
    """``N sum f_i P_i``: f_i the share of the n k choices that went to expert i, P_i its mean softmax probability.

    1 for a perfectly even router, up to N.

    References
    ----------
    Fedus, Zoph, Shazeer, Switch Transformers, JMLR 23 (2022), equation 4, with f_i over all k choices.

    Examples
    --------
    >>> switch_loss([5, 5], [0.5, 0.5]), switch_loss([10, 0], [1.0, 0.0])
    (1.0, 2.0)
    """
    f = np.asarray(load, dtype=np.float64)
    p = np.asarray(mean_gate, dtype=np.float64)
    return float(len(f) * (f / f.sum()) @ p) if f.sum() else 0.0


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
    """

    n: int
    N: int
    k: int
    active_sets: NDArray[np.int64]
    hits: NDArray[np.int64]
    load: NDArray[np.int64]
    mean_gate: Array
    seed: int = field(default=0, repr=False)

    @property
    def saturation(self) -> Count:
        """Share of the points in the most frequent active set; 1 = collapsed."""
        share = float(self.hits[0] / self.n)
        what = "share of the most frequent active set"
        return Count(share, "sampled", what, "95 % Wilson interval", wilson_of(share, self.n))

    @cached_property
    def entropy(self) -> Count:
        """Routing entropy in bits, over active sets."""
        low, high = entropy_interval(self.hits, self.seed)
        method = f"-sum p log2 p over active sets, {RESAMPLES} bootstrap resamples"
        return Count(entropy_bits(self.hits), "sampled", method, "95 % bootstrap interval", (low, high))

    @property
    def effective_sets(self) -> Count:
        """Effective number of active sets, 2^entropy: so many equally used sets have that entropy."""
        bits = self.entropy
        low, high = bits.interval or (0.0, 0.0)
        return Count(2.0 ** float(bits), "sampled", "2^entropy", "95 % bootstrap interval", (2.0**low, 2.0**high))

    @property
    def sets_hit(self) -> Count:
        """Different active sets of these points: exact for them; other points may reach more."""
        return Count(len(self.hits), "exact", f"distinct active sets among the {self.n:,} points drawn")

    @property
    def imbalance(self) -> float:
        """Coefficient of variation of the experts' loads (population form)."""
        return imbalance(self.load)

    @property
    def switch_loss(self) -> float:
        """``N sum f_i P_i``, 1 when even."""
        return switch_loss(self.load, self.mean_gate)


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


def mean_softmax(scores: Any) -> Array:
    """Mean over the rows of softmax(scores), shape (N,), in log-safe form.

    >>> mean_softmax([[0.0, 0.0], [1e5, 0.0]]).tolist()
    [0.75, 0.25]
    """
    s = np.asarray(scores, dtype=np.float64)
    gates = np.exp(s - s.max(axis=1, keepdims=True))
    return np.asarray((gates / gates.sum(axis=1, keepdims=True)).mean(axis=0))


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
        Of the bootstrap interval.
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
    sets, hits = occupied(router, x, members)
    load = np.bincount(sets.ravel(), weights=np.repeat(hits, router.k), minlength=router.N).astype(np.int64)
    gate = mean_softmax(router.scores(x))
    for a in (sets, hits, load, gate):
        a.setflags(write=False)
    return Routed(len(x), router.N, router.k, sets, hits, load, gate, seed)
