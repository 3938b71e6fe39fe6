"""The second dimension of a layer: from where on its experts' hinges let the routing multiply the regions."""

from __future__ import annotations

import math
from typing import Any

from tropviz.core.count import Count
from tropviz.core.slice_law.cone_angles import log_binomials
from tropviz.core.slice_law.law import check_shape, check_width, expected_gain, log_gain

#: What the gain of a published model assumes, beside the law's own hypotheses.
MODEL = (
    "random central router and random experts of the model's shape, input that fills its hidden dimension; "
    "a shared expert, a bias and group limits are left out; a mean over weights, not this model's weights"
)


def gain_dimension(N: int, k: int, H: int) -> float:
    """d_gain: the smallest dimension in which a random layer is expected to have half of its region multiplier.

    Parameters
    ----------
    N, k : int
        Experts and active experts, 1 <= k <= N.
    H : int
        Width of an expert.

    Returns
    -------
    float
        A whole number, the least d with E[regions] / r(kH, d) >= C(N, k) / 2; 0 where C(N, k) is 1. About kH/2 + d*,
        and never above kH + N - 1, from where on the multiplier is C(N, k). `resilience_dimension` is the same question
        for the cells alone, and its answer does not grow with H.

    Raises
    ------
    ValueError
        For k outside 1 .. N, H below 1, or a shape beyond the work budget of the slice law.

    Notes
    -----
    A region of either network carries about min(d, kH/2) hinges, and its routing cell must survive in the codimension
    that is left. The gain does not fall with d (tested), so it is bisected: about log2(kH + N) sums of kH terms.

    Examples
    --------
    >>> [gain_dimension(16, 4, H) for H in (8, 32, 256)]
    [22.0, 68.0, 492.0]
    """
    (N, k), H = check_shape(N, k), check_width(H)
    if k == N:
        return 0.0
    half = math.log(math.comb(N, k)) - math.log(2)
    low, high = 0, k * H + N - 1
    hinges = log_binomials(k * H, high)
    while low < high:
        middle = (low + high) // 2
        if log_gain(N, k, middle, hinges[: middle + 1]) >= half:
            high = middle
        else:
            low = middle + 1
    return float(low)


def model_gain(N: Any, k: Any, H: Any, d: Any) -> Count:
    """Expected region multiplier of a model of this shape at its own hidden size d, with what it assumes.

    Parameters
    ----------
    N, k, H : int
        Routed experts, active ones, hidden units of one.
    d : int
        Hidden size of the model, the dimension of the router's input.

    Returns
    -------
    Count of kind 'expected', to be read beside C(N, k), which it does not exceed.

    Examples
    --------
    >>> str(model_gain(8, 2, 14336, 4096)), str(model_gain(256, 8, 2048, 7168).value)[:6]
    ('≈ 1.923', '409389')
    """
    law = expected_gain(N, k, H, d)
    return Count(law.value, "expected", f"{law.method} in d = {d}", MODEL)
