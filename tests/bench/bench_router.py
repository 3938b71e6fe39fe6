"""Active sets of a million points against bare torch in the same chunks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from tests.bench.harness import Row, least, paired
from tropviz import Router
from tropviz.core import router as module


def rows() -> Iterable[Row]:
    torch.set_num_threads(1)
    random = np.random.default_rng(0)
    X, W = random.normal(size=(10**6, 64)), random.normal(size=(64, 64))
    points, weights = torch.from_numpy(X), torch.from_numpy(W.T.copy())
    router = Router(W, None, 8)
    step = module.CHUNK // 64

    def bare() -> None:
        for lo in range(0, len(points), step):
            torch.topk(points[lo : lo + step] @ weights, 8, dim=1)

    ratio = paired(lambda: router.active_sets(X), bare, repeat=5)
    yield Row("active sets of 10^6 points, N=64, d=64, k=8 : bare matmul + top-k", ratio, "<= 1.2")
    for N, d, k in ((64, 2048, 8), (128, 2048, 8), (16, 4096, 2)):
        yield Row(f"active sets, N={N}, d={d}, k={k} : bare float32 matmul + top-k", _wide(random, N, d, k), "<= 1.3")


def _wide(random: np.random.Generator, N: int, d: int, k: int) -> float:
    """A router of the width of a model, points in float32, the same chunks for both."""
    X, W = random.normal(size=(2**14, d)).astype(np.float32), random.normal(size=(N, d)).astype(np.float32)
    points, weights, router = torch.from_numpy(X), torch.from_numpy(W.T.copy()), Router(W, None, k)
    step = max(1, module.CHUNK // max(N, d // module.WIDER))

    def bare() -> None:
        for lo in range(0, len(points), step):
            torch.topk(points[lo : lo + step] @ weights, k, dim=1)

    return least(lambda: router.active_sets(X), bare, repeat=9)
