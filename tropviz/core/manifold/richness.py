"""How many kinds there are when only a sample was seen: the Chao1 estimator of species richness."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tropviz.core.wilson import Z95


def chao1(times: NDArray[np.int64]) -> tuple[float, tuple[float, float]]:
    """Estimated number of kinds, and its 95 % interval, from how often each seen kind was seen.

    Parameters
    ----------
    times : ndarray of int (S,)
        Sightings of each kind, all positive.

    Returns
    -------
    estimate : float
        The bias-corrected form S + (n - 1)/n f1 (f1 - 1) / (2 (f2 + 1)); f1 (f2) kinds were seen once (twice).
    interval : (float, float)
        Log-normal, never below the number seen.

    Notes
    -----
    Chao1 is a lower bound on the true number in expectation: kinds far rarer than 1/n leave no trace in the sample.

    References
    ----------
    A. Chao, Biometrics 43 (1987) 783-791; variance as in Chao and Chiu, "Species richness" (2016), equations 6-7.

    Examples
    --------
    >>> chao1(np.array([5, 5, 7]))
    (3.0, (3.0, 3.0))
    >>> estimate, (low, high) = chao1(np.array([1, 1, 1, 2, 6]))
    >>> round(estimate, 3), 5 <= low < estimate < high
    (6.364, True)
    """
    seen, n = len(times), int(times.sum())
    once, twice = int((times == 1).sum()), int((times == 2).sum())
    if once == 0 or n < 2:
        return float(seen), (float(seen), float(seen))
    a = (n - 1) / n
    unseen = a * once * (once - 1) / (2 * (twice + 1))
    variance = (
        a * once * (once - 1) / (2 * (twice + 1))
        + a**2 * once * (2 * once - 1) ** 2 / (4 * (twice + 1) ** 2)
        + a**2 * once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    )
    if unseen == 0:  # one singleton: the estimate is what was seen; one more kind is what one sighting can hide
        return float(seen), (float(seen), float(seen + 1))
    factor = math.exp(Z95 * math.sqrt(math.log1p(variance / unseen**2)))
    return seen + unseen, (seen + unseen / factor, seen + unseen * factor)
