"""Training in a real browser: pressed, filled in, played in the browser, and opened again by its link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_drawn

pytestmark = pytest.mark.browser
SHORT = "v=1&n=6&k=2&h=3&off=4&dir=30&sp=1&pts=200&seed=5&ts=50&vs=centred"


def finish(page: Page) -> None:
    """Wait until the run is over and both pictures have their frames."""
    page.get_by_role("button", name="Train again").wait_for()
    page.wait_for_function("() => document.querySelectorAll('.tv-gd[data-frame]').length >= 3")


def frames(page: Page) -> list[int]:
    return page.evaluate("() => [...document.querySelectorAll('.tv-gd[data-frame]')].map((n) => +n.dataset.frame)")


def test_a_run_is_trained_played_without_a_request_and_opened_again(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/training?{SHORT}")
    wait_drawn(page)
    page.get_by_role("button", name="Train", exact=True).click()
    finish(page)
    # `tt` says that this very recipe was trained; who opens the link sees the run again
    page.wait_for_function("() => (new URLSearchParams(location.search).get('tt') ?? '').length === 8")
    link = page.url
    words = page.locator(".tv-meaning").first.inner_text()

    bar = page.locator(".tv-play:visible")
    expect(bar).to_have_count(1)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    bar.locator("input").focus()
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.tv-gd').dataset.frame === '0'")
    assert set(frames(page)) == {0}  # both fans and the mark on the curves
    assert sent == []

    page.goto("about:blank")
    page.goto(link)
    finish(page)
    assert page.locator(".tv-meaning").first.inner_text() == words
    assert watch.problems == []


def test_a_trained_router_opens_on_a_fresh_server(fresh_server: str, page: Page, watch: Watch) -> None:
    text = "N.5_H.3_points.100_steps.50_data.moons_at.50"
    page.goto(f"{fresh_server}/?v=1&r=trained&tq={text}")
    wait_drawn(page)
    expect(page.locator("[data-row=cells-promised-c-n-k] .tv-value").first).to_have_text("10")
    assert watch.problems == []
