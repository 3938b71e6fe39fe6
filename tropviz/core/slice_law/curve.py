"""The slice law of one shape as a curve over the dimension."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tropviz.core.slice_law.law import check_shape, log_shares_up_to, resilience_dimension, resilience_spread

#: Share from which on nothing is missing that a chart could show.
_WHOLE = 1 - 1e-9


@dataclass(frozen=True)
class Law:
    """Share of the C(N, k) active sets that a random router keeps in d = 1, 2, ... dimensions.

    Attributes
    ----------
    N, k : int
    affine : bool
        Routers with Gaussian biases.
    shares : (D,) float64
        Expected share in d = 1 ... D, up to the dimension that keeps everything.
    resilience_dimension, resilience_spread : float
        Where the law rises, and its standard deviation.

    Examples
    --------
    >>> law = Law(8, 2)
    >>> len(law.shares), round(float(law.shares[1]) * 28, 2), round(law.resilience_dimension, 2)
    (7, 8.07, 2.69)
    """

    N: int
    k: int
    affine: bool = False

    def __post_init__(self) -> None:
        check_shape(self.N, self.k)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Expected share in d = 1 ... D."""
        shares = np.exp(log_shares_up_to(self.N, self.k, max(1, self.N - 1), self.affine))[1:]
        whole = np.flatnonzero(shares >= _WHOLE)
        shares = shares[: whole[0] + 1] if len(whole) else shares
        shares.setflags(write=False)
        return shares

    @property
    def resilience_dimension(self) -> float:
        """d*, the mean of the law."""
        return resilience_dimension(self.N, self.k, self.affine)

    @property
    def resilience_spread(self) -> float:
        """Standard deviation of the law."""
        return resilience_spread(self.N, self.k)
