"""The lab at the size of a model: routing and capturing saved inputs against bare matmul + top-k of the same chunks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from tests.bench.harness import Row, least
from tropviz.core.capture import Stream
from tropviz.core.gates import Gate


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
