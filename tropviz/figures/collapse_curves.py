"""Angular collapse as curves over the offset, load bars beside them, t* in every direction, and one file to keep."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np

from tropviz.core.count import people
from tropviz.figures.charts import faded
from tropviz.figures.collapse import Figure, Floats, inks

#: Domains of the three panels, bottom to top: load bars, effective number, saturation.
_PANELS = ((0.0, 0.2), (0.345, 0.6), (0.7, 0.985))


#: What is left of a colour that is no longer in force.
FADED = 0.35
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


def _line(x: Any, y: Any, colour: str, name: str, axes: str = "", **style: Any) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.asarray(x, dtype=np.float32),
        "y": np.asarray(y, dtype=np.float32),
        "line": {"color": colour, "width": 2.4, **style},
        "name": name,
        "hovertemplate": "%{y:.3~g}<extra>" + name + "</extra>",
        "xaxis": "x",
        "yaxis": "y" + axes,
    }


def _panel_title(text: str, y: float, colour: str) -> Figure:
    return {
        "text": text,
        "x": 0,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12.5, "color": colour},
    }


def _moving(t: float, index: int, plain: Curve, shared: Curve | None, on: bool, top: float) -> list[Figure]:
    """Traces that follow the offset: the line through both panels, a dot on every curve, the load bars."""
    curves = [plain] if shared is None else [plain, shared]
    here = curves[-1] if on and shared is not None else plain
    at = np.full(len(curves), t, dtype=np.float32)
    line = np.array([t, t], dtype=np.float32)
    return [
        {"x": line},
        {"x": line},
        {"x": at, "y": np.array([c.saturation[index] for c in curves], dtype=np.float32)},
        {"x": at, "y": np.array([c.effective[index] for c in curves], dtype=np.float32)},
        {"y": here.load[index].astype(np.float32)},
    ]


def curves_figure(
    offsets: Floats,
    plain: Curve,
    shared: Curve,
    *,
    far: bool = False,
    on: bool,
    strength: float,
    index: int,
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
    index : int
        The offset in view.
    expert_colours : sequence of '#rrggbb'
    k : int
        Active experts, for the height of an even load.
    dark : bool

    Returns
    -------
    dict
        "data", "layout", and "moving": numbers of the traces that :func:`curves_frame` restyles.
    """
    look, N = inks(dark), plain.load.shape[1]
    top = float(max(plain.effective.max(), shared.effective.max(), 2.0))
    band = {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "line": {"width": 0}, "xaxis": "x", "yaxis": "y"}
    both = np.concatenate([offsets, offsets[::-1]]).astype(np.float32)
    data: list[Figure] = []
    for curve, colour in ((shared, look.shared), (plain, look.plain)):
        edge = np.concatenate([curve.low, curve.high[::-1]]).astype(np.float32)
        data.append({**band, "x": both, "y": edge, "fill": "toself", "fillcolor": faded(colour, 0.16)})

    def old(colour: str) -> str:
        return faded(colour, FADED) if on else colour

    with_it = f"with the shared expert (λ = {strength:g})"
    data += [
        _line(offsets, shared.cap, look.cap, "cap of directions, " + with_it, width=1.4, dash="dash"),
        _line(offsets, plain.cap, old(look.cap), "cap of directions", width=2, dash="dot"),
        _line(offsets, shared.saturation, look.shared, "saturation, " + with_it, dash="dash"),
        _line(offsets, plain.saturation, old(look.plain), "saturation"),
        _line(offsets, shared.effective, look.shared, "effective sets, " + with_it, "2", dash="dash"),
        _line(offsets, plain.effective, old(look.plain), "effective sets", "2"),
    ]
    for curve, colour, dash in ((plain, old(look.certified), "solid"), (shared, look.shared, "dash")):
        inside = math.isfinite(curve.certified) and curve.certified <= offsets[-1]
        mark = [curve.certified] * 2 if inside else []
        for axes, span in (("", [0, 1]), ("2", [1, top])):
            line = _line(mark, span if inside else [], colour, "certified t*", axes, width=1.6, dash=dash)
            data.append({**line, "hoverinfo": "skip", "hovertemplate": None})
    first = len(data)
    now = {"type": "scatter", "hoverinfo": "skip", "xaxis": "x"}
    styles: list[Figure] = [
        {**now, "mode": "lines", "y": np.float32([0, 1]), "yaxis": "y", "line": {"color": look.line, "width": 1}},
        {**now, "mode": "lines", "y": np.float32([1, top]), "yaxis": "y2", "line": {"color": look.line, "width": 1}},
        {**now, "mode": "markers", "yaxis": "y"},
        {**now, "mode": "markers", "yaxis": "y2"},
        {
            "type": "bar",
            "x": np.arange(N, dtype=np.int32),
            "marker": {"color": list(expert_colours), "line": {"width": 0}},
            "xaxis": "x3",
            "yaxis": "y3",
            "hovertemplate": "expert %{x}: %{y:.1%} of the data<extra></extra>",
        },
    ]
    dots = {"size": 9, "color": [old(look.plain), look.shared], "line": {"color": look.background, "width": 1.5}}
    for style in styles[2:4]:
        style["marker"] = dots
    moving = _moving(max(float(offsets[index]), NEAREST * float(offsets[1])), index, plain, shared, on, top)
    data += [{**style, **move} for style, move in zip(styles, moving, strict=True)]
    data.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": np.float32([-0.5, N - 0.5]),
            "y": np.float32([k / N, k / N]),
            "xaxis": "x3",
            "yaxis": "y3",
            "line": {"color": look.line, "width": 1.2, "dash": "dot"},
            "hovertemplate": "even load %{y:.1%}<extra></extra>",
        }
    )
    layout = _layout(offsets, plain, shared, top, N, look, far, on)
    return {"data": data, "layout": layout, "moving": list(range(first, first + len(styles)))}


