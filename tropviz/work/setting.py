"""Settings of the server: whole numbers of its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping


def whole(name: str, default: int, least: int = 1, environment: Mapping[str, str] = os.environ) -> int:
    """A whole number that the environment sets; ValueError in one sentence.

    >>> whole("TROPVIZ_SESSIONS", 200, environment={})
    200
    >>> whole("TROPVIZ_SESSIONS", 200, environment={"TROPVIZ_SESSIONS": "-3"})
    Traceback (most recent call last):
    ValueError: TROPVIZ_SESSIONS is '-3': give a whole number of at least 1.
    """
    text = environment.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        raise ValueError(f"{name} is {text[:40]!r}: give a whole number of at least {least}.")
    return int(text)
