"""A real server and a real browser. Tests wait on markers, never on a clock."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: Long enough for a machine that does ten other things.
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(process: subprocess.Popen[bytes], address: str) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + PATIENCE / 1000
    while True:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
            return
        if time.monotonic() > end:
            raise TimeoutError("the server did not answer")
        time.sleep(0.1)


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """The app on a free port; the address without a slash at the end."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        answers(process, address)
        yield address
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for all tests that do not need a fresh one."""
    with running_server() as address:
        yield address


@pytest.fixture
def fresh_server() -> Iterator[str]:
    """A server that has answered nothing yet but its health check."""
    with running_server() as address:
        yield address


def chromium() -> str | None:
    """A chromium of the system, else the one of playwright."""
    named = os.environ.get("TROPVIZ_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@dataclass
class Watch:
    """What went wrong in a page, and which hosts it talked to."""

    problems: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    def on(self, page: Page) -> None:
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("console", self._console)
        page.on("request", lambda request: self._host(request.url))
        page.on("response", self._response)

    def _host(self, url: str) -> None:
        if urlsplit(url).scheme in {"http", "https", "ws", "wss"}:
            self.hosts.add(str(urlsplit(url).netloc))

    def _console(self, message: object) -> None:
        # the browser's own line for the two known 404s, judged by address in _response
        if message.type == "error" and "404" not in message.text:
            self.problems.append(f"console: {message.text}")

    def _response(self, response: object) -> None:
        # Streamlit asks /<page>/_stcore/health and /host-config first, and falls back to the root
        path = urlsplit(response.url).path
        if response.status >= 400 and not (path.count("/") == 3 and "/_stcore/" in path):
            self.problems.append(f"{response.status} {response.url}")


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1440, "height": 900})
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    """A page at 1440 x 900 whose problems and hosts are recorded in `watch`."""
    opened = context.new_page()
    watch.on(opened)
    return opened


def drawings(page: Page, canvas: int = 0) -> int:
    """Number of the drawing now on a canvas; the page counts them for all of its canvases."""
    return int(page.locator(".tv-gd").nth(canvas).get_attribute("data-drawn") or 0)


def wait_drawn(page: Page, after: int = 0, canvas: int = 0) -> int:
    """Wait for a drawing later than `after`, on a page that has appeared; returns its number."""
    page.wait_for_function(
        "([after, i]) => document.documentElement.classList.contains('tv-whole')"
        " && +(document.querySelectorAll('.tv-gd')[i]?.dataset.drawn ?? 0) > after",
        arg=[after, canvas],
    )
    return drawings(page, canvas)


def wait_followed(page: Page) -> None:
    """Wait until Python has heard all that was said, and no part of the page is behind."""
    page.wait_for_function(
        "() => window.__tvBox?.data.page && !window.__tvBox.said.length && !window.__tvBox.data.more"
        " && !document.querySelector('[data-behind]')"
    )


def wait_link(page: Page, *parts: str) -> None:
    """Wait until the address holds these parts."""
    page.wait_for_function("(parts) => parts.every((p) => location.search.includes(p))", arg=list(parts))


def wait_rest(page: Page, canvas: int = 0) -> None:
    """Wait until a picture in space is out of the hand, and Plotly holds the camera it is seen from."""
    page.wait_for_function(
        """(i) => { const gd = document.querySelectorAll('.tv-gd')[i], live = gd._fullLayout.scene._scene.getCamera();
        const told = gd.layout.scene.camera ?? {}, near = (a, b) => Math.abs(a - b) < 1e-9;
        const same = (name) => told[name] && 'xyz'.split('').every((k) => near(told[name][k], live[name][k]));
        return !window.__tvBox.held && ['eye', 'center', 'up'].every(same); }""",
        arg=canvas,
    )


def to_pixels(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the plane is on the screen."""
    at = page.evaluate(
        """([x, y]) => {
        const gd = document.querySelector('.tv-gd'), r = gd.getBoundingClientRect(), f = gd._fullLayout;
        return [r.left + f.xaxis._offset + f.xaxis.d2p(x), r.top + f.yaxis._offset + f.yaxis.d2p(y)]; }""",
        [x, y],
    )
    return float(at[0]), float(at[1])
