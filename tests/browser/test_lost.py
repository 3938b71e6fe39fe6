"""What a browser or a server loses: the scene after a restart or a cut line, the uploaded files, WebGL."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import (
    FLAGS,
    PATIENCE,
    ROOT,
    Watch,
    answers,
    chromium,
    free_port,
    wait_drawn,
    wait_followed,
    wait_link,
)

pytestmark = pytest.mark.browser
DATA = Path(__file__).parents[1] / "data" / "reports"


class Restartable:
    """A server that can be killed and comes back at the same address; it forgets a lost session after a second."""

    def __init__(self, log: Path) -> None:
        self.port, self.log = free_port(), log
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        command += ["--server.headless", "true", "--server.address", "127.0.0.1"]
        command += ["--server.disconnectedSessionTTL", "1"]
        with self.log.open("a") as log:
            env = {**os.environ, "TROPVIZ_LOG": "1"}
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=env)
        answers(self.process, self.address)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)


@pytest.fixture(scope="module")
def restartable(tmp_path_factory: Any) -> Iterator[Restartable]:
    server = Restartable(tmp_path_factory.mktemp("lost") / "log")
    yield server
    server.kill()


def session(page: Page) -> str:
    return str(page.evaluate("() => window.__tvBox.data.session"))


def wait_other_session(page: Page, before: str) -> None:
    """Wait until another session has heard which scene is shown here, and it has followed."""
    page.wait_for_function("s => window.__tvBox.data.session !== s && window.__tvBox.data.session", arg=before)
    page.wait_for_function("() => +document.querySelector('.tv-beacon').dataset.heard > 0")
    wait_followed(page)


def numbers(page: Page) -> list[str]:
    return page.locator(".tv-count").all_inner_texts()


def press(page: Page, label: str, *said: str) -> None:
    page.get_by_role("slider", name=label).focus()
    page.keyboard.press("ArrowRight")
    wait_link(page, *said)
    wait_followed(page)


def test_a_restarted_server_shows_the_scene_and_the_files_that_were_shown(restartable: Restartable, page: Page) -> None:
    page.goto(f"{restartable.address}/collapse?v=1")
    wait_drawn(page)
    page.locator(".st-key-upload_router input").set_input_files(DATA / "A_latlong_router.json")
    wait_link(page, "rf=A_latlong_router.json")
    page.locator(".st-key-upload_points input").set_input_files(DATA / "A_latlong_points.csv")
    wait_link(page, "pf=A_latlong_points.csv", "off=49.51")
    wait_followed(page)
    press(page, "Active experts k", "k=2")
    link, before, seen = page.url, session(page), numbers(page)
    restartable.kill()
    restartable.start()
    wait_other_session(page, before)
    page.wait_for_function("n => document.querySelectorAll('.tv-count')[0]?.innerText === n", arg=seen[0])
    wait_link(page, "r=file", "pf=A_latlong_points.csv", "k=2")
    wait_followed(page)
    assert page.url == link and numbers(page) == seen
    expect(page.get_by_role("slider", name="Active experts k")).to_be_enabled()


def test_a_line_that_was_cut_for_long_comes_back_to_the_scene(restartable: Restartable, page: Page) -> None:
    lines: list[WebSocketRoute] = []
    cut = False

    def through(line: WebSocketRoute) -> None:
        if cut:
            line.close()
            return
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket("**/_stcore/stream", through)
    page.goto(f"{restartable.address}/?v=1&n=7")
    wait_drawn(page)
    wait_followed(page)
    press(page, "Experts N", "n=8")
    link, before, forgotten = page.url, session(page), restartable.log.read_text().count('"forgotten"')
    cut = True
    lines[-1].close()
    end = time.monotonic() + PATIENCE / 1000
    while restartable.log.read_text().count('"forgotten"') == forgotten and time.monotonic() < end:
        page.wait_for_timeout(100)  # for the server's word that the session is gone
    cut = False
    page.wait_for_function("s => ![s, ''].includes(window.__tvBox.data.session)", arg=before)
    # the hand may be quicker than the scene that comes back
    page.get_by_role("slider", name="Active experts k").focus()
    page.keyboard.press("ArrowRight")
    wait_other_session(page, before)
    wait_link(page, "n=8", "k=3")
    assert page.url == link.replace("k=2", "k=3")


def test_every_page_answers_at_its_name(restartable: Restartable, page: Page, watch: Watch) -> None:
    page.goto(f"{restartable.address}/fan?v=1&n=5")
    wait_drawn(page)
    wait_link(page, "n=5")
    assert "Page not found" not in page.content() and watch.problems == []


BLANK = "draws nothing in space now"


def test_without_webgl_a_sentence_and_the_table_stand_in_its_place(restartable: Restartable, browser: Browser) -> None:
    flags = [*FLAGS, "--disable-software-rasterizer"]
    with browser.browser_type.launch(executable_path=chromium(), args=flags) as blind:
        page, watch = blind.new_page(), Watch()
        watch.on(page)
        page.goto(f"{restartable.address}/?v=1&d=3&n=5")
        expect(page.get_by_text(BLANK)).to_be_visible()
        expect(page.get_by_test_id("stDataFrame")).to_be_visible()
        assert page.locator(".tv-count").count() > 5
        page.get_by_text("Plane", exact=True).click()  # goes on
        wait_link(page, "d=2")
        expect(page.get_by_text(BLANK)).to_have_count(0)
        wait_followed(page)
        assert watch.problems == []


def test_a_context_that_is_taken_away_is_said_and_drawn_again(restartable: Restartable, page: Page) -> None:
    page.goto(f"{restartable.address}/?v=1&d=3&n=5")
    drawn = wait_drawn(page)
    wait_followed(page)
    lose = """() => {
        const gl = document.querySelector('.tv-gd')._fullLayout.scene._scene.glplot.gl;
        window.__lost = gl.getExtension('WEBGL_lose_context');
        window.__lost.loseContext(); }"""
    page.evaluate(lose)
    expect(page.get_by_text(BLANK)).to_be_visible()
    wait_followed(page)
    page.evaluate("() => window.__lost.restoreContext()")
    expect(page.get_by_text(BLANK)).to_have_count(0)
    drawn = wait_drawn(page, drawn)
    page.evaluate(lose)  # and this time it does not come back by itself
    page.get_by_role("button", name="Try again").click()
    wait_drawn(page, drawn)
    expect(page.get_by_text(BLANK)).to_have_count(0)
    alive = "() => !document.querySelector('.tv-gd')._fullLayout.scene._scene.glplot.gl.isContextLost()"
    assert page.evaluate(alive)
