"""Pieces of work that the tests hand to workers; two of them meet the test at named pipes instead of sleeping."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np

from tropviz.work import part, progress


def pid(*_: Any) -> int:
    """Who does the work."""
    return os.getpid()


def meet(folder: str, name: str) -> str:
    """Write its process id to `name.begun` for whoever reads there, then wait for a word in `name.go`."""
    (Path(folder) / f"{name}.begun").write_text(str(os.getpid()))
    return (Path(folder) / f"{name}.go").read_text()


def spin() -> None:
    """Never done."""
    while True:
        pass


def fill(megabytes: int) -> int:
    """Touch so much memory."""
    return len(np.ones(megabytes << 20, dtype=np.uint8))


def die() -> None:
    """Be killed from outside."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    """Say why in one sentence."""
    raise ValueError("N is 3: give at least 4.")


def unfit() -> Any:
    """A result that no pipe carries."""
    return lambda: 0


def steps(n: int) -> int:
    """Hand over n parts."""
    for i in range(n):
        progress(i / n, f"step {i}")
        part(i)
    return n


def patient(n: int) -> int:
    """Hand over n parts; who stands back behind everybody else never gets any further."""
    steps(n)
    if os.sched_getscheduler(0) == os.SCHED_IDLE:
        spin()
    part(n)
    return os.getpriority(os.PRIO_PROCESS, 0)


_KEPT: list[bytearray] = []


def keep(megabytes: int) -> int:
    """Hold on to some memory, every page of it touched, and say which process does."""
    _KEPT.append(bytearray(b"x") * (megabytes << 20))
    return os.getpid()


def learn() -> int:
    """A torch optimiser and one step of it, as a training does."""
    import torch

    x = torch.zeros(3, requires_grad=True)
    torch.optim.Adam([x]).step()
    return os.getpid()
