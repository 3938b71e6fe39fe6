"""Shapes of a layer that cost the same: iso-compute partners and granularity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tropviz.core.count import Count
from tropviz.core.slice_law.law import FLOAT_TOP, check_dimension, check_shape, check_width, whole

#: Past this many experts a design is not listed: nobody builds it, and its binomial takes long.
MOST_EXPERTS = 4096


@dataclass(frozen=True)
class Shape:
    """N experts of width H, k of them active.

    >>> shape = Shape(16, 4, 8)
    >>> shape.active_width, shape.total_width, str(shape.multiplier)
    (32, 128, '1,820')
    """

    N: int
    k: int
    H: int

    @property
    def active_width(self) -> int:
        """kH, what one input pays for."""
        return self.k * self.H

    @property
    def total_width(self) -> int:
        """NH, what is stored."""
        return self.N * self.H

    @property
    def router_overhead(self) -> float:
        """What the router's own rows add to the compute, N d against 2 k H d of the active experts' two matrices.

        It grows with N at equal kH: cutting every expert into m makes it m times as large.

        >>> Shape(16, 4, 8).router_overhead, Shape(256, 8, 2048).router_overhead
        (0.25, 0.0078125)
        """
        return self.N / (2 * self.active_width)

    @property
    def multiplier(self) -> Count:
        """C(N, k)."""
        return Count(math.comb(self.N, self.k), "exact", f"C({self.N}, {self.k})")

    @property
    def bits(self) -> float:
        """log2 of C(N, k)."""
        return math.log2(math.comb(self.N, self.k))


def _checked(N: Any, k: Any, H: Any) -> tuple[int, int, int]:
    return *check_shape(N, k), check_width(H)


def iso_compute(N: int, k: int, H: int, equal_total: bool = False, most_experts: int = MOST_EXPERTS) -> list[Shape]:
    """Shapes of whole widths with the same active width kH, by the number of active experts.

    Parameters
    ----------
    N, k, H : int
        The reference shape.
    equal_total : bool
        False: the number of experts stays N. True: the total width NH stays too, so that N follows.
    most_experts : int
        Shapes with more experts than this are left out.

    Returns
    -------
    list of Shape, k ascending; the reference is one of them.

    Examples
    --------
    >>> [(s.k, s.H, int(s.multiplier)) for s in iso_compute(16, 4, 8)][:3]
    [(1, 32, 16), (2, 16, 120), (4, 8, 1820)]
    >>> [(s.N, s.k, int(s.multiplier)) for s in iso_compute(16, 4, 8, equal_total=True)][:3]
    [(4, 1, 4), (8, 2, 28), (16, 4, 1820)]
    """
    N, k, H = _checked(N, k, H)
    active, total = k * H, N * H
    shapes = []
    for parts in range(1, active + 1):
        if active % parts:
            continue
        width = active // parts
        if equal_total and total % width:
            continue
        experts = total // width if equal_total else N
        if parts <= experts <= max(N, most_experts):
            shapes.append(Shape(experts, parts, width))
    return shapes


@dataclass(frozen=True)
class Granularity:
    """One step of granularity: every expert cut into m of them, active and total width unchanged."""

    m: int
    shape: Shape
    #: C(mN, mk) / C(N, k)
    growth: Count
    #: degree of that growth as a polynomial in N, (m - 1) k
    degree: int
    #: natural log of its leading coefficient m^(mk) k! / (mk)!
    log_leading: float
    #: directions of a d_eff-dimensional slice that one expert is blind to, max(0, d_eff - H/m)
    blind: int
    #: the paper's trade with k held: gain k log2 m and penalty d_eff log2 m, in bits
    held_gain_bits: float
    held_penalty_bits: float

    @property
    def above_floor(self) -> bool:
        """Whether an expert is still wide enough to see every direction of the slice."""
        return self.blind == 0


def granularity(N: int, k: int, H: int, m: int, d_eff: int) -> Granularity:
    """The shape (mN, mk, H/m) and what it changes.

    Parameters
    ----------
    N, k, H : int
        The shape that is cut.
    m : int
        Pieces an expert is cut into, m >= 1; H / m must be a whole number.
    d_eff : int
        Dimension of the data, for the floor.

    Raises
    ------
    ValueError
        Where m does not divide H.

    Examples
    --------
    >>> step = granularity(16, 4, 8, 2, d_eff=2)
    >>> step.shape, str(step.shape.multiplier), step.above_floor
    (Shape(N=32, k=8, H=4), '10,518,300', True)
    """
    N, k, H = _checked(N, k, H)
    d_eff = check_dimension(d_eff, "d_eff")
    pieces = whole(m, 1)
    if pieces is None:
        raise ValueError(f"m = {m}: cut every expert into a whole number of at least 1 pieces.")
    m = pieces
    if H % m:
        divisors = ", ".join(str(i) for i in range(1, H + 1) if H % i == 0)
        raise ValueError(f"m = {m} with H = {H}: H/m must be a whole number, so choose m among {divisors}.")
    shape = Shape(m * N, m * k, H // m)
    before, after = math.comb(N, k), math.comb(m * N, m * k)
    times, rest = divmod(after, before)
    exact = rest == 0 or times > FLOAT_TOP
    growth = Count(times if exact else after / before, "exact", f"C({m * N}, {m * k}) / C({N}, {k})")
    leading = m * k * math.log(m) + math.lgamma(k + 1) - math.lgamma(m * k + 1)
    bits = math.log2(m)
    return Granularity(m, shape, growth, (m - 1) * k, leading, max(0, d_eff - shape.H), k * bits, d_eff * bits)


def granularities(N: int, k: int, H: int, d_eff: int, most_experts: int = MOST_EXPERTS) -> list[Granularity]:
    """Every granularity m that divides H, ascending, up to `most_experts` experts.

    >>> [step.m for step in granularities(16, 4, 8, 2)]
    [1, 2, 4, 8]
    """
    N, k, H = _checked(N, k, H)
    pieces = [m for m in range(1, H + 1) if H % m == 0 and (m == 1 or m * N <= most_experts)]
    return [granularity(N, k, H, m, d_eff) for m in pieces]


def best_granularity(N: int, k: int, H: int, d_eff: int) -> int:
    """The largest m whose experts stay at least d_eff wide: the best under the paper's bound; 1 if H < d_eff already.

    >>> best_granularity(16, 4, 8, 2), best_granularity(16, 4, 8, 5), best_granularity(16, 4, 8, 100)
    (4, 1, 1)
    """
    N, k, H = _checked(N, k, H)
    d_eff = check_dimension(d_eff, "d_eff")
    return max((m for m in range(1, H + 1) if H % m == 0 and H // m >= d_eff), default=1)


def grouped_choices(N: int, k: int, groups: int, kept: int) -> int:
    """Active sets that touch at most `kept` of `groups` equal groups of experts: what a group limit leaves of C(N, k).

    Parameters
    ----------
    N, k : int
    groups, kept : int
        `groups` divides N; 1 <= kept <= groups.

    Returns
    -------
    int, exact: C(groups, g) times the sets that touch each of g groups, by inclusion and exclusion, over g <= kept.

    Examples
    --------
    >>> grouped_choices(4, 2, 2, 1), grouped_choices(4, 2, 2, 2)
    (2, 6)
    """
    N, k = check_shape(N, k)
    if N % groups or not 1 <= kept <= groups:
        raise ValueError(f"groups = {groups}, kept = {kept} with N = {N}: choose equal groups and keep at least one.")
    size = N // groups

    def touching(g: int) -> int:
        return sum((-1) ** (g - i) * math.comb(g, i) * math.comb(i * size, k) for i in range(g + 1))

    return sum(math.comb(groups, g) * touching(g) for g in range(1, kept + 1))
