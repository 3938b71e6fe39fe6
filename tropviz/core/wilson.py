"""The Wilson interval: what a share seen in a sample says about the share there is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Normal quantile of a two-sided 95 % interval.
Z95 = 1.959963984540054


def wilson(share: Any, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """95 % Wilson interval of a share observed in n trials; works on arrays, honest at 0 and at 1, too.

    Parameters
    ----------
    share : float or array
        Observed share, 0 to 1.
    n : int
        Number of trials, at least 1.

    Returns
    -------
    low, high : float64, of the shape of `share`
        They hold the share itself.

    Raises
    ------
    ValueError
        For less than one trial.

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).

    Examples
    --------
    >>> low, high = wilson(0.5, 100)
    >>> print(round(low, 4), round(high, 4))
    0.4038 0.5962
    """
    if n < 1:
        raise ValueError(f"n is {n}: give at least one trial.")
    z2 = Z95 * Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * np.sqrt(share * (1 - share) / n + z2 / (4.0 * n * n))
    # the interval holds the share itself; at 0 and 1 only rounding could say otherwise
    return np.minimum(share, np.maximum(0.0, centre - half)), np.maximum(share, np.minimum(1.0, centre + half))


def wilson_of(share: float, n: int) -> tuple[float, float]:
    """`wilson` of one share, as the interval of a `Count`.

    >>> wilson_of(0.0, 40)[0], round(wilson_of(0.0, 40)[1], 3)
    (0.0, 0.088)
    """
    low, high = wilson(share, n)
    return float(low), float(high)
