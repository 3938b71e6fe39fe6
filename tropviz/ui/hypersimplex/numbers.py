"""The polytope in numbers, promise beside fact, and the chosen cone with its walls."""

from __future__ import annotations

from html import escape

import numpy as np

from tropviz import Count
from tropviz.core.count import people
from tropviz.figures.plane import set_text
from tropviz.ui.counts import CountRow
from tropviz.ui.hypersimplex.views import Views

#: Walls, faces and generators written out before the rest is counted.
WRITTEN = 8


def counts(view: Views) -> list[CountRow]:
    """The polytope's numbers, promise beside fact."""
    shape, N, k = view.shape, view.N, view.k
    slice_count = view.own.count
    edges = "C(N,k) k (N-k) / 2"
    return [
        ("Vertices of the polytope = cones", Count(shape.vertex_count, "exact", f"C({N},{k})"), "The promise."),
        ("Kept by this router", slice_count, "Cells of its fan = vertices of its shadow."),
        ("Sums that fell inside", view.shadow.inner_count, "Choices that never win here.")
        if view.diagram is None and not view.whole
        else ("Edges", Count(shape.edge_count, "exact", edges), "Pairs of choices that swap one expert."),
        ("Facets of the polytope", Count(shape.facet_count, "exact", "2N for 2 ≤ k ≤ N−2, else N"), _facet_kinds(view)),
        (
            "Normalised volume",
            Count(shape.normalised_volume, "exact", f"Eulerian number A({N - 1},{k - 1})"),
            "In units of the smallest lattice simplex.",
        ),
    ]


def _facet_kinds(view: Views) -> str:
    first = {f.value: f for f in reversed(list(view.shape.facets()))}
    return " ".join(f"y_i = {v}: {view.N} times Δ({f.k},{f.N})." for v, f in sorted(first.items()))


def f_vector(view: Views) -> str:
    """The f-vector as text, its middle left out where it is long."""
    f = view.shape.f_vector
    if len(f) <= WRITTEN + 2:
        return "(" + ", ".join(people(n) for n in f) + ")"
    return f"({', '.join(people(n) for n in f[:3])}, …, {', '.join(people(n) for n in f[-2:])}), {len(f)} entries"


def cone(view: Views) -> str:
    """The chosen cone in score space and its walls, as HTML."""
    S, N, k = view.chosen, view.N, view.k
    pairs = [f"s<sub>{i}</sub> ≥ s<sub>{j}</sub>" for i, j in view.shape.wall_pairs(S)]
    walls = ", ".join(pairs[:WRITTEN]) + (f", … {len(pairs):,} in all" if len(pairs) > WRITTEN else "")
    ups = [] if k == 1 else [f"e<sub>{i}</sub>" for i in S]
    downs = [] if 1 < k == N - 1 else [f"−e<sub>{j}</sub>" for j in range(N) if j not in S]
    rays = ups + downs
    span = ", ".join(rays[:WRITTEN]) + (f", … {len(rays)} in all" if len(rays) > WRITTEN else "")
    items = [
        (f"Walls, k(N−k) = {len(pairs):,}", walls or "none"),
        (f"Generators, {len(rays)}", f"{span} and ±(1, …, 1)"),
        ("Walls met here", _met(view)),
    ]
    rows = _facts(items)
    title = f"The cone of {escape(set_text(S))} in score space"
    return f'<p class="tv-counts-title">{title}</p><dl class="tv-facts">{rows}</dl>'


def polynomial(view: Views) -> str:
    """The f-vector and the tropical polynomial, as HTML."""
    k = view.k
    return (
        '<dl class="tv-facts">'
        + _facts(
            [
                ("f-vector", f_vector(view)),
                ("Polynomial", f"e<sub>{k}</sub> = {escape(view.shape.polynomial(5))}"),
            ]
        )
        + "</dl>"
    )


def _facts(items: list[tuple[str, str]]) -> str:
    return "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in items)


def _met(view: Views) -> str:
    """The walls of the chosen cell in the fan shown: which score overtakes which."""
    row = view.row(view.fan.active_sets)
    if row is None:
        return "none: the slice misses this cone"
    pairs = np.asarray(view.fan.neighbours)
    near = pairs[(pairs == row).any(axis=1)].sum(axis=1) - row
    here = set(view.chosen)
    out = []
    for other in near.tolist():
        there = set(view.fan.active_sets[other].tolist())
        gone, came = sorted(here - there), sorted(there - here)
        out.append(", ".join(f"s<sub>{i}</sub> = s<sub>{j}</sub>" for i, j in zip(gone, came, strict=True)))
    return "; ".join(out[:WRITTEN]) + (f"; … {len(out)} in all" if len(out) > WRITTEN else "") or "none"
