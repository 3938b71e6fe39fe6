"""The Router fan page in space as a person meets it: the camera is theirs, clicks and keys find cells."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect

from tests.browser.conftest import Watch, drawings, wait_drawn, wait_followed, wait_link, wait_rest

pytestmark = pytest.mark.browser

BALL = "?v=1&d=3&r=linear&n=8&k=2"
FLAT = "return [c.eye, c.center, c.up].flatMap((v) => [v.x, v.y, v.z])"
CAMERA = f"() => {{ const c = document.querySelector('.tv-gd')._fullLayout.scene._scene.getCamera(); {FLAT} }}"
LAYOUT_CAMERA = f"() => {{ const c = document.querySelector('.tv-gd').layout.scene.camera; {FLAT} }}"
SHOWN = "() => document.querySelector('.tv-gd').dataset.drawn"
IN_SPACE = "location.pathname === '/' && document.querySelector('.tv-gd')?._fullLayout?.scene?._scene"
ELSEWHERE = "location.pathname === '/capacity' && !document.querySelector('.tv-gd')?._fullLayout?.scene"
#: Counts the WebGL contexts of a page that still hold their memory.
WATCH_CONTEXTS = """
  window.__contexts = [];
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    const made = get.call(this, kind, ...rest), known = window.__contexts.some((r) => r.deref() === made);
    if (made && /webgl/.test(kind) && !known) window.__contexts.push(new WeakRef(made));
    return made;
  };
  window.__alive = () => window.__contexts.filter((r) => r.deref() && !r.deref().isContextLost()).length;
