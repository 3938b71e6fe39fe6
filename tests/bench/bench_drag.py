"""A real drag of the data cloud in headless chromium: picture updates a second.

A picture update is a screen frame in which the points stand at the place of the hand, in the colours of their cells;
the counts beside it are made in the same frame; the answers of the server, told in the note, only confirm them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from tests.bench.harness import Row
from tests.browser.conftest import FLAGS, PATIENCE, chromium, drawings, running_server, to_pixels, wait_drawn

WANTED, MOVES = 30.0, 200


def rows() -> Iterator[Row]:
    """One drag to and fro through the cells, mouse events as fast as the browser takes them."""
    yield dragged(16, 4)
    yield dragged(64, 8)


def dragged(N: int, k: int) -> Row:
    """The row of one router."""
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.goto(f"{server}/?v=1&n={N}&k={k}&off=2&dir=0")
        wait_drawn(page)
        page.wait_for_timeout(4000)  # the warm-up of the server is not what is timed
        page.mouse.move(*to_pixels(page, 2.0, 0.0))
        page.mouse.down()
        before, moved, start = drawings(page), moves(page), time.perf_counter()
        centre, edge = to_pixels(page, 0.0, 0.0), to_pixels(page, 2.0, 0.0)
        radius = edge[0] - centre[0]
        for i in range(MOVES):
            angle = i / 30
            page.mouse.move(centre[0] + radius * (1 - angle / 20), centre[1] + 40 * angle)
        took = time.perf_counter() - start
        speed, counted = (moves(page) - moved) / took, (drawings(page) - before) / took
        page.mouse.up()
        browser.close()
    ratio = WANTED / max(speed, 1e-9)
    note = (
        f"{speed:.1f} /s of {MOVES / took:.0f} mouse events, counts with them; answers of the server {counted:.1f} /s"
    )
    return Row(f"{WANTED:.0f} updates a second / drag at N={N}, k={k} in chromium", ratio, "<= 1", note)


def moves(page: Page) -> int:
    """Frames drawn of drags so far."""
    return int(page.locator(".tv-gd").get_attribute("data-moves") or 0)
