"""The example configuration behind a real nginx: path, websocket, origin, upload, download, two replicas."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.bench.serve import ROOT, server
from tests.browser.conftest import free_port

pytestmark = pytest.mark.browser
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
WHOLE = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/tropviz.conf;
}}
"""


@dataclass(frozen=True)
class Site:
    """Two replicas behind nginx."""

    host: str
    logs: tuple[Path, Path]

    @property
    def address(self) -> str:
        return f"http://{self.host}/tropviz"

    @property
    def stream(self) -> str:
        return f"ws://{self.host}/tropviz/_stcore/stream"

    def opened(self) -> list[int]:
        """Sessions that each replica has seen."""
        return [log.read_text().count('"event": "open"') for log in self.logs]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    settings = {"STREAMLIT_SERVER_BASE_URL_PATH": "tropviz", "STREAMLIT_SERVER_COOKIE_SECRET": "x" * 64}
    text = (ROOT / "assets" / "hosting" / "nginx.conf").read_text()
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    with ExitStack() as stack:
        for name in ("tropviz1", "tropviz2"):
            log = stack.enter_context((folder / name).open("w"))
            replica = stack.enter_context(server("app.py", log, TROPVIZ_LOG="1", **settings))
            text = text.replace(f"{name}:8501", f"127.0.0.1:{replica}")
        (folder / "tropviz.conf").write_text(text)
        (folder / "nginx.conf").write_text(WHOLE.format(folder=folder))
        subprocess.run([NGINX, "-t", "-c", folder / "nginx.conf", "-p", folder], check=True, capture_output=True)
        process = subprocess.Popen([NGINX, "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
        stack.callback(process.wait, 20)
        stack.callback(process.terminate)
        site = Site(f"127.0.0.1:{port}", (folder / "tropviz1", folder / "tropviz2"))
        opener = urllib.request.build_opener()
        for _ in range(1000):
            try:
                opener.open(f"{site.address}/_stcore/health", timeout=5).close()
                break
            except OSError:
                process.poll()
        yield site


def status(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as problem:
        return problem.code


def test_headers_metrics_and_foreign_pages(site):
    with urllib.request.urlopen(f"http://{site.host}/tropviz", timeout=20) as answer:  # follows to /tropviz/
        headers = answer.headers
        assert answer.url == f"{site.address}/" and b"<html" in answer.read()
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert re.search(r"tropviz_replica=\w+; Path=/tropviz; HttpOnly", headers["Set-Cookie"])
    assert status(f"{site.address}/_stcore/metrics") == 403
    assert status(f"{site.address}/_stcore/health", Origin=f"http://{site.host}") == 200
    for origin in ("http://nowhere.invalid", f"http://{site.host}.nowhere.invalid", "null"):
        assert status(f"{site.address}/_stcore/health", Origin=origin) == 403
        with pytest.raises(InvalidStatus):
            connect(site.stream, origin=origin).close()


def test_a_visitor_stays_with_one_replica_and_visitors_are_shared_out(site):
    def visit(visitor: str) -> int:
        before = site.opened()
        headers = {"Cookie": f"tropviz_replica={visitor}"}
        with connect(site.stream, origin=f"http://{site.host}", additional_headers=headers):
            pass
        return next(i for i, (a, b) in enumerate(zip(before, site.opened(), strict=True)) if a != b)

    chosen = [visit(f"visitor{i}") for i in range(12)]
    assert set(chosen) == {0, 1}
    assert [visit(f"visitor{i}") for i in range(12)] == chosen


def test_a_page_under_a_path_takes_a_file_and_gives_one(site, browser, tmp_path):
    """Upload through nginx to the replica that holds the session, and a table back out of it."""
    context = browser.new_context(accept_downloads=True)
    try:
        page = context.new_page()
        page.goto(f"{site.address}/?n=6&k=2")
        file = tmp_path / "mine.json"
        file.write_text(json.dumps({"W": [[1, 0], [0, 1], [-1, 0], [0, -1], [2, 1]], "b": None}))
        page.get_by_text("More", exact=True).first.click()
        page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(file)
        page.wait_for_function("location.search.includes('r=file') && location.search.includes('n=5')")
        page.get_by_role("button", name="Save numbers").first.click()
        with page.expect_download() as got:
            page.get_by_role("button", name=re.compile("CSV")).first.click()
        assert "active_set" in got.value.path().read_text().splitlines()[0]
    finally:
        context.close()
