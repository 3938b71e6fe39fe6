"""The balancing bias: the bias under which every expert gets the same share of the data, as far as any bias can.

``b`` minimises ``mean e_k(W x + b) - (k / N) sum b`` over the data: convex, with gradient load - k/N, where the load of
an expert is the share of points it is active at. It is the bias that the selection-only rule of auxiliary-loss-free
balancing looks for step by step, and exactly a linear programme: its dual hands every point to k experts, every expert
to a share k/N of the points, at the largest total score (a transport problem).

The hand-over is softened by an entropy (each choice is a share between 0 and 1), where Newton's method finds the
minimum, and then hardened. In small problems the linear programme is solved, too, and has the last word. Either way the
shares are a solution of the dual, so the gap between the two objectives certifies how far from optimal the bias is.

References
----------
L. Wang, H. Gao, C. Zhao, X. Sun, D. Dai, Auxiliary-loss-free load balancing strategy for mixture-of-experts,
arXiv 2408.15664 (2024), the rule; M. Cuturi, Sinkhorn distances, NeurIPS 2013, the entropy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import eye_array, kron, vstack
from scipy.special import expit, xlogy

from tropviz.core.router import Array, Router
from tropviz.core.tolerance import BALANCE_STEP, BALANCED

#: Scores up to which the transport problem is given to a linear programme as it is.
SMALL = 2000
#: Newton steps at one softness, and halvings of one step.
STEPS, HALVINGS = 30, 40
#: Softness that the search starts with, in units of the largest difference of scores.
SOFTEST = 0.1
#: Most scores (points times experts) that are balanced at a time, at about 30 microseconds each.
MOST_SCORES = 2**21


@dataclass(frozen=True)
class Balance:
    """A balancing bias with its certificate.

    Attributes
    ----------
    bias : ndarray (N,)
        Its entries sum to 0; adding one number to all of them changes no routing.
    value : float
        mean e_k(W x + b) - (k/N) sum b at it.
    bound : float
        No bias has a smaller value (but for rounding).
    load : ndarray (N,)
        Share of the points at which each expert is active with this bias; k/N would be even.
    """

    bias: Array
    value: float
    bound: float
    load: Array

    @property
    def gap(self) -> float:
        """How far from optimal the bias may be, in units of the scores."""
        return max(0.0, self.value - self.bound)


def balancing_bias(router: Router, X: NDArray[np.float64]) -> Array:
    """The bias that balances a router on some data, in place of its own.

    Parameters
    ----------
    router : Router
        Its W, N and k count; its own bias is replaced.
    X : array-like (n, d)
        At least one point.

    Returns
    -------
    b : (N,) float64, read-only, with sum 0

    Raises
    ------
    ValueError
        For an empty table, or more than two million scores.

    Examples
    --------
    >>> router = Router([[1.0, 0.0], [0.0, 1.0]], k=1)
    >>> X = [[3.0, 0.0], [4.0, 1.0], [5.0, 1.0], [6.0, 1.0]]
    >>> b = balancing_bias(router, X)
    >>> router.active_sets(X).ravel().tolist(), Router(router.W, b, 1).active_sets(X).ravel().tolist()
    ([0, 0, 0, 0], [1, 1, 0, 0])
    """
    return balance(router, X).bias


def balance(router: Router, X: NDArray[np.float64]) -> Balance:
    """`balancing_bias` with its certificate; parameters and errors are the same."""
    n, N = len(X), router.N
    if n * N > MOST_SCORES:
        raise ValueError(f"{n:,} points and {N} experts are too many: use at most {MOST_SCORES // N:,} points.")
    scores = Router(router.W, None, router.k).scores(X)
    if not n:
        raise ValueError(f"X has shape {scores.shape}: give a table with at least one point.")
    scale = float(np.ptp(scores, axis=1).max())
    b = np.zeros(N)
    share = np.full_like(scores, router.k / N)
    if scale > 0 and router.k < N:
        # The minimum only depends on what each point says of experts against each other.
        relative = (scores - scores.mean(axis=1, keepdims=True)) / scale
        b, share = _anneal(relative, router.k)
        if n * N <= SMALL:
            corner, share = _programme(relative, router.k)
            if _value(relative, b, router.k) > _value(relative, corner, router.k) + BALANCED:
                b = corner  # a corner of the optimal ones: right, but with ties where others have none
        b = b * scale
    b = b - b.mean()
    value = _value(scores, b, router.k)
    # Weak duality: the value of any b' is at least sum_i share s + b' . (column means - k/N); the last part vanishes
    # but for rounding, and an optimal b' is no longer than the scores are apart.
    off = float(np.abs(share.mean(axis=0) - router.k / N).sum())
    bound = float((share * scores).sum(axis=1).mean()) - 2 * scale * off
    sets = Router(router.W, b, router.k).active_sets(X)
    load = np.bincount(sets.ravel(), minlength=N) / n
    for a in (b, load):
        a.setflags(write=False)
    return Balance(b, value, bound, load)


def _value(scores: Array, b: Array, k: int) -> float:
    """The objective, mean e_k(scores + b) - (k/N) sum b."""
    return float(np.partition(scores + b, -k, axis=1)[:, -k:].sum(axis=1).mean() - k * b.mean())


def _programme(scores: Array, k: int) -> tuple[Array, Array]:
    """Bias and shares (n, N): the largest total score with k experts a point and k/N of the points an expert."""
    n, N = scores.shape
    points, experts = kron(eye_array(n), np.ones((1, N))), kron(np.ones((1, n)), eye_array(N))
    given = np.concatenate([np.full(n, float(k)), np.full(N, n * k / N)])
    rows = vstack([points, experts]).toarray()
    found = linprog(-scores.ravel(), A_eq=rows, b_eq=given, bounds=(0.0, 1.0), method="highs")
    if found.x is None:  # there is a solution: k/N each
        raise ArithmeticError(f"The balancing programme was not solved: {found.message}")
    return np.asarray(found.eqlin.marginals[n:]), found.x.reshape(n, N)


def _anneal(scores: Array, k: int) -> tuple[Array, Array]:
    """Bias and shares (n, N) of the soft problem, made harder until the certified gap is small or rounding wins."""
    N = scores.shape[1]
    b, theta, softness = np.zeros(N), None, SOFTEST
    best: tuple[float, Array, Array] | None = None
    while best is None or (best[0] > BALANCED and softness > BALANCED**2):
        b, share, theta = _newton(scores, k, b, softness, theta)
        gap = _value(scores, b, k) - float((share * scores).sum(axis=1).mean())
        gap += 2 * float(np.abs(share.mean(axis=0) - k / N).sum())
        if best is not None and gap > best[0]:
            break
        best = gap, b, share
        softness *= BALANCE_STEP
    return best[1], best[2]


def _newton(scores: Array, k: int, b: Array, softness: float, theta: Array | None) -> tuple[Array, Array, Array]:
    """Minimum of the soft objective at one softness, from a bias near it."""
    n, N = scores.shape
    theta = _thresholds(scores + b, k, softness, theta)
    value, share = _soft(scores + b, k, softness, theta)
    value -= k * b.mean()
    for _ in range(STEPS):
        gradient = share.mean(axis=0) - k / N
        if np.abs(gradient).sum() < BALANCED / 10:
            break
        slope = share * (1 - share)
        total = np.maximum(slope.sum(axis=1), np.finfo(float).tiny)
        hessian = np.diag(slope.mean(axis=0)) - (slope / total[:, None]).T @ slope / n
        # Along (1, ..., 1) nothing changes; a little of the identity keeps flat directions from running away.
        hessian += (np.trace(hessian) / N * BALANCED + np.finfo(float).tiny) * np.eye(N) + 1 / (N * n)
        step = -softness * np.linalg.solve(hessian, gradient)
        step *= min(1.0, 1.0 / np.abs(step).max())
        for _ in range(HALVINGS):
            new = b + step
            at = _thresholds(scores + new, k, softness, theta + slope @ step / total)
            after, shares = _soft(scores + new, k, softness, at)
            after -= k * new.mean()
            if after <= value + 1e-4 * float(gradient @ step):
                break
            step = step / 2
        else:
            break
        b, value, share, theta = new, after, shares, at
    return b, share, theta


def _thresholds(scores: Array, k: int, softness: float, start: Array | None) -> Array:
    """theta (n,) with sum_i expit((s_i - theta) / softness) = k in every row: Newton inside a bracket."""
    ordered = np.partition(scores, (-k - 1, -k), axis=1)
    N = scores.shape[1]
    # The k-th and (k+1)-th largest are at least half in, at most half in, up to what the others add.
    reach = softness * np.log(2.0 * N)
    low, high = ordered[:, -k - 1] - reach, ordered[:, -k] + reach
    theta = (low + high) / 2 if start is None else np.clip(start, low, high)
    for _ in range(60):
        share = expit((scores - theta[:, None]) / softness)
        excess = share.sum(axis=1) - k
        if np.abs(excess).max() < 1e-13 * N:
            break
        low, high = np.where(excess > 0, theta, low), np.where(excess < 0, theta, high)
        slope = (share * (1 - share)).sum(axis=1) / softness
        with np.errstate(divide="ignore", invalid="ignore"):
            new = theta + excess / slope
        theta = np.where((new > low) & (new < high), new, (low + high) / 2)
    return theta


def _soft(scores: Array, k: int, softness: float, theta: Array) -> tuple[float, Array]:
    """Mean soft e_k and the shares (n, N)."""
    share = expit((scores - theta[:, None]) / softness)
    entropy = -(xlogy(share, share) + xlogy(1 - share, 1 - share)).sum(axis=1)
    return float(((share * scores).sum(axis=1) + softness * entropy).mean()), share
