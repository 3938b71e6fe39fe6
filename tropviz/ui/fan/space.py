"""Space on the Router fan page: the picture, the section beside it, and what a click and a key mean."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz.core import planar
from tropviz.core.spatial.mesh import Surface, box_surface
from tropviz.core.spatial.sphere import Patches
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Picture
from tropviz.figures.plane import plane_figure, set_text
from tropviz.figures.space import space_figure
from tropviz.language import plural, say
from tropviz.ui import tally
from tropviz.ui.canvas import canvas
from tropviz.ui.controls import widget
from tropviz.ui.fan import seen
from tropviz.ui.fan.body import Space, cut_of, space
from tropviz.ui.fan.chosen import cell_name, let_go, select, selected_row
from tropviz.ui.fan.view import colours
from tropviz.ui.limits import EXPERTS_SPACE
from tropviz.ui.scene import Scene, model, viewpoint
from tropviz.ui.scene.board import Changes

#: Its canvases.
KEY, SECTION_KEY = "space", "section"


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
        hands=say("Drag to turn; arrow keys walk from cell to cell, with Shift they turn; plus and minus zoom."),
        hears={"click": clicked, "step": stepped, "leave": let_go, "remark": seen.fit, "blank": sight},
        beside=beside,
        remark=seen.remark(view),
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
        alt=say("The exact section of the cells by the cutting plane: {ids} cells.", ids=len(cut.ids)),
        hands=say("A click selects one."),
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
        "{where}, and {points} data points that reach {hits}.",
        n=scene.n,
        k=scene.k,
        drawn=int(view.drawn.sum()),
        where=where,
        points=len(view.points),
        hits=plural("{n} cell", "{n} cells", len(view.seen.hits)),
    ).replace(" -", " −")
    if view.selected is not None:
        text += say(" Selected: {active_sets}.", active_sets=set_text(view.fan.active_sets[view.selected]))
        text += f" {view.share_text(view.selected)}"
    return text


def clicked(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on a face selects the cell whose name stands on it; a second click lets it go."""
    fan = model.scene_fan(scene)
    active = [int(part) for part in re.findall(r"\d+", event.get("label") or "")]
    row = selected_row(scene.replace(cell=cell_name(active))[0], fan)
    return None if row is None else select(scene, None if row == selected_row(scene, fan) else row)


def clicked_section(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on the section selects the cell of space it hit."""
    cut, fan = cut_of(scene), model.scene_fan(scene)
    row = int(planar.locate(fan, cut.lift(np.array([[float(event["x"]), float(event["y"])]])))[0])
    return select(scene, None if row < 0 or row == selected_row(scene, fan) else row)


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """An arrow key walks to the neighbour that lies that way on the screen."""
    view = space(scene)
    here = view.selected
    if here is None or view.place(here) is None:
        start = int(planar.locate(view.fan, _start(view)[None, :])[0])
        there = start >= 0 and view.place(start) is not None
        return select(scene, start if there else int(view.cells.ids[view.cells.areas.argmax()]))
    right, up = (
        np.array(event.get(axis, default), float) for axis, default in (("right", (1, 0, 0)), ("up", (0, 0, 1)))
    )
    found = view.step(here, float(event["dx"]) * right + float(event["dy"]) * up)
    return None if found is None else select(scene, found)


def _start(view: Space) -> NDArray[np.float64]:
    mean = model.scene_mean(view.scene)
    return mean if mean.any() else model.scene_direction(view.scene)
