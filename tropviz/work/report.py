"""What a piece of work says while it runs: how far it is, and parts of its result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

#: Seconds between two reports of progress: more would only be read away.
PAUSE = 0.05
#: Where reports go: nowhere outside a worker, so that the same function runs anywhere.
_send: Callable[[str, Any], None] | None = None
_last = 0.0


def progress(share: float, text: str = "") -> None:
    """Say how much of the work is done.

    Parameters
    ----------
    share : float
        From 0 to 1.
    text : str
        What is being done.

    Notes
    -----
    Outside a worker nothing happens. Reports that follow each other faster than `PAUSE` are dropped.

    Examples
    --------
    >>> progress(0.5, "halfway")
    """
    global _last
    if _send is not None and (now := time.monotonic()) - _last > PAUSE:
        _last = now
        _send("progress", (min(max(float(share), 0.0), 1.0), text))


def part(value: Any) -> None:
    """Hand over a part of the result at once; none is dropped, and they keep their order.

    Parameters
    ----------
    value : object
        Anything that can be pickled.

    Examples
    --------
    >>> part((2, "cells"))
    """
    if _send is not None:
        _send("part", value)


def listen(send: Callable[[str, Any], None] | None) -> None:
    """Where reports go from now on; None: nowhere.

    >>> heard = []
    >>> listen(lambda kind, value: heard.append((kind, value)))
    >>> part("a"), listen(None), part("b"), heard
    (None, None, None, [('part', 'a')])
    """
    global _send
    _send = send