"""


def open_space(page: Page, server: str, query: str = BALL) -> int:
    page.goto(f"{server}/{query}")
    drawn = wait_drawn(page)
    wait_link(page, "d=3", "ap=")
    return drawn


def away(page: Page) -> None:
    """To another page by the navigation."""
    page.get_by_test_id("stTopNavLink").filter(has_text="Capacity").click()
    page.wait_for_function(f"() => {ELSEWHERE}")
    wait_link(page, "v=1", "sl=")  # the page has come to its end


def back(page: Page) -> None:
    """To the page before; a scene that settled on the page in between is an entry of the history too."""
    for _ in range(4):
        page.go_back()
        try:
            page.wait_for_function(f"() => {IN_SPACE}", timeout=15_000)
            return
        except TimeoutError:
            continue
    raise AssertionError("the page before did not come back")


def middle(page: Page) -> tuple[float, float]:
    box = page.locator(".tv-gd").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def turn(page: Page) -> list[float]:
    """Drag the picture round, as a hand does; returns where the camera came to rest."""
    before = page.evaluate(CAMERA)
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 36, steps=6)
    page.mouse.up()
    page.wait_for_function(f"(before) => ({CAMERA})().some((v, i) => Math.abs(v - before[i]) > 0.05)", arg=before)
    wait_rest(page)
    return list(page.evaluate(CAMERA))


def test_the_camera_survives_every_control_the_theme_and_another_page(server: str, page: Page, watch: Watch) -> None:
    drawn = open_space(page, server, "?v=1&d=3&r=linear&n=8&k=2&cut=1")
    mine = turn(page)
    for label in ("Move the cells apart", "Peel away", "Where it cuts", "Experts N"):
        page.get_by_role("slider", name=label).focus()
        page.keyboard.press("ArrowRight")
        drawn = wait_drawn(page, drawn)
        assert page.evaluate(CAMERA) == pytest.approx(mine, abs=1e-9), label
        assert page.evaluate(LAYOUT_CAMERA) == pytest.approx(mine, abs=1e-9), label
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stApp')).colorScheme.includes('dark')")
    drawn = wait_drawn(page, drawn - 1)
    assert page.evaluate(CAMERA) == pytest.approx(mine, abs=1e-9)
    away(page)
    back(page)
    page.wait_for_function(f"(mine) => ({CAMERA})().every((v, i) => Math.abs(v - mine[i]) < 1e-6)", arg=mine)
    assert watch.problems == []


def test_a_link_carries_the_camera(server: str, page: Page, context: BrowserContext, watch: Watch) -> None:
    open_space(page, server)
    assert "cam=&" in page.url + "&"
    page.get_by_role("button", name="View: front").click()
    page.wait_for_function("() => /cam=0_-[\\d.]+_0&/.test(location.search + '&')")  # upright: no more than the eye
    mine, shown = turn(page), page.evaluate(SHOWN)
    page.wait_for_function(
        "() => /cam=-?[\\d.]+_-[\\d.]+_[\\d.]+&/.test(location.search + '&')"
    )  # the horizon stays level
    assert page.evaluate(SHOWN) == shown  # no redraw for a camera
    other = context.new_page()
    watch.on(other)
    other.goto(page.url)
    wait_drawn(other)
    assert other.evaluate(CAMERA) == pytest.approx(mine, abs=2e-3)
    other.get_by_role("button", name="Reset view").first.click()
    wait_link(other, "cam=&")
    assert watch.problems == []


def test_a_link_carries_the_zoom(server: str, page: Page) -> None:
    page.goto(f"{server}/?v=1")
    wait_drawn(page)
    page.get_by_role("button", name="Zoom in").click()
    wait_link(page, "zoom=-2.4_2.4_-2.4_2.4")
    page.goto(page.url)
    wait_drawn(page)
    assert page.evaluate("() => document.querySelector('.tv-gd')._fullLayout.xaxis.range") == [-2.4, 2.4]


def test_named_views_move_the_camera_only(server: str, page: Page) -> None:
    open_space(page, server)
    home = page.evaluate(CAMERA)
    for name, axis, sign in (("Front", 1, -1), ("Top", 2, 1)):
        page.get_by_role("button", name=f"View: {name.lower()}").click()
        page.wait_for_function(f"([i, s]) => s * ({CAMERA})()[i] > 1.2", arg=[axis, sign])
    page.get_by_role("button", name="Reset view").first.click()
    page.wait_for_function(f"(home) => ({CAMERA})().every((v, i) => Math.abs(v - home[i]) < 1e-6)", arg=home)


def test_hover_names_a_cell_a_click_selects_it_and_keys_walk(server: str, page: Page, watch: Watch) -> None:
    drawn = open_space(page, server)
    x, y = middle(page)
    page.mouse.move(x - 40, y - 40)
    page.mouse.move(x - 38, y - 40)
    tip = page.locator(".tv-tip").first
    expect(tip).to_be_visible()
    named = tip.inner_text()
    before = page.evaluate(SHOWN)
    page.wait_for_function("() => /^M/.test(document.querySelector('.tv-hover').getAttribute('d'))")  # its cell is lit
    assert page.evaluate(SHOWN) == before  # by the browser alone
    page.mouse.click(x - 38, y - 40)
    drawn = wait_drawn(page, drawn)
    expect(page.locator(".tv-title").first).to_contain_text(named)
    expect(page.get_by_text("Solid angle")).to_be_visible()
    page.locator(".tv-gd").first.focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"):  # a cell has neighbours, but not on every side
        page.keyboard.press(key)
        wait_followed(page)
        if named not in page.locator(".tv-title").first.inner_text():
            break
    expect(page.locator(".tv-title").first).not_to_contain_text(named)
    assert watch.problems == []


def test_the_section_is_linked_both_ways(server: str, page: Page, watch: Watch) -> None:
    drawn = open_space(page, server, "?v=1&d=3&r=linear&n=8&k=2&cut=1")
    wait_drawn(page, canvas=1)
    flat = page.locator(".tv-gd").nth(1)
    box = flat.bounding_box()
    flat.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    wait_drawn(page, drawn)
    expect(page.locator(".tv-title").first).to_contain_text("{")
    strong = "(g) => g.data.filter((t) => (t.line?.width ?? 0) >= 3 && t.x.length > 3).length"
    picked = page.evaluate(f"() => [...document.querySelectorAll('.tv-gd')].map({strong})")
    assert picked[0] >= 1 and picked[1] == 1
    assert watch.problems == []


def test_many_page_switches_leave_at_most_two_contexts(server: str, page: Page) -> None:
    page.add_init_script(WATCH_CONTEXTS)
    open_space(page, server)
    for _ in range(15):  # thirty switches
        away(page)
        back(page)
    assert page.evaluate("() => window.__contexts.length") >= 16  # without the clean-up the browser takes contexts away
    page.wait_for_function("() => window.__alive() <= 2")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_on_a_phone_and_in_the_dark(server: str, browser: Browser, watch: Watch, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    watch.on(page)
    page.goto(f"{server}/?v=1&d=3")
    wait_drawn(page)
    assert drawings(page) > 0
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth + 1")
    assert watch.problems == []
    context.close()
