"""The same work on many things, on threads here or on a cluster of dask: one order, so the same numbers."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tropviz.core.capture.record import Capture
from tropviz.io.text import shown
from tropviz.io.traces import read_capture

#: Seconds a scheduler has to answer.
PATIENCE = 15
#: How often a task is tried again when its worker is lost.
RETRIES = 3


def merged(
    files: Sequence[str],
    experts: int | None = None,
    scheduler: str | None = None,
    read: Callable[[str, int | None], Capture] = read_capture,
) -> Capture:
    """The capture of all files together.

    Parameters
    ----------
    files : sequence of str
        With a scheduler, paths that its workers can read.
    experts : int, optional
        As in `read_capture`.
    scheduler : str, optional
        Address of a scheduler of ``dask.distributed``; without it everything runs on threads here.
    read : function
        Reads one file.

    Raises
    ------
    ValueError
        As `read_capture` and `merge`; without the package `distributed`, or when the scheduler does not answer.
    """
    if scheduler is None:
        return _tree(each(lambda file: read(file, experts), files), Capture.merge)
    with _client(scheduler) as client:
        parts = [client.submit(read, file, experts, pure=False, retries=RETRIES) for file in files]
        whole = _tree(parts, lambda a, b: client.submit(Capture.merge, a, b, pure=False, retries=RETRIES))
        found: Capture = whole.result()
        return found


def each(
    work: Callable[[Any], Any],
    things: Sequence[Any],
    scheduler: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> list[Any]:
    """What the work makes of each thing, in the order of the things.

    Parameters
    ----------
    work : function of one thing
        With a scheduler, one that its workers can import.
    things : sequence
    scheduler : str, optional
        As in `merged`.
    progress : function, optional
        Called with the share done; what it raises stops the work.

    Raises
    ------
    ValueError
        What the work raises; and as in `merged`.
    """
    if scheduler is None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return _in_turn([pool.submit(work, thing) for thing in things], progress)
    with _client(scheduler) as client:
        return _in_turn(client.map(work, things, pure=False, retries=RETRIES), progress)


def _in_turn(futures: Sequence[Any], progress: Callable[[float], None] | None) -> list[Any]:
    out = []
    try:
        for future in futures:
            out.append(future.result())
            if progress is not None:
                progress(len(out) / len(futures))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return out


def _client(scheduler: str) -> Any:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise ValueError("--scheduler needs the package distributed: pip install distributed.") from None
    try:
        return distributed.Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError):
        what = f"--scheduler is {shown(scheduler)} and does not answer"
        raise ValueError(f"{what}: start `dask scheduler` and give its address, such as tcp://host:8786.") from None


def _tree(parts: list[Any], merge: Callable[[Any, Any], Any]) -> Any:
    """Neighbours merged in pairs until one is left: sums of floats depend on the order, so there is one."""
    while len(parts) > 1:
        pairs = [merge(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(parts) - len(parts) % 2 :]
    return parts[0]
