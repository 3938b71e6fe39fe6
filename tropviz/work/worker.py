"""The worker's side of the pipe: receive a function, run it within its memory budget, send what came of it.

Started as ``python -c "from tropviz.work.worker import serve; serve(3)"`` and not by multiprocessing: Streamlit makes
the page ``__main__``, and spawn and forkserver would run it again in every worker.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from tropviz.work import report

#: What libraries that raise no MemoryError say when they get no memory (GEOS, torch, numpy).
NO_MEMORY = ("bad_alloc", "can't allocate", "not enough memory", "Unable to allocate")


def serve(fd: int) -> None:
    """Work for one parent until its end of the pipe closes.

    Parameters
    ----------
    fd : int
        The worker's end of a socket pair. First comes (sys.path, modules to import), then (function, args, bytes).
    """
    pipe = Connection(fd)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    report.listen(lambda kind, value: pipe.send((kind, value)))
    with suppress(EOFError, OSError):
        sys.path[:], modules = pipe.recv()
        for name in modules:
            importlib.import_module(name)
        pipe.send(("ready", None))
        while True:
            _answer(pipe, *_received(pipe))


def _received(pipe: Connection) -> tuple[Callable[..., Any], tuple[Any, ...], int]:
    """The next piece of work; what cannot be unpickled is answered as a failure."""
    while True:
        data = pipe.recv_bytes()
        try:
            fn, args, memory = _loads(data)
        except Exception as problem:
            pipe.send(("failed", f"{type(problem).__name__}: {problem}"))
        else:
            return fn, args, memory


def _loads(data: bytes) -> Any:
    import pickle

    return pickle.loads(data)


def _answer(pipe: Connection, fn: Callable[..., Any], args: tuple[Any, ...], memory: int) -> None:
    """Run one piece of work and send (state, value)."""
    _limit(memory)
    try:
        answer = ("done", fn(*args))
    except BaseException as problem:
        short = isinstance(problem, MemoryError) or any(words in str(problem) for words in NO_MEMORY)
        answer = ("memory", None) if short else ("failed", _sentence(problem))
    _limit(None)
    try:
        pipe.send_bytes(ForkingPickler.dumps(answer, 5))  # from 5 on an array is copied once, and not twice
    except (EOFError, OSError):
        raise
    except Exception as problem:  # a result that cannot be pickled
        pipe.send(("failed", f"The result cannot be handed over: {problem}"))


def _sentence(problem: BaseException) -> str:
    """A ValueError is written for people; anything else is a fault of the program and says its type."""
    return str(problem) if isinstance(problem, ValueError) else f"{type(problem).__name__}: {problem}"


def _limit(memory: int | None) -> None:
    """Allow this process so many bytes beyond what it holds now; None: any number. Linux only."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    most = resource.RLIM_INFINITY if memory is None else held() + memory
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:  # the host's own limit stays above ours
        most = hard if most == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def held() -> int:
    """Bytes that this process has reserved for data, as RLIMIT_DATA counts them.

    >>> held() > 0
    True
    """
    with open("/proc/self/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmData")).split()[1]) * 1024


def _end_with_parent(parent: int) -> None:
    """A worker in the midst of its work does not outlive a server that was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
