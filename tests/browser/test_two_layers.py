"""Two layers in a real browser: a click shows a region and its routing path, arrows walk, Escape lets go."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, to_pixels, wait_drawn, wait_followed, wait_link

pytestmark = pytest.mark.browser


def test_a_click_lights_a_path_up_and_the_arrows_walk(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/two_layers?v=1&n=6&k=2&h=3&seed=5&ly=2")
    wait_drawn(page)
    wait_drawn(page, canvas=1)
    wait_followed(page)
    facts, mixture = page.locator(".tv-facts"), page.locator(".tv-gd").first
    expect(page.get_by_text("Click a region")).to_be_visible()
    page.mouse.click(*to_pixels(page, 0.5, -0.7))
    expect(facts).to_contain_text("Layer 2")
    page.wait_for_function("() => /[&]pt=0[.]5/.test(location.search) || /[&]pt=0[.]49/.test(location.search)")
    before = facts.inner_text()
    wait_followed(page)
    mixture.press("ArrowRight")
    expect(facts).not_to_have_text(before)
    wait_followed(page)
    mixture.press("ArrowDown")
    wait_link(page, "ly=1")
    expect(facts).not_to_contain_text("Layer 2")
    wait_followed(page)
    mixture.press("Escape")
    expect(facts).to_have_count(0)
    wait_link(page, "pt=&")
    assert watch.problems == []


def test_a_narrow_window_scrolls_the_table_alone(server: str, page: Page, watch: Watch) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{server}/two_layers?v=1&n=6&k=2&h=3&seed=5&ly=2")
    wait_drawn(page, canvas=1)
    table, counts = page.locator(".tv-wide-table"), page.locator(".tv-counts").first
    expect(counts).to_be_visible()
    left, right = table.bounding_box(), counts.bounding_box()
    assert left is not None and right is not None and left["x"] + left["width"] <= right["x"]
    assert watch.problems == []
