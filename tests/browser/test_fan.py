"""The Router fan page as a person meets it: click, drag, zoom, keys, links."""

from __future__ import annotations

import contextlib
import itertools
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from tests.browser.conftest import PATIENCE, Watch, drawings, to_pixels, wait_drawn, wait_followed, wait_link
from tropviz import Router, RoutingFan
from tropviz.core import presets
from tropviz.core.collapse.clouds import cloud

pytestmark = pytest.mark.browser


def first_router() -> Router:
    """The router of the default scene, straight from core."""
    return Router(*presets.random_affine(8, 2, 286), k=2)


def link(page: Page) -> dict[str, str]:
    """The parameters in the address bar."""
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query, keep_blank_values=True).items()}


def open_fan(page: Page, server: str, query: str = "") -> int:
    page.goto(f"{server}/{query}")
    drawn = wait_drawn(page)
    wait_link(page, "v=1", "win=")
    return drawn


def x_range(page: Page) -> list[float]:
    return page.evaluate("() => document.querySelector('.tv-gd')._fullLayout.xaxis.range")


def press_slider(page: Page, label: str, key: str, times: int = 1) -> None:
    slider = page.get_by_role("slider", name=label)
    slider.focus()
    for _ in range(times):
        page.keyboard.press(key)


def choose(page: Page, label: str, option: str) -> None:
    """Open a list and choose from it; a list that opens while its panel is drawn again is closed by that."""
    wanted = page.get_by_role("option", name=option, exact=True)
    for _ in range(5):
        page.get_by_role("combobox", name=label).click()
        with contextlib.suppress(TimeoutError):
            wanted.click(timeout=5000)
            return
    raise AssertionError(f"the list {label!r} does not stay open")


def test_zoom_is_kept_over_a_slider_step(server: str, page: Page, watch: Watch) -> None:
    drawn = open_fan(page, server)
    page.mouse.move(*to_pixels(page, 1.0, 1.0))
    page.mouse.wheel(0, -400)  # the page's: without Ctrl it only says how
    expect(page.get_by_text("+ wheel zooms")).to_be_visible()
    assert link(page)["zoom"] == ""
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    page.wait_for_function(
        "() => { const r = document.querySelector('.tv-gd')._fullLayout.xaxis.range; return r[1] - r[0] < 5.9 }"
    )
    zoomed = x_range(page)
    press_slider(page, "Experts N", "ArrowRight")
    wait_drawn(page, drawn)
    wait_link(page, "n=9&")
    assert x_range(page) == pytest.approx(zoomed, abs=1e-9)
    assert watch.problems == []


def test_a_click_selects_the_cell_that_core_names(server: str, page: Page, watch: Watch) -> None:
    drawn = open_fan(page, server)
    router = first_router()
    for x, y in ((2.0, -2.5), (-2.0, 0.4)):
        active = router.active_sets([[x, y]])[0]
        page.mouse.click(*to_pixels(page, x, y))
        drawn = wait_drawn(page, drawn)
        wait_link(page, f"cell={active[0]}-{active[1]}&")
        expect(page.get_by_text(f"Cell {{{active[0]}, {active[1]}}}", exact=True)).to_be_visible()
    assert watch.problems == []


def test_a_click_on_a_picture_that_is_being_replaced_is_dropped(server: str, page: Page, watch: Watch) -> None:
    open_fan(page, server, "?v=1&r=linear")
    at = to_pixels(page, 2.0, -2.5)
    page.locator(".st-key-w_dim").get_by_role("radio", name="Space").click()
    page.mouse.click(*at)
    wait_link(page, "d=3&", "cell=&")
    expect(page.locator(".st-key-space")).to_be_visible()
    expect(page.locator(".st-key-plane")).to_have_count(0)
    wait_followed(page)
    wait_link(page, "d=3&", "cell=&")
    assert page.locator("[data-testid=stException]").count() == 0
    assert watch.problems == []


