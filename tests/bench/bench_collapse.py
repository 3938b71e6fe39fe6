"""Collapse: a whole sweep against the bare multiplication and selection it replaces."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable

import numpy as np

from tests.bench.harness import Row, paired
from tests.bench.serve import Client, server
from tropviz.core.collapse.clouds import residuals
from tropviz.core.collapse.ray import sweep
from tropviz.core.router import Router

OFFSETS, POINTS, N, D, K = 200, 20_000, 64, 64, 8


def page() -> Iterable[Row]:
    """One step of the offset slider, event to last message, against the smallest app; then the frames' weight."""
    query = "v=1&n=16&k=4&pts=2000&dir=-60"
    with server("app.py") as ours, server("tests/bench/peer_app.py") as theirs:
        client, peer = Client(ours, "collapse", query), Client(theirs)
        time.sleep(4)  # both warm-ups import torch in the background
        slider, fragment = client.sliders["Data offset"]
        other, _ = peer.sliders["Experts N"]
        ratios, took = [], []
        for i in range(24):
            base, _ = peer.run({other: float(8 + i % 9)})
            mine, _ = client.run({slider: 0.5 + 0.05 * i}, fragment)
            ratios.append(mine / base)
            took.append(mine)
        note = f"{1000 * statistics.median(took[4:]):.0f} ms"
        yield Row(
            "offset step, N=16, k=4, 2,000 points, against slider + text", statistics.median(ratios[4:]), "<= 4", note
        )
        turn, fragment = client.sliders["Offset direction (°)"]
        _, size = client.run({turn: -62.0}, fragment)
        yield Row("all messages of a new direction, frames included / 1.5 MB", size / 1.5e6, "<= 1", f"{size:,} bytes")


def rows() -> Iterable[Row]:
    """The page, then the sweep."""
    yield from page()
    yield from sweeps()


def sweeps() -> Iterable[Row]:
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
