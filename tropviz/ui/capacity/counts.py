"""The numbers of the Capacity page: what is promised, what a slice keeps, and both in the whole input space."""

from __future__ import annotations

from tropviz.ui.capacity.view import View
from tropviz.ui.counts import CountRow


def promise_rows(view: View) -> list[CountRow]:
    """What the binomial promises."""
    t = view.table
    return [
        ("Routing multiplier C(N,k)", t["routing_multiplier"], "Choices of k experts out of N."),
        ("Dense network, equal active width", t["dense_baseline"], f"One layer of width kH = {view.k * view.H}."),
        ("Mixture of experts", t["moe_bound"], "The product of the two: a bound."),
    ]


def fact_title(view: View) -> str:
    """Heading of the facts."""
    return f"Fact in a slice of dimension {view.d}, {view.kind}"


def fact_rows(view: View) -> list[CountRow]:
    """What a slice of dimension d keeps."""
    t = view.table
    tighter = t["slice_bound"].value < t["moe_bound"].value
    limit = "No weights in general position exceed this in the slice. The smaller of this and the product is binding."
    return [
        (f"Any weights: regions, {'binding' if tighter else 'looser than the product'}", t["slice_bound"], limit),
        ("Random router: cells", t["expected_cells"], f"The slice law for a {view.kind}."),
        ("Random layer: regions", t["region_law"], f"The region law for a {view.kind}."),
        ("Left of the multiplier", t["region_ratio"], "Regions of the random layer over the dense network's."),
        *view.own,
    ]


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
