"""The scene of a lesson: the app's own picture, alive, with the controls and the numbers that the lesson names."""

from __future__ import annotations

import streamlit as st

from tropviz.io.lessons import Lesson
from tropviz.language import say
from tropviz.ui import controls
from tropviz.ui.canvas import slot
from tropviz.ui.canvas.chart import chart
from tropviz.ui.collapse import picture as collapse
from tropviz.ui.collapse.study import study
from tropviz.ui.counts import counts_html
from tropviz.ui.fan import page as fan
from tropviz.ui.fan.selection import expert_choice
from tropviz.ui.hypersimplex import stage as hypersimplex
from tropviz.ui.lessons.numbers import rows
from tropviz.ui.resilience import shares
from tropviz.ui.scene import BY_NAME, Scene

#: Controls in one row.
IN_A_ROW = 3


def show(scene: Scene, lesson: Lesson, revealed: bool) -> None:
    """The picture of a lesson; its numbers stand beside it once the prediction is made."""
    if lesson.hidden and not revealed:
        st.html('<div class="tv-hold" role="status">' + say("Predict first: then the scene opens here.") + "</div>")
        return
    numbers = counts_html(rows(lesson.numbers, scene, lesson.page), say("In this scene")) if revealed else ""
    if lesson.page == "fan":
        fan.show(fan.view_of(scene), {"numbers": numbers})
        slot("numbers")
    elif lesson.page == "collapse":
        collapse.show(study(scene), {"numbers": numbers})
        slot("numbers")
    elif lesson.page == "resilience":
        kept = shares.shares_of(scene)
        st.html(shares.key(kept))
        chart(shares.chart(kept, scene.dark), key="resilience", alt=shares.alt(kept), height=360, link=True)
        _numbers(numbers)
    else:
        hypersimplex.show(scene)
        _numbers(numbers)


def _numbers(numbers: str) -> None:
    """The list, where it stands in the page itself."""
    if numbers:
        st.html(numbers)


def hands(scene: Scene, lesson: Lesson) -> None:
    """The controls a lesson names; switches have a row of their own, because their words stand beside them."""
    switches = [name for name in lesson.controls if isinstance(BY_NAME[name].default, bool)]
    for name in switches:
        controls.widget(name, scene)
    names = [name for name in lesson.controls if name not in switches]
    for start in range(0, len(names), IN_A_ROW):
        some = names[start : start + IN_A_ROW]
        for column, name in zip(st.columns(max(len(some), 2), gap="medium"), some, strict=False):
            with column:
                if name == "expert":
                    expert_choice(scene)
                else:
                    controls.widget(name, scene)
