"""The rectifier: a router that sees ``x - lambda mu``, which is the same as a bias."""

from __future__ import annotations

from typing import Any

import numpy as np

from tropviz.core.exact_rows import products
from tropviz.core.router import Router, as_float64, as_number


def rectified(router: Router, mu: Any, strength: float = 1.0) -> Router:
    """The router behind an affine rectifier: it sees ``x - lambda mu``, which is the bias ``b - lambda W mu``.

    Parameters
    ----------
    router : Router
    mu : array-like, shape (d,)
        Mean of the data.
    strength : float
        lambda; 1 takes the whole mean away.

    Notes
    -----
    In the paper the mean is carried by a shared expert, which is not routed. A shared expert that runs in parallel
    does not change its own layer's router input: what counts is that the mean reaches the output without passing the
    router. Centring the input or this bias does the same for the router.

    Examples
    --------
    >>> plain = Router([[1, 0], [0, 1]], k=1)
    >>> rectified(plain, [5, 1]).active_sets([[5.5, 2]]).tolist(), plain.active_sets([[5.5, 2]]).tolist()
    ([[1]], [[0]])
    """
    mean = as_float64(mu, "mu")
    if mean.shape != (router.d,):
        raise ValueError(f"mu has shape {mean.shape}: give {router.d} numbers.")
    with np.errstate(all="ignore"):
        shift, left = products(np.full(router.d, -as_number(strength, "strength")), mean)
    if not left.any():
        return router.image(np.append(shift, 1.0)[None], biased=True)
    return router.image(np.append(shift, 1.0)[None], np.append(np.nan_to_num(left), 0.0)[None], biased=True)


def rectified_offset(offset: float, strength: float) -> float:
    """The offset in front of the rectifier at which the router sees the given one: ``t / (1 - lambda)``.

    >>> rectified_offset(3, 0.5), rectified_offset(3, 1.0), rectified_offset(0, 1.0)
    (6.0, inf, 0.0)
    """
    if offset == 0:
        return 0.0
    return float("inf") if strength >= 1 else offset / (1 - strength)
