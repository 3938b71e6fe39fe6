"""Every page read by axe-core, in both themes: nothing serious; and nothing jumps while it loads."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, Watch, wait_drawn, wait_followed, wait_link
from tropviz.ui import shell

pytestmark = pytest.mark.browser

AXE = ROOT / "tests" / "js" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = tuple("" if url == "fan" else url for *_, url, _ in shell.PAGES)
RULES = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


#: However slow the machine: a page that is long in coming shows itself by and by after some seconds, and moves then.
PATIENT = """(() => { const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root:not(.tv-whole) [data-testid="stAppViewContainer"] { animation: none !important; }');
  document.adoptedStyleSheets = [sheet]; })();"""
#: Shift of the layout in all, as a browser counts it, and what it was; from before anything is drawn.
SHIFTS = """window.__shifts = []; new PerformanceObserver((list) => { for (const e of list.getEntries())
  if (!e.hadRecentInput) window.__shifts.push([e.value, e.sources.map((s) => (s.node?.nodeType === 1 ? s.node
  : s.node?.parentElement)?.outerHTML.slice(0, 120) ?? "")]); }).observe({ type: "layout-shift", buffered: true });"""


#: Levels of the headings of a page, from its own on.
OUTLINE = """() => [...document.querySelectorAll('[data-testid="stMain"] :is(h1,h2,h3,h4,[role=heading])')]
  .filter((n) => !n.closest('[hidden], .tv-welcome')).map((n) => +(n.getAttribute('aria-level') ?? n.tagName[1]))"""
#: What has the focus, and in which widget.
PLACE = """() => { const here = document.activeElement, home = here.closest('[class*="st-key-"]');
  return `${[...(home?.classList ?? [])].find((name) => name.startsWith("st-key-"))} ${here.tagName}`; }"""


def wait_whole(page: Page) -> None:
    """Wait until a page has appeared, and every picture that it has is drawn."""
    page.wait_for_function(
        "() => document.documentElement.classList.contains('tv-whole')"
        " && !document.querySelector('.tv-gd:not([data-drawn], [data-error])')"
    )


@pytest.mark.parametrize("name", PAGES)
def test_nothing_jumps_while_a_page_loads(server: str, page: Page, watch: Watch, name: str) -> None:
    page.add_init_script(PATIENT + SHIFTS)
    page.goto(f"{server}/{name}")
    wait_followed(page)
    wait_whole(page)
    found = page.evaluate("() => window.__shifts")
    assert sum(value for value, _ in found) < 0.1, json.dumps(found, indent=1)
    assert watch.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_finding(server: str, browser: Browser, watch: Watch, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/js")
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    watch.on(page)
    found: dict[str, list[str]] = {}
    for name in PAGES:
        page.goto(f"{server}/{name}?v=1")
        wait_followed(page)
        wait_whole(page)
        page.add_script_tag(path=str(AXE))
        report = page.evaluate("(rules) => axe.run(document, rules)", RULES)
        found[name or "fan"] = [
            f"{finding['id']}: {node['target']} {node['html'][:120]}"
            for finding in report["violations"]
            if finding["impact"] in {"serious", "critical"}
            for node in finding["nodes"][:3]
        ]
        levels = page.evaluate(OUTLINE)
        whole = (
            levels.count(1) == 1
            and (2 in levels or name == "lessons")
            and all(b <= a + 1 for a, b in itertools.pairwise(levels))
        )
        found[name or "fan"] += [] if whole else [f"no outline: {levels}"]
    context.close()
    assert not any(found.values()), json.dumps(found, indent=1)
    assert watch.problems == []


def test_what_changed_is_said_to_people_who_hear_the_page(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_followed(page)
    wait_whole(page)
    said = page.locator("#tv-said[role=status]")
    expect(said).to_have_text("")
    page.get_by_role("slider", name="Experts N").focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Routing cells of 9 experts")
    assert "rrow keys" not in said.text_content()
    assert watch.problems == []


def test_who_wants_less_motion_gets_none(server: str, browser: Browser, watch: Watch) -> None:
    context = browser.new_context(
        viewport={"width": 720, "height": 450}, reduced_motion="reduce"
    )  # 1440 x 900 at 200 %
    page = context.new_page()
    watch.on(page)
    page.goto(f"{server}/collapse?v=1")
    wait_whole(page)
    moving = """() => [...document.querySelectorAll('*')].filter((n) => { const s = getComputedStyle(n);
        const times = s.transitionDuration + ',' + s.animationDuration;
        return Math.max(...times.split(',').map(parseFloat)) > 0.01; }).length"""
    assert page.evaluate(moving) == 0
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "nothing beside the window"
    context.close()
    assert watch.problems == []


def test_keys_zoom_and_pan_the_plane_and_turn_a_body(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_followed(page)
    wait_whole(page)
    page.locator(".tv-gd").focus()
    page.keyboard.press("+")
    wait_link(page, "zoom=-2.4_2.4_-2.4_2.4")
    page.keyboard.press("Shift+ArrowRight")
    wait_link(page, "zoom=-2.016_2.784_-2.4_2.4")
    page.goto(f"{server}/?v=1&d=3")
    wait_followed(page)
    wait_whole(page)
    page.locator(".tv-gd").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_function("() => /cam=[-\\d]/.test(location.search)")
    assert "cell=&" in page.url, "no cell was walked to"
    assert watch.problems == []


def test_the_list_of_languages_keeps_the_focus_and_boxes_follow(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_followed(page)
    wait_whole(page)
    expect(page.locator(".st-key-w_expert input")).to_have_value("None")
    page.get_by_label("Language").focus()
    page.keyboard.press("ArrowDown")
    wait_link(page, "lang=it")
    wait_followed(page)
    expect(page.locator(".tv-languages")).to_be_focused()
    expect(page.locator(".st-key-w_expert input")).to_have_value("Nessuno")
    assert watch.problems == []


def test_who_goes_by_keyboard_keeps_their_place_when_widgets_are_made_anew(
    server: str, page: Page, watch: Watch
) -> None:
    page.goto(f"{server}/?v=1")
    wait_drawn(page)
    wait_followed(page)
    field = page.get_by_role("spinbutton", name="Experts N, as a number")
    field.fill("12")
    field.press("Tab")
    before = page.evaluate(PLACE)
    wait_link(page, "n=12")
    wait_followed(page)
    page.wait_for_function(f"(place) => ({PLACE})() === place", arg=before)
    assert before.startswith("st-key-w_k "), before
    assert watch.problems == []


def test_tab_reaches_the_glossary_from_an_explanation_and_a_menu_that_it_opened(
    server: str, page: Page, watch: Watch
) -> None:
    page.goto(f"{server}/?v=1")
    wait_drawn(page)
    wait_followed(page)
    row = page.locator("li.tv-count:has(a.tv-word)").first
    row.evaluate("(node) => { node.tabIndex = 0; node.focus(); }")
    page.keyboard.press("Tab")
    expect(row.locator("a.tv-word")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement !== document.body")
    page.get_by_test_id("stPopoverButton").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stPopoverBody").get_by_role("button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverButton")).to_be_focused()
    assert watch.problems == []


def test_the_way_on_by_keyboard_leads_to_the_next_page_s_head(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_drawn(page)
    wait_followed(page)
    page.locator(".st-key-foot a").first.focus()  # Streamlit keeps a second one, without size
    page.keyboard.press("Enter")
    expect(page.locator("h1.tv-page")).to_contain_text("Hypersimplex")
    wait_drawn(page)
    wait_followed(page)
    expect(page.locator("h1.tv-page")).to_be_focused()
    assert page.get_by_test_id("stMain").evaluate("(node) => node.scrollTop") == 0
    assert watch.problems == []


def test_who_hears_the_page_hears_what_is_new(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_followed(page)
    wait_whole(page)
    said = page.locator("#tv-said[role=status]")
    page.locator(".tv-gd").focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile(r"^Selected: \{.+\}\. Share of the data: [\d.]+ %\.$"))
    page.get_by_role("button", name="Zoom in").press("Enter")
    expect(said).to_have_text("125 %")
    assert watch.problems == []


def test_focus_is_seen(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1")
    wait_followed(page)
    wait_whole(page)
    page.keyboard.press("Tab")  # from here on the keyboard leads
    ring = (
        "(node) => { node.focus(); return getComputedStyle(node.closest('.stCheckbox label') ?? node).outlineStyle; }"
    )
    for stop in ('[data-testid="stTopNavLink"]', ".stCheckbox input", ".st-key-foot a"):
        assert page.locator(stop).first.evaluate(ring) == "solid", stop
    assert watch.problems == []
