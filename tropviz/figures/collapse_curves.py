"""Angular collapse as curves over the offset, with the load of every expert under them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.figures import traces
from tropviz.figures.charts import band, line, note
from tropviz.figures.collapse import Figure, Floats
from tropviz.figures.picture import f32
from tropviz.figures.theme import Theme, faded, theme
from tropviz.language import numeral, people, say

#: Domains of the three panels, bottom to top: load bars, effective number, saturation.
_PANELS = ((0.0, 0.2), (0.345, 0.6), (0.7, 0.985))


#: Numbers of the traces that follow the offset, in the order of :func:`_moving`: bands, curves and t* come before them.
MOVING = tuple(range(12, 17))
#: What is left of a colour that is no longer in force.
FADED = 0.35
#: Height of the words at t*: there saturation is near 1 and the cap is small.
LABEL_AT = 0.36
#: Left end of a logarithmic t axis, in steps of t: it has no zero. On an even axis, too small to be seen.
NEAREST = 0.5


@dataclass(frozen=True, eq=False)
class Curve:
    """One router on the t axis: without the shared expert, or with it. Arrays of shape (T,); loads (T, N)."""

    saturation: Floats
    low: Floats
    high: Floats
    effective: Floats
    cap: Floats
    load: Floats
    certified: float


def curve_line(x: Any, y: Any, colour: str, name: str, axes: str = "", **style: Any) -> Figure:
    """One curve over the offset; `axes` is "2" for the lower panel, `style` goes into its line."""
    made = line(x, y, colour, **{"width": 2.4, **style})
    told = {"name": name, "hoverinfo": "all", "hovertemplate": "%{y:.3~g}<extra>" + name + "</extra>"}
    return {**made, **told, "xaxis": "x", "yaxis": "y" + axes}


def panel_title(text: str, y: float, colour: str) -> Figure:
    """The words above a panel, at height y of the paper."""
    return note(0, y, text, colour, xref="paper", yref="paper", xanchor="left", yanchor="bottom")


def _moving(
    offsets: Floats, t: float, index: int, plain: Curve, shared: Curve | None, on: bool, top: float
) -> list[Figure]:
    """Traces that follow the offset: the line through both panels, a dot on every curve, the load bars."""
    curves = [plain] if shared is None else [plain, shared]
    here = curves[-1] if on and shared is not None else plain
    shown = max(t, NEAREST * float(offsets[1]))  # a logarithmic axis has no zero
    at = f32([shown] * len(curves))
    return [
        {"x": f32([shown, shown])},
        {"x": f32([shown, shown])},
        {"x": at, "y": f32([np.interp(t, offsets, c.saturation) for c in curves])},
        {"x": at, "y": f32([np.interp(t, offsets, c.effective) for c in curves])},
        {"y": f32(here.load[index])},
    ]


def curves_figure(
    offsets: Floats,
    plain: Curve,
    shared: Curve,
    *,
    far: bool = False,
    on: bool,
    strength: float,
    at: float,
    expert_colours: Sequence[str],
    k: int,
    dark: bool,
) -> Figure:
    """Saturation, effective number of sets and cap share over t, each with and without the shared expert; loads at t.

    Parameters
    ----------
    offsets : (T,) float64
    plain, shared : Curve
        Without the shared expert, and with it.
    far : bool
        The offsets go out to a t* far away: a logarithmic t axis.
    on : bool
        The shared expert is on: the load bars show it, and what holds without it is faded.
    strength : float
        lambda of the shared expert.
    at : float
        The offset in view.
    expert_colours : sequence of '#rrggbb'
    k : int
        Active experts, for the height of an even load.
    dark : bool

    Returns
    -------
    dict
        "data" and "layout"; the traces numbered in ``MOVING`` are those that :func:`curves_frame` restyles.
    """
    look, N = theme(dark), plain.load.shape[1]
    top = float(max(plain.effective.max(), shared.effective.max(), 2.0))
    old = FADED if on else 1.0
    data = [
        band(offsets, shared.low, shared.high, look.shared, 0.16),
        band(offsets, plain.low, plain.high, look.plain, 0.16),
        *_lines(offsets, plain, shared, strength, look, old),
        *_marks(offsets, plain.certified, _faded(look.certified, old), "solid", top),
        *_marks(offsets, shared.certified, look.shared, "dash", top),
    ]
    moving = _moving(offsets, at, int(np.abs(offsets - at).argmin()), plain, shared, on, top)
    styles = _moving_styles(expert_colours, top, look, old)
    data += [{**style, **move} for style, move in zip(styles, moving, strict=True)]
    data.append(_even_load(N, k, look))
    return {"data": data, "layout": _layout(offsets, plain, shared, top, N, look, far, on)}


def _faded(colour: str, alpha: float) -> str:
    return colour if alpha == 1 else faded(colour, alpha)


def _lines(offsets: Floats, plain: Curve, shared: Curve, strength: float, look: Theme, old: float) -> list[Figure]:
    """Cap, saturation and effective sets; what is no longer in force has what is left of its colour, `old`."""
    with_it = say("with the shared expert (λ = {strength:g})", strength=strength)
    return [
        curve_line(
            offsets, shared.cap, look.cap, say("cap of directions, {whose}", whose=with_it), width=1.4, dash="dash"
        ),
        curve_line(offsets, plain.cap, _faded(look.cap, old), say("cap of directions"), width=2, dash="dot"),
        curve_line(offsets, shared.saturation, look.shared, say("saturation, {whose}", whose=with_it), dash="dash"),
        curve_line(offsets, plain.saturation, _faded(look.plain, old), say("saturation")),
        curve_line(
            offsets, shared.effective, look.shared, say("effective sets, {whose}", whose=with_it), "2", dash="dash"
        ),
        curve_line(offsets, plain.effective, _faded(look.plain, old), say("effective sets"), "2"),
    ]


def _marks(offsets: Floats, certified: float, colour: str, dash: str, top: float) -> list[Figure]:
    """t* as a line through both panels; nothing where it lies beyond the axis."""
    inside = math.isfinite(certified) and certified <= offsets[-1]
    x = [certified] * 2 if inside else []
    made = []
    for axes, span in (("", [0, 1]), ("2", [1, top])):
        mark = curve_line(x, span if inside else [], colour, say("certified t*"), axes, width=1.6, dash=dash)
        made.append({**mark, "hoverinfo": "skip", "hovertemplate": None})
    return made


def _moving_styles(expert_colours: Sequence[str], top: float, look: Theme, old: float) -> list[Figure]:
    """What does not move of the traces that follow the offset."""
    colours = [_faded(look.plain, old), look.shared]
    dots = traces.dots([], size=9, color=colours, line={"color": look.background, "width": 1.5})
    bars: Figure = {
        "type": "bar",
        "x": np.arange(len(expert_colours), dtype=np.int32),
        "marker": {"color": list(expert_colours), "line": {"width": 0}},
        "xaxis": "x3",
        "yaxis": "y3",
        "hovertemplate": say("expert %{x}: %{y:.1%} of the data<extra></extra>"),
    }
    return [
        line([], [0, 1], look.line, width=1),
        line([], [1, top], look.line, width=1) | {"yaxis": "y2"},
        dots,
        dots | {"yaxis": "y2"},
        bars,
    ]


def _even_load(N: int, k: int, look: Theme) -> Figure:
    """Where the bars would all end if the experts were loaded evenly."""
    told = {"hoverinfo": "all", "hovertemplate": say("even load %{y:.1%}<extra></extra>")}
    made = line([-0.5, N - 0.5], [k / N, k / N], look.line, width=1.2, dash="dot")
    return {**made, **told, "xaxis": "x3", "yaxis": "y3"}


def _layout(
    offsets: Floats, plain: Curve, shared: Curve, top: float, N: int, look: Theme, far: bool, on: bool
) -> Figure:
    powers = [p for p in range(12) if 2**p <= top * 1.05]
    step = max(1, math.ceil(N / 16))
    axis = {"fixedrange": True, "zeroline": False, "uirevision": False}
    experts = {"tickvals": list(range(0, N, step)), "showgrid": False}
    loads = {"domain": list(_PANELS[0]), "tickformat": ".0%", "nticks": 3}
    marks: list[Figure] = [
        panel_title(say("<b>Angular collapse</b>: saturation (dotted: cap)"), _PANELS[2][1], look.text),
        panel_title(say("Effective sets"), _PANELS[1][1], look.text),
        panel_title(say("<b>Load imbalance</b>: share on each expert"), _PANELS[0][1], look.text),
    ]
    marks += _certified_marks(offsets, plain, shared, look, on)
    marks.append(_key(plain, shared, look, on))
    if far:
        for mark in marks:
            if mark["xref"] == "x":
                mark["x"] = math.log10(mark["x"])
    span = [math.log10(NEAREST * offsets[1]), math.log10(offsets[-1])] if far else [0.0, float(offsets[-1])]
    span[1] += 0.015 * (span[1] - span[0])  # the dots at the end are seen whole
    return {
        "xaxis": {
            **axis,
            "type": "log" if far else "linear",
            "range": span,
            "anchor": "y2",
            "title": {"text": say("offset t, logarithmic as far as t*") if far else say("offset t"), "standoff": 2},
            **({"dtick": 1} if far else {}),
        },
        "yaxis": {**axis, "range": [-0.02, 1.04], "domain": list(_PANELS[2]), "tickformat": ".0%", "nticks": 4},
        "yaxis2": {
            **axis,
            "type": "log",
            "range": [-0.03, math.log10(top * 1.12)],
            "domain": list(_PANELS[1]),
            "tickvals": [2**p for p in powers[:: max(1, len(powers) // 5)]],
        },
        "xaxis3": {**axis, **experts, "anchor": "y3", "range": [-0.6, N - 0.4]},
        "yaxis3": {**axis, **loads, "anchor": "x3", "range": [0, 1.02]},
        "annotations": marks,
        "showlegend": False,
        "hovermode": "x",
        "dragmode": False,
        "bargap": 0.18,
        "margin": {"l": 44, "r": 12, "t": 18, "b": 26},
    }


def offset_text(t: float) -> str:
    """An offset for people.

    >>> offset_text(3.14159), offset_text(1234.5), offset_text(math.inf)
    ('3.142', '1,234', 'never')
    """
    return say("never") if math.isinf(t) else people(t) if t < 1000 else people(round(t))


def _certified_marks(offsets: Floats, plain: Curve, shared: Curve, look: Theme, on: bool) -> list[Figure]:
    """t* in words, the one in force strong; with the shared expert on, the one without it is faded."""
    if not on:
        return [_certified_mark(offsets, plain.certified, look, look.certified, "", say("along a wall"), LABEL_AT)]
    return [
        _certified_mark(
            offsets, plain.certified, look, faded(look.certified, 0.6), say("without it: {text}"), "", LABEL_AT
        ),
        _certified_mark(offsets, shared.certified, look, look.shared, say("with the shared expert: {text}"), "", 0.9),
    ]


def _certified_mark(offsets: Floats, t: float, look: Theme, colour: str, whose: str, why: str, y: float) -> Figure:
    inside = math.isfinite(t) and t <= offsets[-1]
    if math.isinf(t):
        text = say("t*: never ({why})", why=why) if why else say("t*: never")
    else:
        text = say("certified t* = {offset}", offset=offset_text(t)) + ("" if inside else " →")
    text = whose.replace("{text}", text) if whose else text
    late = not inside or np.searchsorted(offsets, t) > 0.6 * len(offsets)  # whatever the scale of the axis
    place = {"xref": "x", "yref": "y", "xanchor": "right" if late else "left", "bgcolor": faded(look.background, 0.8)}
    return note(t if inside else offsets[-1], y, text, colour, **place) | {"font": {"size": 12, "color": colour}}


def _key(plain: Curve, shared: Curve, look: Theme, on: bool) -> Figure:
    """Which curve is which, in words of their colours beside the panel's title: never in a curve's way."""
    old = faded(look.plain, 0.6) if on else look.plain
    words = say(
        '<span style="color:{old}">without</span>, <span style="color:{shared}">with the shared expert</span>',
        old=old,
        shared=look.shared,
    )
    return {**panel_title(words, _PANELS[1][1], look.text), "x": 1, "xanchor": "right", "font": {"size": 11.5}}


def curves_frame(offsets: Floats, index: int, plain: Curve, shared: Curve, on: bool) -> Figure:
    """One frame of the curves: what follows the offset."""
    data = _moving(offsets, float(offsets[index]), index, plain, shared, on, 1.0)
    return {"name": numeral(f"{offsets[index]:g}"), "traces": list(MOVING), "data": data}
