"""A router learning: its fan over the class map and the data, and the curves of a run, frame by frame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.training.snapshot import Plane, Snapshot
from tropviz.figures import traces
from tropviz.figures.charts import line, note
from tropviz.figures.colour import hexes, oklch_to_rgb
from tropviz.figures.picture import f32
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import Theme, faded, theme
from tropviz.language import numeral, phrase, plural, say

Figure = dict[str, Any]
#: Traces of the picture that a frame restyles, and the one of the curves.
MOVING = (0, 1)
#: Frames that are sent at most: more would be no smoother; and the bytes of all frames of a picture.
MOST_FRAMES, MOST_BYTES = 48, 1_800_000
_PANELS = (
    (phrase("loss"), "cross-entropy"),
    (phrase("share of every expert"), "share"),
    (phrase("active sets the data uses"), "sets"),
    (phrase("share of the data in the fullest set"), "share"),
    (phrase("cells of the plane, linear regions in it"), "count"),
    (phrase("t*: offset from which on all data share one set"), "offset"),
)


def class_colours(classes: int, dark: bool, *, ground: bool) -> list[str]:
    """'#rrggbb' of every class: strong for points, pale for the ground under them.

    >>> len(class_colours(4, False, ground=True))
    4
    """
    hue = 0.9 + 2 * math.pi * np.arange(classes) / classes
    light, vivid = ((0.30, 0.06) if dark else (0.92, 0.055)) if ground else ((0.78, 0.15) if dark else (0.52, 0.17))
    return hexes(oklch_to_rgb(np.full(classes, light), np.full(classes, vivid), hue))


def _steps(colours: Sequence[str]) -> list[list[Any]]:
    """A colour scale without blends."""
    n = len(colours)
    return [[edge / n, colour] for i, colour in enumerate(colours) for edge in (i, i + 1)]


def picture(seen: Snapshot, plane: Plane, labels: NDArray[np.int64], classes: int, dark: bool) -> Figure:
    """Class map, walls of the exact fan, and the data.

    Returns
    -------
    dict
        "data" and "layout"; traces `MOVING` follow the step.
    """
    look = theme(dark)
    (x0, x1), (y0, y1) = plane.box.tolist()
    side = len(seen.decision) - 1
    fills = class_colours(classes, dark, ground=True)
    marker: Figure = {"size": 5 if len(labels) <= 1500 else 3.5, "color": labels.astype(np.int32), "opacity": 0.8}
    marker |= {"cmin": -0.5, "cmax": classes - 0.5, "colorscale": _steps(class_colours(classes, dark, ground=False))}
    data: list[Figure] = [
        {
            "type": "heatmap",
            "z": seen.decision.tolist(),
            "x0": x0,
            "dx": (x1 - x0) / side,
            "y0": y0,
            "dy": (y1 - y0) / side,
            "zmin": -0.5,
            "zmax": classes - 0.5,
            "colorscale": _steps(fills),
            "showscale": False,
            "hoverinfo": "skip",
        },
        traces.line(traces.segments(seen.walls), look.line, 2),
        traces.dots(plane.points, **marker),
    ]
    if plane.itself and x0 < 0 < x1 and y0 < 0 < y1:  # where a router without a bias has its corner
        cross: Figure = {"symbol": "cross-thin", "size": 13, "line": {"width": 2, "color": look.line}}
        data.append(traces.dots([0.0, 0.0], **cross))
    return {"data": data, "layout": sheet(plane.box)}


def picture_frame(seen: Snapshot) -> Figure:
    """What of the picture follows the step."""
    found, walls = seen.outcome, traces.trace(traces.segments(seen.walls))
    return {
        "name": numeral(f"{found.step:,}"),
        "note": plural("loss {loss:.3f}, {n} set", "loss {loss:.3f}, {n} sets", int(found.sets), loss=found.loss),
        "at": float(found.step),
        "traces": list(MOVING),
        "data": [{"z": seen.decision.tolist()}, {name: walls[name] for name in "xy"}],
    }


def shown(run: Sequence[Snapshot], most: int = MOST_FRAMES) -> list[int]:
    """Which checkpoints become frames: evenly among those recorded, first and last included.

    >>> shown(range(7), 4)
    [0, 2, 4, 6]
    """
    return sorted({round(i) for i in np.linspace(0, len(run) - 1, min(most, len(run))).tolist()})


def most_frames(runs: Iterable[Sequence[Snapshot]]) -> int:
    """How many frames of the heaviest of some runs can be sent: canvases that play together have as many."""
    return max(2, min(MOST_FRAMES, MOST_BYTES // max((_weight(s) for run in runs for s in run), default=1)))


def _weight(seen: Snapshot) -> int:
    """About the bytes of a frame: a digit and a comma a point of the map, three ends of two coordinates a wall."""
    return 2 * seen.decision.size + 24 * len(seen.walls) + 500


@dataclass(frozen=True, eq=False)
class Run:
    """A run as it is drawn: its name, its checkpoints so far, and whether it is the one compared with."""

    name: str
    seen: Sequence[Snapshot]
    other: bool = False

    @property
    def x(self) -> NDArray[np.float64]:
        """Places on the step axis: log10 of one more than the step."""
        return np.log10(1.0 + np.array([s.outcome.step for s in self.seen], dtype=np.float64))


@dataclass(frozen=True)
class Laws:
    """Means over random routers of the same shape, to hold the counts against."""

    cells: float
    regions: float


def curves(
    runs: Sequence[Run], laws: Laws | None, expert_colours: Sequence[str], at: float, steps: int, dark: bool
) -> Figure:
    """All curves of one or two runs over one logarithmic axis of steps; the traces "marks" are the step in view."""
    look = theme(dark)
    panels = [p for p in range(len(_PANELS)) if p != 5 or any(_stars(r) is not None for r in runs)]
    data: list[Figure] = []
    layout = _frame(panels, steps, look)
    for row, p in enumerate(panels):
        axes = {"yaxis": f"y{row + 1}" if row else "y"}
        for run in runs:
            data += [trace | axes for trace in _traces(p, run, expert_colours, look)]
        if p == 4 and laws is not None:
            ends = [0.0, math.log10(1 + steps)]
            for value, what in ((laws.cells, say("cells")), (laws.regions, say("linear regions"))):
                told = say("mean over random routers of this shape: {value:,.4g} {what}", value=value, what=what)
                data.append(line(ends, [value, value], look.expected, [told, told], width=1.2, dash="dash") | axes)
    for row, p in enumerate(panels):
        name = str(row + 1) if row else ""
        own = [trace for trace in data if trace["yaxis"] == f"y{name}"]
        low, high = _span(own, log=p in (4, 5)) if p not in (1, 3) else (0.0, 1.02)
        layout[f"yaxis{name}"]["range"] = [low, high]
        ends = [10.0**low, 10.0**high] if p in (4, 5) else [low, high]
        x = math.log10(1 + at)
        data.append(line([x, x], ends, look.line, width=1.4) | {"yaxis": f"y{name}"})
    return {"data": data, "layout": layout, "marks": list(range(len(data) - len(panels), len(data)))}


def _span(traces: Sequence[Figure], *, log: bool) -> tuple[float, float]:
    """The range of an axis that holds some traces, with a little air; a linear one begins at zero."""
    values = np.concatenate([np.asarray(t["y"], dtype=np.float64) for t in traces])
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not len(values):
        return (0.0, 1.0)
    if log:
        low, high = math.log10(values.min()), math.log10(values.max())
        air = max(0.08 * (high - low), 0.05)
        return low - air, high + air
    return 0.0, 1.08 * float(values.max()) or 1.0


def curves_frame(step: int, marks: Sequence[int]) -> Figure:
    """The marks of one step, which are the traces `marks`."""
    x = f32([math.log10(1 + step)] * 2)
    return {"name": numeral(f"{step:,}"), "traces": list(marks), "data": [{"x": x} for _ in marks]}


def _frame(panels: Sequence[int], steps: int, look: Theme) -> Figure:
    ticks = [0, *(10**e for e in range(9) if 10**e <= steps)]
    high = 1.0 / len(panels)
    layout: Figure = {
        "xaxis": {
            "range": [-0.02, math.log10(1 + steps) + 0.02],
            "tickvals": [math.log10(1 + t) for t in ticks],
            "ticktext": [numeral(f"{t:,}") for t in ticks],
            "title": {"text": say("steps of training"), "standoff": 6},
            "fixedrange": True,
            "zeroline": False,
            "anchor": "y" + (str(len(panels)) if len(panels) > 1 else ""),
        },
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "margin": {"l": 8, "r": 14, "t": 20, "b": 8},
        "annotations": [],
        "shapes": [],
        "font": {"size": 12.5, "color": look.text},
    }
    for row, p in enumerate(panels):
        top = 1 - row * high
        axis: Figure = {"domain": [top - high * 0.74, top - high * 0.02], "fixedrange": True, "zeroline": False}
        axis |= {"automargin": True, "nticks": 4, "anchor": "x"}
        if p in (1, 3):
            axis |= {"range": [0, 1.02], "tickformat": ".0%"}
        elif p in (4, 5):
            axis |= {"type": "log", "dtick": 1}
        layout["yaxis" + (str(row + 1) if row else "")] = axis
        title = note(
            0, top, say(_PANELS[p][0]), look.muted, xref="paper", yref="paper", xanchor="left", yanchor="bottom"
        )
        layout["annotations"].append(title | {"yshift": -4})
    return layout


def _stars(run: Run) -> NDArray[np.float64] | None:
    found = np.array([s.outcome.collapse_offset for s in run.seen], dtype=np.float64)
    return found if np.isfinite(found).any() else None


def _traces(panel: int, run: Run, colours: Sequence[str], look: Theme) -> list[Figure]:
    found, x = [s.outcome for s in run.seen], run.x
    dash = {"dash": "dot"} if run.other else {}
    colour = look.other if run.other else look.exact

    def told(values: Sequence[float], what: str) -> list[str]:
        return [
            say("{name}, step {step:,}: {v:,.4g} {what}", name=run.name, step=o.step, v=v, what=what)
            for o, v in zip(found, values, strict=True)
        ]

    if panel == 0:
        values = [o.loss for o in found]
        return [line(x, values, colour, told(values, "nats"), **dash)]
    if panel == 1:
        return [] if run.other else _stack(run, colours)
    if panel == 2:
        sets, effective = [int(o.sets) for o in found], [s.effective for s in run.seen]
        return [
            line(x, sets, colour, told(sets, "sets"), **dash),
            line(x, effective, faded(colour, 0.6), told(effective, say("sets, effectively")), width=1.3, **dash),
        ]
    if panel == 3:
        values = [float(o.fullest) for o in found]
        return [line(x, values, colour, told([100 * v for v in values], say("% in the fullest set")), **dash)]
    if panel == 4:
        cells = [int(s.cells) for s in run.seen]
        out = [line(x, cells, colour, told(cells, "cells"), **dash)]
        if all(s.regions is not None for s in run.seen):
            regions = [int(s.regions) for s in run.seen if s.regions is not None]
            out.append(line(x, regions, colour, told(regions, say("linear regions")), **dash))
        return out
    stars = _stars(run)
    if stars is None:
        return []
    kept = np.where(np.isfinite(stars), stars, np.nan)
    return [line(x, kept, colour, told(stars.tolist(), "is t*"), **dash)]


def _stack(run: Run, colours: Sequence[str]) -> list[Figure]:
    """Shares of all experts, one on the other."""
    shares = np.array([s.shares for s in run.seen])
    top = shares.cumsum(axis=1)
    out = []
    for i, colour in enumerate(colours):
        low = top[:, i] - shares[:, i]
        made = line(np.r_[run.x, run.x[::-1]], np.r_[top[:, i], low[::-1]], colour, width=0)
        out.append(made | {"fill": "toself", "fillcolor": colour})
    return out
