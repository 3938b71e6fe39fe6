"""First picture of a fresh visit, from the click on a link to the picture, on every page, against one Plotly chart.

Every visit is that of a browser that has kept nothing, to a server that has been visited before, in a window that has
stood a while: a new one is a page of the browser's own, which takes half a second of the processor. The visits of a
page and of the peer alternate. `python -m tests.bench first` prints the rows.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

from tests.bench.harness import Row
from tests.bench.serve import server
from tests.browser.conftest import FLAGS, PATIENCE, chromium

PAGES = {
    "Router fan": "?v=1",
    "Router fan in space": "?v=1&d=3",
    "Hypersimplex": "hypersimplex?v=1",
    "Angular collapse": "collapse?v=1",
    "Training": "training?v=1",
    "Capacity": "capacity?v=1",
    "Resilience": "resilience?v=1",
    "Two layers": "two_layers?v=1",
    "Lessons": "lessons?v=1&lesson=8",
    "Your router": "your_router?v=1",
}
TURNS = 5
#: Milliseconds after which a new window is there.
STANDS = 1000
#: In every frame: has something been drawn? The time since the navigation began, of the first one in which it has.
LOOK = """() => { const look = () => {
    const there = document.querySelector(".tv-whole .tv-gd[data-drawn], .stPlotlyChart .scatterlayer .trace");
    if (there) window.__first = performance.now(); else requestAnimationFrame(look); };
  requestAnimationFrame(look); }"""


def first(browser: Browser, address: str) -> float:
    """Milliseconds until the first picture of one visit."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(f"({LOOK})()")
    page.wait_for_timeout(STANDS)
    page.goto(address, timeout=PATIENCE)
    took = page.wait_for_function("() => window.__first", timeout=PATIENCE).json_value()
    context.close()
    return float(took)


def rows() -> Iterator[Row]:
    """Pages and peer in turn."""
    with server("app.py") as ours, server("tests/bench/peer_chart.py") as theirs, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        peer = f"http://127.0.0.1:{theirs}/"
        for _ in range(2):
            first(browser, peer)
        for name, link in PAGES.items():
            page = f"http://127.0.0.1:{ours}/{link}"
            first(browser, page)  # the server has been visited before
            pairs = [(first(browser, page), first(browser, peer)) for _ in range(TURNS)]
            ratio = statistics.median(own / other for own, other in pairs)
            own, other = (statistics.median(times) for times in zip(*pairs, strict=True))
            yield Row(f"first picture, {name}, against one chart", ratio, "<= 1.1", f"{own:.0f} ms against {other:.0f}")
        browser.close()
