"""Does one tab collect anything? ``python -m tests.bench.tab [--pages 500]``: it walks by the navigation.

After every tenth part of the way, with the browser's garbage collected: what the scripts hold, the nodes of the
document, the listeners, and the WebGL contexts that were made and not given back. The scene is one in space, so that
pages have pictures in WebGL.
"""

from __future__ import annotations

import random
import sys

import click
from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.bench.serve import server
from tests.browser.conftest import FLAGS, chromium

#: Notes every WebGL context, weakly, as `__contexts`.
COUNTING = """
window.__contexts = [];
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  const made = get.call(this, kind, ...rest);
  if (made && /webgl/.test(kind)) window.__contexts.push(new WeakRef(made));
  return made;
};
"""
ALIVE = "new Set(window.__contexts.map((c) => c.deref()).filter((c) => c && !c.isContextLost())).size"
#: The page has come to its end, and Python has heard all that was said; it may still be measuring something.
ARRIVED = """(name) => document.title.startsWith(name) && document.documentElement.classList.contains('tv-whole')
  && window.__tvBox?.data.page && !window.__tvBox.said.length"""
MOST = 5000


def sizes(page: Page, tools: CDPSession) -> dict[str, float]:
    """What the tab holds once what is gone is collected."""
    for _ in range(3):
        tools.send("HeapProfiler.collectGarbage")
    found = {entry["name"]: entry["value"] for entry in tools.send("Performance.getMetrics")["metrics"]}
    return {
        "MB": found["JSHeapUsedSize"] / 1e6,
        "nodes": found["Nodes"],
        "listeners": found["JSEventListeners"],
        "contexts": page.evaluate(ALIVE),
    }


@click.command()
@click.option("--pages", type=click.IntRange(20, MOST), default=500, show_default=True)
@click.option("--only", default="", help="Walk between these two pages alone, as 'Router fan,Capacity'.")
def main(pages: int, only: str) -> None:
    """Print what the tab holds as it walks; exit code 1 if its second half left anything behind."""
    draw = random.Random(0)
    with server("app.py") as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.add_init_script(COUNTING)
        page.goto(f"http://127.0.0.1:{port}/?v=1&d=3")
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable")
        links, here, seen = page.get_by_test_id("stTopNavLink"), -1, list[dict[str, float]]()
        page.wait_for_function("() => document.documentElement.classList.contains('tv-whole')")
        names = only.split(",") if only else links.all_inner_texts()
        for i in range(pages + 1):
            if i % (pages // 10) == 0:
                seen.append(sizes(page, tools))
                print(f"{i:5} pages  " + "  ".join(f"{v:9.1f} {n}" for n, v in seen[-1].items()), flush=True)
            here = draw.choice([j for j in range(len(names)) if j != here])
            links.filter(has_text=names[here]).first.click()
            page.wait_for_function(ARRIVED, arg=names[here])
        browser.close()
    half, end = seen[len(seen) // 2], seen[-1]
    grown = [name for name in end if end[name] > half[name] * 1.2 + 5]
    print("flat" if not grown else f"GROWS {', '.join(grown)}")
    sys.exit(bool(grown))


if __name__ == "__main__":
    main()
