"""Angular collapse as one file to keep: picture and curves with Play and a slider, without any network."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from tropviz.figures.collapse import Figure
from tropviz.figures.offline import offline_page
from tropviz.figures.theme import theme
from tropviz.language import say


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


def _ground(image: Figure, sheet: Figure) -> Figure:
    """A sheet without its outermost hundredth, where the outlines of its cells run along its edge."""
    half = 0.98 * sheet["half"]
    side = int(sheet["source"].split("viewBox='0 0 ")[1].split(" ")[0])
    cut, rest = side // 100, side - 2 * (side // 100)
    inside = sheet["source"].replace(f"'0 0 {side} {side}'", f"'{cut} {cut} {rest} {rest}'", 1)
    return {**image, "source": inside, "x": -half, "y": half, "sizex": 2 * half, "sizey": 2 * half}


def _zoomed(frame: Figure) -> Figure:
    """A frame as Plotly takes it, with the axes it names."""
    out = {k: frame[k] for k in ("data", "traces")}
    if "half" in frame:
        span = [-frame["half"], frame["half"]]
        out["layout"] = {"xaxis": {"range": span}, "yaxis": {"range": span}}
    return dict(_plain(out))


def animation_html(
    picture: Figure,
    picture_frames: Sequence[Figure],
    curves: Figure,
    curve_frames: Sequence[Figure],
    library: str,
    *,
    sheets: Sequence[Figure] = (),
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
    sheets : sequence of {"source", "half"}
        The ground at several scales, for frames that zoom: laid one on the other, the widest lowest.
    title : str
    dark : bool
    """
    look = theme(dark)
    base = {
        "paper_bgcolor": look.background,
        "plot_bgcolor": look.background,
        "font": {"color": look.text, "family": "system-ui, sans-serif"},
    }
    if sheets:
        image = picture["layout"]["images"][0]
        grounds = [_ground(image, sheet) for sheet in reversed(sheets)]
        picture = {**picture, "layout": {**picture["layout"], "images": grounds}}

    def side(figure: Figure, frames: list[Figure]) -> Figure:
        return {"data": _plain(figure["data"]), "layout": {**base, **_plain(figure["layout"])}, "frames": frames}

    payload = {
        "left": side(picture, [_zoomed(f) for f in picture_frames]),
        "right": side(curves, [_plain({k: f[k] for k in ("data", "traces")}) for f in curve_frames]),
        "notes": [f"t = {f['name']} · {f['note']}" for f in picture_frames],
    }
    style = _STYLE.replace("BACK", look.background).replace("TEXT", look.text)
    named = _BODY.replace("{{offset}}", say("offset t")).replace("{{play}}", say("Play"))
    body = f"<h1>{escape(title)}</h1>{named}"
    script = f"const D={json.dumps(payload, allow_nan=False, separators=(',', ':'))};{_SCRIPT}"
    return offline_page(title, style, body, script, library)


_BODY = (
    '<main><div id="left"></div><div id="right"></div></main><p><button id="play" aria-label="{{play}}">▶</button>'
    '<input id="at" type="range" min="0" value="0" aria-label="{{offset}}"><output id="note"></output></p>'
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
