"""e_k at a temperature: the maximum over all active sets softened to tau ln of a sum, and its gradient.

`soft_top(s, k, tau) = tau ln sum over |S| = k of exp(s_S / tau)`, s_S the sum of the scores in S: the logarithm of an
elementary symmetric polynomial. As tau falls it tends to e_k, the sum of the k largest scores (Maslov's dequantisation:
tropical algebra as the limit of ordinary algebra). Because the sum has C(N,k) terms, the largest among them,
``0 <= soft_top - e_k <= tau ln C(N,k)``, with equality on the right where all scores are equal.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Most numbers of one table of the recursion: scores are taken in blocks of rows beyond.
MOST_NUMBERS = 4_000_000


def most_added(N: int, k: int, tau: float) -> float:
    """The most that softening adds to e_k: tau ln C(N,k).

    >>> round(most_added(4, 2, 1.0), 4)
    1.7918
    """
    return tau * math.log(math.comb(N, k))


def soft_top(scores: Any, k: int, tau: float) -> tuple[Floats, Floats]:
    """The softened e_k, and its gradient with respect to the scores.

    Parameters
    ----------
    scores : array-like (n, N)
    k : int
        1 <= k <= N - 1.
    tau : float
        Temperature, > 0.

    Returns
    -------
    values : ndarray (n,)
    shares : ndarray (n, N)
        The gradient: how much each expert takes part, in [0, 1], with sum k: a point of Delta(k,N). It is the expected
        corner under the Gibbs law exp(s_S / tau); k/N everywhere as tau grows, the corner of the top k as it falls.

    Raises
    ------
    ValueError
        For scores that are not finite, another k, or a temperature that is not a positive number.

    Notes
    -----
    O(N k) a row, in logs: prefixes F[i, j] = ln e_j(first i), suffixes likewise; with both,
    share_i = exp(s_i/tau) sum_j e_j(before i) e_{k-1-j}(after i) / e_k has terms of one sign, so that no digit cancels.

    Examples
    --------
    >>> value, share = soft_top([[0.0, 0, 0, 0]], 2, 1.0)
    >>> value.round(4).tolist(), share.round(12).tolist()
    ([1.7918], [[0.5, 0.5, 0.5, 0.5]])
    >>> soft_top([[3.0, 1, 2, 0]], 2, 0.01)[1].round(6).tolist()
    [[1.0, 0.0, 1.0, 0.0]]
    """
    s = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    if s.ndim != 2 or not np.isfinite(s).all():
        raise ValueError("scores must be a table (n, N) of finite numbers.")
    N = s.shape[1]
    if not 1 <= k <= N - 1:
        raise ValueError(f"k = {k} must be from 1 to N - 1 = {N - 1}.")
    if not (math.isfinite(tau) and tau > 0):
        raise ValueError(f"tau = {tau} must be a positive number; the sharp e_k is the sum of the k largest scores.")
    top = np.sort(s, axis=1)[:, N - k :]
    middle = top[:, :1]  # taken off first: what is left is the distance from the k-th largest score
    block = max(1, MOST_NUMBERS // ((N + 1) * (k + 1)))
    parts = [_soft((s[i : i + block] - middle[i : i + block]) / tau, k) for i in range(0, len(s), block)]
    logs, shares = (np.concatenate([part[which] for part in parts] or [s[:, 0]]) for which in (0, 1))
    return k * middle[:, 0] + tau * logs, shares


def _soft(u: Floats, k: int) -> tuple[Floats, Floats]:
    """ln e_k(exp u) and its gradient."""
    before, after = _prefixes(u, k), _prefixes(u[:, ::-1], k)[::-1]
    total = before[-1, :, k]
    # share_i: i chosen, j of those before it, k - 1 - j of those after it
    pairs = before[:-1, :, :k] + after[1:, :, k - 1 :: -1] if k > 1 else before[:-1, :, :1] + after[1:, :, :1]
    with np.errstate(invalid="ignore"):
        logs = np.logaddexp.reduce(pairs, axis=2).T + u - total[:, None]
    return total, np.clip(np.exp(logs), 0.0, 1.0)


def _prefixes(u: Floats, k: int) -> Floats:
    """ln e_j of the first i entries, as (N + 1, n, k + 1)."""
    n, N = u.shape
    out = np.full((N + 1, n, k + 1), -np.inf)
    out[:, :, 0] = 0.0
    for i in range(N):
        out[i + 1, :, 1:] = np.logaddexp(out[i, :, 1:], out[i, :, :-1] + u[:, i, None])
    return out


def sharp_top(scores: Any, k: int) -> Floats:
    """e_k itself: the sum of the k largest scores of each row.

    >>> sharp_top([[3.0, 1, 2, 0]], 2).tolist()
    [5.0]
    """
    s = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    return np.sort(s, axis=1)[:, s.shape[1] - k :].sum(axis=1)
