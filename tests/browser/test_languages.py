"""The switch of languages, and what stands on a narrow screen in each: no label leaves its place."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_drawn, wait_followed, wait_link
from tests.browser.test_access import PAGES, wait_whole
from tropviz.language import LANGUAGES, say, speaking

pytestmark = pytest.mark.browser

#: Labels that are wider than the box they stand in, a page that is wider than the window, and texts of charts that
#: reach out of them.
OVERFLOWS = """() => {
  const labels = [
    'button', 'summary', 'label', 'h1', 'h2', 'h3', '[data-testid="stWidgetLabel"]', '[data-testid="stTopNavLink"]',
    '.tv-what', '.tv-value', '.tv-counts-title', '.tv-title', '.tv-desk', '.tv-bar', '.tv-play output',
  ].join(',');
  const out = [], seen = (node) => node.getClientRects().length > 0 && node.checkVisibility({ opacityProperty: true });
  const free = (node) => ['auto', 'scroll'].includes(getComputedStyle(node).overflowX);
  for (const node of document.querySelectorAll(labels))
    if (seen(node) && node.clientWidth && node.scrollWidth > node.clientWidth + 1 && !free(node)
      && node.innerText?.trim() && !node.closest('[data-testid="stPopover"]'))  // its arrow hangs out, in English too
      out.push(['label', node.innerText.slice(0, 80), node.scrollWidth - node.clientWidth]);
  if (document.documentElement.scrollWidth > window.innerWidth + 1)
    out.push(['page', location.pathname, document.documentElement.scrollWidth - window.innerWidth]);
  for (const text of document.querySelectorAll('.js-plotly-plot :is(.xtitle, .ytitle, .gtitle, .annotation-text)')) {
    const at = text.getBoundingClientRect(), all = text.closest('svg').getBoundingClientRect();
    if (at.width && all.width && (at.right > all.right + 2 || at.left < all.left - 2))
      out.push(['chart', text.textContent.slice(0, 80), Math.max(at.right - all.right, all.left - at.left)]);
  }
  return out;
}"""


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_label_leaves_its_place(server: str, page: Page, watch: Watch, code: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    found = {}
    for name in PAGES:
        page.goto(f"{server}/{name}?lang={code}")
        wait_followed(page)
        wait_whole(page)
        if there := page.evaluate(OVERFLOWS):
            found[name] = there
    assert found == {}, json.dumps(found, indent=1, ensure_ascii=False)
    assert watch.problems == []


def test_a_label_that_is_too_long_is_found(server: str, page: Page) -> None:
    page.goto(f"{server}/?v=1")
    wait_drawn(page)
    page.evaluate(
        """() => { const button = document.querySelector('.tv-desk button:nth-child(3)');
        Object.assign(button.style, { display: 'block', width: '40px', whiteSpace: 'nowrap', overflow: 'hidden' });
        button.textContent = 'x'.repeat(40); }"""
    )
    assert any(text.startswith("xxx") for _, text, _ in page.evaluate(OVERFLOWS))


def test_the_switch_changes_the_language_and_nothing_else(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/?v=1&n=12&off=2")
    wait_drawn(page)
    page.select_option(".tv-languages", "it")
    wait_link(page, "lang=it", "n=12", "off=2")
    with speaking("it"):
        title, more = say("Router fan"), say("Experts N")
    expect(page.locator("h1.tv-page")).to_contain_text(title)
    expect(page.get_by_text(more, exact=True).first).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "it"
    page.go_back()
    expect(page.locator("h1.tv-page")).to_contain_text("Router fan")
    assert watch.problems == []


def test_a_link_without_a_language_keeps_that_of_the_page(server: str, page: Page) -> None:
    page.goto(f"{server}/?lang=de")
    wait_drawn(page)
    with speaking("de"):
        reset, presets, first = say("Reset"), say("Presets"), say("Three cones")
    page.locator(".tv-desk").get_by_text(presets, exact=True).click()
    page.locator(".tv-gallery").get_by_text(first, exact=True).click()
    wait_link(page, "r=polygon", "n=3", "lang=de")
    page.locator(".tv-desk").get_by_text(reset, exact=True).click()
    wait_link(page, "r=affine", "lang=de")
