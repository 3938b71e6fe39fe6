"""The desk: undo, redo and Back, presets, share, present."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_drawn, wait_followed, wait_link

pytestmark = pytest.mark.browser


def wait_entry(page: Page, at: int, *parts: str) -> None:
    """Wait until the browser stands at this entry of its history, and Python at its scene."""
    page.wait_for_function(
        "([at, parts]) => history.state?.tv?.at === at && !window.__tvBox.waits(window.__tvBox.opening)"
        " && parts.every((p) => window.__tvBox.data.link.includes(p) && location.search.includes(p))",
        arg=[at, list(parts)],
    )
    wait_followed(page)


def settled(page: Page) -> None:
    """Wait until a change would be an entry of its own, not the same burst."""
    page.wait_for_function("() => Date.now() - window.__tvTrail.changed > 1000")


def test_undo_redo_and_back_go_through_the_scenes(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1&hg=0")
    wait_drawn(page)
    wait_entry(page, 0, "n=8&")
    page.get_by_text("Space", exact=True).last.click()
    wait_entry(page, 1, "&d=3")
    settled(page)
    page.get_by_role("button", name="Reset the scene").click()
    wait_entry(page, 2, "&d=2", "hg=1")
    page.go_back()
    wait_entry(page, 1, "&d=3", "hg=0")
    page.keyboard.press("Control+z")
    wait_entry(page, 0, "&d=2", "hg=0")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    wait_entry(page, 1, "&d=3")
    page.get_by_role("button", name="Redo").click()
    wait_entry(page, 2, "hg=1")
    assert watch.problems == []


def test_a_preset_opens_on_its_page_and_back_leads_home(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_drawn(page)
    wait_entry(page, 0, "n=8&")
    page.get_by_role("button", name="Presets: scenes to open").click()
    image = page.locator("[data-preset=octahedron] img")
    page.wait_for_function("(i) => i.complete && i.naturalWidth > 0", arg=image.element_handle())
    page.locator("[data-preset=octahedron]").click()
    wait_entry(page, 1, "n=4&", "hv=")
    page.go_back()
    wait_entry(page, 0, "n=8&", "win=")
    assert watch.problems == []


#: Back is pressed in the moment in which the address becomes another page's, before anything of that page has come.
EARLY = """() => { const push = history.pushState; history.pushState = function (...given) {
  push.apply(this, given);
  if (String(given[2]).includes("hypersimplex")) { history.pushState = push; history.back(); } }; }"""


def test_back_while_a_page_still_loads_leads_home(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1&hg=0")
    wait_drawn(page)
    wait_entry(page, 0, "n=8&")
    settled(page)
    page.get_by_text("Space", exact=True).last.click()
    wait_entry(page, 1, "&d=3")
    page.evaluate(EARLY)
    page.get_by_test_id("stTopNavLink").filter(has_text="Hypersimplex").click()
    page.wait_for_function("() => !String(history.pushState).includes('hypersimplex')")
    wait_entry(page, 1, "&d=3", "hg=0")
    expect(page).to_have_title("Router fan · tropviz")
    page.wait_for_function("() => window.__tvBox.data.page === 'fan' && location.pathname === '/'")
    page.go_forward()
    expect(page).to_have_title("Hypersimplex · tropviz")
    page.wait_for_function("() => window.__tvBox.data.page === 'hypersimplex' && location.pathname === '/hypersimplex'")
    assert watch.problems == []


def test_share_makes_a_short_link_and_its_code(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1&n=11")
    wait_drawn(page)
    wait_link(page, "n=11&", "win=")
    page.get_by_role("button", name="Share this scene").click()
    expect(page.get_by_label("Link", exact=True)).to_have_value(f"{server}/?v=1&n=11")
    page.wait_for_function("() => document.querySelector('.tv-qr')?.naturalWidth > 0")
    page.get_by_role("button", name="Add this scene").click()
    expect(page.get_by_label("Link to the list")).to_have_value(f"{server}/?v=1&n=11#play=fan%3Fv%3D1%26n%3D11")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.tv-dialog")).to_have_count(0)
    assert watch.problems == []


def test_the_list_of_scenes_is_seen_put_in_order_and_emptied_one_by_one(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1&n=11#play=collapse%3Fv%3D1%26off%3D3|fan%3Fv%3D1%26n%3D6")
    wait_drawn(page)
    wait_link(page, "n=11&", "win=")
    page.get_by_role("button", name="Share this scene").click()
    page.get_by_role("button", name="Add this scene").click()
    rows = page.locator(".tv-list li a")
    expect(rows).to_have_text(["Angular collapse · off=3", "Router fan · n=6", "Router fan · n=11"])
    page.get_by_role("button", name="Earlier: Router fan · n=11").click()
    expect(rows).to_have_text(["Angular collapse · off=3", "Router fan · n=11", "Router fan · n=6"])
    page.keyboard.press("Enter")  # the focus went with the scene
    expect(rows).to_have_text(["Router fan · n=11", "Angular collapse · off=3", "Router fan · n=6"])
    page.get_by_role("button", name="Take out: Angular collapse · off=3").click()
    expect(rows).to_have_text(["Router fan · n=11", "Router fan · n=6"])
    expect(page.get_by_label("Link to the list")).to_have_value(
        f"{server}/?v=1&n=11#play=fan%3Fv%3D1%26n%3D11%7Cfan%3Fv%3D1%26n%3D6"
    )
    assert watch.problems == []


def test_present_scales_keeps_the_punch_line_and_steps_through_a_list(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1#play=fan%3Fv%3D1%26n%3D5|fan%3Fv%3D1%26n%3D6")
    drawn = wait_drawn(page)
    wait_entry(page, 0, "n=8&")
    letters = "() => document.querySelector('.tv-gd')._fullLayout.font.size"
    plain = page.evaluate(letters)
    page.get_by_role("button", name="Present full screen").click()
    wait_entry(page, 1, "n=5&")
    wait_drawn(page, drawn)
    page.wait_for_function("(plain) => document.querySelector('.tv-gd')._fullLayout.font.size > plain", arg=plain)
    expect(page.get_by_text("1 of 2")).to_be_visible()
    expect(page.locator(".st-key-w_offset").first).to_be_visible()
    expect(page.locator(".st-key-w_k").first).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(page.get_by_text("2 of 2")).to_be_visible()
    page.wait_for_function("() => window.__tvBox.data.link.includes('n=6&')")
    page.keyboard.press("Escape")
    expect(page.locator(".tv-stage")).to_have_count(0)
    page.wait_for_function("(plain) => document.querySelector('.tv-gd')._fullLayout.font.size === plain", arg=plain)
    expect(page.locator(".st-key-w_k").first).to_be_visible()
    assert watch.problems == []


def test_a_slide_keeps_the_controls_its_link_names_and_print_has_none(server: str, page: Page) -> None:
    page.goto(f"{server}/?v=1&slide=1&show=n")
    wait_drawn(page)
    expect(page.locator(".st-key-w_n").first).to_be_visible()
    expect(page.locator(".st-key-w_offset").first).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".st-key-w_n").first).to_be_hidden()
    expect(page.locator(".tv-gd").first).to_be_visible()


#: Prepared for a sheet narrower than the window, without a moment for the page to fit its pictures to it by itself.
ON_PAPER = """() => {
  const main = document.querySelector('[data-testid="stMainBlockContainer"]');
  main.style.width = "700px";
  const right = (node) => node.getBoundingClientRect().right;
  const pictures = [...document.querySelectorAll(".tv-gd")], copies = [...document.querySelectorAll("canvas.tv-paper")];
  const told = {
    over: pictures.flatMap((gd) => [right(gd) - right(main), ...[...gd.querySelectorAll(".main-svg, canvas")].map((part) => right(part) - right(gd))]),
    scaled: document.querySelectorAll(".tv-gd .main-svg[viewBox]").length,
    colours: copies.map((copy) => new Set(copy.getContext("2d").getImageData(0, 0, copy.width, copy.height).data).size),
    link: document.querySelector("p.tv-paper").textContent,
  };
  main.style.width = "";
  window.dispatchEvent(new Event("afterprint"));
  return { ...told, left: document.querySelectorAll(".tv-paper, .main-svg[viewBox]").length };
}"""  # noqa: E501


def test_on_paper_pictures_are_whole_and_there_are_no_controls(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/hypersimplex?v=1")
    wait_drawn(page)
    wait_followed(page)
    page.wait_for_function("() => document.querySelectorAll('.tv-gd[data-drawn]').length === 3")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    told = page.evaluate(ON_PAPER)
    assert max(told["over"]) <= 1, told
    assert told["scaled"] >= 6
    assert [shades > 20 for shades in told["colours"]] == [True], "the picture in space is kept as it is seen"
    assert told["link"] == f"{server}/hypersimplex?v=1"
    assert told["left"] == 0
    for gone in ("[data-testid=stSidebar]", ".tv-desk", ".tv-bar", ".stSelectbox", ".st-key-foot"):
        expect(page.locator(gone).first).to_be_hidden()
    assert watch.problems == []
