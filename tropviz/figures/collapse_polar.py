"""Angular collapse beyond one direction and one dimension: t* all around, and the same sweep in R^2 to R^4096."""

from __future__ import annotations

import math
from collections.abc import Sequence
from urllib.parse import quote

import numpy as np

from tropviz.figures.charts import band, note
from tropviz.figures.collapse import Figure, Floats
from tropviz.figures.collapse_curves import curve_line, offset_text, panel_title
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import Theme, channels, faded, theme
from tropviz.figures.traces import dots, line, segments
from tropviz.language import numeral, say


def directions_figure(
    angles: Floats,
    offsets: Floats,
    colours: Sequence[str],
    *,
    reach: float,
    best: tuple[float, float],
    never: Floats,
    at: tuple[float, float],
    dark: bool,
) -> Figure:
    """t* in every direction as a polar picture: coloured where the data has collapsed for certain, grey before.

    Parameters
    ----------
    angles, offsets : (m,) float64
        Directions in radians and t* of each.
    colours : sequence of '#rrggbb'
        Colour of the cell each direction ends in.
    reach : float
        Offset at the rim.
    best : (angle, t*)
        The direction that collapses first.
    never : (w,) float64
        Directions that never collapse.
    at : (x, y)
        The data's offset now.
    dark : bool
    """
    look = theme(dark)
    data = [_spokes(reach, never, look), *(_circle(r, reach, look) for r in (*_ring_marks(reach), reach))]
    if best[1] <= reach:
        data.append(_star(*best, look))
    data.append(line([(0, 0), at], look.plain, 2.5))
    image = _petals(angles, np.minimum(offsets / reach, 1.0), colours, look)
    image |= {"x": -reach, "y": reach, "sizex": 2 * reach, "sizey": 2 * reach}
    side = 1.04 * reach
    layout = sheet(np.array([[-side, side]] * 2), image, hovermode="closest", dragmode=False)
    layout["annotations"] = [_ring_label(r, look) for r in _ring_marks(reach)]
    for axis in ("xaxis", "yaxis"):
        layout[axis]["fixedrange"] = True
    return {"data": data, "layout": layout}


def _spokes(reach: float, never: Floats, look: Theme) -> Figure:
    """The directions that never collapse."""
    tips = reach * np.stack([np.cos(never), np.sin(never)], axis=1)
    return line(segments(np.stack([np.zeros_like(tips), tips], axis=1)), look.quiet, 1, dash="dot")


def _circle(r: float, reach: float, look: Theme) -> Figure:
    """All offsets of one length; the rim is a little stronger."""
    turn = np.linspace(0, 2 * np.pi, 91)
    return line(r * np.stack([np.cos(turn), np.sin(turn)], axis=1), look.quiet, 1 if r < reach else 1.5)


def _star(angle: float, offset: float, look: Theme) -> Figure:
    """Where the data collapses first."""
    told = say("collapses first: t* = {offset}<extra></extra>", offset=offset_text(offset))
    tip, edge = [offset * math.cos(angle), offset * math.sin(angle)], {"color": look.background, "width": 1}
    return dots(tip, size=12, symbol="star", color=look.line, line=edge) | {"hoverinfo": "all", "hovertemplate": told}


def _ring_label(r: float, look: Theme) -> Figure:
    place = {"yanchor": "bottom", "bgcolor": faded(look.background, 0.7)}
    return note(0, r, numeral(f"{r:g}"), look.text, **place) | {"font": {"size": 10.5, "color": look.text}}


def _ring_marks(reach: float) -> list[float]:
    """Two or three round offsets inside the rim."""
    step = 10 ** math.floor(math.log10(reach / 2))
    step *= next(m for m in (1, 2, 5, 10) if reach / (m * step) <= 4.2)
    return [float(f"{i * step:.6g}") for i in range(1, 5) if i * step < 0.97 * reach]


