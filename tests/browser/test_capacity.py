"""Capacity and Resilience in a real browser: a link opens on the picture, a click changes it, and the link follows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_drawn, wait_link

pytestmark = pytest.mark.browser


def test_capacity_opens_from_a_link_and_shows_the_papers_example(fresh_server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{fresh_server}/capacity?v=1&n=10&k=3&h=2&r=affine")
    drawn = wait_drawn(page)
    wait_link(page, "n=10", "r=affine", "sl=2")
    expect(page.locator(".tv-counts").nth(1)).to_contain_text("120")
    page.get_by_role("button", name="16 experts, 4 active").click()
    wait_link(page, "n=16", "k=4", "h=8", "r=linear")
    wait_drawn(page, drawn)
    expect(page.locator('[data-row="random-mean-over-weights"]')).to_contain_text("817.5")
    page.get_by_role("radio", name="OLMoE 1B-7B").click()
    wait_link(page, "n=64", "k=8")
    assert watch.problems == []


def test_resilience_draws_the_law_and_then_the_points(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/resilience?v=1&n=6&k=2&h=2&r=linear&mf=circle&me=1")
    wait_drawn(page)
    expect(page.locator(".tv-meaning").first).to_contain_text("d* = ")
    expect(page.locator(".stProgress")).to_have_count(0)  # all is measured
    wait_drawn(page, canvas=2)
    page.get_by_role("slider", name="Active experts k").press("ArrowRight")
    wait_link(page, "k=3")
    expect(page.locator(".tv-counts").first).to_contain_text("20")
    assert watch.problems == []
