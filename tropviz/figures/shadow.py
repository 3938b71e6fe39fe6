"""The shadow in the plane: the k-set polygon, and round it a ring that shows which vertex wins in which direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.hypersimplex.shadow import Shadow
from tropviz.figures.mosaic import mosaic
from tropviz.figures.picture import Figure, Picture, Regions
from tropviz.figures.plane import set_label
from tropviz.figures.sheet import sheet
from tropviz.figures.theme import theme
from tropviz.figures.traces import broken, dots, line, longest, segments, trace
from tropviz.language import say

Floats = NDArray[np.float64]
#: Ring and picture, as multiples of the largest distance of a sum from the middle.
RING = (1.26, 1.36)
REACH = 1.42
#: More labels than this are not tried.
MOST_LABELS = 60
#: Which traces the frames restyle (`figures.turning`).
SUPPORT_LINE, ARROW, SUPPORTED = 5, 6, 8
_CHAR, _LINE = 6.2, 13.0


class Place:
    """Where the picture stands: its middle, its size, and what a pixel is worth."""

    def __init__(self, shadow: Shadow, pixels: int) -> None:
        every = np.concatenate([shadow.points, shadow.inner])
        self.middle = shadow.points[shadow.outer].mean(axis=0)
        radius = float(np.linalg.norm(every - self.middle, axis=1).max(initial=0.0))
        self.radius = radius if radius > 0 else 1.0
        self.ring = tuple(r * self.radius for r in RING)
        self.half = REACH * self.radius
        self.pixel = 2 * self.half / pixels
        self.box = np.stack([self.middle - self.half, self.middle + self.half], axis=1)

    def circle(self, angles: Floats, radius: float) -> Floats:
        return self.middle + radius * np.column_stack([np.cos(angles), np.sin(angles)])


def _sector(place: Place, start: float, end: float) -> Floats:
    angles = np.linspace(start, end, max(3, int((end - start) / 0.04) + 2))
    return np.concatenate([place.circle(angles, place.ring[1]), place.circle(angles[::-1], place.ring[0])])


def _place_labels(
    place: Place, where: Floats, texts: Sequence[str], first: Sequence[int], forced: int | None
) -> dict[int, Floats]:
    """Centres of the labels that fit inside the ring without touching one another or a vertex, pushed outward.

    Those of `first` come first.
    """
    dot = np.full((len(where), 1), 6 * place.pixel)
    if forced is not None:
        dot[forced] *= 1.7  # it is drawn larger
    taken = np.concatenate([where - dot, where + dot], axis=1)
    out: dict[int, Floats] = {}
    for i in list(dict.fromkeys([*first, *range(len(where))]))[: 3 * MOST_LABELS]:
        size = 1.2 if i == forced else 1.0
        half = size * np.array([_CHAR * len(texts[i]) / 2, _LINE / 2]) * place.pixel
        clashes = []
        for unit in _ways(where[i] - place.middle):
            centre = where[i] + unit * (dot[i, 0] + 2 * place.pixel + np.abs(unit) @ half)
            low, high = centre - half, centre + half
            farthest = np.maximum(np.abs(low - place.middle), np.abs(high - place.middle))
            outside = bool(np.hypot(*farthest) > place.ring[0])
            over = np.minimum(high, taken[:, 2:]) - np.maximum(low, taken[:, :2])
            clashes.append((outside + float(np.clip(over, 0, None).prod(axis=1).sum() / (4 * half.prod())), centre))
            if clashes[-1][0] == 0:
                break
        clash, centre = min(clashes, key=lambda c: c[0])
        if clash == 0 or i == forced:
            taken = np.concatenate([taken, [[*(centre - half), *(centre + half)]]])
            out[i] = centre
        if len(out) >= MOST_LABELS:
            break
    return out


def _ways(arm: Floats) -> list[Floats]:
    """Outward, then more and more to either side."""
    size = float(np.linalg.norm(arm))
    unit = arm / size if size > 0 else np.array([0.0, 1.0])
    return [turned(unit, angle) for angle in (0.0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8)]


def shadow_figure(
    shadow: Shadow,
    colours: Sequence[str],
    ring: tuple[Any, Floats],
    *,
    selected: int | None = None,
    lost: Any = None,
    pixels: int = 360,
    dark: bool = False,
) -> Picture:
    """The shadow of a planar router, ready for the canvas.

    Parameters
    ----------
    shadow : Shadow
        d = 2.
    colours : list of str (m,)
        '#rrggbb' of its vertices.
    ring : (rows, spans)
        Who wins round a circle (`core.hypersimplex.turn.ring`).
    selected : int, optional
        Row of a vertex: drawn larger, with its edges and its arc of the ring.
    lost : array-like (2,), optional
        A sum that is no vertex and is selected instead.
    pixels : int
        Width of the picture, for labels.
    dark : bool

    Returns
    -------
    Picture
        Its regions are the vertices, then the inner sums, then the arcs of the ring.
    """
    place, look = Place(shadow, pixels), theme(dark)
    points, outer = shadow.points, shadow.outer
    texts = [set_label(S) for S in shadow.active_sets]
    winners, spans = ring
    sectors = [_sector(place, *span) for span in spans]
    starts = np.r_[0, np.cumsum([len(s) for s in sectors])].astype(np.int32)
    image = mosaic(
        np.concatenate(sectors),
        starts,
        [colours[row] for row in winners.tolist()],
        np.zeros(len(winners), dtype=bool),
        place.box,
        look,
    )
    rows, steps = shadow.steps(selected) if selected is not None else (np.zeros(0, int), np.zeros((0, 2)))
    star = np.stack([points[rows] - steps, points[rows]], axis=1)
    chosen = broken(np.concatenate([sectors[i], sectors[i][:1]]) for i in np.flatnonzero(winners == selected))
    order = ([selected] if selected is not None else []) + outer.tolist()
    labels = _place_labels(place, points, texts, order, selected)
    plain = [i for i in labels if i != selected]
    crowd = len(points) > 60
    data = [
        line(points[np.r_[outer, outer[:1]]], look.line, 1.6) | {"fill": "toself", "fillcolor": look.inside},
        line(segments(longest(points[shadow.edges])), look.hinge, 1),
        dots(shadow.inner, size=3.5, color=look.hinge),
        line(segments(star), look.line, 3.2),
        line(chosen, look.line, 2.4),
        line([], look.line, 1.3, dash="dash"),
        line([], look.line, 1.8),
        dots(points, size=6 if crowd else 11, color=list(colours), line={"color": look.line, "width": 0.8}, opacity=1),
        dots([], size=19, symbol="circle-open", color=look.line, line={"width": 2}),
        dots(
            points[[selected]] if selected is not None else [],
            size=17,
            color=colours[selected] if selected is not None else look.line,
            line={"color": look.line, "width": 2.4},
            opacity=1,
        ),
        dots(
            [lost] if lost is not None else [],
            size=11,
            symbol="x-thin",
            color=look.line,
            line={"color": look.line, "width": 2.5},
        ),
        _text([labels[i] for i in plain], [texts[i] for i in plain], look.line, 11),
        _text(
            [labels[i] for i in labels if i == selected],
            [f"<b>{texts[i]}</b>" for i in labels if i == selected],
            look.line,
            13,
        ),
    ]
    layout = sheet(place.box, image)
    return Picture(data, layout, _regions(place, shadow, texts, winners, sectors))


#: Vertices up to which each has a label under the mouse.
MOST_TOLD = 4000


def _text(where: Any, texts: Sequence[str], colour: str, size: int) -> Figure:
    font = {"color": colour, "size": size, "shadow": "auto"}  # readable on the ring too
    return trace(where, mode="text", text=list(texts), textfont=font)


def _regions(place: Place, shadow: Shadow, texts: Sequence[str], winners: Any, sectors: Sequence[Floats]) -> Regions:
    corners = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    told = np.arange(len(shadow.points))
    if len(told) > MOST_TOLD:  # the outline, and what lies within it evenly
        inside = np.setdiff1d(told, shadow.outer)
        told = np.append(shadow.outer, inside[:: len(told) // MOST_TOLD + 1]).astype(np.int64)
    shapes = [point + 9 * place.pixel * corners for point in shadow.points[told]]
    shapes += [point + 3.5 * place.pixel * corners for point in shadow.inner]
    shapes += list(sectors)
    labels = [
        *(texts[row] for row in told.tolist()),
        *(say("{set_label} fell inside", set_label=set_label(S)) for S in shadow.inner_sets),
    ]
    labels += [say("{texts} wins this way", texts=texts[row]) for row in winners.tolist()]
    x, y = np.concatenate(shapes).astype(np.float32).T
    return Regions(np.r_[0, np.cumsum([len(s) for s in shapes])].astype(np.int32), x, y, labels)


def pick(shadow: Shadow, ring: tuple[Any, Floats], x: float, y: float, pixels: int = 360) -> tuple[str, int] | None:
    """What a click means: ("vertex", row), ("inner", number), or None. A click on the ring means the vertex it shows.

    >>> from tropviz import Router, RoutingFan
    >>> from tropviz.core.hypersimplex.shadow import shadow
    >>> from tropviz.core.hypersimplex.turn import ring
    >>> fan = RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1))
    >>> square, around = shadow(fan), ring(fan, shadow(fan), 1.0)
    >>> pick(square, around, 0.98, 0.01), pick(square, around, 0, -1.3), pick(square, around, 0.3, 0.3)
    (('vertex', 0), ('vertex', 3), None)
    """
    place, at = Place(shadow, pixels), np.array([x, y])
    arm = at - place.middle
    gap = np.linalg.norm(shadow.points - at, axis=1)
    if gap.min() <= 14 * place.pixel:
        return "vertex", int(gap.argmin())
    if len(shadow.inner):
        gap = np.linalg.norm(shadow.inner - at, axis=1)
        if gap.min() <= 6 * place.pixel:
            return "inner", int(gap.argmin())
    if np.linalg.norm(arm) >= 0.97 * place.ring[0]:
        rows, spans = ring
        turned = np.mod(np.arctan2(arm[1], arm[0]) - spans[:, 0], 2 * np.pi)
        hits = np.flatnonzero(turned <= spans[:, 1] - spans[:, 0])
        return ("vertex", int(rows[hits[0]])) if len(hits) else None
    return None


def turned(v: Floats, angle: float) -> Floats:
    """A vector of the plane, turned by an angle in radians, counter-clockwise."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]])
