"""What a dense ReLU network needs to have as many regions: the least width of one layer, the least number of layers.

The least width is an exact integer: one layer of m units has at most r(m, d) regions (Zaslavsky), and has them in
general position. The least number of layers of one width n is not known; it lies between two integers that are:

- *needed*: L layers have at most r(n, d)^L regions, because each layer cuts every region of those before it at most
  into r(n, d) (Raghu et al. 2017; Montufar 2017; for n >= 2d the bound of Serra et al. 2018 is the same number);
- *enough*: the folding construction of Montufar et al. (2014, Theorem 5) attains floor(n/e)^(e (L-1)) r(n, e) regions
  for every e <= min(d, n), where the e that serves best is taken.

References
----------
G. Montufar, R. Pascanu, K. Cho, Y. Bengio, On the number of linear regions of deep neural networks, NeurIPS 2014.
M. Raghu et al., On the expressive power of deep neural networks, ICML 2017.
G. Montufar, Notes on the number of linear regions of deep neural networks, SampTA 2017.
T. Serra, C. Tjandraatmadja, S. Ramalingam, Bounding and counting linear regions of deep neural networks, ICML 2018.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scipy.special import logsumexp

from tropviz.core.capacity.arrangements import hyperplane_regions
from tropviz.core.count import Count
from tropviz.core.slice_law.cone_angles import log_binomials
from tropviz.core.slice_law.law import check_dimension, check_width

#: Dimensions up to which the least width is bisected in integers right away.
FEW = 64


def dense_width(regions: Any, d: int) -> Count:
    """Least width of one dense ReLU layer that can have this many regions in R^d.

    Parameters
    ----------
    regions : int or float
        A number of regions of at least 1, of any size; a mean may be a fraction.
    d : int
        Dimension of the input, d >= 1.

    Returns
    -------
    Count of kind 'exact', the least m with r(m, d) >= regions.

    Raises
    ------
    ValueError
        For less than one region, or in d = 0 for more than one.

    Examples
    --------
    >>> int(dense_width(529, 2)), int(dense_width(530, 2)), int(dense_width(817.5, 2)), int(dense_width(962780, 2))
    (32, 33, 40, 1388)
    """
    wanted, d = _checked(regions, d)
    method = "least m with r(m, d) >= these regions"
    if d == 1:
        return Count(max(wanted - 1, 0), "exact", method)
    # r(m, d) >= 2^min(m, d) and >= C(m, d) >= (m/d)^d: a first width that is enough, from the number of bits.
    bits = wanted.bit_length()
    high = bits if bits <= d else d << (bits // d + 1)
    low = 0
    if d > FEW:  # a long sum: its width is known from logs but for a step or two, which the integers decide
        low = _by_logs(wanted, d, high)
        while low > 0 and _reaches(low - 1, d, wanted):
            low -= 1
        while not _reaches(low, d, wanted):
            low += 1
        return Count(low, "exact", method)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _reaches(middle, d, wanted) else (middle + 1, high)
    return Count(low, "exact", method)


def layers_needed(regions: Any, width: int, d: int) -> Count:
    """Layers of a given width below which no dense ReLU network has this many regions in R^d.

    Returns
    -------
    Count of kind 'lower': the least L with r(width, d)^L >= regions.

    Examples
    --------
    >>> int(layers_needed(962780, 32, 2)), int(layers_needed(529, 32, 2))
    (3, 1)
    """
    wanted, d = _checked(regions, d)
    width = check_width(width)
    layer = hyperplane_regions(width, d)
    L = _least(wanted, 1, layer)
    return Count(max(L, 1), "lower", f"least L with r({width}, {d})^L >= these regions")


def layers_enough(regions: Any, width: int, d: int) -> Count:
    """Layers of a given width with which some dense ReLU network has this many regions in R^d.

    Returns
    -------
    Count of kind 'upper': the least L of the folding construction; NaN where the width folds nothing (width 1).

    Examples
    --------
    >>> int(layers_enough(962780, 32, 2)), int(layers_enough(529, 32, 2)), int(layers_enough(530, 32, 2))
    (3, 1, 2)
    """
    wanted, d = _checked(regions, d)
    width = check_width(width)
    method = f"least L with floor({width}/e)^(e (L-1)) r({width}, e) >= these regions, best e <= {d}"
    if hyperplane_regions(width, d) >= wanted:
        return Count(1, "upper", method)
    found = [1 + _least(wanted, hyperplane_regions(width, e), fold**e) for fold, e in _folds(width, d)]
    if not found:
        return Count(math.nan, "upper", method, "a layer of width 1 folds nothing: give a width of at least 2")
    return Count(min(found), "upper", method)


@dataclass(frozen=True)
class Depth:
    """What a dense network needs for as many regions as one mark of a layer.

    Attributes
    ----------
    mark : str
        Whose regions: 'promised', 'designed', 'random', or a name that was given.
    regions : Count
    width : Count
        Least width of one dense layer.
    layers_needed, layers_enough : Count
        The least number of dense layers of the active width kH lies between the two.
    """

    mark: str
    regions: Count
    width: Count
    layers_needed: Count
    layers_enough: Count

    def to_json(self) -> dict[str, Any]:
        """The row as JSON-ready values."""
        names = ("regions", "width", "layers_needed", "layers_enough")
        return {name: getattr(self, name).to_json() for name in names}


def depth_of(mark: str, regions: Count, active: int, d: int) -> Depth:
    """One row of the comparison with dense networks; all NaN where the number of regions is not known.

    Parameters
    ----------
    mark : str
    regions : Count
    active : int
        Width kH of the dense layers that cost as much.
    d : int

    Examples
    --------
    >>> row = depth_of("promised", Count(962780, "upper", "C(16, 4) r(32, 2)"), 32, 2)
    >>> int(row.width), int(row.layers_needed), int(row.layers_enough)
    (1388, 3, 3)
    """
    if isinstance(regions.value, float) and not math.isfinite(regions.value):
        unknown = Count(math.nan, "exact", "", regions.assumption)
        return Depth(mark, regions, unknown, unknown, unknown)
    n = regions.value
    return Depth(mark, regions, dense_width(n, d), layers_needed(n, active, d), layers_enough(n, active, d))


def _checked(regions: Any, d: Any) -> tuple[int, int]:
    d = check_dimension(d)
    if (isinstance(regions, float) and not math.isfinite(regions)) or not regions >= 1:
        raise ValueError(f"regions is {regions}: give a number of regions of at least 1.")
    wanted = math.ceil(Fraction(regions))
    if d == 0 and wanted > 1:
        raise ValueError(f"regions is {regions} with d = 0: a point has one region, so give a dimension of at least 1.")
    return wanted, d


def _reaches(m: int, d: int, wanted: int) -> bool:
    """Whether r(m, d) >= wanted, without the rest of the sum once it is there."""
    if d >= m:
        return m >= wanted.bit_length() or 1 << m >= wanted
    total = term = 1
    for j in range(d):
        term = term * (m - j) // (j + 1)
        total += term
        if total >= wanted:
            return True
    return total >= wanted


def _by_logs(wanted: int, d: int, high: int) -> int:
    """About the least m with r(m, d) >= wanted."""
    goal, low = math.log(wanted), 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if float(logsumexp(log_binomials(middle, d))) >= goal else (middle + 1, high)
    return low


def _least(wanted: int, start: int, factor: int) -> int:
    """Least n >= 0 with start * factor^n >= wanted, factor >= 2: guessed in logs, decided in integers."""
    if start >= wanted:
        return 0
    guess = (math.log2(wanted) - math.log2(start)) / math.log2(factor)
    n = max(0, math.floor(guess) - 1)
    value = start * factor**n
    while value < wanted:
        n, value = n + 1, value * factor
    return n


def _folds(width: int, d: int) -> list[tuple[int, int]]:
    """Pairs (floor(width / e), e) with a fold of at least 2, of each fold the largest e <= min(d, width)."""
    out, e = [], min(d, width)
    while e >= 1:
        fold = width // e
        if fold >= 2:
            out.append((fold, e))
        e = width // (fold + 1) if fold + 1 <= width else 0
    return out
