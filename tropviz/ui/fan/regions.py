"""Linear regions on the Router fan page: hinges in the picture, promise beside fact, and the region that was clicked.

All of it follows from router and experts alone, so it is kept: moving the data costs nothing here.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
import streamlit as st
from numpy.typing import NDArray

from tropviz import Count, capacity, slice_law
from tropviz.core.experts.hinges import HingeSegments, region_outline
from tropviz.core.experts.point import Region
from tropviz.figures.plane import set_text
from tropviz.language import numeral, phrase, say
from tropviz.ui import effort, heavy, marks
from tropviz.ui.counts import CountRow, headed, row_html
from tropviz.ui.fan import seen
from tropviz.ui.scene import Scene, derived, model

#: More regions than this are not counted while a slider moves: about 0.3 s of work.
MOST_REGIONS = {2: 150_000.0, 3: 30_000.0}
#: Seconds a region.
SECONDS = 2e-5
#: Nor are more hinges than this clipped and counted, cell by cell.
MOST_CUTS = 3_000_000
#: The row that says what is left of the gain.
LEFT = phrase("This router over dense, width kH")


@derived
def affordable(scene: Scene) -> bool:
    """Whether the regions of the scene are counted at once, by the most there can be or what the region law expects."""
    router, cells = model.scene_router(scene), len(model.scene_fan(scene).active_sets)
    hinges = router.k * model.scene_experts(scene)[0].shape[1]
    if cells * hinges > MOST_CUTS:
        return False
    if scene.router == "designed":  # how many there are is known
        return model.design(scene, router.d).regions <= MOST_REGIONS[router.d]
    most = cells * sum(math.comb(hinges, i) for i in range(router.d + 1))  # each cell cut by all hinges of its experts
    return most <= MOST_REGIONS[router.d] or float(_law(scene).value) <= MOST_REGIONS[router.d]


@derived
def _law(scene: Scene) -> Count:
    router = model.scene_router(scene)
    width = model.scene_experts(scene)[0].shape[1]
    return slice_law.expected_regions(router.N, router.k, width, router.d, affine=not router.central)


@derived
def segments(scene: Scene) -> HingeSegments | None:
    """The hinges inside the cells of their experts; None if they are not wanted or there are too many."""
    if not scene.hinges or not affordable(scene):
        return None
    box, ids, shapes = seen.ground(scene)
    return model.scene_layer(scene).hinge_segments([tuple(side) for side in box.tolist()], polygons=(ids, shapes))


def note(scene: Scene) -> str | None:
    """What is not drawn of the hinges, if anything."""
    if not scene.hinges:
        return None
    drawn = segments(scene)
    if drawn is None:
        return say("There are too many hinges to draw or count at once: choose a smaller N, k or H.")
    if drawn.hidden:
        return say(
            "The {ends:,} longest of {hidden:,} hinge segments are drawn.",
            ends=len(drawn.ends),
            hidden=len(drawn.ends) + drawn.hidden,
        )
    return None


def need(scene: Scene) -> None:
    """In a part: many cells and their regions are counted in the pool."""
    seconds = effort.fan_seconds(scene) + SECONDS * float(_law_of_shape(scene))
    calls = (("cells", model.scene_fan, ()), ("regions", counts, ()), (say("dense networks"), dense_rows, ()))
    heavy.need(scene, say("Linear regions"), calls, seconds)


def _law_of_shape(scene: Scene) -> float:
    """Regions that will be counted, as far as that is known before there is a fan; 0 if they are too many."""
    d = model.scene_dim(scene)
    shape = scene.n, scene.k, scene.h, d
    found = float(slice_law.expected_regions(*shape, affine=scene.router != "linear").value)
    return found if found <= MOST_REGIONS[d] else 0.0


@derived
def counts(scene: Scene) -> list[CountRow]:
    """Regions of the layer: the maximum, what designed weights reach, the mean, and this router."""
    router, fan, layer = model.scene_router(scene), model.scene_fan(scene), model.scene_layer(scene)
    promised = capacity.table(router.N, router.k, layer.H, router.d)
    place = say("plane") if router.d == 2 else say("space")
    slice_says = say("No weights whatever keep more in this dimension.")
    if promised["slice_bound"].value > promised["moe_bound"].value:
        slice_says += say(" Here the promise is the smaller of the two bounds, so it is the one that binds.")
    rows: list[CountRow] = [
        (marks.PROMISED.label, promised["moe_bound"], say("Every choice of experts with all its regions: a bound.")),
        (marks.SLICE.label, promised["slice_bound"], slice_says),
        (marks.DESIGNED.label, promised["designed"], marks.REACHED),
        (marks.RANDOM.label, _law(scene), say("The region law: what random weights keep on average.")),
    ]
    if affordable(scene):
        whole, inside = layer.regions(None), layer.regions(model.scene_window(scene))
        rows.append(
            (
                say("This router, whole {place}", place=place),
                whole,
                say("Cells, each cut by the hinges of its active experts."),
            )
        )
        within = say(
            "Those between {window:g} and {window_2:g} on every axis.", window=-scene.window, window_2=scene.window
        )
        return [*rows, (say("This router, in the window"), inside, within)]
    note = say("there are too many to count them while the page waits")
    floor = Count(len(fan.active_sets), "lower", "every cell is at least one region", note)
    return [
        *rows,
        (
            say("This router, whole {place}", place=place),
            floor,
            say("Cells, each cut by the hinges of its active experts."),
        ),
    ]


@derived
def dense_rows(scene: Scene) -> list[CountRow]:
    """Dense networks beside the layer: of the width that is paid for, and of the width that is stored."""
    router, layer = model.scene_router(scene), model.scene_layer(scene)
    d, k, H, N = router.d, router.k, layer.H, router.N
    promised = capacity.table(N, k, H, d)
    place = say("plane") if d == 2 else say("space")
    network = say(
        "One network of the same active width kH = {h}: the experts 0 to {k}, always active.", h=k * H, k=k - 1
    )
    stored = say(
        "One network with all NH = {h} hidden units always active: N/k times the compute, the same storage.", h=N * H
    )
    total = (say("Dense, total width NH, whole {place}", place=place), promised["dense_total"], stored)
    if not affordable(scene):
        return [(say("Dense, active width kH, whole {place}", place=place), promised["dense_baseline"], network), total]
    whole, inside = dense_counts(scene)
    here = layer.regions(None)
    gain = Count(
        int(here) / int(whole),
        here.kind,
        f"{int(here):,} / {int(whole):,} regions",
        f"the promise, a maximum over weights, is C(N,k) = {promised['routing_multiplier']}",
    )
    return [
        (say("Dense, active width kH, whole {place}", place=place), whole, network),
        (say("Dense, active width kH, in the window"), inside, network),
        total,
        (say(LEFT), gain, say("How many times the regions of the dense network are really here.")),
    ]


def dense_layer(scene: Scene, total: bool = False) -> Any:
    """The first k experts as one dense layer, or all of them."""
    from tropviz import MoELayer

    layer = model.scene_layer(scene)
    experts = layer.N if total else layer.k
    return MoELayer.dense(layer.U[:experts].reshape(-1, layer.d), layer.c[:experts].ravel())


def dense_counts(scene: Scene) -> tuple[Count, Count]:
    """Regions of the first k experts as one dense layer, in the whole space and in the window."""
    dense = dense_layer(scene)
    return dense.regions(None), dense.regions(model.scene_window(scene))


# --- one region ----------------------------------------------------------------------------------------------------


def spot_of(scene: Scene, row: int, middle: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """The point whose region is shown: the one clicked if it lies in the selected cell, else the cell's middle."""
    try:
        point = np.array([float(part) for part in scene.spot.split("_")])
    except ValueError:
        return middle
    fan = model.scene_fan(scene)
    if point.shape != (fan.router.d,) or not np.isfinite(point).all():
        return middle
    inside = (fan.router.active_sets(point[None])[0] == fan.active_sets[row]).all()
    return point if inside and (np.abs(point) < scene.window).all() else middle


