"""The lab at the size of a model: routing and capturing saved inputs against bare matmul + top-k of the same chunks."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch

from tests.bench.harness import Row, least
from tests.bench.serve import Client, server
from tropviz.core.capture import Stream, of_states
from tropviz.core.gates import Gate
from tropviz.io.shelf import VARIABLE


def rows() -> Iterable[Row]:
    torch.set_num_threads(1)
    random = np.random.default_rng(0)
    N, d, k, n = 128, 2048, 8, 2048
    gate = Gate(0, "gate", random.normal(size=(N, d)).astype(np.float32), k)
    x, weights = (
        torch.from_numpy(random.normal(size=(n, d)).astype(np.float32)),
        torch.from_numpy(gate.W.T.copy()).float(),
    )
    stream = Stream(gate, "gate")
    for _ in range(200):  # until few tokens enter the sample, as in a long run
        stream.add(x)
    ratio = least(
        lambda: stream.add(x),
        lambda: torch.topk(x @ weights, k, dim=1),
        repeat=20,
    )
    yield Row(
        "capture of saved inputs, N=128, d=2048, k=8 : bare float32 matmul + top-k",
        ratio,
        "<= 1.5",
        "moments from the scores",
    )
    yield drawn(random)


def drawn(random: np.random.Generator) -> Row:
    """The page with a real router and its tokens, read from the server's folder, against the default scene."""
    gate = Gate(0, "gate", random.normal(size=(128, 2048)), 8)
    with tempfile.TemporaryDirectory() as folder:
        of_states([gate], [random.normal(size=(3000, 2048)).astype(np.float32) + 0.3]).save(Path(folder) / "big.npz")
        with server("app.py", **{VARIABLE: folder}) as port:
            time.sleep(4)  # the warm-ups import torch in the background

            def opened(page: str, query: str) -> float:
                start = time.perf_counter()
                Client(port, page, query)
                return time.perf_counter() - start

            opened("", "v=1")
            ours = [opened("your_router", f"v=1&ys=big.npz&yp=experts&ye=0-{i}") for i in range(1, 8)]
            plain = [opened("", f"v=1&seed={i}") for i in range(1, 8)]
    ours_middle, plain_middle = statistics.median(ours), statistics.median(plain)
    note = f"{1000 * ours_middle:.0f} ms against {1000 * plain_middle:.0f} ms, each a picture never seen"
    return Row(
        "Your router, 128 x 2048 with 3,000 tokens : the default scene", ours_middle / plain_middle, "<= 3", note
    )
