"""The course: which lessons there are, the scene each sets up, and what an answer changes."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from tropviz.io.lessons import FOLDER, Lesson, Need, read_lessons
from tropviz.language import say
from tropviz.ui.fan import space
from tropviz.ui.lessons.numbers import NUMBERS, known, value
from tropviz.ui.scene import BY_NAME, Scene
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.link import parse_link
from tropviz.ui.scene.told import decode, encode

#: What a lesson's scene never sets: where one is in the course, and how the page is shown.
KEPT = ("lesson", "staged", "told", "embed", "lang")
_SIGNS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


def lessons(folder: Path = FOLDER) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The lessons that can be shown, and a sentence for every file that cannot; read again when a file changes."""
    files = sorted(folder.glob("*.md"))
    return _lessons(folder, tuple((path.name, path.stat().st_mtime_ns) for path in files))


@lru_cache(maxsize=4)
def _lessons(folder: Path, _: Any) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    found, wrong = read_lessons(folder)
    odd = {lesson.number: problem for lesson in found if (problem := misfit(lesson))}
    return tuple(one for one in found if one.number not in odd), (*wrong, *odd.values())


def misfit(lesson: Lesson) -> str | None:
    """What the app cannot do that a lesson asks for, in one sentence; None if it can do all."""
    where = f"Lesson {lesson.number}"
    for name in lesson.controls:
        if name not in BY_NAME:
            return f"{where} has the control {name!r}, which is no property of the scene: see the README's table."
    for name in lesson.numbers:
        if name not in NUMBERS:
            return f"{where} shows {name!r}, which is no live number: choose from {', '.join(NUMBERS)}."
    for need in lesson.check.needs:
        if not known(need.number):
            return f"{where} asks for {need.number!r}, which is no live number: choose from {', '.join(NUMBERS)}."
    for query in (lesson.scene, lesson.check.solved):
        if notes := parse_link(_pairs(query))[1]:
            return f"{where}: {notes[0]}"
    return None


def _pairs(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True))


def open_lesson(scene: Scene) -> Lesson | None:
    """The lesson that is open, if there is one of that number."""
    return next((one for one in lessons()[0] if one.number == scene.lesson), None)


def staged(lesson: Lesson, *more: str) -> Mapping[str, Any]:
    """All values of the scene a lesson sets up, with further queries over it."""
    query = {key: text for one in (lesson.scene, *more) for key, text in _pairs(one).items()}
    values = parse_link(query)[0].values
    return {**{k: v for k, v in values.items() if k not in KEPT}, "staged": lesson.number}


def scene_of(lesson: Lesson) -> Scene:
    """The scene a lesson sets up."""
    return parse_link(_pairs(lesson.scene))[0]


def rule(scene: Scene) -> Changes:
    """The rule of the page: a lesson that is opened sets its scene up, once; then the scene is the reader's."""
    lesson = open_lesson(scene)
    if lesson is None:
        return (
            {"lesson": 0, "notes": (say("There is no lesson {lesson}.", lesson=scene.lesson),)}
            if scene.lesson
            else None
        )
    if scene.staged != lesson.number:
        return staged(lesson)
    return space.admit(scene) if lesson.page == "fan" else None


def prediction(scene: Scene) -> int | None:
    """Which option was chosen in the open lesson, from 0."""
    answered = decode(scene.told).get(scene.lesson)
    return answered[0] if answered else None


def predicted(scene: Scene, option: int) -> Changes:
    """A prediction was made; the first one stands."""
    told = decode(scene.told)
    return {"told": encode({scene.lesson: (option, False), **told})}


def met(need: Need, scene: Scene, page: str) -> bool:
    """Whether a condition holds in a scene."""
    here = value(need.number, scene, page)
    goal = need.goal
    if isinstance(goal, str) and known(goal):
        goal = value(goal, scene, page)
    if isinstance(here, str) != isinstance(goal, str):
        return False
    return bool(_SIGNS[need.sign](here, goal))


def solved(lesson: Lesson, scene: Scene) -> bool:
    """Whether the check of a lesson is met by a scene."""
    return all(met(need, scene, lesson.page) for need in lesson.check.needs)


def checked(scene: Scene) -> Changes:
    """The button of the check was pressed: look at the live scene."""
    lesson, told = open_lesson(scene), decode(scene.told)
    if lesson is None or lesson.number not in told:
        return None
    if not solved(lesson, scene):
        name = next(need.number for need in lesson.check.needs if not met(need, scene, lesson.page))
        label = say(NUMBERS[name].label if name in NUMBERS else BY_NAME[name].label)
        return {"notes": (say("Not yet: “{label}” is not what the task asks for.", label=label),)}
    return {"told": encode({**told, lesson.number: (told[lesson.number][0], True)})}
