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
        self.power = -int(np.frexp(top)[1])
        rows, bias = np.ldexp(rows, self.power), np.ldexp(bias, self.power)
        reach = float(np.sqrt(np.square(rows).sum(axis=1)).max())
        d = rows.shape[1]
        terms = min(d, BLOCK) + -(-d // BLOCK) + 4
        self._slope = terms * UNIT_ROUNDOFF_32 * reach * (1 + 4 * d * UNIT_ROUNDOFF_32)
        self._offset = 4 * UNIT_ROUNDOFF_32 * float(np.abs(bias).max())
        self.able = top > 0 and reach > QUICK_FLOOR
        self._weights = torch.from_numpy(np.ascontiguousarray(rows.T.astype(np.float32)))
        self._bias = torch.from_numpy(bias.astype(np.float32)) if bias.any() else None
        self._class_of = None if class_of is None else torch.from_numpy(class_of)

    def scores(self, points: Any) -> Any:
        """Scores in units of 2^-`power`, (n, d) float32 tensor -> (n, N)."""
        d = points.shape[1]
        scores = points[:, :BLOCK] @ self._weights[:BLOCK]
        for lo in range(BLOCK, d, BLOCK):
            # Summed apart from what is there: a product that adds to it in place may do so term by term.
            scores += points[:, lo : lo + BLOCK] @ self._weights[lo : lo + BLOCK]
        if self._bias is not None:
            scores += self._bias
        return scores if self._class_of is None else scores[:, self._class_of]

    def certain(self, scores: Any, size: Any, k: int) -> tuple[Any, Any]:
        """Active sets by these scores, and where they are not certain.

        Parameters
        ----------
        scores : (n, N) float32 tensor
        size : (n,) float32 tensor
            Length of each point.
        k : int
            Less than N.

        Returns
        -------
        sets : (n, k) int64 array
            Rows sorted; of no meaning where they are not certain.
        doubtful : (m,) int64 array
            Rows that float64 has to decide.
        """
        values, length = scores.numpy(), size.numpy()
        cut = values.shape[1] - k
        ordered = np.sort(values, axis=1)  # numpy sorts short rows in vector registers: faster than any selection
        below = ordered[:, cut - 1].copy()
        with np.errstate(invalid="ignore"):
            wide = ordered[:, cut] - below > 2 * (self._slope * length + self._offset)
        sure = wide & (length > 1 / QUICK_RANGE) & (length < QUICK_RANGE)
        doubtful = np.flatnonzero(~sure)
        below[doubtful] = np.inf
        found = np.flatnonzero(values > below[:, None]).reshape(-1, k) % values.shape[1]
        if not len(doubtful):
            return found, doubtful
        sets = np.zeros((len(values), k), np.int64)
        sets[sure] = found
        return sets, doubtful

    def active_sets(self, points: Any, k: int) -> tuple[Any, Any]:
        """Active sets of points, (n, d) float32 tensor, as `certain` gives them."""
        import torch

        return self.certain(self.scores(points), torch.linalg.vector_norm(points, dim=1), k)
