"""How many kinds there are at least when only a sample was seen: the Chao1 bound of species richness."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def chao1(times: NDArray[np.int64]) -> float:
    """Number of kinds that there are at least, from how often each seen kind was seen.

    Parameters
    ----------
    times : ndarray of int (S,)
        Sightings of each kind, all positive.

    Returns
    -------
    float
        The bias-corrected form S + (n - 1)/n f1 (f1 - 1) / (2 (f2 + 1)); f1 (f2) kinds were seen once (twice).

    Notes
    -----
    A lower bound on the true number in expectation: kinds far rarer than 1/n leave no trace in the sample. No sample
    gives an upper one, so there is no interval.

    References
    ----------
    A. Chao, Biometrics 43 (1987) 783-791; bias-corrected as in Chao and Chiu, "Species richness" (2016).

    Examples
    --------
    >>> chao1(np.array([5, 5, 7])), round(chao1(np.array([1, 1, 1, 2, 6])), 3)
    (3.0, 6.364)
    """
    seen, n = len(times), int(times.sum())
    once, twice = int((times == 1).sum()), int((times == 2).sum())
    return seen + (n - 1) / max(n, 1) * once * (once - 1) / (2 * (twice + 1))
