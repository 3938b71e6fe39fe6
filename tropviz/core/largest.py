"""The k largest of each row, ties to the lowest index: what a router does with its scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def largest(scores: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Indices (n, k) of the k largest entries of each row of `scores` (n, N), the largest first.

    >>> largest(np.array([[1.0, 3.0, 3.0, 2.0]]), 2).tolist()
    [[1, 2]]
    """
    return np.argsort(-scores, axis=1, kind="stable")[:, :k]


def largest_of_tensor(scores: Any, k: int) -> tuple[Any, Any]:
    """The same of a tensor, by torch: faster for many rows, but its top-k breaks ties arbitrarily.

    Parameters
    ----------
    scores : tensor (n, N)
    k : int
        Less than N, or N.

    Returns
    -------
    members : tensor (n, k) of int64
        Rows with a tie at the threshold are sorted, so that the lowest index is taken there, too.
    best : tensor (n,)
        The largest entry of each row.

    Examples
    --------
    >>> import torch
    >>> members, best = largest_of_tensor(torch.tensor([[1.0, 3.0, 3.0, 2.0], [0.0, 0.0, 0.0, 1.0]]), 2)
    >>> sorted(members[0].tolist()), members[1].tolist(), best.tolist()
    ([1, 2], [3, 0], [3.0, 1.0])
    """
    import torch

    N = scores.shape[1]
    values, order = torch.topk(scores, min(k + 1, N), dim=1)
    members = order[:, :k].contiguous()
    if k < N:
        tied = (values[:, k - 1] == values[:, k]).nonzero()[:, 0]
        if len(tied):
            members[tied] = torch.argsort(scores[tied], dim=1, descending=True, stable=True)[:, :k]
    return members, values[:, 0]
