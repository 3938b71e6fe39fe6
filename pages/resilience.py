"""Resilience: from which data dimension on is the binomial really there?"""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import claims, controls, heavy, shell
from tropviz.ui.canvas import beacon, canvas
from tropviz.ui.canvas.chart import chart
from tropviz.ui.counts import show_counts, title_html
from tropviz.ui.resilience import crossing, rolled, shares
from tropviz.ui.resilience import measure as measuring
from tropviz.ui.resilience.words import PARAGRAPHS
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import again, change, part
from tropviz.work import Budget

scene = shell.page("resilience")
#: All measuring of one scene; each count is bounded by itself.
BUDGET = Budget(cpu=400.0, wall=3600.0)


@part("controls")
def panel(scene: Scene) -> None:
    controls.shared_controls(scene, main=("n", "k", "h", "manifold", "manifold_dim", "degree"))


@part("share", live=True)
def share(scene: Scene) -> None:
    view = shares.shares_of(scene)
    shell.show_notes(scene)
    st.html(shares.key(view))
    figure = shares.chart(view, scene.dark)
    chart(figure, key="resilience", alt=shares.alt(view), height=400, slide=scene.embed, link=True)
    shell.meaning(shares.sentence(view))
    goes_on(scene)


@part("numbers", live=True)
def numbers(scene: Scene) -> None:
    show_counts(shares.rows(shares.shares_of(scene)), say("The slice law, and this router"))
    goes_on(scene)


@part("cross")
def cross(scene: Scene) -> None:
    view = crossing.crossing_of(scene)
    if view.wrong:
        st.html(f'<p class="tv-note" role="status">{view.wrong}</p>')
    for column, (key, title, what, lines) in zip(st.columns(2, gap="medium"), crossing.charts(view), strict=True):
        with column:
            if lines:
                st.html(crossing.key(title, lines))
                chart(crossing.chart(what, lines, scene.dark), key=key, alt=crossing.alt(what, lines), height=340)
            else:
                st.html(
                    '<div class="tv-hold" role="status">'
                    + say("Being measured: it appears here step by step.")
                    + "</div>"
                )
    shell.meaning(crossing.sentence(view))
    goes_on(scene)


@part("sheet")
def sheet(scene: Scene) -> None:
    scene = rolled.needed(scene)
    controls.widget("sheet", scene)
    left, middle, right = st.columns([4, 3, 3], gap="medium")
    space, flat = rolled.pictures(scene)
    told = rolled.alt(scene)
    with left:
        canvas(space, key="sheet", alt=told[0], viewpoint=scene.sheet, height=420, name="sheet")
    with middle:
        st.html(title_html(say("Unrolled"), 3))
        canvas(flat, key="unrolled", alt=told[1], viewpoint=scene.sheet, height=370, name="unrolled")
    with right:
        show_counts(rolled.rows(scene), say("The {sheet} in space", sheet=say(scene.sheet)))
    shell.meaning(rolled.sentence(scene))


@part("measure")
def measure(scene: Scene) -> None:
    here = measuring.token(scene)
    asked = scene.measure_all == here
    todo = measuring.steps(scene, asked)
    if not todo or scene.measure_none == here:
        heavy.leave("measure")
    if not todo and not asked and measuring.steps(scene, True):
        st.button(say("Run the manifold experiment for this wide router"), on_click=change(measure_all=here))
    elif todo and scene.measure_none == here:
        st.button(say("Go on measuring ({todo} steps left)", todo=len(todo)), on_click=change(measure_none=""))
    elif todo:
        heavy.derive(
            scene, "measure", measuring.calls(scene, asked), say("Measuring"), change(measure_none=here), BUDGET
        )


def goes_on(scene: Scene) -> None:
    """What is shown is drawn again while there is more to be measured."""
    here = measuring.token(scene)
    if scene.measure_none != here and not heavy.failed("measure") and measuring.steps(scene, scene.measure_all == here):
        again()


with st.sidebar:
    panel()
left, right = st.columns([7, 3], gap="medium")
with left:
    share()
    progress = st.container()
with right:
    numbers()
if not scene.embed:
    for column, (title, text) in zip(st.columns(3, gap="medium"), PARAGRAPHS, strict=True):
        column.html(f'{title_html(say(title))}<p class="tv-meaning">{say(text)}</p>')
    st.header(say("Flat and curved data as the space around it grows"), anchor=False)
    cross()
    st.header(say("A curved sheet in space, unrolled"), anchor=False)
    sheet()
with progress:
    measure()
claims.show("resilience")
beacon()
