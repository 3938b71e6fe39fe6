"""The numbers of the Capacity page: the marks of one shape in a slice, dense networks, and the whole input space."""

from __future__ import annotations

from tropviz import Count
from tropviz.core.capacity.closed_forms import ratio
from tropviz.ui import marks
from tropviz.ui.capacity.view import View
from tropviz.ui.counts import CountRow


def region_rows(view: View) -> list[CountRow]:
    """Regions: the maximum, what is reached by design, the mean, this layer."""
    t = view.table
    binds = "this one binds" if t["slice_bound"].value < t["moe_bound"].value else "the product above binds"
    limit = f"No weights in general position exceed this in d = {view.d}. Of the two, {binds}."
    rows: list[CountRow] = [
        (marks.PROMISED.label, t["moe_bound"], "The product of C(N,k) and the dense network's regions: a bound."),
        (marks.SLICE.label, t["slice_bound"], limit),
        (marks.DESIGNED.label, t["designed"], marks.REACHED),
        (marks.RANDOM.label, t["region_law"], f"The region law for a {view.kind}."),
    ]
    own = view.own
    if own is not None and own.whole is not None and own.inside is not None:
        rows.append((f"This router, whole {own.place}", own.whole, "Linear regions, counted exactly."))
        rows.append(("This router, in the window", own.inside, f"From -{own.window:g} to {own.window:g} per axis."))
    return rows


def multiple_rows(view: View) -> list[CountRow]:
    """The same as multiples of the dense network."""
    t = view.table
    dense = int(t["dense_baseline"])
    reached = Count(
        ratio(int(t["designed"]), dense), "exact", f"{t['designed'].method}, over {t['dense_baseline'].method}"
    )
    rows: list[CountRow] = [
        ("Promised, C(N,k)", t["routing_multiplier"], "Choices of k experts out of N; a maximum over weights."),
        ("Designed, chosen weights, times dense", reached, marks.REACHED),
        ("Random, mean, times dense", t["region_ratio"], "Regions of the random layer over the dense network's."),
    ]
    if view.left is not None:
        rows.append(("This router, times dense", view.left, "What is left of the multiplier in this layer."))
    return rows


def dense_rows(view: View) -> list[CountRow]:
    """Dense networks of the width that is paid for, and of the width that is stored."""
    t = view.table
    return [
        ("Dense, active width kH", t["dense_baseline"], f"One layer of width {view.k * view.H}: what is paid for."),
        ("Dense, total width NH", t["dense_total"], f"One layer of width {view.N * view.H}: what is stored."),
    ]


def cell_rows(view: View) -> list[CountRow]:
    """Active sets, which are not regions, and the two dimensions."""
    t = view.table
    rows: list[CountRow] = [
        ("Random router, mean: cells", t["expected_cells"], f"The slice law for a {view.kind}."),
        ("Half of the sets from d* =", view.star, "Of the active sets, random routers."),
        ("Half of the regions' gain from d_gain =", view.gain, "Of the region multiplier, random layers."),
    ]
    if view.own is not None:
        rows.insert(1, (f"This router: cells in the {view.own.place}", view.own.cells, "Counted one by one."))
    return rows


def ambient_rows(view: View) -> list[CountRow]:
    """The bounds in the whole input space, beside their effective form on data of dimension d."""
    t, d = view.table, view.d
    return [
        (f"Ambient bound, input dimension {view.ambient:,}", t["ambient_moe_bound"], "The whole input space."),
        (f"Effective bound, data dimension {d}", t["moe_bound_effective"], "Flat data of that dimension."),
        (f"Dense width H, data dimension {d}", t["dense_collapse"], "What a dense layer of width H keeps there."),
        ("Effective ratio C(N,k) kᵈ", t["effective_ratio"], "The paper's “effective capacity”: a ratio to width H."),
        ("Ratio of the two bounds", t["ratio_of_bounds"], "The same before the limit of large H."),
    ]
