"""The window: the box of input space that is looked at."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Shortest side of a window: areas and volumes of still shorter ones are no float64 numbers.
SHORTEST = 1e-100


def as_window(window: Any, d: int) -> Floats:
    """A window as one (low, high) row per axis.

    Parameters
    ----------
    window : float or sequence of d pairs
        A number a > 0 means [-a, a]^d, else ((low, high), ...), one pair per axis.
    d : int
        Dimension of input space.

    Returns
    -------
    ndarray (d, 2)
        Read-only.

    Raises
    ------
    ValueError
        If the window is not finite, has the wrong shape, or has an axis shorter than `SHORTEST`.

    Examples
    --------
    >>> as_window(3, 2).tolist()
    [[-3.0, 3.0], [-3.0, 3.0]]
    >>> as_window(((0, 1), (2, 1)), 2)
    Traceback (most recent call last):
    ...
    ValueError: window axis 1 runs from 2.0 to 1.0: give (low, high) with low < high.
    """
    try:
        box = np.array(window, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(
            "The window is not made of numbers: give a number a > 0 or one (low, high) per axis."
        ) from problem
    if box.ndim == 0:
        if not (np.isfinite(box) and box > 0):
            raise ValueError(f"The window is {float(box)}: give a finite number a > 0, meaning [-a, a] on every axis.")
        box = np.array([[-float(box), float(box)]] * d)
    if box.shape != (d, 2):
        raise ValueError(f"The window has shape {box.shape}: give one (low, high) pair for each of the {d} axes.")
    for axis, (low, high) in enumerate(box.tolist()):
        if not isfinite(high - low) or not low < high:
            raise ValueError(f"window axis {axis} runs from {low} to {high}: give (low, high) with low < high.")
        if high - low < SHORTEST:
            raise ValueError(f"window axis {axis} is {high - low} long: give at least {SHORTEST}, or other units.")
    box.setflags(write=False)
    return box
