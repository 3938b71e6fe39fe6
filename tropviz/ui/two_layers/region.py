"""The region that was clicked: the same point in both pictures, its routing path, and how far that path reaches."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz import Count
from tropviz.core.experts.stack import Level, Path
from tropviz.figures.plane import set_text
from tropviz.language import numeral, say
from tropviz.ui.counts import row_html, title_html
from tropviz.ui.scene import Scene, viewpoint
from tropviz.ui.scene.board import Changes
from tropviz.ui.two_layers import stack
from tropviz.ui.two_layers.stack import View


def point_of(scene: Scene) -> NDArray[np.float64] | None:
    """The point that is looked at, if it lies in the window."""
    try:
        point = np.array(viewpoint.point(scene.spot))
    except ValueError:
        return None
    return point if point.shape == (2,) and (np.abs(point) < scene.window).all() else None


def picked(scene: Scene, level: Level) -> int | None:
    """The region of a level that is looked at."""
    point = point_of(scene)
    return None if point is None else level.at(point)


def clicked(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click looks at the region it hit; a second click on the same region of the mixture lets it go."""
    point = [float(event["x"]), float(event["y"])]
    found = stack.levels.known(scene, "moe")
    if found and (here := picked(scene, found[0][-1])) is not None and here == found[0][-1].at(point):
        return {"spot": ""}
    return {"spot": spot_name(point)}


def let_go(_: Scene, __: dict[str, Any]) -> Changes:
    """Escape looks at no region."""
    return {"spot": ""}


def spot_name(point: Any) -> str:
    """A point as it stands in a link, near enough for regions of a thousandth of the window.

    >>> spot_name([0.1234567, -2.0])
    '0.123457_-2'
    """
    return "_".join(f"{float(v):.6g}" for v in point)


def walked(scene: Scene, level: Level, step: int) -> Changes:
    """The next routing path, from the one that takes the most of the window to the least: its largest region."""
    areas = _areas(level)
    order = np.argsort(-np.bincount(level.path, weights=areas), kind="stable").tolist()
    here = picked(scene, level)
    place = -1 if here is None else order.index(level.path[here])
    if here is None and step < 0:
        place = 0
    path = order[(place + step) % len(order)]
    own = np.flatnonzero(level.path == path)
    return {"spot": spot_name(level.polygons[own[areas[own].argmax()]].mean(axis=0))}


def _areas(level: Level) -> NDArray[np.float64]:
    return np.array([shapely.Polygon(ring).area for ring in level.polygons])


def open_hinges(scene: Scene, path: Path, point: NDArray[np.float64]) -> list[tuple[int, int]]:
    """How many hinges of the active experts are open in every layer, and how many there are."""
    found, x = [], point
    for layer, active in zip(stack.layers(scene), path, strict=True):
        rows = list(active)
        hidden = np.maximum(layer.U[rows] @ x + layer.c[rows], 0.0)
        found.append((int((hidden > 0).sum()), hidden.size))
        assert layer.V is not None
        x = x + np.einsum("eoh,eh->o", layer.V[rows], hidden) / layer.k
    return found


def panel(view: View) -> str:
    """What is known of the region, as HTML; how to look at one, if none is."""
    scene, level = view.scene, view.moe[-1]
    row = picked(scene, level)
    if row is None:
        text = say("Click a region, or walk with the left and right arrows: its routing path lights up.")
        return f'<p class="tv-hint">{text}</p>'
    path = level.paths[level.path[row]]
    middle = level.polygons[row].mean(axis=0)
    hinges = open_hinges(scene, path, middle)
    facts = "".join(
        f"<dt>{say('Layer {number}', number=i)}</dt><dd>{_taken(active, some, every)}</dd>"
        for i, (active, (some, every)) in enumerate(zip(path, hinges, strict=True), 1)
    )
    where = ", ".join(numeral(f"{v:.3g}") for v in middle).replace("-", "−")
    own = level.path == level.path[row]
    share = float(_areas(level)[own].sum()) / (2 * float(scene.window)) ** 2
    count = Count(int(own.sum()), "exact", "regions whose inputs take the same active sets")
    regions = row_html(say("Regions on this path"), count, say("The others are pale in the picture."))
    area = say("{share:.2%} of the window", share=share)
    return (
        f"{title_html(say('Linear region at ({where})', where=where))}"
        f'<dl class="tv-facts">{facts}<dt>{say("On this path")}</dt><dd>{area}</dd></dl>'
        f'<ul class="tv-counts">{regions}</ul>'
    )


def _taken(active: Sequence[int], some: int, every: int) -> str:
    text = say("experts {set}, {some} of {every} hinges open", set=set_text(active), some=some, every=every)
    return escape(text)
