"""Captures of many shards, read and merged here or on a cluster of dask: the same tree, so the same numbers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from tropviz.core.capture.record import Capture
from tropviz.io.text import shown
from tropviz.io.traces import read_capture

#: Seconds a scheduler has to answer.
PATIENCE = 15
#: How often a shard is tried again when its worker is lost.
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
        Address of a scheduler of ``dask.distributed``; without it everything runs here.
    read : function
        Reads one file.

    Raises
    ------
    ValueError
        As `read_capture` and `merge`; without the package `distributed`, or when the scheduler does not answer.
    """
    if scheduler is None:
        return _tree([read(file, experts) for file in files], Capture.merge)
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise ValueError("--scheduler needs the package distributed: pip install distributed.") from None
    try:
        client = distributed.Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError):
        what = f"--scheduler is {shown(scheduler)} and does not answer"
        raise ValueError(f"{what}: start `dask scheduler` and give its address, such as tcp://host:8786.") from None
    with client:
        parts = [client.submit(read, file, experts, pure=False, retries=RETRIES) for file in files]
        whole = _tree(parts, lambda a, b: client.submit(Capture.merge, a, b, pure=False, retries=RETRIES))
        found: Capture = whole.result()
        return found


def _tree(parts: list[Any], merge: Callable[[Any, Any], Any]) -> Any:
    """Neighbours merged in pairs until one is left: sums of floats depend on the order, so there is one."""
    while len(parts) > 1:
        pairs = [merge(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(parts) - len(parts) % 2 :]
    return parts[0]
