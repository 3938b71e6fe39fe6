"""Charts of the Capacity page: the multiplier that is left, iso-compute partners, granularity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tropviz.figures.charts import (
    Figure,
    Floats,
    axis,
    column,
    dots,
    layout,
    line,
    log_axis,
    note,
    short,
    spread,
    vertical,
)
from tropviz.figures.theme import Theme, faded, theme
from tropviz.language import numeral, say


@dataclass(frozen=True)
class GainCurve:
    """What one shape keeps of its multiplier: log10 of the expected gain over the dense network, by dimension."""

    name: str
    dimensions: Floats
    log10_gain: Floats
    log10_promise: float


@dataclass(frozen=True)
class GainMarks:
    """Other marks of the first shape, as log10 multiples of the dense network of the same active width, by dimension.

    Attributes
    ----------
    dimensions : (n,) float64
    limit : (n,) float64
        No weights exceed it.
    designed : (n,) float64
        Reached by chosen weights.
    total : (n,) float64
        A dense network of the same total width.
    """

    dimensions: Floats
    limit: Floats
    designed: Floats
    total: Floats


def gain_colours(dark: bool = False) -> list[str]:
    """Colours of the curves, in their order."""
    look = theme(dark)
    return [look.expected, look.other, look.muted]


def gain_figure(
    curves: Sequence[GainCurve],
    at: int,
    star: float,
    full: int,
    dark: bool = False,
    marks: GainMarks | None = None,
    half: float = 0.0,
    own: float | None = None,
) -> Figure:
    """Gain over the dense network of the same active width, against the dimension of the slice.

    Parameters
    ----------
    curves : sequence of GainCurve
        The scene's shape first.
    at : int
        The dimension looked at, marked on every curve.
    star : float
        The resilience dimension d*.
    full : int
        kH + N - 1, from where the full product is there.
    dark : bool
    marks : GainMarks, optional
        Maximum, designed weights and the dense network of equal total width.
    half : float
        d_gain, from where half of the gain in regions is there; 0: not marked.
    own : float, optional
        log10 of what the layer on screen has, at `at`.
    """
    look = theme(dark)
    colours = gain_colours(dark)
    right = math.log10(max(full, 2))
    top = max(c.log10_promise for c in curves) * 1.06 + 0.05
    data = []
    chart = layout(
        log_axis(0, right, say("dimension d of the flat slice")),
        log_axis(-0.02 * top, top, say("linear regions, as a multiple of the dense network"), "×"),
        look,
    )
    chart["margin"] = {"l": 8, "r": 18, "t": 30, "b": 8}
    heights = spread([c.log10_promise for c in curves], top * 0.085, 0, top)
    for number, (curve, height) in enumerate(zip(curves, heights, strict=True)):
        colour = colours[number % len(colours)]
        x = np.log10(curve.dimensions)
        hover = [
            say(
                "{name}<br>d = {d:,}: ≈ {mean}×, promised {most}×",
                name=curve.name,
                d=int(d),
                mean=short(g),
                most=short(curve.log10_promise),
            )
            for d, g in zip(curve.dimensions, curve.log10_gain, strict=True)
        ]
        data.append(line([0, right], [curve.log10_promise] * 2, faded(look.bound, 0.75), dash="dash", width=1.3))
        data.append(line(x, curve.log10_gain, colour, hover, width=3 if number == 0 else 2))
        here = float(np.interp(math.log10(at), x, curve.log10_gain))
        data.append(dots([math.log10(at)], [here], colour, [f"{curve.name}, d = {at}: ≈ {short(here)}×"], 10))
        label = note(0, height, f"<b>{short(curve.log10_promise)}×</b>", colour)
        place = {"xanchor": "left", "yanchor": "bottom", "xshift": 4, "bgcolor": faded(look.background, 0.85)}
        chart["annotations"].append(label | place)
    if marks is not None and len(marks.dimensions):
        data += _marks(chart, marks, at, look)
    if own is not None:
        text = say("this router, d = {at}: {short}×, counted", at=at, short=short(own))
        data.append(dots([math.log10(at)], [own], look.exact, [text], 9, symbol="square", line={"width": 0}))
    first = float(np.interp(math.log10(at), np.log10(curves[0].dimensions), curves[0].log10_gain))
    side = ("left", 8) if at == 1 else ("right", -9)  # the curve rises to the right, so the left is free
    where = {"xanchor": side[0], "yanchor": "bottom", "xshift": side[1], "yshift": 5, "bgcolor": look.background}
    chart["annotations"].append(note(math.log10(at), first, f"<b>≈ {short(first)}×</b>", look.expected, **where))
    vertical(chart, math.log10(at), say("slice d = {at}", at=at), look, look.text)
    vertical(chart, right, say("the whole product: d = {full:,}", full=full), look, row=2)
    over = 2 * math.log10(max(star, 1.0)) > right  # the label goes where there is more room
    if star >= 1:
        vertical(chart, math.log10(star), say("half of the sets: d* = {star:.2f}", star=star), look, row=1, left=over)
    if 1 <= half < full:
        vertical(
            chart, math.log10(half), say("half of the gain: d<sub>gain</sub> = {half:,.0f}", half=half), look, row=3
        )
    return {"data": data, "layout": chart}


def _marks(chart: Figure, marks: GainMarks, at: int, look: Theme) -> list[Figure]:
    """The maximum, what is reached, and the dense network of equal total width; what is reached is labelled at `at`."""
    x = np.log10(marks.dimensions)

    def told(values: Floats, name: str) -> list[str]:
        found = zip(marks.dimensions, values, strict=True)
        return [f"d = {numeral(f'{int(d):,}')}: {name.replace('{factor}', short(v))}" for d, v in found]

    limit = told(marks.limit, say("no weights exceed {factor}×"))
    total = told(marks.total, say("dense, total width NH, {factor}×"))
    reached = told(marks.designed, say("designed weights reach {factor}×"))
    data = [
        line(x, marks.limit, look.bound, limit, width=1.6),
        line(x, marks.total, look.muted, total, width=1.6, dash="dot"),
        line(x, marks.designed, look.exact, reached, width=2, dash="dashdot"),
    ]
    if at <= marks.dimensions[-1]:
        here = float(np.interp(math.log10(at), x, marks.designed))
        text = say("designed weights, d = {at}: {short}×", at=at, short=short(here))
        data.append(dots([math.log10(at)], [here], look.exact, [text], 11, symbol="diamond", line={"width": 0}))
        place = {"xanchor": "left", "yanchor": "middle", "xshift": 9, "bgcolor": faded(look.background, 0.8)}
        chart["annotations"].append(note(math.log10(at), here, f"<b>{short(here)}×</b>", look.exact, **place))
    return data


@dataclass(frozen=True)
class IsoPoint:
    """One shape of equal compute: its name under the axis, what it promises and what a slice keeps (log10)."""

    label: str
    name: str
    log10_promise: float
    log10_kept: float
    chosen: bool = False
    log10_designed: float | None = None


def iso_figure(points: Sequence[IsoPoint], dark: bool = False) -> Figure:
    """Promise (ring) and what the slice keeps (dot) for shapes of the same compute, joined by what is lost."""
    look = theme(dark)
    high = max(p.log10_promise for p in points) * 1.14 + 0.12
    x = list(range(len(points)))
    chart = layout(
        axis("", [-0.6, len(points) - 0.4], grid=False)
        | {"tickvals": x, "ticktext": [p.label for p in points], "tickangle": 0},
        log_axis(-0.13 * high, high, say("times the dense network"), "×", 5),
        look,
    )
    data = []
    for i, p in enumerate(points):
        colour = faded(look.bound, 0.9 if p.chosen else 0.45)
        data.append(line([i, i], [p.log10_kept, p.log10_promise], colour, dash="dot", width=2))
    kept = [
        say("{name}<br>random, mean over weights: ≈ {short}×", name=p.name, short=short(p.log10_kept)) for p in points
    ]
    promised = [
        say("{name}<br>promised, maximum over weights: {short}×", name=p.name, short=short(p.log10_promise))
        for p in points
    ]
    reached = [(i, p, p.log10_designed) for i, p in enumerate(points) if p.log10_designed is not None]
    texts = [say("{name}<br>designed, chosen weights: {short}×", name=p.name, short=short(v)) for _, p, v in reached]
    diamond = {"symbol": "diamond", "line": {"width": 0}}
    if reached:
        data.append(dots([i for i, *_ in reached], [v for *_, v in reached], look.exact, texts, 10, **diamond))
    ring = {"symbol": "circle-open", "line": {"width": 2.5, "color": look.bound}}
    data.append(dots(x, [p.log10_promise for p in points], look.bound, promised, 12, **ring))
    data.append(dots(x, [p.log10_kept for p in points], look.expected, kept, 10))
    crowded = len(points) > 9
    for i, p in enumerate(points):
        if crowded and not p.chosen and i % 2:
            continue
        bold = ("<b>", "</b>") if p.chosen else ("", "")
        text = f"{bold[0]}{short(p.log10_promise)}×{bold[1]}"
        chart["annotations"].append(note(i, p.log10_promise, text, look.bound, yanchor="bottom", yshift=8))
        if p.log10_promise - p.log10_kept > 0.13 * high:
            text = f"{bold[0]}≈ {short(p.log10_kept)}×{bold[1]}"
            chart["annotations"].append(note(i, p.log10_kept, text, look.expected, yanchor="top", yshift=-7))
    return {"data": data, "layout": chart}


@dataclass(frozen=True)
class GrainPoint:
    """One granularity: bits promised and kept, and whether its experts still see the whole slice."""

    m: int
    label: str
    bits: float
    kept_bits: float
    above_floor: bool


def granularity_figure(points: Sequence[GrainPoint], chosen: int, best: int, dark: bool = False) -> Figure:
    """Capacity in bits against granularity: promised, kept in the slice, and where experts get too narrow."""
    look = theme(dark)
    x = list(range(len(points)))
    high = max(p.bits for p in points) * 1.12 + 1
    chart = layout(
        axis(say("pieces m, and the shape (N, k, H) they make"), [-0.5, len(points) - 0.5], grid=False)
        | {"tickvals": x, "ticktext": [p.label for p in points], "tickangle": 0},
        axis(say("bits: log₂ of the number of active sets"), [0, high]),
        look,
    )
    chart["margin"]["t"] = 30
    below = [i for i, p in enumerate(points) if not p.above_floor]
    if below:
        column(chart, below[0] - 0.5, len(points) - 0.5, faded(look.muted, 0.16))
        place: Figure = {"yref": "paper", "yanchor": "bottom", "xanchor": "right"}
        chart["annotations"].append(note(len(points) - 0.5, 1, say("below the floor: H/m < d"), look.muted, **place))
    where = next(i for i, p in enumerate(points) if p.m == chosen)
    column(chart, where - 0.28, where + 0.28, faded(look.expected, 0.1))
    promised = [say("m = {m}: C(mN, mk) = 2^{bits:.1f}", m=p.m, bits=p.bits) for p in points]
    kept = [say("m = {m}: ≈ 2^{kept_bits:.1f} cells kept in this slice", m=p.m, kept_bits=p.kept_bits) for p in points]
    data = [
        line(x, [p.bits for p in points], look.bound, width=2, dash="dash"),
        dots(x, [p.bits for p in points], look.bound, promised, 11, symbol="circle-open", line={"width": 2.5}),
        line(x, [p.kept_bits for p in points], look.expected, width=2.5),
        dots(x, [p.kept_bits for p in points], look.expected, kept, 9),
    ]
    last = points[-1]
    place = {"xanchor": "right", "yanchor": "bottom", "yshift": 5}
    chart["annotations"] += [
        note(x[-1], last.bits, say("promised, maximum"), look.bound, xshift=-8, **place),
        note(x[-1], last.kept_bits, say("random, mean in the slice"), look.expected, **place),
    ]
    at = next((i for i, p in enumerate(points) if p.m == best), None)
    if at is not None:
        star = {"symbol": "star", "line": {"width": 0}}
        data.append(
            dots([at], [points[at].bits], look.bound, [say("best m under the bound: {best}", best=best)], 17, **star)
        )
    return {"data": data, "layout": chart}