def test_every_selection_is_in_the_address_at_once(server: str, page: Page, watch: Watch) -> None:
    open_fan(page, server)
    router = first_router()
    first, second = ("-".join(map(str, router.active_sets([at])[0])) for at in ((2.0, -2.5), (-2.0, 0.4)))
    page.mouse.click(*to_pixels(page, 2.0, -2.5))
    wait_link(page, f"cell={first}&", "pt=2_-2.5")
    assert page.evaluate("() => document.activeElement.classList.contains('tv-gd')")
    page.keyboard.press("ArrowLeft")  # the click gave the picture the keys
    page.wait_for_function(f"() => !location.search.includes('cell={first}&') && /cell=\\d/.test(location.search)")
    page.mouse.click(*to_pixels(page, -2.0, 0.4))
    wait_link(page, f"cell={second}&")
    named = "{" + second.replace("-", ", ") + "}"
    expect(page.get_by_text(f"Cell {named}").first).to_be_visible()  # the panels have followed: the list stays open
    choose(page, "Light up", "Expert 3")
    wait_link(page, f"cell={second}&", "&e=3&")
    assert watch.problems == []


def test_a_drag_of_four_pixels_is_not_a_click(server: str, page: Page) -> None:
    open_fan(page, server)
    x, y = to_pixels(page, 2.0, -2.5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=4)
    page.mouse.up()
    before = drawings(page)
    press_slider(page, "Active experts k", "ArrowRight")  # something that certainly draws
    wait_drawn(page, before)
    assert link(page)["cell"] == ""


def test_dragging_the_cloud_moves_data_counts_and_controls(server: str, page: Page, watch: Watch) -> None:
    drawn = open_fan(page, server)
    grip = page.locator(".tv-grip").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    goal = to_pixels(page, -2.0, 1.5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + goal[0]) / 2, (y + goal[1]) / 2, steps=5)
    drawn = wait_drawn(page, drawn)  # the picture follows while the hand still holds
    page.mouse.move(*goal, steps=5)
    page.mouse.up()
    wait_link(page, "off=2.5")
    scene = link(page)
    at = float(scene["off"]) * np.array(
        [np.cos(np.radians(float(scene["dir"]))), np.sin(np.radians(float(scene["dir"])))]
    )
    assert at == pytest.approx([-2.0, 1.5], abs=0.03)
    expect(page.get_by_role("slider", name="Data offset")).to_have_value(scene["off"])
    page.wait_for_function("() => !document.querySelector('.tv-gd').classList.contains('tv-live')")
    assert watch.problems == []


def test_what_is_lost_on_the_way_to_the_server_is_sent_again(server: str, page: Page, watch: Watch) -> None:
    """A word said into a line that is cut is lost; here the first message with every kind of event in it is."""
    open_fan(page, server, "?v=1&n=16&k=4&off=2&dir=0")
    wait_followed(page)
    page.evaluate(
        """() => {
        const box = window.__tvBox, lost = (window.lost = new Set());
        let way = box.send;
        const kinds = (said) => said.map((e) => (e.name === 'drag' && !e.end ? 'moving' : e.name));
        Object.defineProperty(box, 'send', {
            set(renewed) { way = renewed; },
            get: () => way && ((name, said) => {
                if (kinds(said).some((kind) => kind !== 'moving' && !lost.has(kind))) {
                    for (const kind of kinds(said)) lost.add(kind);
                    return;
                }
                way(name, said);
            }),
        });
    }"""
    )
    page.mouse.move(*to_pixels(page, 2.0, 0.0))
    page.mouse.down()
    page.mouse.move(*to_pixels(page, -0.5, -1.8), steps=5)
    page.mouse.up()
    reached = page.evaluate("() => document.querySelector('.tv-gd').__tv.meta.handle")
    assert reached == pytest.approx((-0.5, -1.8), abs=0.02)
    offset = f"{np.hypot(*reached):.2f}"
    there = "(offset) => Number(new URLSearchParams(location.search).get('off')).toFixed(2) === offset"
    page.wait_for_function(there, arg=offset)
    wait_followed(page)
    expect(page.locator(".st-key-w_offset [data-testid=stSliderThumbValue]").first).to_have_text(offset)
    active = Router(*presets.random_affine(16, 2, 286), k=4).active_sets([[1.5, 2.0]])[0]
    page.mouse.click(*to_pixels(page, 1.5, 2.0))
    wait_link(page, f"cell={'-'.join(map(str, active))}&")
    assert {"click", "drag", "rest"} <= set(page.evaluate("() => [...window.lost]"))
    assert watch.problems == []


