"""Pictures of a capture: layers by experts, strips over layers, co-activation, flow between layers, sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tropviz.figures.charts import Figure, axis, band, dots, layout, line
from tropviz.figures.theme import Theme, theme
from tropviz.language import numeral, say

#: Doublings of the even load that the colours of a map end at.
DOUBLINGS = 3.0


def load_map(loads: Any, names: Sequence[str], dark: bool = False) -> Figure:
    """Load of every expert of every layer against an even load, (layers, N): doublings, dead experts left blank."""
    share = np.asarray(loads, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        doublings = np.log2(share / share.mean(axis=1, keepdims=True))
    return _map(doublings, names, say("expert"), say("layer"), say("load: doublings of an even one"), theme(dark))


def lift_map(lift: Any, dark: bool = False) -> Figure:
    """Co-activation over chance, (N, N), as doublings."""
    with np.errstate(divide="ignore", invalid="ignore"):
        doublings = np.log2(np.asarray(lift, dtype=np.float64))
    return _map(doublings, None, say("expert"), say("expert"), say("together: doublings of chance"), theme(dark))


def flow_map(flow: Any, dark: bool = False) -> Figure:
    """Tokens by expert of one layer and of the next, against independence, (N, N), as doublings."""
    counts = np.asarray(flow, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        doublings = np.log2(counts / chance)
    across = say("expert of the next layer")
    return _map(doublings, None, across, say("expert"), say("doublings of chance"), theme(dark))


def source_map(doublings: Any, names: Sequence[str], what: str = "", dark: bool = False) -> Figure:
    """Sources, or tokens, by experts, (s, N): doublings of chance, 0 where chance explains it."""
    values = np.maximum(doublings, -99.0)
    return _map(values, names, say("expert"), what or say("source"), say("load: doublings of chance"), theme(dark))


def strip(
    values: Sequence[float | None],
    title: str,
    names: Sequence[str],
    intervals: Sequence[tuple[float, float] | None] = (),
    dark: bool = False,
) -> Figure:
    """One number over the layers, with the band of its intervals."""
    look = theme(dark)
    known = [i for i, v in enumerate(values) if v is not None and np.isfinite(v)]
    x, y = [float(i) for i in known], [float(values[i] or 0.0) for i in known]
    data = []
    sure = [i for i in known if i < len(intervals) and intervals[i] is not None]
    if sure:
        low, high = zip(*(intervals[i] or (0.0, 0.0) for i in sure), strict=True)
        data.append(band([float(i) for i in sure], low, high, look.other))
    texts = [f"{names[i]}: {title} " + numeral(f"{values[i]:.4g}") for i in known]
    data += [line(x, y, look.other), dots(x, y, look.other, texts, size=6)]
    step = max(1, len(names) // 12)
    ticks = {"tickvals": list(range(0, len(names), step)), "ticktext": list(names[::step])}
    return {"data": data, "layout": layout(axis(say("layer")) | ticks, axis(title) | {"rangemode": "tozero"}, look)}


def _map(values: Any, rows: Sequence[str] | None, x: str, y: str, what: str, look: Theme) -> Figure:
    low, high = look.ramp
    scale = [[0.0, low], [0.5, look.background], [1.0, high]]
    values = np.where(np.isfinite(values), values, np.nan).astype(np.float32)
    picture: dict[str, Any] = {"type": "heatmap", "z": values, "zmin": -DOUBLINGS, "zmax": DOUBLINGS}
    picture |= {"colorscale": scale, "colorbar": {"title": {"text": what, "side": "right"}, "outlinewidth": 0}}
    picture |= {"hovertemplate": f"{y} %{{y}}, {x} %{{x}}: %{{z:.2f}}<extra></extra>", "hoverongaps": False}
    vertical = axis(y, grid=False) | {"autorange": "reversed", "type": "category" if rows else "linear"}
    if rows:
        picture["y"] = list(rows)
    return {"data": [picture], "layout": layout(axis(x, grid=False), vertical, look)}
