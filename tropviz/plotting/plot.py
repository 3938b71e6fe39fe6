"""`plot`: one function, a way to draw for every kind of object."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from tropviz.core.collapse.ray import Sweep
from tropviz.core.count import people
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.hypersimplex import Hypersimplex
from tropviz.core.router import Router
from tropviz.core.slice_law.curve import Law

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: What can be plotted, for the refusal.
KINDS = "a Router, a RoutingFan, an MoELayer, a Hypersimplex, a collapse.Sweep or a slice_law.Law"


def plot(x: Any, **options: Any) -> go.Figure:
    """Draw something of this package as a Plotly figure.

    Parameters
    ----------
    x : Router, RoutingFan, MoELayer, Hypersimplex, collapse.Sweep or slice_law.Law
    window : number or two (low, high) pairs
        Fans and layers: the part that is drawn; by default one that shows most corners.
    data : array-like (n, d)
        Fans and layers: points to lay over the cells, in the router's space.
    labels : bool
        Fans and layers in the plane: write the active sets where they fit (default True).
    hinges : bool
        Layers in the plane: draw the hinges of the active experts (default True).
    title : str
        Instead of the title made from the counts.
    dark : bool
        For a dark background (default False).
    height : int
        Pixels (default 560; charts 420).

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        For an object that has no picture, or an option it does not take, in one sentence.

    Notes
    -----
    A fan in d = 1 is a strip, in d = 3 solid cells (a ball if the router is central), and beyond that a section by the
    plane of the two leading principal directions of W; the title says so. Delta(k, N) is drawn exactly for N <= 4, and
    by its Coxeter projection (vertices at sums of roots of unity) beyond.

    Examples
    --------
    >>> import tropviz
    >>> fan = tropviz.RoutingFan(tropviz.Router([[1, 0], [0, 1], [-1, -1]], k=1))
    >>> figure = tropviz.plot(fan, window=2)
    >>> type(figure).__name__, figure.layout.title.text
    ('Figure', 'top-1 of 3: 3 cells (exact)')
    >>> tropviz.plot(3)
    Traceback (most recent call last):
        ...
    ValueError: An int has no picture: give a Router, a RoutingFan, an MoELayer, a Hypersimplex, a collapse.Sweep or ...
    """
    import plotly.graph_objects as go

    from tropviz.figures.theme import theme

    height = options.pop("height", None)
    title = options.pop("title", None)
    try:
        figure = draw(x, **options)
    except TypeError as problem:
        if "keyword argument" not in str(problem):
            raise
        wrong = str(problem).split("'")[1]
        raise ValueError(f"A {type(x).__name__} takes no option {wrong!r}: see help(tropviz.plot).") from None
    made = go.Figure(data=figure["data"], layout=figure["layout"])
    ground = theme(bool(options.get("dark", False)))
    made.update_layout(template="none", paper_bgcolor=ground.background, plot_bgcolor=ground.background)
    made.update_layout(font={"color": ground.text})
    look = {"text": title if title is not None else figure.get("title", ""), "x": 0.02, "font": {"size": 15}}
    made.update_layout(title=look, height=height or figure.get("height", 560), margin={"t": 48})
    return made


@singledispatch
def draw(x: Any, **options: Any) -> dict[str, Any]:
    """Data, layout, title and height of a picture; a kind of object registers its own way."""
    name = type(x).__name__
    article = "An" if name[0].lower() in "aeiou" else "A"
    raise ValueError(f"{article} {name} has no picture: give {KINDS}.")


@draw.register
def _router(x: Router, **options: Any) -> dict[str, Any]:
    return draw(RoutingFan(x), **options)


@draw.register
def _fan(x: RoutingFan, **options: Any) -> dict[str, Any]:
    from tropviz.plotting.fans import plane, space

    return space(x, **options) if x.router.d == 3 else plane(x, **options)


@draw.register
def _layer(x: MoELayer, *, hinges: bool = True, **options: Any) -> dict[str, Any]:
    from tropviz.plotting.fans import plane, regions_title, space

    if x.d == 3:
        return space(x.fan, title=regions_title(x), **options)
    return plane(x.fan, layer=x, hinges=hinges, title=regions_title(x), **options)


@draw.register
def _hypersimplex(x: Hypersimplex, *, dark: bool = False) -> dict[str, Any]:
    from tropviz.plotting.polytopes import hypersimplex

    return hypersimplex(x, dark)


@draw.register
def _sweep(x: Sweep, *, dark: bool = False) -> dict[str, Any]:
    from tropviz.figures.charts import axis, band, layout, line
    from tropviz.figures.theme import theme

    look = theme(dark)
    data = []
    low, high = x.saturation_interval.T if x.saturation_interval is not None else (None, None)
    if low is not None:
        data.append(band(x.offsets, low, high, look.exact))
    hover = [f"t = {t:.3g}<br>{s:.1%} in the fullest set" for t, s in zip(x.offsets, x.saturation, strict=True)]
    data.append(line(x.offsets, x.saturation, look.exact, hover, width=3))
    chart = layout(axis("offset t"), axis("share of the data in the fullest active set", [0, 1.02]), look)
    title = f"Saturation of {x.n:,} points, top-{x.k} of {x.N} (sampled)"
    return {"data": data, "layout": chart, "title": title, "height": 420}


@draw.register
def _law(x: Law, *, dark: bool = False) -> dict[str, Any]:
    from tropviz.figures.resilience import ShareCurve, share_figure

    name = f"top-{x.k} of {x.N}"
    curve = ShareCurve(name, np.arange(1, len(x.shares) + 1, dtype=np.float64), x.shares)
    made = share_figure(curve, (), (), (), x.resilience_dimension, x.resilience_spread, dark)
    title = f"{name}: half of the active sets are expected from d* = {people(x.resilience_dimension, 3)} on"
    return {**made, "title": title, "height": 420}
