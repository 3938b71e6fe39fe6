"""The hypersimplex as a picture: itself up to N = 4, its Coxeter projection beyond."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import people
from tropviz.core.hypersimplex import Hypersimplex
from tropviz.figures.colour import cell_colours
from tropviz.figures.plane import set_text
from tropviz.figures.theme import theme
from tropviz.figures.traces import line, segments, trace

#: More vertices than this are a blot.
MOST = 3000
#: More edges than this are thinned to a hint, and left out beyond `MOST_EDGES`.
MOST_EDGES = 20_000


def hypersimplex(polytope: Hypersimplex, dark: bool = False) -> dict[str, Any]:
    """Vertices and edges of Delta(k, N), coloured like the cells of a regular router.

    Raises
    ------
    ValueError
        For more than 3,000 vertices.
    """
    N, k = polytope.N, polytope.k
    if polytope.vertex_count > MOST:
        shown = people(polytope.vertex_count)
        many = f"Delta({k}, {N}) has {shown} vertices"
        raise ValueError(f"{many}, more than the {MOST:,} a picture can show: lower N or k.")
    sets = np.array(list(polytope.vertices()), dtype=np.int64).reshape(-1, k)
    rows = {tuple(S): i for i, S in enumerate(sets.tolist())}
    pairs = [(rows[a], rows[b]) for a, b in polytope.edges()] if polytope.edge_count <= MOST_EDGES else []
    solid = N == 4
    places = _tetrahedral(sets) if solid else _coxeter(N, sets)
    look = theme(dark)
    ends = places[np.array(pairs, dtype=np.int64).reshape(-1, 2)]
    edges = line(segments(ends), look.hinge, 2 if len(pairs) < 500 else 0.5, places.shape[1])
    data = [edges, _vertices(N, sets, places, look, dark)]
    axis = {"visible": False, "showspikes": False} if solid else {"visible": False}
    layout: dict[str, Any] = {"showlegend": False}
    if solid:
        layout["scene"] = {"xaxis": axis, "yaxis": axis, "zaxis": axis, "aspectmode": "data"}
    else:
        layout |= {"xaxis": axis, "yaxis": axis | {"scaleanchor": "x"}}
    faces = f"{people(polytope.vertex_count)} vertices, {people(polytope.edge_count)} edges"
    how = (
        "" if N <= 4 else "<br><sup>Its Coxeter projection: every vertex at the sum of k of the N roots of unity.</sup>"
    )
    return {"data": data, "layout": layout, "title": f"Δ({k},{N}): {faces} (exact){how}"}


def _tetrahedral(sets: NDArray[np.int64]) -> NDArray[np.float64]:
    """N = 4: the polytope itself, in the space orthogonal to (1, 1, 1, 1)."""
    axes = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=np.float64) / 2
    return np.asarray(axes[sets].sum(axis=1))


def _coxeter(N: int, sets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sums of roots of unity; for N <= 3 that is the polytope itself."""
    angle = 2 * math.pi * np.arange(N) / N + math.pi / 2
    return np.asarray(np.column_stack([np.cos(angle), np.sin(angle)])[sets].sum(axis=1))


def _vertices(N: int, sets: NDArray[np.int64], places: NDArray[np.float64], look: Any, dark: bool) -> dict[str, Any]:
    colours = cell_colours(_coxeter(N, np.arange(N)[:, None]), sets, dark)
    few = len(np.unique(places.round(6), axis=0)) == len(sets) <= 30  # labels over one another say nothing
    return {
        **trace(places, places.shape[1]),
        "mode": "markers+text" if few else "markers",
        "text": [set_text(S) for S in sets],
        "textposition": "top center",
        "hoverinfo": "text",
        "marker": {"size": 9 if few else 5, "color": colours, "line": {"color": look.line, "width": 1}},
    }
