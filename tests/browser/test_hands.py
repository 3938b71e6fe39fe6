"""Fingers on the pictures: a phone with touch, by the protocol a browser's own driver speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.conftest import Watch, wait_drawn, wait_followed, wait_link

pytestmark = pytest.mark.browser
Point = tuple[float, float]
EYE = """() => {
    const { x, y, z } = document.querySelector('.tv-gd')._fullLayout.scene._scene.getCamera().eye;
    return [x, y, z]; }"""
SPAN = "() => { const [a, b] = document.querySelector('.tv-gd')._fullLayout.xaxis.range; return b - a }"


@pytest.fixture
def phone(browser: Browser, watch: Watch) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    opened = context.new_page()
    watch.on(opened)
    yield opened
    context.close()


def fingers(session: CDPSession, kind: str, *points: Point) -> None:
    touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def middle(page: Page) -> Point:
    box = page.locator(".tv-gd").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pinch(page: Page, session: CDPSession, before: float, after: float) -> None:
    x, y = middle(page)
    fingers(session, "touchStart", (x - before, y), (x + before, y))
    for step in range(1, 6):
        reach = before + (after - before) * step / 5
        fingers(session, "touchMove", (x - reach, y), (x + reach, y))
    fingers(session, "touchEnd", (x - after, y))  # no two fingers leave at once
    fingers(session, "touchEnd")


def test_two_fingers_zoom_the_plane_and_one_pans_it(server: str, phone: Page, watch: Watch) -> None:
    phone.goto(f"{server}/?v=1")
    wait_drawn(phone)
    session = phone.context.new_cdp_session(phone)
    whole = phone.evaluate(SPAN)
    pinch(phone, session, 40, 120)
    phone.wait_for_function(f"(whole) => ({SPAN})() < 0.5 * whole", arg=whole)
    wait_followed(phone)
    before = phone.evaluate("() => document.querySelector('.tv-gd')._fullLayout.xaxis.range[0]")
    x, y = middle(phone)
    fingers(session, "touchStart", (x, y + 60))
    for step in range(1, 6):
        fingers(session, "touchMove", (x - 16 * step, y + 60))
    fingers(session, "touchEnd")
    phone.wait_for_function(
        "(before) => document.querySelector('.tv-gd')._fullLayout.xaxis.range[0] > before + 0.1", arg=before
    )
    assert "cell=&" in phone.url, "neither was a tap"
    assert watch.problems == []


def test_in_space_a_tap_selects_two_fingers_zoom_and_one_turns(server: str, phone: Page, watch: Watch) -> None:
    phone.goto(f"{server}/?v=1&d=3&r=linear")
    wait_drawn(phone)
    wait_followed(phone)
    session = phone.context.new_cdp_session(phone)
    x, y, z = phone.evaluate(EYE)
    pinch(phone, session, 40, 80)
    phone.wait_for_function(f"(far) => Math.hypot(...({EYE})()) < 0.7 * far", arg=(x * x + y * y + z * z) ** 0.5)
    near = phone.evaluate(EYE)
    assert [v / near[2] for v in near] == pytest.approx([v / z for v in (x, y, z)], rel=1e-3), "a pinch does not turn"
    wait_link(phone, "cam=" + "_".join(f"{round(v, 3):g}" for v in near))
    at = middle(phone)
    fingers(session, "touchStart", at)
    for step in range(1, 6):
        fingers(session, "touchMove", (at[0], at[1] - 30 * step))
    fingers(session, "touchEnd")
    phone.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 40")
    assert phone.evaluate(EYE) == near, "an upright finger scrolls the page"
    phone.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo({ top: 0, behavior: 'instant' })")
    fingers(session, "touchStart", at)
    for step in range(1, 6):
        fingers(session, "touchMove", (at[0] + 12 * step, at[1]))
    fingers(session, "touchEnd")
    phone.wait_for_function(f"(near) => ({EYE})().some((v, i) => Math.abs(v - near[i]) > 0.1)", arg=near)
    turned = phone.evaluate(EYE)
    wait_link(phone, "cam=" + "_".join(f"{round(v, 3):g}" for v in turned))
    phone.touchscreen.tap(*at)
    phone.wait_for_function("() => /cell=\\d/.test(location.search)")
    assert watch.problems == []


def test_a_touched_cell_has_a_name_and_what_is_said_leaves_the_handle(server: str, phone: Page, watch: Watch) -> None:
    phone.goto(f"{server}/?v=1&off=2.37&dir=53.76")
    drawn = wait_drawn(phone)
    wait_followed(phone)
    said = phone.locator(".tv-remark")
    expect(said).to_contain_text("outside the window")
    grip, note = phone.locator(".tv-grip").bounding_box(), said.bounding_box()
    assert note["y"] >= grip["y"] + grip["height"], "the sentence is below the handle"
    said.get_by_role("button", name="Close").tap()
    expect(said).to_be_hidden()
    x, y = middle(phone)
    phone.touchscreen.tap(x - 100, y + 20)
    wait_drawn(phone, drawn)
    wait_link(phone, "cell=0-1&")
    expect(phone.locator(".tv-tip")).to_have_text("{0, 1}")
    expect(said).to_be_hidden()
    assert watch.problems == []


def test_a_wide_table_scrolls_in_its_box(server: str, phone: Page, watch: Watch) -> None:
    phone.goto(f"{server}/your_router?v=1")
    wait_drawn(phone)
    wait_followed(phone)
    expect(phone.locator(".tv-wide-table").first).to_be_visible()
    assert phone.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
    assert watch.problems == []


def test_the_controls_of_a_phone_leave_the_picture_in_view(server: str, phone: Page, watch: Watch) -> None:
    phone.goto(f"{server}/?v=1")
    wait_drawn(phone)
    expect(phone.get_by_role("slider", name="Experts N")).to_be_hidden()
    phone.get_by_test_id("stExpandSidebarButton").click()
    expect(phone.get_by_role("slider", name="Experts N")).to_be_visible()
    phone.wait_for_function("() => document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().x === 0")
    panel, picture = phone.get_by_test_id("stSidebar").bounding_box(), phone.locator(".tv-gd").bounding_box()
    assert panel["y"] >= picture["y"] + 0.9 * picture["height"], "both are seen"
    assert watch.problems == []


def test_the_drawer_of_a_phone_shuts_for_what_is_beside_it_and_for_the_page_that_was_chosen_in_it(
    server: str, phone: Page, watch: Watch
) -> None:
    phone.goto(f"{server}/?v=1")
    wait_drawn(phone)
    wait_followed(phone)
    bar = phone.get_by_test_id("stSidebar")
    phone.get_by_test_id("stExpandSidebarButton").tap()
    expect(bar).not_to_have_attribute("data-collapsed", "true")
    phone.touchscreen.tap(*middle(phone))
    expect(bar).to_have_attribute("data-collapsed", "true")
    wait_followed(phone)
    assert not re.search(r"cell=\d", phone.url), "the tap beside shuts the drawer, and chooses nothing"
    phone.get_by_test_id("stExpandSidebarButton").tap()
    phone.get_by_test_id("stSidebarNavLink").filter(has_text="Training").tap()
    expect(phone).to_have_url(re.compile("training"))
    expect(bar).to_have_attribute("data-collapsed", "true")
    assert watch.problems == []
