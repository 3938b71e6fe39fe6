"""What line charts share: colours by kind of truth, logarithmic axes without a largest number, labels on the lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.theme import Theme, faded
from tropviz.language import numeral, people

Figure = dict[str, Any]
Floats = NDArray[np.float64]
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Round numbers that a logarithmic axis is marked with.
_ROUND = (1, 2, 5)
#: A number this near to a whole one is written as one.
_WHOLE = 1e-4


def short(log10: float) -> str:
    """A size from its log10, short enough for an axis or a label.

    >>> short(math.log10(1820)), short(0.189), short(14.6), short(math.log10(4))
    ('1,820', '1.55', '4.0·10¹⁴', '4')
    """
    if log10 < 2:
        value = 10**log10
        return f"{round(value)}" if abs(value - round(value)) < _WHOLE * value else people(value, 3)
    if log10 < 6:
        return numeral(f"{10**log10:,.0f}")
    power = math.floor(log10 + 1e-9)
    mantissa = f"{10 ** (log10 - power):.1f}"
    return f"{numeral(mantissa)}·10{str(power).translate(_SUPERSCRIPT)}" if mantissa != "1.0" else power_text(power)


def power_text(power: int) -> str:
    """A power of ten on an axis: as a number up to 10,000.

    >>> power_text(3), power_text(12)
    ('1,000', '10¹²')
    """
    return numeral(f"{10**power:,}") if 0 <= power <= 4 else f"10{str(power).translate(_SUPERSCRIPT)}"


def _plain(value: float) -> str:
    return numeral(f"{value:,.0f}") if value >= 1 else numeral(f"{value:.3g}")


def log_axis(low: float, high: float, title: str, unit: str = "", marks: int = 6) -> Figure:
    """An axis of log10 values: marked in powers of ten, or in 1, 2, 5 where few of them fit."""
    if high - low <= 2.2:
        values = [math.log10(r * 10.0**p) for p in range(math.floor(low), math.ceil(high) + 1) for r in _ROUND]
    else:
        step = max(1, math.ceil((high - low) / marks))
        values = [float(p) for p in range(math.ceil(low), math.floor(high) + 1) if p % step == 0]
    values = [v for v in values if low - 1e-9 <= v <= high + 1e-9]
    texts = [(power_text(round(v)) if abs(v - round(v)) < 1e-9 else _plain(10**v)) + unit for v in values]
    return axis(title, [low, high]) | {"tickvals": values, "ticktext": texts}


def axis(title: str, span: Sequence[float] | None = None, grid: bool = True) -> Figure:
    """A quiet axis that does not zoom."""
    out: Figure = {
        "title": {"text": title, "standoff": 8},
        "fixedrange": True,
        "zeroline": False,
        "showgrid": grid,
        "showline": False,
        "ticks": "",
        "automargin": True,
    }
    return out | ({"range": [float(span[0]), float(span[1])]} if span is not None else {})


def layout(xaxis: Figure, yaxis: Figure, look: Theme, **more: Any) -> Figure:
    """The layout of a chart."""
    return {
        "margin": {"l": 8, "r": 14, "t": 12, "b": 8},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverdistance": 24,
        "xaxis": xaxis,
        "yaxis": yaxis,
        "annotations": [],
        "shapes": [],
        "font": {"size": 13, "color": look.text},
        **more,
    }


def line(x: Any, y: Any, colour: str, hover: Sequence[str] | None = None, **style: Any) -> Figure:
    """A line; `hover` holds one text per point."""
    out: Figure = {
        "type": "scatter",
        "mode": "lines",
        "x": np.asarray(x, np.float32),
        "y": np.asarray(y, np.float32),
        "line": {"color": colour, "width": 2.5, **style},
        "hoverinfo": "skip",
    }
    return out if hover is None else out | {"hoverinfo": "text", "hovertext": list(hover)}


def dots(x: Any, y: Any, colour: str, hover: Sequence[str], size: float = 9, **marker: Any) -> Figure:
    """Markers with one hover text each."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.asarray(x, np.float32),
        "y": np.asarray(y, np.float32),
        "marker": {"color": colour, "size": size, **marker},
        "hoverinfo": "text",
        "hovertext": list(hover),
        "cliponaxis": False,
    }


def band(x: Any, low: Any, high: Any, colour: str, alpha: float = 0.18) -> Figure:
    """A filled band between two curves."""
    x, low, high = (np.asarray(v, np.float32) for v in (x, low, high))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([high, low[::-1]]),
        "fill": "toself",
        "fillcolor": faded(colour, alpha),
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def note(x: float, y: float, text: str, colour: str, **more: Any) -> Figure:
    """A label in data coordinates."""
    font = {"color": colour, "size": 12.5}
    return {"x": float(x), "y": float(y), "text": text, "showarrow": False, "font": font, **more}


def spread(values: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near `values`, in the same order, at least `gap` apart and inside [low, high] if that is possible.

    >>> spread([1.0, 1.1, 5.0], 1.0, 0.0, 10.0)
    [1.0, 2.0, 5.0]
    """
    order = sorted(range(len(values)), key=lambda i: values[i])
    placed = [0.0] * len(values)
    floor = low
    for i in order:
        placed[i] = floor = max(values[i], floor)
        floor += gap
    ceiling = high
    for i in reversed(order):
        placed[i] = ceiling = min(placed[i], ceiling)
        ceiling -= gap
    return placed


def column(chart: Figure, left: float, right: float, fill: str) -> None:
    """Tint a part of the x axis over the whole height, under the lines."""
    style = {"type": "rect", "xref": "x", "yref": "paper", "layer": "below", "line": {"width": 0}}
    chart["shapes"].append({**style, "x0": left, "x1": right, "y0": 0, "y1": 1, "fillcolor": fill})


def vertical(
    chart: Figure, x: float, text: str, look: Theme, colour: str | None = None, row: int = 0, left: bool = True
) -> None:
    """Draw a vertical line over the whole height; its name stands above it, or beside it in a row over the axis."""
    colour = colour or look.muted
    ends = {"x0": float(x), "x1": float(x), "y0": 0, "y1": 1, "xref": "x", "yref": "paper"}
    style = {"type": "line", "line": {"color": colour, "width": 1.4, "dash": "dot"}, "layer": "below"}
    chart["shapes"].append(style | ends)
    label = note(x, 0 if row else 1, text, colour, yref="paper", yanchor="bottom", yshift=2)
    if row:
        label |= {"xanchor": "right" if left else "left", "xshift": -5 if left else 5, "yshift": 18 * row - 14}
        label |= {"bgcolor": faded(look.background, 0.9), "borderpad": 0}
    chart["annotations"].append(label)
