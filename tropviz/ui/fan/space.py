"""Space on the Router fan page: ball or box, cut open by a plane whose exact section stands beside it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz import Count
from tropviz.core import planar
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import Polyhedra, polyhedra
from tropviz.core.spatial.mesh import Surface, box_surface
from tropviz.core.spatial.section import Section, section
from tropviz.core.spatial.sphere import Patches, patches
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Picture
from tropviz.figures.plane import plane_figure, set_label, set_text
from tropviz.figures.space import MOST_CELLS, space_figure, surface_bytes
from tropviz.language import plural, say
from tropviz.ui import effort, heavy, tally
from tropviz.ui.canvas import canvas
from tropviz.ui.controls import widget
from tropviz.ui.counts import CountRow
from tropviz.ui.fan.plane import (
    cell_name,
    colours,
    designed,
    fit,
    let_go,
    own_cells,
    promise,
    remark,
    routed_points,
    select,
    selected_row,
    tied,
)
from tropviz.ui.fan.view import View
from tropviz.ui.limits import EXPERTS_SPACE
from tropviz.ui.scene import Scene, derived, model, viewpoint
from tropviz.ui.scene.board import Changes

#: Its canvases.
KEY, SECTION_KEY = "space", "section"
#: What the cells of one picture may weigh on the wire, whole and apart (where a slider is being moved); data and layout
#: come on top.
MOST_BYTES, MOST_BYTES_APART = 1_500_000, 700_000


@dataclass(frozen=True, eq=False)
class Space(View):
    """Space; sizes are solid angles on the ball and volumes in the box."""

    body: Patches | Polyhedra
    drawn: NDArray[np.bool_]
    dropped: int  # cells left out because the picture would be too large to send
    surface: Surface
    thin: bool  # whether the edges of all cells are drawn
    cut: Section | None

    @property
    def ball(self) -> bool:
        """Whether the cells are shown on the unit sphere."""
        return isinstance(self.body, Patches)

    @property
    def measure(self) -> str:
        """What the size of a cell is called."""
        return say("Solid angle") if self.ball else say("Volume in the window")

    @property
    def total(self) -> float:
        """Size of all cells together."""
        return 4 * math.pi if self.ball else (2 * float(self.scene.window)) ** 3

    @property
    def outside(self) -> int:
        """Data points that lie outside the box; on the ball every point has a place."""
        return 0 if self.ball else super().outside


def admit(scene: Scene) -> Changes:
    """The rule of the page: no more experts than are drawn in space; what has to change is said."""
    if scene.dim != "3" or scene.n <= EXPERTS_SPACE:
        return None
    had, (fewer, _) = scene.n, scene.replace(n=EXPERTS_SPACE)
    if fewer.n <= EXPERTS_SPACE:
        return {
            "n": EXPERTS_SPACE,
            "notes": (
                say(
                    "In space up to {experts_space} experts are shown; there were {had}.",
                    experts_space=EXPERTS_SPACE,
                    had=had,
                ),
            ),
        }
    own = say(
        "In space up to {experts_space} experts are shown and this router has {had}: it is shown in the plane.",
        experts_space=EXPERTS_SPACE,
        had=had,
    )
    return {"dim": "2", "notes": (own,)}  # a router that comes with its own number of experts


def space(scene: Scene) -> Space:
    """Compute what the view shows; ValueError in one sentence where the scene cannot be shown."""
    heavy.need(scene, "Cells in space", CALLS, effort.fan_seconds(scene))
    fan, points = model.scene_fan(scene), model.scene_cloud(scene)
    body, cells, cut = _body(scene), _sizes(scene), _section(scene) if scene.cut else None
    where, seen = routed_points(scene)
    domain = _domain(scene) if scene.expert >= 0 else None
    drawn, dropped, built, thin = _affordable(scene)
    selected = selected_row(scene, fan)
    return Space(scene, fan, cells, points, where, seen, selected, domain, body, drawn, dropped, built, thin, cut)


def _ball(scene: Scene) -> bool:
    return bool(scene.shape == "sphere" and model.scene_fan(scene).router.central)


@derived
def _body(scene: Scene) -> Patches | Polyhedra:
    fan = model.scene_fan(scene)
    return patches(fan) if _ball(scene) else polyhedra(fan, model.scene_window(scene))


@derived
def _sizes(scene: Scene) -> model.PlaneCells:
    """Rows, sizes and middles of the cells that are there; they have no polygons."""
    body, nothing = _body(scene), np.zeros(0, dtype=object)
    if isinstance(body, Patches):
        rows = np.arange(len(model.scene_fan(scene).active_sets))
        return model.PlaneCells(rows, nothing, body.solid_angles(), body.centres)
    return model.PlaneCells(body.ids, nothing, body.volumes, body.centroids)


def cut_normal(scene: Scene) -> NDArray[np.float64]:
    """Unit normal of the cutting plane; what lies on its side is taken away."""
    return model.unit_vector(math.radians(scene.cut_turn), math.radians(scene.cut_tilt))


@derived
def _section(scene: Scene) -> Section:
    a, fan = model.scene_window(scene), model.scene_fan(scene)
    if _ball(scene):
        return section(fan, cut_normal(scene), scene.cut_at, None)
    return section(fan, cut_normal(scene), scene.cut_at * a, a)


@derived
def _domain(scene: Scene) -> planar.Domain:
    """Where one expert is active: its cells, their size, that of the convex hull (in the box), and the pieces."""
    fan, body, cells = model.scene_fan(scene), _body(scene), _sizes(scene)
    mine = np.flatnonzero((fan.active_sets[cells.ids] == scene.expert).any(axis=1))
    ids, hull = cells.ids[mine], 0.0
    if len(ids) and isinstance(body, Polyhedra):
        from scipy.spatial import ConvexHull

        corners = body.points[np.isin(np.repeat(body.cell, np.diff(body.start)), ids)]
        hull = float(ConvexHull(corners).volume)
    pieces = int(planar.clusters(fan, ids).max(initial=-1)) + 1
    return planar.Domain(int(scene.expert), ids, None, float(cells.areas[mine].sum()), hull, pieces)


def _wanted(scene: Scene) -> NDArray[np.bool_]:
    """Which rows of the fan to draw: the largest, less what is peeled away, and of one expert if one is chosen."""
    fan, cells = model.scene_fan(scene), _sizes(scene)
    ids = cells.ids
    if len(ids) > MOST_CELLS:
        ids = np.sort(ids[np.argsort(-cells.areas)[:MOST_CELLS]])
    if scene.expert >= 0 and len(domain := _domain(scene).ids):
        ids = np.intersect1d(ids, domain)
    if scene.peel > 0 and len(ids):
        middle = cells.middles[np.searchsorted(cells.ids, ids)]
        towards = model.scene_direction(scene) if _ball(scene) else model.scene_mean(scene)
        order = np.argsort(np.linalg.norm(middle - towards, axis=1), kind="stable")
        ids = ids[order[: max(1, round(len(ids) * (1 - scene.peel)))]]
    drawn = np.zeros(len(fan.active_sets), dtype=bool)
    drawn[ids] = True
    return drawn


@derived
def _affordable(scene: Scene) -> tuple[NDArray[np.bool_], int, Surface, bool]:
    """What is drawn of it within the bytes allowed, how many cells are not, triangles and edges, and if all edges are.

    The edges go first, then the smallest cells.
    """
    fan, body, cells, drawn = model.scene_fan(scene), _body(scene), _sizes(scene), _wanted(scene)
    cut, apart = _section(scene) if scene.cut else None, float(scene.apart)
    build: Any = sphere_surface if isinstance(body, Patches) else box_surface
    built, wanted = build(body, drawn, apart, cut), int(drawn.sum())
    label, most = len(set_label(fan.active_sets[-1])), MOST_BYTES_APART if apart else MOST_BYTES
    thin = surface_bytes(built, label) <= most
    while (size := surface_bytes(built, label, thin)) > most and drawn.sum() > 1:
        ids = np.flatnonzero(drawn)
        areas = cells.areas[np.searchsorted(cells.ids, ids)]
        keep = ids[np.argsort(-areas, kind="stable")[: max(1, int(0.95 * len(ids) * most / size))]]
        drawn = np.zeros_like(drawn)
        drawn[keep] = True
        built = build(body, drawn, apart, cut)
    return drawn, wanted - int(drawn.sum()), built, thin


#: What takes long of many cells.
CALLS = (("cells", model.scene_fan, ()), ("polyhedra", _body, ()), ("faces", _affordable, ()))


def figure(view: Space) -> Picture:
    """The picture in space."""
    scene, mean = view.scene, model.scene_mean(view.scene)
    near = view.neighbours(view.selected).tolist() if view.selected is not None else []
    if isinstance(view.body, Patches):
        box, reach = None, 1.12 * (1 + scene.apart)
        points = _on_sphere(view.points, 1.012 + scene.apart)
        if view.cut is not None:  # nothing floats where the ball was cut away
            points = points[points @ view.cut.normal <= view.cut.normal @ view.cut.origin]
        arrow = (1.02 + scene.apart) * np.outer([1.0, 1.25], model.scene_direction(scene))
    else:
        box, reach = view.body.box, 1.06 * scene.window * (1 + 0.7 * scene.apart)
        points, arrow = view.points[(np.abs(view.points) <= scene.window).all(axis=1)], np.stack([0 * mean, mean])
    inner = _hidden(view)
    return space_figure(
        view.surface,
        view.fan.active_sets,
        colours(scene),
        box=box,
        reach=reach,
        points=points,
        selected=view.selected,
        neighbours=near,
        arrow=arrow,
        cut=view.cut if not scene.apart else None,  # apart, the cells have no common rim
        thin=view.thin,
        dark=scene.dark,
        every=False,
        inner=inner,
    )


def _hidden(view: Space) -> Surface | None:
    """The skin of the selected cell if it lies inside the others, which then fade; None if any of it is seen."""
    scene, body, row = view.scene, view.body, view.selected
    if isinstance(body, Patches) or row is None or scene.cut or scene.peel or scene.apart or view.place(row) is None:
        return None
    corners = body.points[np.repeat(body.cell, np.diff(body.start)) == row]
    if (np.abs(corners) > (1 - 1e-9) * scene.window).any():
        return None
    only = np.zeros(len(view.drawn), dtype=bool)
    only[row] = True
    return box_surface(body, only)


def _on_sphere(points: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    size = np.linalg.norm(points, axis=1)
    return radius * points[size > 0] / size[size > 0, None]


def section_figure(view: Space) -> Picture:
    """The section as a picture of the plane, in the colours of space."""
    cut = view.cut
    assert cut is not None
    sets, dark = cut.fan.active_sets, view.scene.dark
    paint = cell_colours(view.fan.router.W, sets, dark)
    chosen = None
    if view.selected is not None:
        chosen = next((int(i) for i, row in zip(cut.ids, cut.rows, strict=True) if row == view.selected), None)
    return plane_figure(
        cut.ids, cut.shapes, sets, paint, window=cut.window, selected=chosen, pixels=340, dark=dark, labels=True
    )


def sight(_: Scene, event: dict[str, Any]) -> Changes:
    """The browser cannot draw in space, or can again: then the table stands open."""
    return {"blank": bool(event["gone"])}


def show(view: Space, beside: dict[str, str]) -> None:
    """Put the picture on its canvas."""
    scene = view.scene
    tally.note(len(view.cells.ids))
    canvas(
        figure(view),
        key=KEY,
        alt=alt_text(view),
        hears={"click": clicked, "step": stepped, "leave": let_go, "remark": fit, "blank": sight},
        beside=beside,
        remark=remark(view),
        viewpoint=f"{scene.router} {view.ball}",
        name=f"space_N{scene.n}_k{scene.k}",
        link=True,
        start={"camera": viewpoint.camera(scene.camera)} if scene.camera else None,
        toolbar=not scene.embed,
        below=100 if not scene.embed else 20,
    )


def show_section(view: Space) -> None:
    """Put the section, if there is one, on a canvas of its own: the picture keeps its size."""
    scene, cut = view.scene, view.cut
    if cut is None:
        return
    if cut.outline.is_empty:
        st.html('<p class="tv-hint">' + say("The plane does not meet the cells: move it towards the middle.") + "</p>")
        return
    canvas(
        section_figure(view),
        key=SECTION_KEY,
        alt=say(
            "The exact section of the cells by the cutting plane: {ids} cells. A click selects one.", ids=len(cut.ids)
        ),
        hears={"click": clicked_section},
        of=("dim", "shape", "window", "cut", "cut_at", "cut_turn", "cut_tilt"),
        viewpoint=f"{scene.shape} {scene.window} {scene.cut_at} {scene.cut_turn} {scene.cut_tilt}",
        name=f"section_N{scene.n}_k{scene.k}",
        toolbar=False,
    )
    st.html(
        '<p class="tv-hint">'
        + say(
            "The cut, seen from in front: {ids} cells, the exact fan of the router restricted to this plane.",
            ids=len(cut.ids),
        )
        + "</p>"
    )


def controls(scene: Scene) -> None:
    """The sidebar's controls of the view in space."""
    if model.scene_router(scene).central:
        widget("shape", scene)
    else:
        st.caption(say("A router with a bias is shown in a box: its cells are not cones."))
    for name in ("apart", "peel", "cut", *(("cut_at", "cut_turn", "cut_tilt") if scene.cut else ())):
        widget(name, scene)


