"""The polytope in numbers, promise beside fact, and the chosen cone with its walls."""

from __future__ import annotations

from html import escape

import numpy as np

from tropviz import Count
from tropviz.figures.plane import set_text
from tropviz.language import heard, people, say
from tropviz.ui.counts import CountRow, quiet_title
from tropviz.ui.hypersimplex.views import Views

#: Walls, faces and generators written out before the rest is counted.
WRITTEN = 8


def counts(view: Views) -> list[CountRow]:
    """The polytope's numbers, promise beside fact."""
    shape, N, k = view.shape, view.N, view.k
    slice_count = view.own.count
    edges = "C(N,k) k (N-k) / 2"
    return [
        (
            say("Vertices of the polytope = cones"),
            Count(shape.vertex_count, "exact", f"C({N},{k})"),
            say("The promise."),
        ),
        (say("Kept by this router"), slice_count, say("Cells of its fan = vertices of its shadow.")),
        (say("Sums that fell inside"), view.shadow.inner_count, say("Choices that never win here."))
        if view.diagram is None and not view.whole
        else (say("Edges"), Count(shape.edge_count, "exact", edges), say("Pairs of choices that swap one expert.")),
        (
            say("Facets of the polytope"),
            Count(shape.facet_count, "exact", "2N for 2 ≤ k ≤ N−2, else N"),
            _facet_kinds(view),
        ),
        (
            say("Normalised volume"),
            Count(shape.normalised_volume, "exact", f"Eulerian number A({N - 1},{k - 1})"),
            say("In units of the smallest lattice simplex."),
        ),
    ]


def _facet_kinds(view: Views) -> str:
    first = {f.value: f for f in reversed(list(view.shape.facets()))}
    return " ".join(
        say("y_i = {v}: {n} times Δ({k},{m}).", v=v, n=view.N, k=f.k, m=f.N) for v, f in sorted(first.items())
    )


def f_vector(view: Views) -> str:
    """The f-vector as text, its middle left out where it is long."""
    f = view.shape.f_vector
    if len(f) <= WRITTEN + 2:
        return "(" + ", ".join(people(n) for n in f) + ")"
    return say(
        "({names}, …, {names_2}), {f} entries",
        names=", ".join(people(n) for n in f[:3]),
        names_2=", ".join(people(n) for n in f[-2:]),
        f=len(f),
    )


def cone(view: Views) -> str:
    """The chosen cone in score space and its walls, as HTML."""
    S, N, k = view.chosen, view.N, view.k
    pairs = [f"s<sub>{i}</sub> ≥ s<sub>{j}</sub>" for i, j in view.shape.wall_pairs(S)]
    walls = ", ".join(pairs[:WRITTEN]) + (say(", … {pairs:,} in all", pairs=len(pairs)) if len(pairs) > WRITTEN else "")
    ups = [] if k == 1 else [f"e<sub>{i}</sub>" for i in S]
    downs = [] if 1 < k == N - 1 else [f"−e<sub>{j}</sub>" for j in range(N) if j not in S]
    rays = ups + downs
    span = ", ".join(rays[:WRITTEN]) + (say(", … {rays} in all", rays=len(rays)) if len(rays) > WRITTEN else "")
    items = [
        (say("Walls, k(N−k) = {pairs:,}", pairs=len(pairs)), walls or say("none")),
        (say("Generators, {rays}", rays=len(rays)), say("{span} and ±(1, …, 1)", span=span)),
        (say("Walls met here"), _met(view)),
    ]
    rows = _facts(items)
    title = say("The cone of {s} in score space", s=escape(set_text(S)))
    return f'{quiet_title(title)}<dl class="tv-facts">{rows}</dl>'


def polynomial(view: Views) -> str:
    """The f-vector and the tropical polynomial, as HTML."""
    k = view.k
    return (
        '<dl class="tv-facts">'
        + _facts(
            [
                (say("f-vector"), f_vector(view)),
                (say("Polynomial"), f"e<sub>{k}</sub> = {escape(heard(view.shape.polynomial(5)))}"),
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
        return say("none: the slice misses this cone")
    pairs = np.asarray(view.fan.neighbours)
    near = pairs[(pairs == row).any(axis=1)].sum(axis=1) - row
    here = set(view.chosen)
    out = []
    for other in near.tolist():
        there = set(view.fan.active_sets[other].tolist())
        gone, came = sorted(here - there), sorted(there - here)
        out.append(", ".join(f"s<sub>{i}</sub> = s<sub>{j}</sub>" for i, j in zip(gone, came, strict=True)))
    return "; ".join(out[:WRITTEN]) + (say("; … {out} in all", out=len(out)) if len(out) > WRITTEN else "") or say(
        "none"
    )
