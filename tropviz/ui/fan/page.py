"""The Router fan page in the plane or in space: which of the two a scene asks for."""

from __future__ import annotations

import streamlit as st

from tropviz.language import english, say
from tropviz.ui import controls
from tropviz.ui.counts import counts_html, folded_html
from tropviz.ui.fan import body, plane, regions, space
from tropviz.ui.fan.counts import counts
from tropviz.ui.fan.view import View
from tropviz.ui.scene import Scene, model


def view_of(scene: Scene) -> View:
    """What the page shows of a scene, before anything is drawn."""
    return body.space(scene) if scene.dim == "3" else plane.plane(scene)


def show(view: View, beside: dict[str, str]) -> None:
    """Put the picture on its canvas, with what it brings to show beside it."""
    if isinstance(view, body.Space):
        space.show(view, beside)
    elif isinstance(view, plane.Plane):
        plane.show(view, beside)


def switch(scene: Scene) -> None:
    """The switch between plane and space, and the controls that only one of them has."""
    controls.widget("dim", scene)
    if scene.router == "designed" and len({one.name for one in model.designs(scene, int(scene.dim))}) > 1:
        controls.widget("construction", scene)
    if scene.dim == "2":
        with st.container(horizontal=True):
            controls.widget("hinges", scene)
            controls.widget("axes", scene)
    else:
        with st.expander(say("In space"), expanded=True):
            space.controls(scene)


#: Beginnings of the labels of what is seen at first glance.
GLANCE = (
    "Cells promised",
    "Cells in the whole plane",
    "Cells in all of space",
    "Cells in view",
    "Cells reached",
    "Saturation",
    "Pieces of all lines",
    "Walls of the fan",
)


def numbers(view: View) -> dict[str, str]:
    """The numbers beside the picture, by their slots: those of the first glance, and those that unfold."""
    rows = counts(view)
    first = [row for row in rows if english(row[0]).startswith(GLANCE)]
    rest = [row for row in rows if row not in first]
    more = folded_html("cells", say("More about the cells"), rest) if rest else ""
    return {"numbers": counts_html(first, say("Cells: promise and fact")), "more": more}


def gain(scene: Scene) -> None:
    """The last number of the first glance: what is left of the promised gain in linear regions."""
    regions.need(scene)
    left = [row for row in regions.dense_rows(scene) if english(row[0]) == regions.LEFT]
    st.html(counts_html(left or regions.counts(scene)[:1]))  # too many to count: the bound it would be measured by


def region_counts(scene: Scene) -> None:
    """All counts of linear regions, and of the dense networks beside them, behind their titles."""
    regions.need(scene)
    dense = [row for row in regions.dense_rows(scene) if english(row[0]) != regions.LEFT]
    st.html(
        folded_html("regions", say("Linear regions: maximum, mean, this router"), regions.counts(scene))
        + folded_html("dense", say("Dense networks beside it"), dense)
    )
