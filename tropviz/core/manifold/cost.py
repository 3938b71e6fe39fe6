"""What counting along a manifold costs, before it starts."""

from __future__ import annotations

import math

from tropviz.core.budget import Cost
from tropviz.core.manifold.shapes import Manifold

#: Seconds for the cube of a companion matrix's size, for a value of a series, for a triple and a pair of hinges of one
#: cell, for a cell of a fan times the square of its dimension.
_EIGEN, _VALUE, _TRIPLE, _PAIR, _CELL = 1.6e-8, 2e-8, 1e-6, 4e-7, 3.5e-5


def along_curve(curves: int, width: int, shape: Manifold) -> Cost:
    """Zeros of so many series on a curve, and `width` values on every piece between them.

    Parameters
    ----------
    curves : int
        Series whose zeros cut the curve: pairs of experts, or hinges.
    width : int
        Values of each piece: experts, or hinges.
    shape : Manifold
        A curve.

    Examples
    --------
    >>> from tropviz.core.manifold.shapes import manifold
    >>> small, large = (manifold("trigonometric", 1, 4, degree=degree) for degree in (3, 32))
    >>> along_curve(28, 8, small).seconds < 0.1 < 60 < along_curve(32640, 256, large).seconds
    True
    """
    assert shape.series is not None
    size = len(shape.series) - 1
    pieces = size * curves + 1.0
    return Cost(curves * (_EIGEN * size**3 + 1e-6) + pieces * width * _VALUE, 150 * pieces + 40 * curves * size)


def dense_regions(width: int, d: int) -> Cost:
    """Regions of one dense layer on a flat of dimension d up to 3.

    >>> dense_regions(512, 3).seconds > 20 > dense_regions(512, 2).seconds
    True
    """
    if d == 3:
        return Cost(_TRIPLE * math.comb(width, 3), 25 * math.comb(width, 3) + 2.5e8)
    if d == 2:
        return Cost(_PAIR * math.comb(width, 2) + 5.0 * (width > 2000), 220 * math.comb(width, 2))
    return Cost(1e-5 * width, 1e4 * width)


def layer_regions(cells: float, width: int, d: int) -> Cost:
    """Regions of a routed layer on a flat of dimension d up to 3, with `width` hinges in each of about so many cells.

    >>> layer_regions(17, 32, 2).seconds < 1 < layer_regions(1000, 512, 3).seconds
    True
    """
    each = dense_regions(width, d)
    return Cost(cells * each.seconds, each.bytes) + fan_cells(cells, d)


def fan_cells(cells: float, d: int) -> Cost:
    """A fan of about so many cells in d dimensions.

    >>> fan_cells(100, 2).seconds < 0.1
    True
    """
    return Cost(_CELL * cells * d * d, 2000 * cells * d)