def alt_text(view: Space) -> str:
    """The picture in words."""
    scene = view.scene
    where = (
        say("on the unit sphere")
        if view.ball
        else say("in a box from {window:g} to {window_2:g}", window=-scene.window, window_2=scene.window)
    )
    text = say(
        "Routing cells of {n} experts, {k} active, in space: {drawn} coloured convex cells "
        "{where}, and {points} data points that reach {hits} cells. Drag to turn; arrow keys "
        "walk from cell to cell.",
        n=scene.n,
        k=scene.k,
        drawn=int(view.drawn.sum()),
        where=where,
        points=len(view.points),
        hits=len(view.seen.hits),
    )
    if view.selected is not None:
        text += say(" Selected: {active_sets}.", active_sets=set_text(view.fan.active_sets[view.selected]))
    return text


def counts(view: Space) -> list[CountRow | tuple[str, Count, str, str]]:
    """Promise beside fact."""
    scene = view.scene
    promised = promise(scene)
    rows: list[CountRow | tuple[str, Count, str, str]] = [
        (
            say("Cells promised, C(N,k)"),
            promised["routing_multiplier"],
            say("Every choice of k experts out of N: a maximum."),
        ),
        (
            say("Cells in all of space"),
            view.fan.count,
            say("The cells this router really has in these three dimensions."),
        ),
        *own_cells(scene),
    ]
    if not view.ball:
        inside = Count(len(view.cells.ids), view.fan.count.kind, "cells that share a volume with the box")
        within = say(
            "Those between {window:g} and {window_2:g} on every axis.", window=-scene.window, window_2=scene.window
        )
        rows.append((say("Cells in the window"), inside, within))
    if view.cut is not None and not view.cut.outline.is_empty:
        rows.append(
            (
                say("Cells on the cut"),
                view.cut.count,
                say("Two dimensions see fewer."),
            )
        )
    return [
        *rows,
        (say("Cells reached by the data"), view.seen.sets_hit, say("Different active sets of the data points.")),
        (
            say("Saturation"),
            view.seen.saturation,
            say("Share of the data in its fullest cell; 100 % is collapse."),
            "share",
        ),
    ]