def spot_name(point: Any) -> str:
    """A point as it stands in a link.

    >>> spot_name([0.12345, -2.0])
    '0.123_-2'
    """
    return "_".join(f"{round(float(v), 3):g}" for v in point)


def region(scene: Scene, point: NDArray[np.float64]) -> Region:
    """The linear region of a point."""
    return model.scene_layer(scene).region_at(point)


def outline(scene: Scene, point: NDArray[np.float64]) -> Any:
    """The region of a point in the window, as a polygon; None where it is too thin to draw."""
    ring = region_outline(model.scene_layer(scene), point, model.scene_window(scene))
    return shapely.Polygon(ring) if len(ring) >= 3 else None


def panel(view: Any) -> None:
    """The region that was clicked: its activation pattern, and how many regions its cell has."""
    scene = view.scene
    if view.selected is None or not affordable(scene):
        return
    at = view.place(view.selected)
    point = spot_of(scene, view.selected, None if at is None else view.cells.middles[at])
    if point is None:
        return
    here = region(scene, point)
    open_ = sum(word.count("1") for word in here.pattern)
    total = sum(map(len, here.pattern))
    words = "".join(
        say("<dt>Expert {i}</dt><dd><code>{word}</code></dd>", i=i, word=word if len(word) <= 24 else word[:24] + "…")
        for i, word in zip(here.active, here.pattern, strict=False)
    )
    meaning = say("Linear regions into which the hinges of its active experts cut the cell, in the window.")
    regions = row_html(
        say("Regions of cell {active}", active=set_text(here.active)), _in_cell(scene, view.selected), meaning
    )
    margin = say("{margin:.3g} away", margin=here.margin) if np.isfinite(here.margin) else "none"
    where = ", ".join(numeral(f"{v:.3g}") for v in point).replace("-", "−")
    html = headed(
        say(
            '<p class="tv-title">Linear region at ({where})</p><dl class="tv-facts"><dt>Hinges '
            "open</dt><dd>{open} of {total}</dd>{words}<dt>Nearest "
            'hinge</dt><dd>{margin}</dd></dl><ul class="tv-counts">{regions}</ul>',
            where=where,
            open=open_,
            total=total,
            words=words,
            margin=margin,
            regions=regions,
        )
    )
    st.html(html)


@derived
def _per_cell(scene: Scene) -> dict[tuple[int, ...], Count]:
    return dict(model.scene_layer(scene).regions_per_cell(model.scene_window(scene)))


def _in_cell(scene: Scene, row: int) -> Count:
    """Regions of one cell in the window."""
    per_cell = _per_cell(scene)
    active = tuple(int(i) for i in model.scene_fan(scene).active_sets[row])
    return per_cell.get(active, Count(0, "exact", "the cell lies outside the window"))
