"""The shipped router trained on handwritten digits, with the hidden states it routes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tropviz.core.capture.record import Capture, load
from tropviz.home import asset
from tropviz.io.arrays import entries
from tropviz.io.source import open_source

Array = NDArray[np.float64]
#: The file `assets/digits/train.py` writes.
DIGITS = asset("digits", "digits.npz")
#: The folder `assets/lab/train.py` writes: a checkpoint, and a capture of its routers.
LAB = DIGITS.parents[1] / "lab"


def lab() -> Capture:
    """The capture of the shipped two-layer model: every digit, sources are the digits.

    Examples
    --------
    >>> [(layer.gate.N, layer.gate.k, layer.n) for layer in lab().layers]
    [(8, 2, 1797), (8, 2, 1797)]
    """
    return load(LAB / "capture.npz")


class Digits(NamedTuple):
    """What `digits` returns; see assets/digits/README.md.

    W (8, 16), b (8,), k = 2: the router. X (1797, 16): hidden states. labels (1797,): the digit of each.
    """

    W: Array
    b: Array
    k: int
    X: Array
    labels: NDArray[np.int64]


@lru_cache(maxsize=1)
def digits() -> Digits:
    """The shipped router and its data.

    Returns
    -------
    Digits
        A tuple (W, b, k, X, labels); arrays are read-only.

    Examples
    --------
    >>> W, b, k, X, labels = digits()
    >>> W.shape, b.shape, k, X.shape, labels.shape
    ((8, 16), (8,), 2, (1797, 16), (1797,))
    """
    found = entries(open_source(DIGITS))
    labels = found["labels"]().astype(np.int64)
    labels.setflags(write=False)
    return Digits(found["W"](), found["b"](), int(found["k"]()), found["X"](), labels)
