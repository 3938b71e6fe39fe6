"""Angular collapse, drawn: the cloud slides out, cells without data fade, and every frame is ready for the browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.collapse_lens import MOST as MOST_LENS
from tropviz.figures.collapse_lens import WIDER, Ring
from tropviz.figures.collapse_scale import palette, scale
from tropviz.figures.picture import Figure, Picture, Regions, f32
from tropviz.figures.theme import theme
from tropviz.figures.traces import dots, line, trace
from tropviz.language import say

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
#: Numbers of the traces that move, in the order of :func:`_moving`; the labels come after them.
LENS = len(VEILS)
ARC = LENS + 1 + MOST_LENS
RIM, BALL, GHOST = ARC + 1, ARC + 2, ARC + 3
LABELS = ARC + 8
MOVING = tuple(range(LABELS))


@dataclass(frozen=True, eq=False)
class Stand:
    """Where everything is at one offset.

    Attributes
    ----------
    seen : (n, 2) float64
        The points as the router sees them, in the picture's coordinates.
    cells : (n,) int
        Row of ``Ground.colours`` of each point's own active set; -1 for a set without a colour.
    at : (2,) float64
        Centre of the cloud as the router sees it.
    raw : (2,) float64
        Centre of the cloud before the shared expert takes its mean; equal to ``at`` without one.
    half_angle : float
        Of the cap of directions, radians; pi where the ball holds the origin.
    certified : bool
        The whole ball lies in one cell.
    half : float
        Half the side of the picture.
    sides : (n,) float64, optional
        The side each point is carried to, for two clouds.
    magnified : float
        How many times larger than the cells the cloud is drawn: more than 1 once the picture zooms out after it.
    lens : tuple of ((p, 2) float64, int)
        What is drawn around a magnified cloud (:func:`tropviz.figures.collapse_lens.lens_rings`).
    """

    seen: Floats
    cells: Ints
    at: Floats
    raw: Floats
    half_angle: float
    certified: bool
    half: float
    sides: Floats | None = None
    magnified: float = 1.0
    lens: tuple[Ring, ...] = ()

    @property
    def places(self) -> Floats:
        """The points where they are drawn, (n, 2)."""
        if self.magnified == 1:
            return self.seen
        middle = self.at if self.sides is None else self.sides[:, None] * self.at
        return np.asarray(middle + self.magnified * (self.seen - middle))


@dataclass(frozen=True, eq=False)
class Ground:
    """What does not move: the cells in a square, as ``plane_figure`` gives them, and the colours of active sets.

    Attributes
    ----------
    picture : Picture
    colours : sequence of '#rrggbb'
        Of the rows of the fan, then of further active sets that data of a larger space is in.
    half : float
        Half the side of the square; no picture shows more.
    radius : float
        Of the ball that holds the data.
    two_sided, dark : bool
    """

    picture: Picture
    colours: Sequence[str]
    half: float
    radius: float
    two_sided: bool
    dark: bool

    @property
    def regions(self) -> Regions:
        """The cells in the picture."""
        assert self.picture.regions is not None
        return self.picture.regions

    @property
    def rows(self) -> NDArray[np.int32]:
        """Fan row of every region in the picture."""
        assert self.regions.rows is not None
        return self.regions.rows


def _circle(centre: Floats, radius: float, low: float = 0.0, high: float = 2 * np.pi) -> Floats:
    angle = np.linspace(low, high, _STEPS + 1)
    return centre + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _at(path: Any) -> Figure:
    """Where a trace is: along a path (n, 2), or at its points."""
    x, y = f32(path).reshape(-1, 2).T
    return {"x": x, "y": y}


def _mirrored(ground: Ground, path: Floats) -> Floats:
    """A path, and of a two-sided cloud the same on the other side."""
    return np.concatenate([path, [[np.nan] * 2], -path]) if ground.two_sided else path


def _rings(regions: Regions, which: NDArray[np.bool_]) -> Figure:
    """Some regions as one path: each closed, a gap after each."""
    starts = np.asarray(regions.starts, dtype=np.int64)
    lengths = np.diff(starts)[which] + 2
    if not len(lengths):
        return _at([])
    first = starts[:-1][which]
    ends = np.cumsum(lengths)
    place = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
    corners = np.repeat(lengths - 2, lengths)
    index = np.repeat(first, lengths) + np.where(place >= corners, 0, place)
    gap = place == corners + 1
    path = np.stack([regions.x, regions.y], axis=1)[index]
    path[gap] = np.nan
    return _at(path)


def shares(ground: Ground, cells: Ints) -> Floats:
    """Share of the points in every region of the picture."""
    hits = np.bincount(cells[cells >= 0], minlength=len(ground.colours))
    return np.asarray(hits[ground.rows] / max(1, len(cells)))


def _arc(ground: Ground, stand: Stand) -> Floats:
    """The cap of directions on the circle (two of them for a two-sided cloud)."""
    centre, radius = np.zeros(2), RING * stand.half
    if stand.half_angle >= np.pi:
        return _circle(centre, radius)
    middle = float(np.arctan2(stand.at[1], stand.at[0]))
    return _mirrored(ground, _circle(centre, radius, middle - stand.half_angle, middle + stand.half_angle))


def _ghost(ground: Ground, stand: Stand) -> tuple[Figure, Figure]:
    """Where the data was before the shared expert took its mean: a circle, the way it was carried, and words."""
    way, radius = stand.at - stand.raw, stand.magnified * ground.radius
    length = float(np.linalg.norm(way))
    if length == 0:
        return _at([]), _at([])
    ends = [stand.raw + min(1.0, radius / length) * way, stand.at]
    drawn = _at(np.concatenate([_circle(stand.raw, radius), [[np.nan] * 2], ends]))
    if np.abs(stand.raw).max() > stand.half:  # out of sight: the words lie on the way there
        at = 0.6 * stand.half * stand.raw / np.linalg.norm(stand.raw)
        return drawn, {**_at(at), "textposition": "middle center"}
    side = _clear_side(stand, radius)
    at = np.array([stand.raw[0], stand.raw[1] + side * 1.08 * radius])
    where = "top center" if side > 0 else "bottom center"
    return drawn, {**_at(at), "textposition": where}


def _clear_side(stand: Stand, radius: float) -> float:
    """Above (1) or below (-1) the ghost: where the words are not crossed by the circle of directions."""
    first = 1.0 if stand.raw[1] >= 0 else -1.0
    ring, width, height = RING * stand.half, WORDS * stand.half, 0.09 * stand.half
    for side in (first, -first):
        y = stand.raw[1] + side * 1.08 * radius + np.array([0.0, side * height])
        x = stand.raw[0] + np.array([-width, 0.0, width])
        far = np.hypot(*np.meshgrid(x, y))
        if far.max() < ring or far.min() > ring:
            return side
    return first


def _lens(ground: Ground, stand: Stand) -> tuple[list[Figure], Figure]:
    """The disk of the lens, the cells in it (grey where they hold no data), and how much it magnifies."""
    look = theme(ground.dark)
    out = [_at([]) for _ in range(1 + MOST_LENS)]
    words: Figure = {**_at([]), "text": ""}
    if stand.magnified == 1:
        return out, words
    radius = WIDER * stand.magnified * ground.radius
    out[0] = _at(_mirrored(ground, _circle(stand.at, radius)))
    alive = set(np.unique(stand.cells).tolist())
    for place, (ring, row) in enumerate(stand.lens, 1):
        fill = ground.colours[row] if row in alive else look.veil
        out[place] = {**_at(ring), "fillcolor": fill}
    up = 1.0 if stand.at[1] < 0 else -1.0  # towards the middle of the picture
    words |= _at([stand.at[0], stand.at[1] + up * (radius + 0.02 * stand.half)])
    words |= {
        "text": say(
            "cloud × {magnified:,.{ending}f}", magnified=stand.magnified, ending=0 if stand.magnified >= 10 else 1
        ),
        "textposition": "top center" if up > 0 else "bottom center",
    }
    return out, words


def _moving(ground: Ground, stand: Stand) -> list[Figure]:
    """What changes from frame to frame, one entry for each of the moving traces."""
    share = shares(ground, stand.cells)
    out: list[Figure] = []
    for level, (most, _) in enumerate(VEILS):
        least = VEILS[level - 1][0] if level else -1.0
        out.append(_rings(ground.regions, (share > least) & (share <= most)))
    look = theme(ground.dark)
    lens, lens_words = _lens(ground, stand)
    ball = _mirrored(ground, _circle(stand.at, stand.magnified * ground.radius))
    ghost, words = _ghost(ground, stand)
    shades, of = palette(tuple(ground.colours))
    rows = stand.cells[:MOST_POINTS]
    cells = np.where(rows < 0, 0, of[rows] + 1).astype(np.uint8 if len(shades) < 255 else np.int32)
    away = stand.seen[:MOST_DIRECTIONS]
    size = np.linalg.norm(away, axis=1, keepdims=True)
    directions = away / np.where(size > 0, size, 1.0) * RING * stand.half
    solid = {"color": look.certified if stand.certified else look.line, "width": 2.4 if stand.certified else 1.6}
    out += [
        *lens,
        _at(_arc(ground, stand)),
        _at(_circle(np.zeros(2), RING * stand.half)),
        {**_at(ball), "line": {**solid, "dash": "dot"}},
        ghost,
        words,
        lens_words,
        {**_at(stand.places[:MOST_POINTS]), "marker": {"color": cells}},
        {**_at(directions), "marker": {"color": cells[: len(away)]}},
    ]
    return out


def _marker(ground: Ground, size: float, edge: str) -> Figure:
    shades, _ = palette(tuple(ground.colours))
    return {
        "size": size,
        "opacity": 0.8,
        "line": {"width": 0.6, "color": edge},
        "cmin": 0,
        "cmax": max(len(shades), 1),
        "colorscale": scale(shades, ground.dark),
        "showscale": False,
    }


def scene_figure(ground: Ground, stand: Stand) -> Picture:
    """The picture at one offset, ready for the canvas.

    Parameters
    ----------
    ground : Ground
    stand : Stand

    Returns
    -------
    Picture
        The traces numbered in ``MOVING`` are those that frames restyle.
    """
    look = theme(ground.dark)
    font = {"size": 12.5, "color": look.text, "shadow": "auto"}
    filled = line([], look.background, 1.2) | {"fill": "toself", "fillcolor": look.veil}
    styles: list[Figure] = [{**filled, "opacity": opacity} for _, opacity in VEILS]
    styles += [{**filled, "line": {"color": look.line, "width": 3}}, *[filled] * MOST_LENS]
    styles += [
        line([], look.cap, 6),
        line([], look.quiet, 1),
        trace([]),
        line([], look.shared, 2, dash="dash"),
        trace([], mode="text", text=say("its mean: the shared expert"), textfont=font),
        trace([], mode="text", textfont=font),
        dots([], **_marker(ground, 5.5, look.background)),
        dots([], **_marker(ground, 6.5, look.background)),
    ]
    data = []
    for style, move in zip(styles, _moving(ground, stand), strict=True):
        merged = {**style, **move}
        if "marker" in move:
            merged["marker"] = {**style["marker"], **move["marker"]}
        data.append(merged)
    data.append(_clear_labels(ground, stand))
    layout = {**ground.picture.layout}
    for axis in ("xaxis", "yaxis"):
        layout[axis] = {**layout[axis], "range": [-stand.half, stand.half]}
    return Picture(data, layout, ground.regions)


def _clear_labels(ground: Ground, stand: Stand) -> Figure:
    """The labels of the cells but those on the circle of directions, the lens or the words; readable over dots."""
    labels = ground.picture.data[-1]
    where = np.stack([np.asarray(labels[axis], dtype=np.float64) for axis in "xy"], axis=1)
    kept = np.abs(np.hypot(*where.T) / stand.half - RING) > BAND
    _, words = _ghost(ground, stand)
    for x, y in zip(words["x"], words["y"], strict=True):
        side = {"top center": 1, "bottom center": -1}.get(words.get("textposition", ""), 0)
        off = (where - (x, y + side * BAND / 2 * stand.half)) / stand.half
        kept &= (np.abs(off[:, 0]) > WORDS + BAND) | (np.abs(off[:, 1]) > BAND)
    if stand.magnified > 1:
        wide = WIDER * stand.magnified * ground.radius + BAND * stand.half
        for side in (1, -1) if ground.two_sided else (1,):
            kept &= np.hypot(*(where - side * stand.at).T) > wide
    return {
        **labels,
        **{axis: np.asarray(labels[axis])[kept] for axis in "xy"},
        "text": [text for text, keep in zip(labels["text"], kept.tolist(), strict=True) if keep],
        "textfont": {**labels.get("textfont", {}), "shadow": "auto"},
    }


def frame(ground: Ground, stand: Stand, name: str, note: str, *, still_half: float | None = None) -> Figure:
    """One frame of the picture: only what moves, and the drag handle.

    Where the frames zoom (``still_half`` given: half the side of the nearest picture) a frame names its own half
    window, and the labels, which would crowd, are left out of those that show more.
    """
    item: Figure = {
        "name": name,
        "note": note,
        "traces": list(MOVING),
        "data": _moving(ground, stand),
        "handle": [float(stand.raw[0]), float(stand.raw[1])],
    }
    if still_half is not None:
        item["half"] = float(stand.half)
        if stand.half > still_half:
            item |= {"traces": [*MOVING, LABELS], "data": [*item["data"], _at([])], "over": []}
    return item


def thinned(ground: Ground, most: int) -> Ground:
    """The same ground with its largest cells only, for frames that would grow too heavy."""
    regions = ground.regions
    starts = np.asarray(regions.starts, dtype=np.int64)
    x, y = (v.astype(np.float64) for v in (regions.x, regions.y))
    after = np.arange(len(x)) + 1
    after[starts[1:] - 1] = starts[:-1]
    area = np.abs(np.add.reduceat(x * y[after] - x[after] * y, starts[:-1]))
    kept = np.sort(np.argsort(-area)[:most])
    index = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in kept])
    few = Regions(
        np.concatenate([[0], np.cumsum(np.diff(starts)[kept])]).astype(np.int32),
        regions.x[index],
        regions.y[index],
        (),
        ground.rows[kept],
    )
    return replace(ground, picture=replace(ground.picture, regions=few))


def weight(item: Figure) -> int:
    """Bytes of one frame's numbers."""
    total = 0
    for moves in item["data"]:
        for value in moves.values():
            for part in value.values() if isinstance(value, dict) else (value,):
                total += part.nbytes if isinstance(part, np.ndarray) else 0
    return total
