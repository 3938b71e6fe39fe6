"""The curves of the Angular collapse page; they follow the frames of its picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from tropviz import collapse
from tropviz.figures import collapse_curves as drawn
from tropviz.figures.colour import expert_colours
from tropviz.figures.picture import Frames, Picture
from tropviz.language import say
from tropviz.ui.canvas import canvas
from tropviz.ui.collapse.picture import picture_frames
from tropviz.ui.collapse.study import OFFSETS, Study, cap, offsets, place, sweeps
from tropviz.ui.collapse.words import plane_note, reading


def curve_figure(view: Study, stride: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The curves at the scene's offset, and their frames."""
    scene, t, dark = view.scene, offsets(view), view.scene.dark
    plain, shared = curve_pair(view)
    figure = drawn.curves_figure(
        t,
        plain,
        shared,
        far=view.far,
        on=bool(scene.shared),
        strength=float(scene.lam),
        at=float(scene.aside.offset),  # the browser moves it with the picture
        expert_colours=expert_colours(view.flat.W, dark),
        k=scene.k,
        dark=dark,
    )
    chosen = range(0, OFFSETS, stride)
    return figure, [drawn.curves_frame(t, i, plain, shared, bool(scene.shared)) for i in chosen]


def show(view: Study) -> None:
    """The curves on their canvas."""
    made = picture_frames(view.scene, view.reach)
    figure, items = curve_figure(view, made.stride)
    together: dict[str, Any] = {"group": "collapse", "bar": False, "still": True, "fast": True}
    frames = Frames(f"curves {made.token}", items, start=place(view, made.stride), **together)
    canvas(
        Picture(**figure, frames=frames),
        key="collapse_curves",
        alt=curves_text(view),
        viewpoint=f"curves {view.far}",
        height=590,
        toolbar=False,
    )


def curve_pair(view: Study) -> tuple[drawn.Curve, drawn.Curve]:
    """The curves without and with the shared expert."""
    out = []
    for swept, strength in zip(sweeps(view), (0.0, float(view.scene.lam)), strict=True):
        low, high = swept.saturation_interval.T
        share = np.array([cap(view, float(t), strength) for t in swept.offsets])
        certified = collapse.rectified_offset(view.certified, strength * view.share)
        parts = (swept.saturation, low, high, swept.effective_sets, share, swept.load / swept.n, certified)
        out.append(drawn.Curve(*parts))
    return out[0], out[1]


def curves_text(view: Study) -> str:
    """The curves in words."""
    plain, shared = sweeps(view)
    return say(
        "Over the offset from 0 to {reach:.3g}: saturation goes from {saturation:.0f} to "
        "{saturation_2:.0f} per cent without the shared expert, and with it from "
        "{saturation_3:.0f} to {saturation_4:.0f}. Bars show the load of every expert.",
        reach=view.reach,
        saturation=100 * plain.saturation[0],
        saturation_2=100 * plain.saturation[-1],
        saturation_3=100 * shared.saturation[0],
        saturation_4=100 * shared.saturation[-1],
    )


def hint(view: Study) -> str:
    """How to read them, as HTML."""
    parts = filter(None, (plane_note(view), reading(view)))
    return "".join(f'<p class="tv-hint">{part}</p>' for part in parts)
