"""Slice law: all dimensions of (256, 8), cold, against evaluating its integrands once and nothing else."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import numpy as np
from scipy.special import log_ndtr, wofz

from tests.bench.harness import Row, paired
from tropviz.core.slice_law import cone_angles as ca
from tropviz.core.slice_law import law


def integrands(N: int, k: int) -> None:
    """Every w and Phi at every node, the powers, one exponential each: what no method of this kind can leave out."""
    p, q = (axis.ravel().astype(float) for axis in np.meshgrid(range(1, k + 1), range(1, N - k + 1), indexing="ij"))
    n = p + q
    order = np.argsort(n, kind="stable")
    for rows in np.array_split(order, 12):
        u = ca._beta_nodes(int(n[rows].min()))
        at, width = ca._saddle(p[rows], q[rows])
        z = (width[:, None] * np.sinh(u) - 1j * at[:, None]) / math.sqrt(2)
        np.exp(p[rows, None] * np.log(wofz(-z)) + q[rows, None] * np.log(wofz(z)))
    step = ca.QUADRATURE_STEP_LINE / math.sqrt(N)
    t = np.arange(-ca.QUADRATURE_REACH, ca.QUADRATURE_REACH, step)
    np.exp(np.stack([n, k - p, N - k - q], axis=1) @ np.stack([-t * t / 2, log_ndtr(-t), log_ndtr(t)]))


def cold(N: int, k: int) -> None:
    law._table.cache_clear()
    ca._saddle_table.cache_clear()
    for d in range(1, N):
        law.expected_cells(N, k, d)


def rows() -> Iterator[Row]:
    with np.errstate(all="ignore"):
        start = time.perf_counter()
        cold(256, 8)
        first = time.perf_counter() - start
        yield Row(
            "slice law (256,8), all d, cold / its integrands once",
            paired(lambda: cold(256, 8), lambda: integrands(256, 8)),
            "<= 3",
            f"first call {first:.2f} s",
        )
        yield Row(
            "slice law (512,256), all d, cold / its integrands once",
            paired(lambda: cold(512, 256), lambda: integrands(512, 256), repeat=1),
            "-",
        )
