"""Angular collapse, drawn: the cloud slides out, cells without data fade, and every frame is ready for the browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.colour import deep, tone

Figure = dict[str, Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A cell's veil by its share of the data: (share up to, opacity). Above the last one it is fully coloured.
VEILS = ((0.0, 0.9), (0.004, 0.62), (0.012, 0.38), (0.03, 0.17))
#: Points drawn in the plane, and as directions on the circle; the numbers always use all points.
MOST_POINTS, MOST_DIRECTIONS = 500, 180
#: Radius of the circle of directions, in half windows.
RING = 0.93
#: Half the width of the words beside the ghost, and the band beside the circle that labels keep free, in half windows.
WORDS, BAND = 0.33, 0.075
#: Corners of a drawn circle.
_STEPS = 48
#: Numbers of the traces that move, in the order of :func:`_moving`.
MOVING = tuple(range(len(VEILS) + 6))


@dataclass(frozen=True)
class Inks:
    """Colours that mean something here: the veil over cells without data, and the four curves."""

    veil: str
    line: str
    quiet: str
    plain: str
    shared: str
    cap: str
    certified: str
    background: str
    text: str


LIGHT = Inks(
    "#dcd9d3", "#1b1b1f", "rgba(27,27,31,.35)", "#4338ca", "#15803d", "#c2570c", "#b91c1c", "#fdfcfa", "#1c1b22"
)
DARK = Inks(
    "#26262c", "#f4f4f4", "rgba(244,244,244,.4)", "#a5a0ff", "#4ade80", "#fb923c", "#f87171", "#14141a", "#ecebf2"
)


def inks(dark: bool) -> Inks:
    """The colours of a theme."""
    return DARK if dark else LIGHT


@dataclass(frozen=True, eq=False)
class Stand:
    """Where everything is at one offset.

    Attributes
    ----------
    seen : (n, 2) float64
        The points as the router sees them, in the picture's coordinates.
    cells : (n,) int
        Row of the fan each of them lies in; -1 on a wall.
    at : (2,) float64
        Centre of the cloud as the router sees it.
    raw : (2,) float64
        Centre of the cloud before the shared expert takes its mean; equal to ``at`` without one.
    half_angle : float
        Of the cap of directions, radians; pi where the ball holds the origin.
    certified : bool
        The whole ball lies in one cell.
    """

    seen: Floats
    cells: Ints
    at: Floats
    raw: Floats
    half_angle: float
    certified: bool


@dataclass(frozen=True, eq=False)
class Ground:
    """What does not move: the cells in the window, as ``plane_figure`` gives them, and their colours."""

    figure: Figure
    colours: Sequence[str]
    half: float
    radius: float
    two_sided: bool
    dark: bool

    @property
    def rows(self) -> NDArray[np.int32]:
        """Fan row of every region in the picture."""
        return np.asarray(self.figure["regions"]["rows"])


def _circle(centre: Floats, radius: float, low: float = 0.0, high: float = 2 * np.pi) -> tuple[Any, Any]:
    angle = np.linspace(low, high, _STEPS + 1)
    return (
        (centre[0] + radius * np.cos(angle)).astype(np.float32),
        (centre[1] + radius * np.sin(angle)).astype(np.float32),
    )


def _rings(regions: Figure, which: NDArray[np.bool_]) -> tuple[Any, Any]:
    """Some regions as one path: each closed, a gap after each."""
    starts = np.asarray(regions["starts"], dtype=np.int64)
    lengths = np.diff(starts)[which] + 2
    if not len(lengths):
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    first = starts[:-1][which]
    ends = np.cumsum(lengths)
    place = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
    corners = np.repeat(lengths - 2, lengths)
    index = np.repeat(first, lengths) + np.where(place >= corners, 0, place)
    gap = place == corners + 1
    out = []
    for axis in "xy":
        path = np.asarray(regions[axis], dtype=np.float32)[index]
        path[gap] = np.nan
        out.append(path)
    return out[0], out[1]


def shares(ground: Ground, cells: Ints) -> Floats:
    """Share of the points in every region of the picture."""
    hits = np.bincount(cells[cells >= 0], minlength=len(ground.colours))
    return np.asarray(hits[ground.rows] / max(1, len(cells)))


def _arc(ground: Ground, stand: Stand) -> tuple[Any, Any]:
    """The cap of directions on the circle (two of them for a two-sided cloud)."""
    centre, radius = np.zeros(2), RING * ground.half
    if stand.half_angle >= np.pi:
        return _circle(centre, radius)
    middle = float(np.arctan2(stand.at[1], stand.at[0]))
    x, y = _circle(centre, radius, middle - stand.half_angle, middle + stand.half_angle)
    if ground.two_sided:
        x, y = (np.concatenate([v, np.float32([np.nan]), -v]) for v in (x, y))
    return x, y


def _ghost(ground: Ground, stand: Stand) -> tuple[Any, Any, Figure]:
    """Where the data was before the shared expert took its mean: a circle, the way it was carried, and words."""
    nothing = np.zeros(0, np.float32)
    way = stand.at - stand.raw
    length = float(np.linalg.norm(way))
    if length == 0:
        return nothing, nothing, {"x": nothing, "y": nothing}
    x, y = _circle(stand.raw, ground.radius)
    ends = [stand.raw + min(1.0, ground.radius / length) * way, stand.at]
    x = np.concatenate([x, np.float32([np.nan]), np.float32([e[0] for e in ends])])
    y = np.concatenate([y, np.float32([np.nan]), np.float32([e[1] for e in ends])])
    side = _clear_side(ground, stand)
    at = np.float32([stand.raw[0]]), np.float32([stand.raw[1] + side * 1.08 * ground.radius])
    return x, y, {"x": at[0], "y": at[1], "textposition": "top center" if side > 0 else "bottom center"}


def _clear_side(ground: Ground, stand: Stand) -> float:
    """Above (1) or below (-1) the ghost: where the words are not crossed by the circle of directions."""
    first = 1.0 if stand.raw[1] >= 0 else -1.0
    ring, width, height = RING * ground.half, WORDS * ground.half, 0.09 * ground.half
    for side in (first, -first):
        y = stand.raw[1] + side * 1.08 * ground.radius + np.array([0.0, side * height])
        x = stand.raw[0] + np.array([-width, 0.0, width])
        far = np.hypot(*np.meshgrid(x, y))
        if far.max() < ring or far.min() > ring:
            return side
    return first


def _moving(ground: Ground, stand: Stand) -> list[Figure]:
    """What changes from frame to frame, one entry for each of the moving traces."""
    share = shares(ground, stand.cells)
    out: list[Figure] = []
    for level, (most, _) in enumerate(VEILS):
        least = VEILS[level - 1][0] if level else -1.0
        x, y = _rings(ground.figure["regions"], (share > least) & (share <= most))
        out.append({"x": x, "y": y})
    look = inks(ground.dark)
    ax, ay = _arc(ground, stand)
    bx, by = _circle(stand.at, ground.radius)
    if ground.two_sided:
        bx, by = (np.concatenate([v, np.float32([np.nan]), -v]) for v in (bx, by))
    gx, gy, words = _ghost(ground, stand)
    kept = slice(0, MOST_POINTS)
    points, cells = stand.seen[kept].astype(np.float32), (stand.cells[kept] + 1).astype(np.int32)
    away = stand.seen[:MOST_DIRECTIONS]
    size = np.linalg.norm(away, axis=1, keepdims=True)
    dots = (away / np.where(size > 0, size, 1.0) * RING * ground.half).astype(np.float32)
    if len(ground.colours) < 255:
        cells = cells.astype(np.uint8)
    solid = {"color": look.certified if stand.certified else look.line, "width": 2.4 if stand.certified else 1.6}
    out += [
        {"x": ax, "y": ay},
        {"x": bx, "y": by, "line": {**solid, "dash": "solid" if stand.certified else "dot"}},
        {"x": gx, "y": gy},
        words,
        {"x": points[:, 0], "y": points[:, 1], "marker": {"color": cells}},
        {"x": dots[:, 0], "y": dots[:, 1], "marker": {"color": cells[: len(dots)]}},
    ]
    return out


def _marker(ground: Ground, size: float, edge: str) -> Figure:
    shades = [tone(ground.dark).line, *(deep(c, ground.dark) for c in ground.colours)]
    top = max(len(shades) - 1, 1)
    scale = [[i / top, shade] for i, shade in enumerate(shades)]
    return {
        "size": size,
        "opacity": 0.8,
        "line": {"width": 0.6, "color": edge},
        "cmin": 0,
        "cmax": top,
        "colorscale": scale if len(scale) > 1 else [[0, shades[0]], [1, shades[0]]],
        "showscale": False,
    }


def scene_figure(ground: Ground, stand: Stand) -> Figure:
    """The picture at one offset, ready for the canvas.

    Parameters
    ----------
    ground : Ground
    stand : Stand

    Returns
    -------
    dict
        "data", "layout", "regions"; the traces numbered in ``MOVING`` are those that frames restyle.
    """
    look, half = inks(ground.dark), ground.half
    line = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    edge = {"color": look.background, "width": 1.2}
    styles: list[Figure] = [
        {**line, "fill": "toself", "fillcolor": look.veil, "opacity": opacity, "line": edge} for _, opacity in VEILS
    ]
    styles += [
        {**line, "line": {"color": look.cap, "width": 6}},
        {**line},
        {**line, "line": {"color": look.shared, "width": 2, "dash": "dash"}},
        {
            "type": "scatter",
            "mode": "text",
            "hoverinfo": "skip",
            "text": "its mean: the shared expert",
            "textfont": {"size": 12.5, "color": look.text, "shadow": "auto"},
        },
        {"type": "scatter", "mode": "markers", "hoverinfo": "skip", "marker": _marker(ground, 5.5, look.background)},
        {"type": "scatter", "mode": "markers", "hoverinfo": "skip", "marker": _marker(ground, 6.5, look.background)},
    ]
    data = []
    for style, move in zip(styles, _moving(ground, stand), strict=True):
        merged = {**style, **move}
        if "marker" in move:
            merged["marker"] = {**style["marker"], **move["marker"]}
        data.append(merged)
    # the circle of directions and the labels stay where they are
    cx, cy = _circle(np.zeros(2), RING * half)
    data.append({**line, "x": cx, "y": cy, "line": {"color": look.quiet, "width": 1}})
    data.append(_clear_labels(ground))
    layout = {**ground.figure["layout"]}
    layout["xaxis"], layout["yaxis"] = dict(layout["xaxis"]), dict(layout["yaxis"])
    return {"data": data, "layout": layout, "regions": ground.figure["regions"]}


def _clear_labels(ground: Ground) -> Figure:
    """The labels of the cells but those on the circle of directions; readable over dots."""
    labels = ground.figure["data"][-1]
    far = np.hypot(np.asarray(labels["x"]), np.asarray(labels["y"])) / ground.half
    kept = np.abs(far - RING) > BAND
    return {
        **labels,
        **{axis: np.asarray(labels[axis])[kept] for axis in "xy"},
        "text": [text for text, keep in zip(labels["text"], kept.tolist(), strict=True) if keep],
        "textfont": {**labels.get("textfont", {}), "shadow": "auto"},
    }


def frame(ground: Ground, stand: Stand, name: str, note: str) -> Figure:
    """One frame of the picture: only what moves, and the drag handle."""
    return {
        "name": name,
        "note": note,
        "traces": list(MOVING),
        "data": _moving(ground, stand),
        "handle": [float(stand.raw[0]), float(stand.raw[1])],
    }


def weight(item: Figure) -> int:
    """Bytes of one frame's numbers."""
    total = 0
    for trace in item["data"]:
        for value in trace.values():
            for part in value.values() if isinstance(value, dict) else (value,):
                total += part.nbytes if isinstance(part, np.ndarray) else 0
    return total
