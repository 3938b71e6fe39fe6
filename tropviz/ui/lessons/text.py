"""What a lesson says: its texts, the prediction, the reveal, the check, and the way on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st

from tropviz.io.lessons import Lesson
from tropviz.language import say
from tropviz.ui.counts import quiet_title
from tropviz.ui.lessons import course
from tropviz.ui.prose import inline, prose
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change
from tropviz.ui.scene.told import LETTERS, decode

CSS = f"<style>{Path(__file__).with_name('lessons.css').read_text(encoding='utf-8')}</style>"
MARKS = {None: "", False: " ◐", True: " ✓"}


def mark(scene: Scene, number: int) -> str:
    """How far a lesson is: nothing, half (predicted) or done."""
    answered = decode(scene.told).get(number)
    return MARKS[answered[1] if answered else None]


def contents(scene: Scene, described: bool = False) -> None:
    """Every lesson, with how far one is; a click opens it."""
    for lesson in course.lessons()[0]:
        here = scene.lesson == lesson.number
        st.button(
            f"{lesson.number} · {say(lesson.title)}{mark(scene, lesson.number)}",
            key=f"open_{lesson.number}",
            on_click=change(lesson=lesson.number, staged=0),
            type="primary" if here else "secondary" if described else "tertiary",
            width="stretch",
        )
        if described:
            st.html(f'<p class="tv-hint">{inline(lesson.everyday)}</p>')


def opening(lesson: Lesson) -> None:
    """The title, the everyday picture and the text before the prediction."""
    st.html(
        f'<div class="tv-lesson"><h2 class="tv-lesson-title">{lesson.number} · {inline(lesson.title)}</h2>'
        f'<p class="tv-everyday">{inline(lesson.everyday)}</p>{prose(lesson.before)}</div>'
    )


def prediction(scene: Scene, lesson: Lesson) -> None:
    """The question; one button an option until one is chosen, then what was chosen and what is right."""
    asked, chosen = lesson.prediction, course.prediction(scene)
    st.html(f'<p class="tv-question">{inline(asked.question)}</p>')
    if chosen is None:
        for number, option in enumerate(asked.options):
            st.button(
                f"{LETTERS[number].upper()} · {say(option)}",
                key=f"option_{lesson.number}_{number}",
                on_click=change(partial(course.predicted, option=number)),
                width="stretch",
            )
        return
    items = "".join(
        f'<li class="{"tv-right" if i == asked.right else "tv-wrong"}">{inline(option)}'
        f"{' ✓' * (i == asked.right)}{say(' (your prediction)') * (i == chosen)}</li>"
        for i, option in enumerate(asked.options)
    )
    verdict = (
        say("As you predicted.") if chosen == asked.right else say("Not as you predicted: that is what one remembers.")
    )
    st.html(
        f'<ol class="tv-options">{items}</ol><div class="tv-lesson tv-revealed" role="status">'
        f'<p class="tv-meaning"><b>{verdict}</b> {inline(asked.reveal)}</p>{prose(lesson.after)}</div>'
    )


def check(scene: Scene, lesson: Lesson) -> None:
    """The task on the live scene, and whether it was met."""
    answered = decode(scene.told).get(lesson.number)
    if answered is None:
        return
    st.html(f'{quiet_title(say("Your turn"))}<p class="tv-meaning">{inline(lesson.check.task)}</p>')
    if answered[1]:
        st.html('<p class="tv-note tv-done" role="status">' + say("Done: the scene showed it.") + "</p>")
    else:
        st.button(say("Check the scene"), key="check", type="primary", on_click=change(course.checked))


def ways(scene: Scene, lesson: Lesson) -> None:
    """The lesson before, the list, the lesson after, and the scene as it was."""
    numbers = [one.number for one in course.lessons()[0]]
    at = numbers.index(lesson.number)
    with st.container(horizontal=True):
        if at > 0:
            st.button(say("← Previous"), key="previous", on_click=change(lesson=numbers[at - 1], staged=0))
        st.button(say("All lessons"), key="all", on_click=change(lesson=0))
        if at + 1 < len(numbers):
            done = decode(scene.told).get(lesson.number, (0, False))[1]
            kind: Literal["primary", "secondary"] = "primary" if done else "secondary"
            st.button(say("Next →"), key="next", type=kind, on_click=change(lesson=numbers[at + 1], staged=0))
        st.button(say("The lesson's scene again"), key="again", type="tertiary", on_click=change(staged=0))