def _petals(angles: Floats, inner: Floats, colours: Sequence[str], look: Theme) -> Figure:
    """Rim minus inner curve, direction by direction, as one vector image on the square [-1, 1]^2."""
    half = (angles[1] - angles[0]) / 2 if len(angles) > 1 else np.pi
    parts = [f"<circle cx='0' cy='0' r='1' fill='{look.veil}'/>"]
    start = 0
    for end in range(1, len(angles) + 1):
        if end < len(angles) and colours[end] == colours[start]:
            continue
        run = slice(start, end)
        a = np.concatenate([[angles[start] - half], angles[run], [angles[end - 1] + half]])
        low = np.concatenate([[inner[start]], inner[run], [inner[end - 1]]])
        outer = [f"{math.cos(v):.4f} {-math.sin(v):.4f}" for v in a]
        under = [f"{r * math.cos(v):.4f} {-r * math.sin(v):.4f}" for r, v in zip(low[::-1], a[::-1], strict=True)]
        parts.append(f"<path fill='{colours[start]}' d='M{' '.join(outer + under)}z'/>")
        start = end
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='-1 -1 2 2'>{''.join(parts)}</svg>"
    return {
        "source": "data:image/svg+xml," + quote(svg, safe=" '=/:;{}.,-"),
        "xref": "x",
        "yref": "y",
        "sizing": "stretch",
        "layer": "below",
    }


def dimension_figure(offsets: Floats, rows: Sequence[tuple[int, Floats, Floats, Floats]], dark: bool) -> Figure:
    """The same sweep in several dimensions, over t / r.

    A row holds d, the saturation of one router, its band over several routers (2, T) and log10 of the cap. The cap
    falls off the chart with d, saturation does not: the cap is not what collapses.
    """
    look = theme(dark)
    shades = _ramp(len(rows), dark)
    data: list[Figure] = []
    ends: list[Figure] = []
    for (d, saturation, spread, cap), shade in zip(rows, shades, strict=True):
        name = numeral(f"d = {d:,}")
        low, high = spread
        data.append(band(offsets, low, high, shade, 0.12))
        data.append(curve_line(offsets, saturation, shade, name))
        power = {"hovertemplate": "10<sup>%{y:.0f}</sup><extra>" + name + "</extra>"}
        data.append(curve_line(offsets, np.maximum(cap, -400.0), shade, name, "2") | power)
        beside = {"xref": "paper", "xanchor": "left", "yref": "y"}
        ends.append(note(1.01, 0, name, shade, **beside) | {"font": {"size": 11, "color": shade}})
    order = np.argsort([float(r[1][-1]) for r in rows])
    place = -1.0
    for i in order:  # labels at the curves' ends, moved apart
        place = max(float(rows[i][1][-1]), place + 0.075)
        ends[i]["y"] = place
    axis = {"fixedrange": True, "zeroline": False}
    return {
        "data": data,
        "layout": {
            "xaxis": {
                **axis,
                "range": [0, float(offsets[-1])],
                "anchor": "y2",
                "title": {"text": say("offset in radii of the data, t / r")},
            },
            "yaxis": {**axis, "domain": [0.56, 0.96], "range": [-0.02, 1.05], "tickformat": ".0%"},
            "yaxis2": {**axis, "domain": [0, 0.42], "range": [-310, 12], **_POWERS},
            "annotations": [
                *ends,
                panel_title(say("Saturation"), 0.97, look.text),
                panel_title(say("Cap of directions, share of the sphere"), 0.43, look.text),
            ],
            "showlegend": False,
            "hovermode": "x",
            "dragmode": False,
            "margin": {"l": 56, "r": 70, "t": 12, "b": 40},
        },
    }


_EXPONENTS = (-300, -200, -100, 0)
#: Ticks of an axis of logarithms, as powers.
_POWERS = {"tickvals": list(_EXPONENTS), "ticktext": [f"10<sup>{e}</sup>".replace("-", "−") for e in _EXPONENTS]}


def _ramp(n: int, dark: bool) -> list[str]:
    """n shades from violet to orange, told apart in grey as well."""
    low, high = map(channels, theme(dark).ramp)
    return [
        "#" + "".join(f"{round(a + (b - a) * i / max(1, n - 1)):02x}" for a, b in zip(low, high, strict=True))
        for i in range(n)
    ]
