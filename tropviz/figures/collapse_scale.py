"""Colours of points on the Angular collapse page, as a colour scale: few enough to be sent with every picture."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.colour import deep
from tropviz.figures.theme import theme

#: Colours that points have; of more, those nearly the same are one.
MOST_COLOURS = 1000


@lru_cache(maxsize=32)
def palette(colours: tuple[str, ...]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The colours that points have, and which of them is each set's: of a crowd, those nearly the same are one.

    >>> palette(("#000000", "#ffffff"))[1].tolist()
    [0, 1]
    """
    if len(colours) <= MOST_COLOURS:
        return colours, np.arange(max(len(colours), 1))
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours])
    few, of = np.unique(np.minimum(255, (rgb + 8) // 16 * 16), axis=0, return_inverse=True)
    return tuple(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in few.tolist()), of.ravel()


@lru_cache(maxsize=32)
def scale(colours: tuple[str, ...], dark: bool) -> list[list[Any]]:
    """The colours of points by row + 1; row -1, without a colour, is neutral."""
    shades = [theme(dark).line, *(deep(c, dark) for c in colours)]
    top = max(len(shades) - 1, 1)
    stops = [[i / top, shade] for i, shade in enumerate(shades)]
    return stops if len(stops) > 1 else [[0, shades[0]], [1, shades[0]]]
