"""Rows of the bench: a ratio between two things timed in turn in one run, never a time against a clock."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the report: the work, its ratio to the peer, the target, and what to know about it."""

    work: str
    ratio: float
    target: str
    note: str = ""


def paired(work: Callable[[], object], peer: Callable[[], object], repeat: int = 7) -> float:
    """Median over `repeat` of time(work) / time(peer), the two run in turn after one warm-up of each."""
    work()
    peer()
    ratios = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        middle = time.perf_counter()
        peer()
        ratios.append((middle - start) / (time.perf_counter() - middle))
    return statistics.median(ratios)
