"""Charts of the Resilience page: share kept against dimension, and what flat and curved data cross."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.count import Count
from tropviz.figures.charts import Figure, Floats, axis, column, dots, layout, line, log_axis, note, vertical
from tropviz.figures.picture import f32
from tropviz.figures.theme import Theme, faded, theme
from tropviz.language import numeral, say

#: Where the last published line ends: the axis is there before the lines are, so that nothing jumps.
LONGEST = 52


@dataclass(frozen=True)
class ShareCurve:
    """Expected share kept, by dimension."""

    name: str
    dimensions: Floats
    shares: Floats
    label: bool = False


@dataclass(frozen=True)
class SharePoint:
    """A measured share in one dimension."""

    d: int
    share: Count


def share_figure(
    law: ShareCurve,
    others: Sequence[ShareCurve],
    own: Sequence[SharePoint],
    random: Sequence[SharePoint],
    middle: float,
    width: float,
    dark: bool = False,
) -> Figure:
    """Share of the C(N, k) active sets kept against dimension.

    Parameters
    ----------
    law : ShareCurve
        The scene's shape.
    others : sequence of ShareCurve
        Published shapes, thin.
    own, random : sequence of SharePoint
        The router on screen; random routers of its kind.
    middle, width : float
        Where the law rises: its middle d*, and how far to each side.
    """
    look = theme(dark)
    right = math.log10(max([law.dimensions[-1], LONGEST, *(c.dimensions[-1] for c in others)]))
    chart = layout(
        log_axis(0, right, say("dimension d of the flat slice, logarithmic")),
        axis(say("share of the C(N,k) active sets that exist"), [-0.02, 1.06]) | {"tickformat": ".0%", "dtick": 0.25},
        look,
    )
    chart["margin"] = {"l": 8, "r": 18, "t": 30, "b": 8}
    data = [trace for curve in others for trace in _thin(curve, look)]
    chart["annotations"] += [_named(curve, right, look) for curve in others if curve.label]
    hover = [
        say("{name}<br>d = {d}: {s:.2%} expected", name=law.name, d=int(d), s=s)
        for d, s in zip(law.dimensions, law.shares, strict=True)
    ]
    data.append(line(np.log10(law.dimensions), law.shares, look.expected, hover, width=3.5))
    if middle >= 1:
        low, high = (math.log10(max(1.0, middle + side * width)) for side in (-1, 1))
        column(chart, low, min(high, right), faded(look.expected, 0.07))
        vertical(chart, math.log10(middle), numeral(f"d* = {middle:.2f}"), look, look.text)
    if random:
        data += _random(random, look)
    counted = [p for p in own if p.share.interval is None]
    sampled = [p for p in own if p.share.interval is not None]
    if counted:
        data.append(_measured(counted, say("this router"), look.exact))
    if sampled:
        data.append(_with_errors(sampled, look))
    return {"data": data, "layout": chart}


def _thin(curve: ShareCurve, look: Theme) -> list[Figure]:
    """A published shape: a thin line, and a dot that names it where half of its sets are there."""
    at = int(np.searchsorted(curve.shares, 0.5))
    hover = say(
        "{name}<br>half of the sets from d = {dimensions}", name=curve.name, dimensions=int(curve.dimensions[at])
    )
    x = math.log10(curve.dimensions[at])
    return [
        line(np.log10(curve.dimensions), curve.shares, faded(look.muted, 0.55), width=1),
        dots([x], [curve.shares[at]], faded(look.muted, 0.8), [hover], 5),
    ]


def _named(curve: ShareCurve, right: float, look: Theme) -> Figure:
    """The name of a published shape, at the upper end of its line."""
    x = math.log10(curve.dimensions[int(np.searchsorted(curve.shares, 0.93))])
    side = "right" if x > 0.75 * right else "left"
    label = note(x, 1.005, curve.name, look.muted, xanchor=side, yanchor="bottom", bgcolor=look.background)
    return label | {"font": {"size": 11, "color": look.muted}}


def _measured(points: Sequence[SharePoint], whose: str, colour: str, **marker: Any) -> Figure:
    """Points with their share and how it was found on hover."""
    texts = [f"{whose}, d = {p.d}: {share_text(p.share)}<br>{p.share.method}" for p in points]
    x = [math.log10(p.d) for p in points]
    size = marker.pop("size", 10)
    return dots(x, [p.share.value for p in points], colour, texts, size, **marker)


def _random(points: Sequence[SharePoint], look: Theme) -> list[Figure]:
    """The mean of random routers: a dash, and a broad bar over its interval."""
    x = [math.log10(p.d) for p in points]
    ends = [(*(p.share.interval or (p.share.value,) * 2), math.nan) for p in points]
    return [
        line(np.repeat(x, 3), np.ravel(ends), faded(look.other, 0.35), width=9),
        _measured(points, say("random routers"), look.other, size=9, symbol="line-ew-open"),
    ]


def _with_errors(points: Sequence[SharePoint], look: Theme) -> Figure:
    """Sampled shares: open points with their interval as error bars."""
    made = _measured(points, say("this router"), look.exact, symbol="circle-open")
    values, ends = np.array([p.share.value for p in points]), np.array([p.share.interval for p in points])
    bars = {
        "type": "data",
        "symmetric": False,
        "array": f32(ends[:, 1] - values),
        "arrayminus": f32(values - ends[:, 0]),
        "color": look.exact,
        "thickness": 1.4,
        "width": 4,
    }
    marker = made["marker"] | {"line": {"width": 2, "color": look.exact}}
    return made | {"error_y": bars, "marker": marker}


def share_text(share: Count) -> str:
    """A share in per cent, with its interval.

    >>> share_text(Count(0.5, "sampled", "", "", (0.4, 0.6)))
    '50 % [40 %, 60 %], sampled'
    """
    text = numeral(f"{100 * share.value:.3g} %")
    if share.interval is not None:
        text += numeral(f" [{100 * share.interval[0]:.3g} %, {100 * share.interval[1]:.3g} %]")
    return f"{text}, {share.kind}"


@dataclass(frozen=True)
class CrossLine:
    """Counts against the input dimension: a name, a role among "flat", "curved", "dense", "narrow", "law", "promise".

    "dense" and "narrow" are dense networks of the active width and of the width of one expert.
    """

    name: str
    role: str
    dimensions: Sequence[int]
    counts: Sequence[Count]


def cross_figure(lines: Sequence[CrossLine], title: str, dark: bool = False) -> Figure:
    """What flat and curved data of one intrinsic dimension cross, against the dimension of the space around it."""
    look = theme(dark)
    colours = {"flat": look.muted, "curved": look.exact, "law": look.expected, "promise": look.bound} | {
        "dense": look.other,
        "narrow": look.soft,
        "designed": look.exact,
    }
    logs = [c.log10 for one in lines for c in one.counts]
    room = 0.12 * (max(logs) - min(logs)) + 0.06
    low, high = max(0.0, min(logs) - room), max(logs) + room
    left, right = (math.log10(f(d for one in lines for d in one.dimensions)) for f in (min, max))
    chart = layout(
        log_axis(left, right + 0.02, say("dimension of the space around the data")),
        log_axis(low, high, title, "", 5),
        look,
    )
    chart["margin"] = {"l": 8, "r": 18, "t": 12, "b": 8}
    data = []
    for one in lines:
        colour, x, y = colours[one.role], np.log10(one.dimensions), [c.log10 for c in one.counts]
        pairs = zip(one.dimensions, one.counts, strict=True)
        hover = [
            say("{name}<br>in {d} dimensions: {c} ({kind})", name=one.name, d=d, c=c, kind=c.kind) for d, c in pairs
        ]
        thin = one.role in ("law", "promise", "designed")
        dash = "dashdot" if one.role == "designed" else "dash"
        style = {"width": 1.6, "dash": dash} if thin else {"width": 2.5}
        data.append(line(x, y, colour, hover if thin else None, **style))
        if not thin:
            symbols = ["circle" if c.kind == "exact" else "circle-open" for c in one.counts]
            data.append(dots(x, y, colour, hover, 9, symbol=symbols, line={"width": 2, "color": colour}))
    return {"data": data, "layout": chart}
