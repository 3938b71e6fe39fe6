"""Angular collapse in a real browser: play without a request, let the cloud be dragged, undo the collapse."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, drawings, to_pixels, wait_drawn, wait_link

pytestmark = pytest.mark.browser


def open_collapse(page: Page, server: str, query: str = "") -> None:
    page.goto(f"{server}/collapse{query}")
    wait_drawn(page)
    wait_drawn(page, canvas=1)
    wait_link(page, "v=1", "sx=")


def frame(page: Page, canvas: int = 0) -> int:
    return int(page.locator(".tv-gd").nth(canvas).get_attribute("data-frame"))


def test_play_asks_the_server_for_nothing_and_moves_both_pictures(server: str, page: Page, watch: Watch) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("message")))
    page.on("request", lambda request: sent.append(request.url))
    open_collapse(page, server)
    bar = page.locator(".tv-play:visible")
    expect(bar).to_have_count(1)
    page.wait_for_load_state("networkidle")
    start = frame(page)
    sent.clear()
    bar.get_by_role("button", name="Play").click()
    page.wait_for_function("(n) => +document.querySelector('.tv-gd').dataset.frame >= n", arg=start + 12)
    assert sent == []  # neither a request nor a message while it plays
    assert abs(frame(page, 1) - frame(page)) <= 1
    assert page.evaluate("() => !document.querySelector('.tv-canvas canvas').hidden")
    drawn = drawings(page)
    bar.get_by_role("button", name="Pause").click()
    wait_drawn(page, drawn)  # Python follows once, when it stops
    stopped = page.locator(".tv-play:visible output").inner_text()
    offset = float(re.search(r"t = ([\d.]+)", stopped).group(1))
    page.wait_for_function("(t) => Math.abs(+new URLSearchParams(location.search).get('off') - t) < 0.01", arg=offset)
    assert watch.problems == []


def test_the_end_is_collapse_and_the_shared_expert_brings_it_back(server: str, page: Page, watch: Watch) -> None:
    open_collapse(page, server)
    output = page.locator(".tv-play:visible output")
    slider = page.locator(".tv-play:visible input")
    drawn = drawings(page)
    slider.focus()
    page.keyboard.press("End")
    wait_drawn(page, drawn)
    expect(output).to_contain_text("saturation 100 %, 1 set")
    page.get_by_text("Shared expert carries the mean").first.click()
    wait_link(page, "sx=1")
    expect(output).not_to_contain_text("100 %")
    expect(page.locator(".tv-meaning")).to_contain_text("centred")
    assert watch.problems == []


def test_play_reaches_a_certificate_far_out_and_the_picture_follows(server: str, page: Page, watch: Watch) -> None:
    open_collapse(page, server, "?v=1&seed=6&off=0")
    expect(page.get_by_role("button", name="Go to t* = 52.2")).to_be_visible()
    page.evaluate(
        """() => { const [gd, curves] = document.querySelectorAll('.tv-gd'), out = window.seen = [];
        new MutationObserver(() => out.push({ says: document.querySelector('.tv-play:not([hidden]) output').textContent,
          half: gd._fullLayout.xaxis.range[1], apart: Math.abs(curves.dataset.frame - gd.dataset.frame) }))
          .observe(gd, { attributes: true, attributeFilter: ['data-frame'] }); }"""
    )
    drawn = drawings(page)
    page.locator(".tv-play:visible").get_by_role("button", name="Play").click()
    wait_drawn(page, drawn)  # Python is told once, at the end
    seen = page.evaluate("() => window.seen")
    t = [float(re.search(r"t = ([\d.,]+)", s["says"])[1].replace(",", "")) for s in seen]
    at = next(i for i, value in enumerate(t) if value >= 52.21)
    assert t[at] == 52.21 and all("saturation 100 %, 1 set" in s["says"] for s in seen[at:])
    assert len(seen) > 30 and "100 %" not in seen[len(seen) // 2]["says"] and max(s["apart"] for s in seen) <= 1
    assert all(0.63 * s["half"] >= value for s, value in zip(seen[1:], t, strict=False))  # drawn after it is said
    expect(page.locator(".tv-meaning")).to_contain_text("beyond t* = 52.2")
    assert page.locator(".tv-gd[data-error]").count() == 0
    page.get_by_text("Shared expert carries the mean").first.click()
    expect(page.locator(".tv-play:visible output")).not_to_contain_text("100 %")
    page.wait_for_function("() => document.querySelector('.tv-gd')._fullLayout.xaxis.range[1] < 20")
    assert watch.problems == []


def test_drag_and_click_carry_the_cloud(server: str, page: Page, watch: Watch) -> None:
    open_collapse(page, server, "?v=1&off=2&dir=0")
    x, y = to_pixels(page, 2, 0)
    drawn = drawings(page)
    page.mouse.move(x, y)
    page.mouse.down()
    to = to_pixels(page, 0, 3)
    page.mouse.move(*to, steps=5)
    page.mouse.up()
    wait_drawn(page, drawn)
    page.wait_for_function("() => Math.abs(+new URLSearchParams(location.search).get('dir') - 90) < 3")
    page.mouse.click(*to_pixels(page, -2, 0))
    page.wait_for_function("() => Math.abs(+new URLSearchParams(location.search).get('dir')) > 176")
    assert watch.problems == []


def test_a_phone_has_room_for_it(server: str, page: Page, watch: Watch) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_collapse(page, server)
    page.wait_for_function("() => document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.locator(".tv-play:visible button")).to_be_visible()
    assert watch.problems == []


def test_more_dimensions_open_on_demand(server: str, page: Page, watch: Watch) -> None:
    open_collapse(page, server)
    before = page.locator(".tv-gd").count()
    page.get_by_text("The same sweep in more dimensions").click()
    expect(page.locator(".tv-gd")).to_have_count(before + 1)
    expect(page.get_by_text("a vanishing cap is not a collapse")).to_be_visible()
    assert watch.problems == []


def test_files_are_those_of_this_session(server: str, page: Page, watch: Watch, tmp_path: Path) -> None:
    open_collapse(page, server, "?v=1&n=12&k=3&off=1.5")
    page.get_by_text("Save curves and animation").click()
    for label in ("Everything as JSON", "Animation as HTML"):
        with page.expect_download() as waiting:
            page.get_by_text(label).click()
        waiting.value.save_as(tmp_path / "saved.html")
        text = (tmp_path / "saved.html").read_text(encoding="utf-8")
        assert ("12 experts, 3 active" in text) if label.endswith("HTML") else json.loads(text)["scene"]["n"] == 12
    page.goto((tmp_path / "saved.html").as_uri())
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot').length === 2")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => +document.getElementById('at').value > 2")
    assert watch.hosts == {server.removeprefix("http://")}


def test_the_curves_follow_an_offset_beyond_their_end_and_numbers_dim_while_it_plays(
    server: str, page: Page, watch: Watch
) -> None:
    open_collapse(page, server, "?v=1&off=3")
    page.wait_for_function("() => !document.querySelector('.tv-waiting')")  # whichever of the two is drawn first
    end = "document.querySelectorAll('.tv-gd')[1]._fullLayout.xaxis.range[1]"
    assert page.evaluate(f"() => {end}") < 10
    page.get_by_role("slider", name="Data offset").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"() => {end} >= 20")
    page.wait_for_function("() => !document.querySelector('.tv-waiting')")
    page.locator(".tv-play:visible").get_by_role("button", name="Play").click()
    page.wait_for_function("() => document.querySelectorAll('.tv-now.tv-waiting').length === 2")
    page.locator(".tv-play:visible").get_by_role("button", name="Pause").click()
    page.wait_for_function("() => !document.querySelector('.tv-waiting')")
    assert watch.problems == []
