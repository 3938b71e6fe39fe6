"""What a notebook shows of a fan, a layer or a polytope: an exact picture, small, and its counts."""

from __future__ import annotations

import math
from functools import singledispatch
from html import escape
from typing import Any

from tropviz.core.count import Count, people
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.hypersimplex import Hypersimplex
from tropviz.figures.svg import card, fan_svg
from tropviz.plotting.section import plane_of

Row = tuple[str, str, str]
#: More cells than this make no small picture: the counts stand alone.
MOST_CELLS = 600


@singledispatch
def html(x: Any) -> str:
    """HTML of an object that draws itself.

    Examples
    --------
    >>> from tropviz import Router
    >>> fan = RoutingFan(Router([[1, 0], [0, 1], [-1, -1]], k=1))
    >>> text = fan._repr_html_()
    >>> text.count("<path"), "<b>3</b>" in text
    (3, True)
    """
    return f"<pre>{escape(repr(x))}</pre>"


def _row(label: str, count: Count) -> Row:
    return label, str(count), count.kind


@html.register
def _fan(x: RoutingFan) -> str:
    picture, note = _picture(x, None)
    return card(picture, _title(x), _rows(x), note)


@html.register
def _layer(x: MoELayer) -> str:
    picture, note = _picture(x.fan, x)
    rows = _rows(x.fan)
    if x.d <= 3:
        rows.append(_row("linear regions", x.regions()))
    return card(picture, f"{_title(x.fan)}, width {x.H}", rows, note)


@html.register
def _hypersimplex(x: Hypersimplex) -> str:
    counts = {
        "vertices": x.vertex_count,
        "edges": x.edge_count,
        "facets": x.facet_count,
        "normalised volume": x.normalised_volume,
    }
    rows = [(label, people(value), "exact") for label, value in counts.items()]
    return card("", f"Hypersimplex Δ({x.k},{x.N})", rows)


def _title(fan: RoutingFan) -> str:
    return f"Top-{fan.router.k} of {fan.router.N} experts in R^{fan.router.d}"


def _rows(fan: RoutingFan) -> list[Row]:
    promised = Count(math.comb(fan.router.N, fan.router.k), "exact", "C(N, k)")
    return [_row("active sets promised, C(N,k)", promised), _row("cells of this router", fan.count)]


def _picture(fan: RoutingFan, layer: MoELayer | None) -> tuple[str, str]:
    if len(fan.active_sets) > MOST_CELLS and fan.router.d == 2:
        return "", f"More than {MOST_CELLS} cells: tropviz.plot draws them."
    cut = plane_of(fan)
    if len(cut.ids) > MOST_CELLS:
        return "", f"More than {MOST_CELLS} cells: tropviz.plot draws them."
    hinges = None
    if layer is not None and layer.d == 2:
        hinges = layer.hinge_segments(cut.window, polygons=(cut.ids, cut.shapes)).ends
    (x0, x1), (y0, y1) = cut.window.tolist()
    where = f"Window [{x0:.4g}, {x1:.4g}] × [{y0:.4g}, {y1:.4g}]."
    picture = fan_svg(cut.ids, cut.shapes, cut.fan.active_sets, cut.colours, window=cut.window, segments=hinges)
    return picture, " ".join(filter(None, (cut.note, where)))
