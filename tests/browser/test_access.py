"""Every page read by axe-core, in both themes: nothing serious."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import ROOT, Watch, wait_drawn, wait_followed

pytestmark = pytest.mark.browser

AXE = ROOT / "tests" / "js" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ("", "hypersimplex", "collapse", "training", "capacity", "resilience")
RULES = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


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
        wait_drawn(page)
        wait_followed(page)
        page.add_script_tag(path=str(AXE))
        report = page.evaluate("(rules) => axe.run(document, rules)", RULES)
        found[name or "fan"] = [
            f"{finding['id']}: {node['target']} {node['html'][:120]}"
            for finding in report["violations"]
            if finding["impact"] in {"serious", "critical"}
            for node in finding["nodes"][:3]
        ]
    context.close()
    assert not any(found.values()), json.dumps(found, indent=1)
    assert watch.problems == []
