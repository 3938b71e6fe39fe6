"""Every lesson in a browser: a wrong answer as it opens, a right one where the scene is solved."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_followed, wait_link
from tropviz.io.lessons import Lesson
from tropviz.ui.lessons import course
from tropviz.ui.scene import Scene

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]


def predict(page: Page, lesson: Lesson, option: int) -> None:
    page.get_by_role("button", name=f"{'ABCDEF'[option]} · ").click()
    expect(page.locator(".tv-revealed")).to_be_visible()
    wait_followed(page)
    assert page.locator(".tv-gd").count(), "the scene is there after the prediction"


@pytest.mark.parametrize("lesson", course.lessons()[0], ids=lambda lesson: str(lesson.number))
def test_a_lesson_with_a_wrong_and_a_right_answer(server: str, page: Page, watch: Watch, lesson: Lesson) -> None:
    right, many = lesson.prediction.right, len(lesson.prediction.options)
    page.goto(f"{server}/lessons?lesson={lesson.number}")
    predict(page, lesson, (right + 1) % many)
    expect(page.locator(".tv-revealed")).to_contain_text("Not as you predicted")
    page.get_by_role("button", name="Check the scene").click()
    expect(page.get_by_text("is not what the task asks for")).to_be_visible()
    wait_link(page, f"ls={lesson.number}", f"lp={lesson.number}{'abcdef'[(right + 1) % many]}")

    there = Scene.default().replace(lesson=lesson.number, **course.staged(lesson, lesson.check.solved))[0]
    page.goto(f"{server}/lessons?{there.link('lessons')}")
    predict(page, lesson, right)
    expect(page.locator(".tv-revealed")).to_contain_text("As you predicted")
    page.get_by_role("button", name="Check the scene").click()
    expect(page.locator(".tv-done")).to_be_visible()
    wait_link(page, f"lp={lesson.number}{'abcdef'[right]}x")
    assert watch.problems == []
