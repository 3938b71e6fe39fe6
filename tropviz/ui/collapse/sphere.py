"""In three dimensions: the sphere of directions, which is all a central router sees. It follows the same play bar."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from tropviz import Router, RoutingFan
from tropviz.core import planar, slices
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.sphere import patches
from tropviz.figures.collapse import VEILS
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Frames
from tropviz.figures.space import space_figure
from tropviz.figures.theme import theme
from tropviz.figures.traces import dots, line
from tropviz.language import say
from tropviz.ui import effort, heavy
from tropviz.ui.canvas import canvas
from tropviz.ui.collapse.picture import picture_frames
from tropviz.ui.collapse.study import OFFSETS, Study, offsets, place, weights
from tropviz.ui.scene import Scene, derived

#: Points drawn on the sphere, and how far above it they float.
POINTS, ABOVE = 250, 1.012
#: Bytes all coloured frames may have; beyond, the colours wait for the end of the play.
COLOUR_BYTES = 900_000
#: Cones beyond which the sphere is not drawn: 1.5 MB.
MOST = 3000


@derived
def _fan(scene: Scene) -> RoutingFan:
    """The cones of W alone: with a bias, the directions in which the data ends."""
    router = weights(scene)
    return RoutingFan(Router(router.W, None, scene.k))


@derived
def _surface(scene: Scene) -> Any:
    fan = _fan(scene)
    return sphere_surface(patches(fan), np.ones(len(fan.active_sets), dtype=bool))


def _moving(view: Study, t: float, colours: list[str], veil: str) -> list[dict[str, Any]]:
    """Facets, directions of the points, and rim of the cap at offset t."""
    seen = view.seen_at(t, view.strength)
    cells = planar.locate(_fan(view.scene), seen)
    share = np.bincount(cells[cells >= 0], minlength=len(colours)) / len(seen)
    alive = [c if p > VEILS[1][0] else veil for c, p in zip(colours, share, strict=True)]
    away = seen[:POINTS]
    size = np.linalg.norm(away, axis=1, keepdims=True)
    dots = (ABOVE * away / np.where(size > 0, size, 1.0)).astype(np.float32)
    rim = _rim(view, view.away(t, view.strength))
    faces = [alive[c] for c in _surface(view.scene).tri_cell.tolist()]
    return [
        {"facecolor": faces},
        {"x": dots[:, 0], "y": dots[:, 1], "z": dots[:, 2]},
        {"x": rim[:, 0], "y": rim[:, 1], "z": rim[:, 2]},
    ]


def _rim(view: Study, away: float) -> Any:
    """The circle that bounds the cap of directions; nothing while the ball holds the origin."""
    if away <= view.radius:
        return np.zeros((0, 3), np.float32)
    sine = view.radius / away
    turn = np.linspace(0, 2 * np.pi, 73)
    across = slices.plane_through(view.u)
    ring = np.sqrt(1 - sine**2) * view.u + sine * (
        np.cos(turn)[:, None] * across[0] + np.sin(turn)[:, None] * across[1]
    )
    return (ABOVE * ring).astype(np.float32)


def show(view: Study) -> None:
    """The sphere with the data's directions on it."""
    if (cones := effort.cones(view.scene)) > MOST:
        st.caption(
            say("The sphere of directions is left out: its {cones:,.0f} cones are too many to send.", cones=cones)
        )
        return
    calls = (("cones", _fan, ()), ("sphere", _surface, ()))
    heavy.need(view.scene, say("The sphere of directions"), calls, effort.SPACE * cones)
    dark = view.scene.dark
    fan, look = _fan(view.scene), theme(dark)
    colours = cell_colours(view.router.W, fan.active_sets, dark)
    picture = space_figure(_surface(view.scene), fan.active_sets, colours, box=None, reach=1.04, dark=dark)
    moved = _moving(view, view.now, colours, look.veil)
    first = len(picture.data)
    data = [
        {**picture.data[0], **moved[0]},
        *picture.data[1:],
        dots([], 3, size=3, color=look.line, opacity=0.85, line={"width": 0}) | moved[1],
        line([], look.cap, 7, 3) | moved[2],
    ]
    # look at the place where the data goes, a little from above
    eye = view.u + 0.5 * np.array([0.0, 0.0, 1.0])
    eye = 1.7 * eye / max(float(np.linalg.norm(eye)), 0.5)
    picture.layout["scene"]["camera"] |= {"eye": dict(zip("xyz", eye.tolist(), strict=True))}
    made = picture_frames(view.scene, view.reach)
    stride = made.stride
    skip = 0 if 10 * len(moved[0]["facecolor"]) * len(made.items) <= COLOUR_BYTES else 1

    def item(index: int) -> dict[str, Any]:
        parts = _moving(view, float(offsets(view)[index]), colours, look.veil)
        return {"traces": [0, first, first + 1][skip:], "data": parts[skip:]}

    def later() -> list[dict[str, Any]]:
        return [item(index) for index in range(0, OFFSETS, stride)]

    start = place(view, stride)
    frames = Frames(f"sphere {made.token}", start=start, group="collapse", bar=False, still=True, later=later)
    canvas(
        replace(picture, data=data, frames=frames),
        key="collapse_sphere",
        alt=say(
            "The unit sphere of directions in the colours of the cells; cells without data are grey. "
            "Dots are the directions of the data, the ring bounds its cap."
        ),
        viewpoint=f"sphere {view.scene.direction:g} {view.scene.elevation:g}",
        height=520,
        toolbar=False,
    )
    if np.asarray(view.router.b).any():
        st.caption(say("This router has a bias: the sphere shows the cones its cells end in, far from the origin."))
