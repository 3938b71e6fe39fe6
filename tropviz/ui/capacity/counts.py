"""The numbers of the Capacity page: the marks of one shape in a slice, dense networks, and the whole input space."""

from __future__ import annotations

from tropviz import Count
from tropviz.core.capacity.closed_forms import ratio
from tropviz.language import say
from tropviz.ui import marks
from tropviz.ui.capacity.view import View
from tropviz.ui.counts import CountRow


def region_rows(view: View) -> list[CountRow]:
    """Regions: the maximum, what is reached by design, the mean, this layer."""
    t = view.table
    binds = say("this one binds") if t["slice_bound"].value < t["moe_bound"].value else say("the product above binds")
    limit = say("No weights in general position exceed this in d = {d}. Of the two, {binds}.", d=view.d, binds=binds)
    rows: list[CountRow] = [
        (marks.PROMISED.label, t["moe_bound"], say("The product of C(N,k) and the dense network's regions: a bound.")),
        (marks.SLICE.label, t["slice_bound"], limit),
        (marks.DESIGNED.label, t["designed"], marks.REACHED),
        (marks.RANDOM.label, t["region_law"], say("The region law for a {kind}.", kind=view.kind)),
    ]
    own = view.own
    if own is not None and own.whole is not None and own.inside is not None:
        rows.append(
            (say("This router, whole {place}", place=own.place), own.whole, say("Linear regions, counted exactly."))
        )
        rows.append(
            (
                say("This router, in the window"),
                own.inside,
                say("From -{window:g} to {window:g} per axis.", window=own.window),
            )
        )
    return rows


def multiple_rows(view: View) -> list[CountRow]:
    """The same as multiples of the dense network."""
    t = view.table
    dense = int(t["dense_baseline"])
    reached = Count(
        ratio(int(t["designed"]), dense), "exact", f"{t['designed'].method}, over {t['dense_baseline'].method}"
    )
    rows: list[CountRow] = [
        (
            say("Promised, C(N,k)"),
            t["routing_multiplier"],
            say("Choices of k experts out of N; a maximum over weights."),
        ),
        (say("Designed, chosen weights, times dense"), reached, marks.REACHED),
        (
            say("Random, mean, times dense"),
            t["region_ratio"],
            say("Regions of the random layer over the dense network's."),
        ),
    ]
    if view.left is not None:
        rows.append((say("This router, times dense"), view.left, say("What is left of the multiplier in this layer.")))
    return rows


def dense_rows(view: View) -> list[CountRow]:
    """Dense networks of the width that is paid for, and of the width that is stored."""
    t = view.table
    return [
        (
            say("Dense, active width kH"),
            t["dense_baseline"],
            say("One layer of width {h}: what is paid for.", h=view.k * view.H),
        ),
        (
            say("Dense, total width NH"),
            t["dense_total"],
            say("One layer of width {h}: what is stored.", h=view.N * view.H),
        ),
    ]


def cell_rows(view: View) -> list[CountRow]:
    """Active sets, which are not regions, and the two dimensions."""
    t = view.table
    rows: list[CountRow] = [
        (say("Random router, mean: cells"), t["expected_cells"], say("The slice law for a {kind}.", kind=view.kind)),
        (say("Half of the sets from d* ="), view.star, say("Of the active sets, random routers.")),
        (say("Half of the regions' gain from d_gain ="), view.gain, say("Of the region multiplier, random layers.")),
    ]
    if view.own is not None:
        rows.insert(
            1,
            (
                say("This router: cells in the {place}", place=view.own.place),
                view.own.cells,
                say("Counted one by one."),
            ),
        )
    return rows


def ambient_rows(view: View) -> list[CountRow]:
    """The bounds in the whole input space, beside their effective form on data of dimension d."""
    t, d = view.table, view.d
    return [
        (
            say("Ambient bound, input dimension {ambient:,}", ambient=view.ambient),
            t["ambient_moe_bound"],
            say("The whole input space."),
        ),
        (
            say("Effective bound, data dimension {d}", d=d),
            t["moe_bound_effective"],
            say("Flat data of that dimension."),
        ),
        (
            say("Dense width H, data dimension {d}", d=d),
            t["dense_collapse"],
            say("What a dense layer of width H keeps there."),
        ),
        (
            say("Effective ratio C(N,k) kᵈ"),
            t["effective_ratio"],
            say("The paper's “effective capacity”: a ratio to width H."),
        ),
        (say("Ratio of the two bounds"), t["ratio_of_bounds"], say("The same before the limit of large H.")),
    ]
