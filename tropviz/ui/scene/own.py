"""What one session brought with it: an uploaded router, its own data points."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.io.read import LayerFile, RouterFile

_TOKENS = itertools.count(1)


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