def test_counts_follow_the_hand_before_the_server_answers(server: str, page: Page) -> None:
    open_fan(page, server, "?v=1&n=16&k=4&off=2&dir=0&seed=286&pts=600")
    page.locator(".tv-grip").wait_for()
    router = Router(*presets.random_affine(16, 2, 286), k=4)
    centred = cloud(600, 2, offset=0, direction=[1, 0], spread=float(link(page)["sp"]), seed=286)
    page.mouse.move(*to_pixels(page, 2.0, 0.0))
    page.mouse.down()
    for place in ((1.2, 0.8), (0.3, -1.1), (-1.7, 0.2)):
        page.mouse.move(*to_pixels(page, *place), steps=3)
        moved, shown = page.evaluate(
            """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([
            document.querySelector('.tv-gd').__tv.over.handle,
            document.querySelector('[data-row=cells-reached-by-the-data] .tv-value').textContent]))))"""
        )
        sets = {tuple(active) for active in router.active_sets(centred + np.array(moved)).tolist()}
        assert shown == str(len(sets))
    page.mouse.up()


def test_arrow_keys_walk_from_cell_to_neighbouring_cell(server: str, page: Page, watch: Watch) -> None:
    open_fan(page, server)
    fan = RoutingFan(first_router())
    rows = {tuple(active): row for row, active in enumerate(fan.active_sets.tolist())}
    pairs = {frozenset(pair) for pair in fan.neighbours.tolist()}
    page.locator(".tv-gd").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        before = link(page)["cell"]
        page.keyboard.press(key)
        page.wait_for_function("(old) => new URLSearchParams(location.search).get('cell') !== old", arg=before)
        walked.append(rows[tuple(int(part) for part in link(page)["cell"].split("-"))])
    for here, there in itertools.pairwise(walked):
        assert frozenset((here, there)) in pairs
    page.keyboard.press("Escape")
    wait_link(page, "cell=&")
    assert watch.problems == []


def test_ten_rapid_steps_end_on_the_last_value(server: str, page: Page, watch: Watch) -> None:
    open_fan(page, server)
    press_slider(page, "Experts N", "ArrowRight", 9)
    wait_link(page, "n=18&")
    expect(page.get_by_label("Experts N, as a number")).to_have_value("18")
    expect(page.locator(".tv-count", has_text="Cells promised")).to_contain_text("153")
    assert watch.problems == []


def test_a_link_reproduces_the_picture_in_another_browser(server: str, page: Page, browser: Browser) -> None:
    open_fan(page, server, "?v=1&n=12&k=3&seed=5&off=1.25&dir=-60&cell=&e=2")
    other = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    other.goto(page.url)
    wait_drawn(other)
    wait_link(other, "v=1", "win=")
    assert link(other) == link(page)
    regions = "() => JSON.stringify(Array.from(document.querySelector('.tv-gd').__tv.over.regions.x))"
    assert other.evaluate(regions) == page.evaluate(regions)
    assert other.locator(".tv-counts").first.inner_text() == page.locator(".tv-counts").first.inner_text()
    other.context.close()


