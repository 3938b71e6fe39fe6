"""Active sets of a million points against bare torch in the same chunks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from tests.bench.harness import Row, paired
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
