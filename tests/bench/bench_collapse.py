"""Collapse: a whole sweep against the bare multiplication and selection it replaces."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tests.bench.harness import Row, paired
from tropviz.core.clouds import residuals
from tropviz.core.router import Router
from tropviz.core.sweep import sweep

OFFSETS, POINTS, N, D, K = 200, 20_000, 64, 64, 8


def rows() -> Iterable[Row]:
    """Ratios of the sweep to 200 times (20,000 x 64 by 64 x 64, top 8), in double and in single precision."""
    import torch

    rng = np.random.default_rng(0)
    router = Router(rng.standard_normal((N, D)), None, K)
    u = rng.standard_normal(D)
    z = residuals(POINTS, D, spread=1.0, seed=0)
    for dtype, reach in ((torch.float64, 10.0), (torch.float64, 100.0), (torch.float32, 10.0)):
        X, W = torch.tensor(z, dtype=dtype), torch.tensor(router.W, dtype=dtype)
        offsets = np.linspace(0, reach, OFFSETS)

        def bare(X: torch.Tensor = X, W: torch.Tensor = W) -> None:
            with torch.inference_mode():
                for _ in range(OFFSETS):
                    torch.topk(X @ W.T, K, dim=1)

        def ours(offsets: np.ndarray = offsets) -> None:
            sweep(router, z, u, offsets)

        name = f"sweep of {OFFSETS} offsets to t = {reach:g} sigma, {POINTS:,} points, N = d = {N}, k = {K}"
        yield Row(name, paired(ours, bare, repeat=3), "<= 1", f"bare torch matmul + topk, {dtype}")