def test_copy_link_copies_the_scene_without_defaults(server: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_fan(page, server, "?v=1&n=11")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == f"{server}/?v=1&n=11"


def test_a_deep_link_is_answered_as_the_very_first_request(fresh_server: str, page: Page, watch: Watch) -> None:
    open_fan(page, fresh_server, "?v=1&n=300&k=3&nonsense=4")
    scene = link(page)
    assert (scene["n"], scene["k"]) == ("256", "3")
    page.get_by_text("2 notes").click()  # two notes take one line, and unfold
    expect(page.get_by_text("Experts N (n) is 300, outside 2 to 256: 256 is shown.").first).to_be_visible()
    expect(page.get_by_text("The link's entry nonsense=4 is not known here and was left out.").first).to_be_visible()
    assert watch.problems == []


def test_a_deep_link_to_another_page_is_answered_as_the_very_first_request(
    fresh_server: str, page: Page, watch: Watch
) -> None:
    page.goto(f"{fresh_server}/capacity?v=1&n=32&k=4")
    wait_link(page, "v=1", "n=32", "k=4")
    expect(page.get_by_label("Experts N, as a number")).to_have_value("32")
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert watch.problems == []


def test_no_request_leaves_the_host(server: str, page: Page, watch: Watch, tmp_path: Path) -> None:
    open_fan(page, server)
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save as HTML: one web page that works offline").click()
    assert kept.value.suggested_filename == "fan_N8_k2.html"
    saved = tmp_path / "fan.html"
    kept.value.save_as(saved)
    page.goto(saved.as_uri())
    page.locator("#p .main-svg").first.wait_for()
    assert watch.hosts == {urlsplit(server).netloc}
    assert watch.problems == []


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_picture_is_saved_as_it_is_seen(server: str, page: Page, ending: str) -> None:
    open_fan(page, server)
    with page.expect_download() as kept:
        page.get_by_role("button", name=f"Save the picture as {ending.upper()}").click()
    head = kept.value.path().read_bytes()[:200]
    assert head.startswith(b"\x89PNG") if ending == "png" else b"<svg" in head


def test_two_tabs_do_not_disturb_each_other(server: str, page: Page, browser: Browser) -> None:
    open_fan(page, server, "?v=1&n=6")
    other = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    other.set_default_timeout(PATIENCE)
    open_fan(other, server, "?v=1&n=20")
    press_slider(page, "Experts N", "ArrowRight")
    wait_link(page, "n=7&")
    assert link(other)["n"] == "20"
    other.context.close()


def test_another_page_and_back_changes_nothing(server: str, page: Page, watch: Watch) -> None:
    open_fan(page, server, "?v=1&n=10&seed=3&off=1.5")
    scene = link(page)
    page.get_by_test_id("stTopNavLink").filter(has_text="Capacity").click()
    page.wait_for_url(re.compile("/capacity"))
    wait_link(page, "v=1", "n=10")
    page.go_back()
    page.wait_for_function("() => location.pathname === '/'")
    wait_drawn(page)
    wait_link(page, "v=1", "&cell=")  # the other page's link has no cell
    assert link(page) == scene
    assert watch.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_light_dark_and_a_phone(server: str, browser: Browser, watch: Watch, scheme: str, width: int) -> None:
    height = 900 if width > 400 else 844
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 400, is_mobile=width < 400
    )
    page = context.new_page()
    watch.on(page)
    open_fan(page, server)
    box = page.locator(".tv-gd").bounding_box()
    assert box["width"] == pytest.approx(box["height"], abs=1), "the plane is square"
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert box["width"] > (0.8 * width if width < 400 else 600)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    back = page.evaluate("() => document.querySelector('.tv-gd')._fullLayout.paper_bgcolor")
    assert (back == "#14141a") == (scheme == "dark")
    counts = page.locator(".tv-counts").first.bounding_box()
    if width > 400:
        assert counts["x"] > box["x"] + box["width"], "counts beside the picture"
    else:
        assert counts["y"] > box["y"] + box["height"], "counts under the picture"
    assert watch.problems == []
    context.close()


def test_wide_routers_stay_usable(server: str, page: Page, watch: Watch) -> None:
    drawn = open_fan(page, server, "?v=1&n=256&k=128")
    page.mouse.click(*to_pixels(page, 0.5, 0.5))
    wait_drawn(page, drawn)
    expect(page.get_by_text(re.compile("^Cell "))).to_be_visible()
    assert watch.problems == []