def sentence(view: Space) -> str:
    """The line of meaning under the picture."""
    scene, promised = view.scene, Count(math.comb(view.scene.n, view.scene.k), "exact", "")
    few = say("one expert") if scene.k == 1 else say("{k} experts", k=scene.k)
    shape = (
        say("Only the direction of an input matters to this router, so its cells are patches of a ball")
        if view.ball
        else say("Each block is one cell")
    )
    before = designed(scene) + tied(scene) + _prisms(scene)
    open_ = view.ball or scene.peel or scene.cut or 2 * view.outside > len(view.points)
    colours = say("{shape}; each colour is one choice of <b>{few}</b> out of {n}.", shape=shape, few=few, n=scene.n)
    exist = plural(
        "Of {all} choices <b>{fan}</b> exists in space, and the data reaches <b>{hits}</b>.",
        "Of {all} choices <b>{fan}</b> exist in space, and the data reaches <b>{hits}</b>.",
        int(view.fan.count.value),
        all=promised,
        fan=view.fan.count,
        hits=len(view.seen.hits),
    )
    return f"{before}{colours} {exist}" + (
        "" if open_ else say(" The data is inside: peel cells away, or cut, to see it.")
    )


def _prisms(scene: Scene) -> str:
    """What a router of fewer than three inputs looks like here."""
    own = model.scene_source(scene).W.shape[1]
    if own > 2:
        return ""
    reads = say("two inputs") if own == 2 else say("one input")
    return say(
        "This router reads {reads} only: along the rest nothing changes, so its cells are prisms here. ", reads=reads
    )


