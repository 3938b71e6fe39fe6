"""Beyond one direction and one dimension: t* all around, and the same sweep in R^2 to R^4096."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st

from tropviz import Router, collapse
from tropviz.figures import collapse_polar as drawn
from tropviz.figures.collapse_curves import offset_text
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Picture
from tropviz.language import say
from tropviz.ui import heavy
from tropviz.ui.canvas import canvas
from tropviz.ui.collapse.study import Study, study
from tropviz.ui.counts import quiet_title
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.board import Changes

#: Dimensions of the dimension story, and its t axis in radii of the data.
DIMENSIONS = (2, 8, 32, 256, 2048, 4096)
STORY = np.linspace(0.0, 12.0, 49)
STORY_POINTS = 1000
#: Seconds an expert for all directions, and about how long the story takes.
DIRECTIONS, STORY_SECONDS = 3e-3, 5.0


@derived
def _directions(scene: Scene) -> collapse.Directions:
    view = study(scene, 0.0)
    return collapse.all_directions(view.router, view.radius, plane=None if view.router.d == 2 else view.turns_in)


def show_directions(view: Study) -> None:
    """t* for every direction of the picture's plane; a click turns the data that way."""
    st.html(quiet_title(say("Every direction: where collapse is certain")))
    if view.router.d == 1:
        st.caption(say("With one input there are two directions only: 0° and 180°."))
        return
    if view.radius == 0:
        st.caption(say("All points are the same one: they are in one set in every direction."))
        return
    calls = ((say("every direction"), _directions, ()),)
    heavy.need(view.scene, say("Every direction"), calls, DIRECTIONS * len(view.router.W))
    found = _directions(view.scene)
    units = np.stack([np.cos(found.angles), np.sin(found.angles)], axis=1)
    # far out along a direction the bias no longer matters: the colour is that of the set it ends in
    ends = Router(view.router.W @ view.turns_in.T, None, view.scene.k).active_sets(units)
    colours = cell_colours(view.flat.W, ends, view.scene.dark)
    finite = found.offsets[np.isfinite(found.offsets)]
    usual = float(np.quantile(finite, 0.6)) if len(finite) else view.reach
    reach = max(usual, min(view.reach, 3 * usual)) or 1.0
    at = reach * (view.turns_in @ view.u)
    figure = drawn.directions_figure(
        found.angles,
        found.offsets,
        colours,
        reach=reach,
        best=(found.best_angle, found.best_offset),
        never=found.never,
        at=(float(at[0]), float(at[1])),
        dark=view.scene.dark,
    )
    best = math.degrees(found.best_angle)
    best = best - 360 if best > 180 else best
    canvas(
        Picture(**figure),
        key="collapse_directions",
        alt=say(
            "Certified offset in every direction. The data collapses first towards {best:.0f} "
            "degrees, at {best_offset}. {never} directions never collapse.",
            best=best,
            best_offset=offset_text(found.best_offset),
            never=len(found.never),
        ),
        viewpoint="directions",
        height=380,
        toolbar=False,
        hears={"click": aimed},
    )
    st.html('<p class="tv-hint">' + _hint(found, best, view.two_sided) + "</p>")


def _hint(found: collapse.Directions, best: float, two_sided: bool) -> str:
    """What the colours of the polar picture say; `best`: where t* is least, in degrees."""
    walls = say("no direction escapes it")
    if len(found.never):
        walls = say("{never} directions run along a wall and <b>never</b> collapse", never=len(found.never))
    return say(
        "Coloured: all of {whose} is certain to be in one set. Grey: not certain. It collapses "
        "first towards <b>{best:.0f}°</b>, from t* = <b>{best_offset}</b> (star); {value}. Click "
        "to turn the data.",
        whose=say("either cloud by itself") if two_sided else say("the data"),
        best=best,
        best_offset=offset_text(found.best_offset),
        value=walls,
    ).replace("<b>-", "<b>−")


def aimed(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click in the polar picture turns the data that way."""
    angle = math.degrees(math.atan2(float(event["y"]), float(event["x"])))
    view = study(scene)
    if view.router.d == 3:  # along the great circle through u, so the height changes as well
        x, y, z = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))]) @ view.turns_in
        height = math.degrees(math.asin(max(-1.0, min(1.0, z))))
        return {"direction": math.degrees(math.atan2(y, x)), "elevation": height}
    return {"direction": angle}


# --- dimensions ---


@derived
def _story(scene: Scene) -> list[tuple[int, float, Any, Any, Any]]:
    rows = collapse.dimension_story(scene.n, scene.k, DIMENSIONS, STORY, n=STORY_POINTS, seed=scene.seed)
    return [(r.d, r.certified, r.curves.saturation, r.band, r.log10_cap) for r in rows]


def show_dimensions(scene: Scene) -> None:
    """The same sweep for d = 2 to 4096: the cap vanishes, the collapse does not come sooner."""
    heavy.need(scene, say("Sweeping in up to 4,096 dimensions"), ((say("six dimensions"), _story, ()),), STORY_SECONDS)
    rows = _story(scene)
    figure = drawn.dimension_figure(STORY, [(d, *drawn_rows) for d, _, *drawn_rows in rows], scene.dark)
    canvas(
        Picture(**figure),
        key="collapse_dimensions",
        alt=say("Saturation and cap over t / r in several dimensions."),
        height=460,
        toolbar=False,
    )
    certified = ", ".join(say("{offset} (d = {d:,})", offset=offset_text(t), d=d) for d, t, *_ in rows)
    st.html(
        '<p class="tv-hint">'
        + say(
            "A random router of {n} experts, {k} active, in every dimension; the bands hold eight "
            "routers, each with a direction of its own; {story_points:,} points, uniform in a ball. "
            "The cap of directions falls below every float long before the data is in one set: <b>a "
            "vanishing cap is not a collapse</b>; the margin decides. Certified t* / r: {certified}.",
            n=scene.n,
            k=scene.k,
            story_points=STORY_POINTS,
            certified=certified,
        )
        + "</p>"
    )
