"""Lessons: what is there to see, step by step? Each a scene to touch, a prediction, a reveal and a check."""

from __future__ import annotations

from functools import partial

import streamlit as st

from tropviz.language import current, say, speaking
from tropviz.ui import shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import quiet_title
from tropviz.ui.later import at_press
from tropviz.ui.lessons import course, printed, stage, text
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import board
from tropviz.ui.scene.part import part

scene = shell.page("lessons", rule=course.rule)
lesson = course.open_lesson(scene)


@part("contents")
def contents(scene: Scene) -> None:
    st.html(quiet_title(say("Lessons")))
    text.contents(scene)


@part("course")
def overview(scene: Scene) -> None:
    shell.show_notes(scene, course.lessons()[1])
    shell.meaning(
        say(
            "Ten lessons of about five minutes. Each has a scene to touch, asks you to "
            "<b>predict</b> before it shows, and lets you <b>check</b> on the live scene. Your "
            "answers stay in the address: copy the link to go on later."
        )
    )
    text.contents(scene, described=True)


@part("words")
def words(scene: Scene) -> None:
    if open_now := course.open_lesson(scene):
        text.opening(open_now)
        text.prediction(scene, open_now)


@part("check")
def check(scene: Scene) -> None:
    if open_now := course.open_lesson(scene):
        shell.show_notes(scene, course.lessons()[1])
        text.check(scene, open_now)
        text.ways(scene, open_now)


@part("hands")
def hands(scene: Scene) -> None:
    open_now = course.open_lesson(scene)
    if open_now and course.prediction(scene) is not None:
        stage.hands(scene, open_now)


@part("picture", live=True)
def picture(scene: Scene) -> None:
    if open_now := course.open_lesson(scene):
        stage.show(scene, open_now, course.prediction(scene) is not None)


def on_paper(_: Scene, language: str, address: str) -> str:
    with speaking(language):
        return printed.html(course.lessons()[0], address)


st.html(text.CSS)
if lesson is None:
    overview()
elif scene.embed:
    picture()
else:
    with st.sidebar:
        contents()
    wide = lesson.page == "hypersimplex"
    left, right = (st.container(), st.container()) if wide else st.columns([5, 6], gap="large")
    with left:
        words()
    with right:
        hands()
        picture()
    with left if not wide else right:
        check()
if not scene.embed:
    st.download_button(
        say("All lessons to print, with answers"),
        at_press(board(), partial(on_paper, language=current(), address=shell.address())),
        "tropviz-lessons.html",
        "text/html",
        on_click="ignore",
        type="tertiary",
    )
shell.copy_link()
beacon()
