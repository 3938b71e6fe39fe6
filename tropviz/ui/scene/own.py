"""What one session brought with it: an uploaded router, its own data points."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tropviz.io.read import LayerFile, RouterFile
from tropviz.language import say

_TOKENS = itertools.count(1)
#: Most bytes of numbers that all sessions together may have brought; those of one are bounded where it brings them.
EVERYBODYS = 800_000_000


@dataclass(frozen=True, eq=False)
class Own:
    """A thing of one session. What was computed from it is kept on it, so it goes when the session goes.

    Attributes
    ----------
    token : int
        Tells any two things of the process apart.
    answers : dict
        What `tropviz.ui.scene.derived` keeps of it.
    """

    token: int = field(default_factory=lambda: next(_TOKENS), init=False)
    answers: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to a worker: the thing and its token, without what was computed from it here."""
        return {**self.__dict__, "answers": {}}


@dataclass(frozen=True, eq=False)
class Upload(Own):
    """An accepted router file."""

    file: RouterFile | LayerFile


@dataclass(frozen=True, eq=False)
class Points(Own):
    """Accepted points X (n, d), and the name of their file."""

    name: str
    X: NDArray[np.float64]


T = TypeVar("T", bound=Own)
_LOCK = threading.Lock()
_THERE: weakref.WeakKeyDictionary[Own, int] = weakref.WeakKeyDictionary()


def admitted(thing: T, size: int) -> T:
    """A thing of so many bytes that a session has brought, if there is room for it beside all others'.

    Raises
    ------
    ValueError
        One sentence, if there is none.

    Examples
    --------
    >>> admitted(Points("mine", np.zeros((2, 2))), 32).name
    'mine'
    """
    with _LOCK:
        if sum(_THERE.values()) + size > EVERYBODYS:
            raise ValueError(say("This server holds as many files as it may: try again in some minutes."))
        _THERE[thing] = size
    return thing
