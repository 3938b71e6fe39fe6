"""The output of a trained layer in a real browser: its scale stands beside the map, and the output is chosen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_followed, wait_link

pytestmark = pytest.mark.browser

#: How much of the scale beside the map is inside of its canvas, in pixels each way; null while there is no map.
SCALE = """() => {
    const gd = [...document.querySelectorAll('.tv-gd')].find((g) => g.parentElement.dataset.key === 'output');
    const bar = gd?.dataset.drawn && gd.querySelector('g.colorbar');
    if (!bar) return null;
    const all = gd.getBoundingClientRect(), own = bar.getBoundingClientRect();
    const inside = (a, b, c, d) => Math.min(b, d) - Math.max(a, c);
    return [inside(all.left, all.right, own.left, own.right) / own.width,
            inside(all.top, all.bottom, own.top, own.bottom) / own.height, own.width]; }"""


@pytest.mark.parametrize("width", [1440, 390])
def test_the_scale_of_the_map_is_seen_and_another_output_is_chosen(
    server: str, page: Page, watch: Watch, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{server}/?v=1&r=digits&k=2&h=6&off=0&out=softmax&oi=3")
    page.wait_for_function(SCALE)
    across, along, wide = page.evaluate(SCALE)
    assert across > 0.99 and along > 0.99 and wide > 20
    wait_followed(page)
    page.get_by_role("slider", name="Output shown").press("ArrowRight")
    wait_link(page, "oi=4")
    expect(page.get_by_text("output 4 of 0 to 9")).to_be_visible()
    assert watch.problems == []