def _layout(offsets: Floats, plain: Curve, shared: Curve, top: float, N: int, look: Any, far: bool, on: bool) -> Figure:
    powers = [p for p in range(12) if 2**p <= top * 1.05]
    step = max(1, math.ceil(N / 16))
    axis = {"fixedrange": True, "zeroline": False, "tvKeep": False}
    marks: list[Figure] = [
        _panel_title("<b>Angular collapse</b>: saturation (dotted: cap)", _PANELS[2][1], look.text),
        _panel_title("Effective number of active sets, 2<sup>entropy</sup>", _PANELS[1][1], look.text),
        _panel_title("<b>Load imbalance</b>: share on each expert", _PANELS[0][1], look.text),
    ]
    marks += _certified_marks(offsets, plain, shared, look, on)
    marks += _end_labels(offsets, plain, shared, look)
    if far:
        for mark in marks:
            if mark["xref"] == "x":
                mark["x"] = math.log10(mark["x"])
    span = [math.log10(NEAREST * offsets[1]), math.log10(offsets[-1])] if far else [0, float(offsets[-1])]
    return {
        "xaxis": {
            **axis,
            "type": "log" if far else "linear",
            "range": span,
            "anchor": "y2",
            "title": {"text": "offset t, logarithmic as far as t*" if far else "offset t", "standoff": 2},
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
        "xaxis3": {
            **axis,
            "anchor": "y3",
            "range": [-0.6, N - 0.4],
            "tickvals": list(range(0, N, step)),
            "showgrid": False,
        },
        "yaxis3": {
            **axis,
            "domain": list(_PANELS[0]),
            "range": [0, 1.02],
            "tickformat": ".0%",
            "nticks": 3,
            "anchor": "x3",
        },
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
    ('3.14', '1,234', 'never')
    """
    return "never" if math.isinf(t) else people(t, 3) if t < 1000 else people(int(t))


def _certified_marks(offsets: Floats, plain: Curve, shared: Curve, look: Any, on: bool) -> list[Figure]:
    """t* in words, the one in force strong; with the shared expert on, the one without it is faded."""
    if not on:
        return [_certified_mark(offsets, plain.certified, look, look.certified, "", "along a wall", 0.1)]
    return [
        _certified_mark(offsets, plain.certified, look, faded(look.certified, 0.6), "without it: ", "", 0.1),
        _certified_mark(offsets, shared.certified, look, look.shared, "with the shared expert: ", "", 0.9),
    ]


def _certified_mark(offsets: Floats, t: float, look: Any, colour: str, whose: str, why: str, y: float) -> Figure:
    inside = math.isfinite(t) and t <= offsets[-1]
    if math.isinf(t):
        text = f"{whose}t*: never" + (f" ({why})" if why else "")
    else:
        text = f"{whose}certified t* = {offset_text(t)}" + ("" if inside else " →")
    late = not inside or t > 0.6 * offsets[-1]
    return {
        "text": text,
        "x": float(t) if inside else float(offsets[-1]),
        "y": y,
        "xref": "x",
        "yref": "y",
        "xanchor": "right" if late else "left",
        "showarrow": False,
        "font": {"size": 12, "color": colour},
        "bgcolor": faded(look.background, 0.8),
    }


def _end_labels(offsets: Floats, plain: Curve, shared: Curve, look: Any) -> list[Figure]:
    """Which curve is which, in words at its end; one label where both end together."""
    out = []
    apart = abs(float(plain.effective[-1]) - float(shared.effective[-1])) > 0.1 * float(plain.effective[-1])
    for curve, text, colour in ((plain, "without", look.plain), (shared, "with the shared expert", look.shared)):
        if curve is shared and not apart:
            break
        out.append(
            {
                "text": text if apart else "with and without",
                "x": float(offsets[-1]),
                "y": math.log10(float(curve.effective[-1])),
                "xref": "x",
                "yref": "y2",
                "xanchor": "right",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 11.5, "color": colour},
                "bgcolor": faded(look.background, 0.6),
            }
        )
    return out


def curves_frame(offsets: Floats, index: int, plain: Curve, shared: Curve, on: bool, moving: Sequence[int]) -> Figure:
    """One frame of the curves: what follows the offset."""
    data = _moving(max(float(offsets[index]), NEAREST * float(offsets[1])), index, plain, shared, on, 1.0)
    return {"name": f"{offsets[index]:.2f}", "traces": list(moving), "data": data}


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
    look = inks(dark)
    rim = 1.0
    image = _petals(angles, np.minimum(offsets / reach, rim), colours, look)
    data: list[Figure] = []
    line = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    spokes = np.full((len(never), 3, 2), np.nan)
    spokes[:, 0] = 0
    spokes[:, 1] = reach * np.stack([np.cos(never), np.sin(never)], axis=1)
    flat = spokes.reshape(-1, 2).astype(np.float32)
    data.append({**line, "x": flat[:, 0], "y": flat[:, 1], "line": {"color": look.quiet, "width": 1, "dash": "dot"}})
    turn = np.linspace(0, 2 * np.pi, 91)
    rings = _ring_marks(reach)
    for r in (*rings, reach):
        width = 1 if r < reach else 1.5
        x, y = (r * np.cos(turn)).astype(np.float32), (r * np.sin(turn)).astype(np.float32)
        data.append({**line, "x": x, "y": y, "line": {"color": look.quiet, "width": width}})
    if best[1] <= reach:
        x, y = best[1] * math.cos(best[0]), best[1] * math.sin(best[0])
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": np.float32([x]),
                "y": np.float32([y]),
                "marker": {
                    "size": 12,
                    "symbol": "star",
                    "color": look.line,
                    "line": {"color": look.background, "width": 1},
                },
                "hovertemplate": f"collapses first: t* = {offset_text(best[1])}<extra></extra>",
            }
        )
    data.append(
        {
            **line,
            "mode": "lines",
            "x": np.float32([0, at[0]]),
            "y": np.float32([0, at[1]]),
            "line": {"color": look.plain, "width": 2.5},
        }
    )
    labels = [
        {
            "text": f"{r:g}",
            "x": 0,
            "y": r,
            "showarrow": False,
            "yanchor": "bottom",
            "font": {"size": 10.5, "color": look.text},
            "bgcolor": faded(look.background, 0.7),
        }
        for r in rings
    ]
    side = reach * 1.04
    axis = {"visible": False, "range": [-side, side], "fixedrange": True, "constrain": "domain"}
    layout = {
        "xaxis": axis,
        "yaxis": {**axis, "scaleanchor": "x"},
        "images": [{**image, "x": -reach, "y": reach, "sizex": 2 * reach, "sizey": 2 * reach}],
        "annotations": labels,
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
    }
    return {"data": data, "layout": layout}


def _ring_marks(reach: float) -> list[float]:
    """Two or three round offsets inside the rim."""
    step = 10 ** math.floor(math.log10(reach / 2))
    step *= next(m for m in (1, 2, 5, 10) if reach / (m * step) <= 4.2)
    return [float(f"{i * step:.6g}") for i in range(1, 5) if i * step < 0.97 * reach]


def _petals(angles: Floats, inner: Floats, colours: Sequence[str], look: Any) -> Figure:
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


def dimension_figure(offsets: Floats, rows: Sequence[tuple[int, Floats, Floats]], dark: bool) -> Figure:
    """The same sweep in several dimensions: (d, saturation, log10 of the cap), over t / r.

    The cap falls off the chart with d while the saturation curves stay together: the cap is not what collapses.
    """
    look = inks(dark)
    shades = _ramp(len(rows), dark)
    data: list[Figure] = []
    ends: list[Figure] = []
    for (d, saturation, cap), shade in zip(rows, shades, strict=True):
        name = f"d = {d:,}"
        data.append(_line(offsets, saturation, shade, name))
        data.append(
            {
                **_line(offsets, np.maximum(cap, -400.0), shade, name, "2"),
                "hovertemplate": "10^%{y:.0f}<extra>" + name + "</extra>",
            }
        )
        ends.append(
            {
                "text": name,
                "x": 1.01,
                "xref": "paper",
                "xanchor": "left",
                "showarrow": False,
                "yref": "y",
                "y": 0,
                "font": {"size": 11, "color": shade},
            }
        )
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
                "title": {"text": "offset in radii of the data, t / r"},
            },
            "yaxis": {**axis, "domain": [0.56, 0.96], "range": [-0.02, 1.05], "tickformat": ".0%"},
            "yaxis2": {**axis, "domain": [0, 0.42], "range": [-310, 12], "tickprefix": "10^", "nticks": 5},
            "annotations": [
                *ends,
                _panel_title("Saturation", 0.97, look.text),
                _panel_title("Cap of directions, share of the sphere", 0.43, look.text),
            ],
            "showlegend": False,
            "hovermode": "x",
            "dragmode": False,
            "margin": {"l": 56, "r": 70, "t": 12, "b": 40},
        },
    }


def _ramp(n: int, dark: bool) -> list[str]:
    """n shades from violet to orange, told apart in grey as well."""
    low, high = ((196, 165, 255), (251, 146, 60)) if dark else ((49, 46, 129), (217, 119, 6))
    return [
        "#" + "".join(f"{round(a + (b - a) * i / max(1, n - 1)):02x}" for a, b in zip(low, high, strict=True))
        for i in range(n)
    ]


def _plain(value: Any) -> Any:
    """Arrays as lists, NaN as null, so that any JSON reader takes it."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            return [None if not math.isfinite(v) else float(f"{v:.5g}") for v in value.tolist()]
        return value.tolist()
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def animation_html(
    picture: Figure,
    picture_frames: Sequence[Figure],
    curves: Figure,
    curve_frames: Sequence[Figure],
    library: str,
    *,
    title: str,
    dark: bool,
) -> str:
    """Picture and curves side by side with Play and a slider, in one file that needs no network.

    Parameters
    ----------
    picture, curves : dict
        Figures.
    picture_frames, curve_frames : sequence of dict
        As :func:`frame` and :func:`curves_frame` make them, one another's counterparts.
    library : str
        Text of plotly.min.js.
    title : str
    dark : bool
    """
    look = inks(dark)
    base = {
        "paper_bgcolor": look.background,
        "plot_bgcolor": look.background,
        "font": {"color": look.text, "family": "system-ui, sans-serif"},
    }
    payload = {
        "left": {
            "data": _plain(picture["data"]),
            "layout": {**base, **_plain(picture["layout"])},
            "frames": [_plain({k: f[k] for k in ("data", "traces")}) for f in picture_frames],
        },
        "right": {
            "data": _plain(curves["data"]),
            "layout": {**base, **_plain(curves["layout"])},
            "frames": [_plain({k: f[k] for k in ("data", "traces")}) for f in curve_frames],
        },
        "notes": [f"t = {f['name']} · {f['note']}" for f in picture_frames],
    }

    def safe(text: str) -> str:
        return text.replace("</", "<\\/").replace("<!--", "<\\!--")

    text = title.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{text}</title><style>{_STYLE.replace('BACK', look.background).replace('TEXT', look.text)}</style>"
        f'<h1>{text}</h1><main><div id="left"></div><div id="right"></div></main>'
        f'<p><button id="play" aria-label="Play">▶</button><input id="at" type="range" min="0" value="0" '
        f'aria-label="offset t"><output id="note"></output></p><script>{safe(library)}</script>'
        f"<script>const D={safe(json.dumps(payload, allow_nan=False, separators=(',', ':')))};{_SCRIPT}</script></html>"
    )


_STYLE = (
    "body{margin:1rem;background:BACK;color:TEXT;font-family:system-ui,sans-serif}h1{font-size:1.2rem}"
    "main{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:1rem}"
    "#left,#right{height:min(78vh,100vw)}p{display:flex;gap:1rem;align-items:center}input{flex:1}"
    "button{font-size:1.1rem;padding:.2rem .8rem}output{min-width:16rem;font-variant-numeric:tabular-nums}"
)
_SCRIPT = """
const S=["left","right"],$=(i)=>document.getElementById(i),last=D.notes.length-1;let at=0,timer=0;
const show=(i)=>{at=i;$("at").value=i;$("note").textContent=D.notes[i];
return Promise.all(S.map((s)=>Plotly.animate(s,D[s].frames[i],{mode:"immediate",transition:{duration:0},
frame:{duration:0,redraw:true}})));};
const stop=()=>{clearTimeout(timer);timer=0;$("play").textContent="▶";};
const step=async()=>{if(at>=last)return stop();await show(at+1);if(timer)timer=setTimeout(step,60);};
$("play").onclick=()=>{if(timer)return stop();if(at>=last)at=-1;$("play").textContent="❚❚";timer=setTimeout(step,0);};
$("at").max=last;$("at").oninput=()=>{stop();show(+$("at").value);};
Promise.all(S.map((s)=>Plotly.newPlot(s,D[s].data,{...D[s].layout,autosize:true},{displaylogo:false,responsive:true}))).then(()=>show(0));
"""
