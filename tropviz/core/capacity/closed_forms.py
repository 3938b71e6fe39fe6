"""The capacity table of a layer in closed form: the promise, the fact, and what d_eff dimensions leave of it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tropviz.core.capacity.arrangements import cell_bounds, hyperplane_regions, slice_bound
from tropviz.core.capacity.depth import Depth, dense_width, depth_of, layers_enough
from tropviz.core.capacity.designed import designed_count
from tropviz.core.capacity.designs import (
    best_granularity,
    granularity,
)
from tropviz.core.count import Count
from tropviz.core.slice_law.law import (
    check_dimension,
    check_shape,
    check_width,
    expected_cells,
    expected_gain,
    expected_regions,
)

GENERAL = "hinges in general position"
#: Most input dimensions, which no published model has;
_INPUT = 16_384
#: most experts, most hidden units of all, and most work: terms of a sum times machine words of a term, a few seconds.
_EXPERTS, _HIDDEN, _WORK = 4096, 2**22, 4e8


def check(N: Any, k: Any, H: Any, d: Any, d_eff: Any = None) -> tuple[int, int, int, int, int]:
    """All five as Python ints, d_eff = d where none is given; impossible shapes are refused in one sentence."""
    (N, k), H, d = check_shape(N, k), check_width(H), check_dimension(d)
    if d > _INPUT:
        raise ValueError(f"d = {d}: choose a dimension of at most {_INPUT:,}, wider than any published model.")
    if N > _EXPERTS:
        raise ValueError(f"N = {N}: choose at most {_EXPERTS:,} experts, or the numbers fill pages.")
    if N * H > _HIDDEN:
        raise ValueError(f"N = {N}, H = {H}: choose a smaller H, {_HIDDEN:,} hidden units in all are the most.")
    terms = min(d, N * H)
    work = terms * (1 + terms * math.log2(N * H + 1) / 64) * (1 + N / 64)
    if work > _WORK:
        raise ValueError(f"N = {N}, H = {H} in d = {d} is beyond the work budget: choose a smaller N or d.")
    effective = d if d_eff is None else check_dimension(d_eff, "d_eff")
    if effective > d:
        raise ValueError(f"d_eff = {d_eff} with d = {d}: the data lies in the space, so choose d_eff of at most {d}.")
    return N, k, H, d, effective


def ratio(top: int, bottom: int) -> float:
    """top / bottom as a float, or past the range of a float as the whole part, an int.

    >>> ratio(962780, 37) == 962780 / 37, ratio(10**400, 10) == 10**399
    (True, True)
    """
    try:
        return float(Fraction(top, bottom))
    except OverflowError:
        return top // bottom


def _promise(N: int, k: int, H: int, d: int) -> dict[str, Count]:
    multiplier, dense = math.comb(N, k), hyperplane_regions(k * H, d)
    return {
        "routing_multiplier": Count(multiplier, "exact", f"C({N}, {k})"),
        "dense_baseline": Count(dense, "exact", f"r({k * H}, {d}), dense network of the same active width", GENERAL),
        "dense_total": Count(
            hyperplane_regions(N * H, d), "exact", f"r({N * H}, {d}), dense network of the same total width", GENERAL
        ),
        "moe_bound": Count(multiplier * dense, "upper", f"C({N}, {k}) r({k * H}, {d})"),
        "asymptotic_form": Count(
            multiplier * (k * H) ** d,
            "exact",
            f"C({N}, {k}) ({k * H})^{d}, what stands inside the Theta",
            "an order of growth in large dimension, not a number of regions",
        ),
    }


def _fact(N: int, k: int, H: int, d: int, affine: bool) -> dict[str, Count]:
    rows = {
        "slice_bound": Count(slice_bound(N, k, H, d), "upper", "sum_j C(NH,j) kappa_{d-j}, any weights", GENERAL),
        "cells_bound": Count(cell_bounds(N, k, d)[d], "upper", "kappa_d, any router"),
        "designed": designed_count(N, k, H, d),
    }
    try:
        rows["expected_cells"] = expected_cells(N, k, d, affine)
        rows["region_law"] = expected_regions(N, k, H, d, affine)
        rows["region_ratio"] = expected_gain(N, k, H, d, affine)
    except ValueError as beyond:  # the only refusal left after check() is the work budget of the law
        unknown = Count(math.nan, "expected", "slice law", str(beyond))
        return rows | dict.fromkeys(("expected_cells", "region_law", "region_ratio"), unknown)
    return rows


def _effective(N: int, k: int, H: int, d_eff: int) -> dict[str, Count]:
    multiplier, dense, narrow = math.comb(N, k), hyperplane_regions(k * H, d_eff), hyperplane_regions(H, d_eff)
    return {
        "dense_effective": Count(dense, "exact", f"r({k * H}, {d_eff}), on a flat slice of dimension d_eff", GENERAL),
        "moe_bound_effective": Count(multiplier * dense, "upper", f"C({N}, {k}) r({k * H}, {d_eff}), flat slice"),
        "dense_collapse": Count(narrow, "exact", f"r({H}, {d_eff}), all that a dense width H keeps there", GENERAL),
        "effective_ratio": Count(
            multiplier * k**d_eff,
            "exact",
            f"C({N}, {k}) {k}^{d_eff}",
            "the limit of the ratio of bounds as H grows, not a number of regions",
        ),
        "ratio_of_bounds": Count(
            ratio(multiplier * dense, narrow),
            "exact",
            f"C({N}, {k}) r({k * H}, {d_eff}) / r({H}, {d_eff})",
            "a ratio of two upper bounds, which bounds no ratio of regions",
        ),
    }


def _depth(regions: int, active: int, d: int) -> dict[str, Count]:
    if d == 0:
        none = Count(math.nan, "exact", "", "a point has one region in any dense network")
        return {"depth": none, "dense_width": none}
    return {"depth": layers_enough(regions, active, d), "dense_width": dense_width(regions, d)}


def depths(N: int, k: int, H: int, d: int, affine: bool = False, **measured: Count) -> tuple[Depth, ...]:
    """What dense networks need for as many regions: promised, designed, random, and counted ones by name.

    Parameters
    ----------
    N, k, H, d : int
        As for `table`, d >= 1.
    affine : bool
        The region law of routers with a Gaussian bias.
    **measured : Count
        Regions of layers at hand, such as ``this=layer.regions()``; the name becomes the mark.

    Returns
    -------
    tuple of Depth, to be read beside the active width kH that is paid for and the total width NH that is stored.

    Examples
    --------
    >>> [(row.mark, int(row.width), int(row.layers_enough)) for row in depths(16, 4, 8, 2)]
    [('promised', 1388, 3), ('designed', ..., 2), ('random', 40, 2)]
    """
    N, k, H, d, _ = check(N, k, H, d)
    if d == 0:
        raise ValueError("d = 0: a point has one region, so choose a dimension of at least 1.")
    rows = _promise(N, k, H, d) | _fact(N, k, H, d, affine)
    marks = {"promised": rows["moe_bound"], "designed": rows["designed"], "random": rows["region_law"], **measured}
    return tuple(depth_of(mark, count, k * H, d) for mark, count in marks.items())


def table(N: int, k: int, H: int, d: int, d_eff: int | None = None, affine: bool = False) -> dict[str, Count]:
    """Every row of promise and fact that needs no weights, by name.

    Parameters
    ----------
    N, k, H : int
        Experts, active experts (1 <= k <= N), hidden units of an expert (H >= 1).
    d : int
        Dimension of the input, or of the flat slice looked at; d >= 0.
    d_eff : int, optional
        Dimension of the data in it, at most d; default d.
    affine : bool
        The laws for routers with a Gaussian bias; default: without one (central).

    Returns
    -------
    dict of Count. Integers are exact at any size. Keys, in this order:

    - ``routing_multiplier`` C(N,k); ``dense_baseline`` r(kH,d); ``dense_total`` r(NH,d), equal total width;
      ``moe_bound`` C(N,k) r(kH,d); ``asymptotic_form`` C(N,k) (kH)^d;
    - ``slice_bound`` any weights; ``cells_bound`` any router; ``designed`` chosen weights, attained;
      ``expected_cells`` and ``region_law`` random weights; ``region_ratio`` region law / dense baseline;
    - ``depth`` layers of a dense network of width kH that are enough for as many regions as the bound promises, and
      ``dense_width`` the least width of one dense layer with as many (see `depths` for the other marks);
    - ``dense_effective``, ``moe_bound_effective`` the same at d_eff; ``dense_collapse`` r(H,d_eff);
      ``effective_ratio`` C(N,k) k^d_eff; ``ratio_of_bounds`` C(N,k) r(kH,d_eff) / r(H,d_eff);
    - ``full_product_dimension`` kH + N - 1, the dimension from which on the full product is reached;
    - ``top1_equal_active`` multiplier N of top-1 with experts of width kH; ``top1_equal_total`` N/k, where k divides N.

    Where the law is beyond its work budget (N > 512 in high dimension) its three rows are NaN and say so.

    Raises
    ------
    ValueError
        For H = 0, k outside 1 .. N, negative dimensions, d_eff > d.

    Examples
    --------
    >>> rows = table(16, 4, 8, 2)
    >>> [str(rows[name]) for name in ("routing_multiplier", "moe_bound", "slice_bound", "region_law")]
    ['1,820', '≤ 962,780', '≤ 26,103', '≈ 817.5']
    """
    N, k, H, d, d_eff = check(N, k, H, d, d_eff)
    rows = _promise(N, k, H, d) | _fact(N, k, H, d, affine) | _effective(N, k, H, d_eff)
    rows |= _depth(int(rows["moe_bound"]), k * H, d)
    rows["full_product_dimension"] = Count(k * H + N - 1, "exact", "kH + N - 1: from here on the full product is there")
    rows["top1_equal_active"] = Count(N, "exact", f"C({N}, 1): top-1, experts of width kH = {k * H}")
    if N % k == 0:
        rows["top1_equal_total"] = Count(N // k, "exact", f"C({N // k}, 1): top-1, total width {N * H} kept as well")
    return rows


def table_of_granularity(N: int, k: int, H: int, m: int, d_eff: int) -> dict[str, Any]:
    """One granularity beside the best one, JSON-ready.

    >>> rows = table_of_granularity(16, 4, 8, 2, 2)
    >>> rows["shape"], rows["multiplier"]["value"], rows["best_m"]
    ({'N': 32, 'k': 8, 'H': 4}, 10518300, 4)
    """
    step = granularity(N, k, H, m, d_eff)
    return {
        "m": m,
        "shape": {"N": step.shape.N, "k": step.shape.k, "H": step.shape.H},
        "multiplier": step.shape.multiplier.to_json(),
        "bits": step.shape.bits,
        "growth": step.growth.to_json(),
        "growth_degree": step.degree,
        "growth_log_leading": step.log_leading,
        "blind_directions": step.blind,
        "k_held_gain_bits": step.held_gain_bits,
        "k_held_penalty_bits": step.held_penalty_bits,
        "best_m": best_granularity(N, k, H, d_eff),
    }