def hidden_note(view: Space) -> str | None:
    """What is not drawn, and what the search did not finish."""
    notes = []
    extra = len(view.cells.ids) - MOST_CELLS
    if view.dropped:
        drawn = int(view.drawn.sum())
        notes.append(
            say(
                "The {drawn:,} largest of {dropped:,} cells are drawn, and no edges: all of them would "
                "be too large a picture to send. Peel cells away or take fewer experts to see every cell "
                "that is left.",
                drawn=drawn,
                dropped=drawn + view.dropped,
            )
        )
        if view.selected is not None and not view.drawn[view.selected]:
            notes.append(say("The selected cell is one of those that are not drawn."))
    elif extra > 0:
        notes.append(
            say(
                "The {most_cells:,} largest of {ids:,} cells are drawn.", most_cells=MOST_CELLS, ids=len(view.cells.ids)
            )
        )
    if not view.thin and not view.dropped:
        notes.append(say("The edges of the cells are left out: with them the picture would be too large to send."))
    if view.fan.count.kind == "lower":
        notes.append(
            say("The search for cells stopped at its budget: the count is a lower bound and the picture has gaps.")
        )
    return " ".join(notes) or None


def clicked(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on a face selects the cell whose name stands on it; a second click lets it go."""
    fan = model.scene_fan(scene)
    active = [int(part) for part in re.findall(r"\d+", event.get("label") or "")]
    row = selected_row(scene.replace(cell=cell_name(active))[0], fan)
    return None if row is None else select(scene, None if row == selected_row(scene, fan) else row)


def clicked_section(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on the section selects the cell of space it hit."""
    cut, fan = _section(scene), model.scene_fan(scene)
    row = int(planar.locate(fan, cut.lift(np.array([[float(event["x"]), float(event["y"])]])))[0])
    return select(scene, None if row < 0 or row == selected_row(scene, fan) else row)


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """An arrow key walks to the neighbour that lies that way on the screen."""
    view = space(scene)
    here = view.selected
    if here is None or view.place(here) is None:
        start = int(planar.locate(view.fan, _start(view)[None, :])[0])
        seen = start >= 0 and view.place(start) is not None
        return select(scene, start if seen else int(view.cells.ids[view.cells.areas.argmax()]))
    right, up = (
        np.array(event.get(axis, default), float) for axis, default in (("right", (1, 0, 0)), ("up", (0, 0, 1)))
    )
    found = view.step(here, float(event["dx"]) * right + float(event["dy"]) * up)
    return None if found is None else select(scene, found)


def _start(view: Space) -> NDArray[np.float64]:
    mean = model.scene_mean(view.scene)
    return mean if mean.any() else model.scene_direction(view.scene)
