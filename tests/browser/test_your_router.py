"""Your router in a real browser: files dropped, a layer chosen, a word clicked, a plane changed, the report saved."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, wait_drawn, wait_followed

pytestmark = pytest.mark.browser
RANDOM = np.random.default_rng(0)
W, X = RANDOM.normal(size=(12, 40)), RANDOM.normal(size=(60, 40)) + 0.4


def npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def drop(page: Page, place: int, name: str, content: bytes) -> None:
    """A file on one of the page's uploaders: 0 the router, 1 its tokens."""
    given = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("[data-testid=stFileUploader] input[type=file]").nth(place).set_input_files([given])


def test_the_sample_is_looked_at_layer_by_layer_and_its_report_is_saved(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/your_router?v=1&yl=1")
    wait_drawn(page)
    page.get_by_text("Layer 1: 8 experts, 2 active").first.wait_for()
    expect(page.locator("[data-row=tokens] .tv-value").first).to_have_text("1,797")
    wait_followed(page)
    page.get_by_text("Save the report").first.click()
    with page.expect_download() as saved:
        page.get_by_text("Numbers as JSON").first.click()
    layers = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["layers"]
    assert len(layers) == 2 and layers[1]["tokens"] == 1797
    assert watch.problems == []


def test_own_router_and_words_are_dropped_and_a_word_shows_its_point(server: str, page: Page, watch: Watch) -> None:
    page.goto(f"{server}/your_router?v=1")
    wait_drawn(page)
    page.get_by_text("Your own router").first.click()
    drop(page, 0, "mine.npz", npz(W=W, k=2))
    page.get_by_text("Layer 0: 12 experts, 2 active").first.wait_for()
    drop(page, 1, "said.npz", npz(X=X, texts=np.array([f"word{i}" for i in range(len(X))])))
    text = page.locator(".tv-words[data-words='60']")
    text.wait_for()
    shown = text.locator("span").nth(7)
    assert 0.3 < float(shown.evaluate("node => getComputedStyle(node).opacity")) <= 1
    shown.click()
    expect(page.locator(".tv-meaning").first).to_contain_text("Token 7 “word7”")
    expect(text.locator("span[aria-selected=true]")).to_have_text("word7")
    drop(page, 0, "code.pt", b"\x80\x02cos\nsystem\n.")
    page.get_by_text("Still showing mine").first.wait_for()
    expect(text.locator("span")).to_have_count(60)  # earlier work is kept
    assert watch.problems == []
