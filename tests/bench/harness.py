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


def least(work: Callable[[], object], peer: Callable[[], object], repeat: int = 40) -> float:
    """Least processor time of work / least of peer over `repeat` turns: for milliseconds on a shared machine."""
    times = []
    for _ in range(repeat + 1):  # the first turn warms up
        start = time.process_time()
        work()
        middle = time.process_time()
        peer()
        times.append((middle - start, time.process_time() - middle))
    return min(t for t, _ in times[1:]) / min(t for _, t in times[1:])
