"""Active sets in float32 with proof: rows whose gap at the cut is within the rounding bound are told to look twice."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.tolerance import QUICK_FLOOR, QUICK_RANGE, UNIT_ROUNDOFF_32

#: Columns multiplied at once: the error of a dot product grows with its length, that of a sum of blocks with a block's.
BLOCK = 256


def full_precision() -> bool:
    """Whether torch multiplies float32 in float32 on this machine, and not, as it was told to, in bfloat16 or tf32."""
    import torch

    return torch.backends.mkldnn.matmul.fp32_precision in ("none", "ieee")


class Quick:
    """A router in float32.

    Parameters
    ----------
    rows : (C, d) float64
        Distinct experts.
    bias : (C,) float64
    class_of : (N,) int64 or None
        Which row each expert has; None where all are distinct.

    Notes
    -----
    A float32 score differs from the true one by at most (B + d / B + 4) u |w| |x| + 4 u |b|, u = 2^-24, whatever the
    order of summation inside a block of B columns [1]. Where the k-th and the next score are further apart than twice
    that, the set is that of exact arithmetic.

    References
    ----------
    .. [1] N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), section 3.1.
    """

    def __init__(self, rows: NDArray[np.float64], bias: NDArray[np.float64], class_of: Any = None) -> None:
        import torch

        top = max(float(np.abs(rows).max()), float(np.abs(bias).max()))
        power = -int(np.frexp(top)[1])
        rows, bias = np.ldexp(rows, power), np.ldexp(bias, power)
        reach = float(np.sqrt(np.square(rows).sum(axis=1)).max())
        d = rows.shape[1]
        terms = min(d, BLOCK) + -(-d // BLOCK) + 4
        self._slope = terms * UNIT_ROUNDOFF_32 * reach * (1 + 4 * d * UNIT_ROUNDOFF_32)
        self._offset = 4 * UNIT_ROUNDOFF_32 * float(np.abs(bias).max())
        self.able = top > 0 and reach > QUICK_FLOOR
        self._weights = torch.from_numpy(np.ascontiguousarray(rows.T.astype(np.float32)))
        self._bias = torch.from_numpy(bias.astype(np.float32)) if bias.any() else None
        self._class_of = None if class_of is None else torch.from_numpy(class_of)

    def active_sets(self, points: Any, k: int) -> tuple[Any, Any]:
        """Active sets, (n, d) float32 tensor -> (n, k) int64 tensor, unsorted, and (n,) bool: which are not certain."""
        import torch

        d = points.shape[1]
        scores = points[:, :BLOCK] @ self._weights[:BLOCK]
        for lo in range(BLOCK, d, BLOCK):
            scores += points[:, lo : lo + BLOCK] @ self._weights[lo : lo + BLOCK]
        if self._bias is not None:
            scores += self._bias
        if self._class_of is not None:
            scores = scores[:, self._class_of]
        best = torch.topk(scores, k + 1, dim=1)
        gap = best.values[:, k - 1] - best.values[:, k]
        size = torch.linalg.vector_norm(points, dim=1)
        sure = (gap > 2 * (self._slope * size + self._offset)) & (size > 1 / QUICK_RANGE) & (size < QUICK_RANGE)
        return best.indices[:, :k], ~sure
