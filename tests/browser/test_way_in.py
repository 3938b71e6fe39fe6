"""A first visit, as it meets the browser: the start panel, what is unfolded, tabs, the logo, the foot."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_drawn, wait_followed, wait_link

pytestmark = pytest.mark.browser


def test_the_start_panel_comes_once_and_what_is_unfolded_stays(server: str, page: Page, watch: Watch) -> None:
    page.goto(server)
    wait_drawn(page)
    panel = page.get_by_role("region", name="Welcome")
    expect(panel.locator("a")).to_have_count(3)
    page.get_by_role("button", name="Start here").click()
    expect(panel).to_be_hidden()
    page.get_by_text("More about the cells").click()
    page.goto(server)
    drawn = wait_drawn(page)
    wait_followed(page)
    expect(page.get_by_text("Cells in the window")).to_be_visible()
    expect(page.locator(".tv-welcome")).to_be_hidden()
    slider = page.get_by_role("slider", name="Data offset")
    slider.focus()
    page.keyboard.press("ArrowRight")
    wait_drawn(page, drawn)
    expect(page.get_by_text("Cells in the window")).to_be_visible()
    assert watch.problems == []


def test_tabs_have_names_the_foot_leads_on_and_the_logo_home(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/hypersimplex")
    wait_link(page, "v=1", "n=4", "hv=")
    expect(page).to_have_title("Hypersimplex · tropviz")
    page.get_by_role("link", name=re.compile("Next:")).click()
    expect(page).to_have_title("Angular collapse · tropviz")
    page.get_by_role("button", name="Navigate to home page").first.click()
    expect(page).to_have_title("Router fan · tropviz")
    wait_link(page, "n=4")
    assert watch.problems == []


def test_a_scene_of_the_start_panel_is_a_step_that_can_be_undone(server: str, page: Page, watch: Watch) -> None:
    page.goto(server)
    wait_drawn(page)
    wait_followed(page)
    page.get_by_role("region", name="Welcome").get_by_role("link", name="Three experts").click()
    wait_link(page, "n=3", "r=polygon")
    expect(page.locator(".tv-welcome")).to_be_hidden()
    wait_followed(page)
    page.get_by_role("button", name="Undo").click()
    wait_link(page, "n=8", "r=affine")
    assert watch.problems == []


def test_a_preset_of_another_page_opens_as_it_is(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1&r=polygon&n=3&k=1&h=2")
    wait_drawn(page)
    wait_followed(page)
    page.get_by_role("button", name="Presets").click()
    page.locator("a[data-preset]", has_text="Octahedron").click()
    expect(page).to_have_title("Hypersimplex · tropviz")
    wait_link(page, "n=4", "k=2", "hv=")
    wait_followed(page)
    expect(page.get_by_role("spinbutton", name=re.compile("Experts N"))).to_have_value("4")
    assert watch.problems == []


def test_an_address_without_a_page_is_answered_with_the_pages_there_are(server: str, page: Page) -> None:
    page.goto(f"{server}/layers?v=1&n=6")
    wait_drawn(page)
    expect(page.locator(".tv-note")).to_contain_text("There is no page layers; the pages are Router fan, Hypersimplex")
