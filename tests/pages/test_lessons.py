"""The Lessons page without a browser: every lesson, a wrong and a right answer, and a lesson that a teacher adds."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reading import markup, open_page, pictures, scene_of, words
from tropviz.io.lessons import FOLDER, read_lessons
from tropviz.ui.lessons import course
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import FAILED

LESSONS, WRONG = course.lessons()


def button(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def test_there_are_ten_and_all_can_be_shown():
    assert WRONG == () and [lesson.number for lesson in LESSONS] == list(range(1, 11))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.title)
def test_a_check_fails_as_the_lesson_opens_and_holds_where_it_is_solved(lesson):
    opened = Scene.default().replace(lesson=lesson.number, **course.staged(lesson))[0]
    there = Scene.default().replace(lesson=lesson.number, **course.staged(lesson, lesson.check.solved))[0]
    assert course.rule(opened) is None, "its own scene is changed again"
    assert not course.solved(lesson, opened) and course.solved(lesson, there)
    told = Scene({**there.values, "told": f"{lesson.number}a"})
    assert course.checked(told) == {"told": f"{lesson.number}ax"}


def test_a_check_that_fails_names_what_is_missing():
    lesson = LESSONS[3]
    opened = Scene.default().replace(lesson=4, **course.staged(lesson))[0]
    assert course.checked(Scene({**opened.values, "told": "4b"})) == {
        "notes": ("Not yet: “Show” is not what the task asks for.",)
    }


def test_the_expert_of_a_lesson_is_chosen_as_on_the_router_fan():
    at = open_page("lessons", lesson="2", lp="2a")
    box = next(box for box in at.selectbox if box.key == "w_expert")
    assert box.options[:2] == ["None", "Expert 0"] and not at.exception


@pytest.mark.parametrize("number", [1, 3, 6, 8], ids=["fan", "hypersimplex", "resilience", "collapse"])
def test_predict_reveal_check(number):
    lesson = next(one for one in LESSONS if one.number == number)
    at = open_page("lessons", lesson=str(number))
    assert not at.exception and scene_of(at).staged == number
    assert lesson.title in words(at) and "tv-revealed" not in markup(at) and "In this scene" not in markup(at)
    assert bool(pictures(at)) != lesson.hidden
    assert not [s for s in (*at.slider, *at.number_input) if s.key in {f"w_{name}" for name in lesson.controls}]
    wrong = (lesson.prediction.right + 1) % len(lesson.prediction.options)
    at = button(at, f"option_{number}_{wrong}")
    assert not at.exception and FAILED not in markup(at)
    assert pictures(at)
    assert "Not as you predicted" in words(at) and "In this scene" in markup(at)
    at = button(at, "check")
    assert "Not yet" in words(at) and scene_of(at).told == f"{number}{'abcdef'[wrong]}"


def test_a_link_holds_the_answers_and_the_scene_as_it_was_left():
    scene = Scene.default().replace(lesson=2, **course.staged(LESSONS[1], "e=7"), told="1b_2ax")[0]
    query = dict(part.split("=") for part in scene.link("lessons").split("&"))
    at = open_page("lessons", **query)
    assert scene_of(at).expert == 7 and "As you predicted" not in words(at)
    assert "Done" in words(at) and at.button(key="next")
    at = button(at, "next")
    assert scene_of(at).lesson == 3 and scene_of(at).staged == 3 and scene_of(at).told == "1b_2ax"


def test_the_list_says_how_far_one_is_and_changes_no_scene():
    at = open_page("lessons", lp="1b_2ax", n="12")
    labels = [b.label for b in at.button]
    assert any(label.startswith("1 ·") and "◐" in label for label in labels)
    assert any(label.startswith("2 ·") and "✓" in label for label in labels)
    assert scene_of(at).n == 12


def test_an_unknown_lesson_is_said():
    at = open_page("lessons", lesson="77")
    assert scene_of(at).lesson == 0 and not at.exception


# --- a teacher's own ---


def text(**changes: str) -> str:
    source = (FOLDER / "01-one-router-n-cones.md").read_text(encoding="utf-8")
    for old, new in changes.values():
        assert old in source
        source = source.replace(old, new)
    return source


def test_a_teacher_adds_a_lesson(tmp_path: Path):
    path = tmp_path / "11-mine.md"
    path.write_text(text(title=('"One router, N cones"', '"Mine"')), encoding="utf-8")
    found, wrong = course.lessons(tmp_path)
    assert [(one.number, one.title) for one in found] == [(11, "Mine")] and wrong == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('page = "fan"', 'page = "maps"', "page 'maps' must be one of fan"),
        ("right = 2", "right = 9", "right is the number of one of them"),
        ("cells >= 6", "cells>6", "check.needs: 'cells>6' must read like cells >= 6"),
        ("cells >= 6", "colours >= 6", "asks for 'colours', which is no live number"),
        ('"seed"]', '"sead"]', "has the control 'sead', which is no property"),
        ("n=8&k=1", "n=999&k=1", "Experts N (n) is 999"),
        ('numbers = ["promised"', 'numbers = ["promise"', "shows 'promise', which is no live number"),
        ("\n---\n", "\n", "a line --- must part the text"),
        ('title = "One', 'titel = "One', "title must be given, as a text"),
        ("[check]", "[cheek]", "the header has no table [check]"),
    ],
)
def test_what_is_wrong_with_a_lesson_is_said(tmp_path: Path, old: str, new: str, said: str):
    (tmp_path / "01-a.md").write_text(text(one=(old, new)), encoding="utf-8")
    found, wrong = course.lessons(tmp_path)
    assert found == () and len(wrong) == 1 and said in wrong[0]
    assert read_lessons(tmp_path)[1] in ((), wrong)
