"""The server: it asks nobody for its address, forgets closed sessions, logs events without data."""

from __future__ import annotations

import json
import socket
import time
import tomllib
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.caching.ttl_cache import TTLCache
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.bench.serve import ROOT, Client, server
from tropviz.ui.server import LOOK, forget


@pytest.fixture(scope="module")
def asked():
    """Whoever wants to leave the host arrives here: a proxy that is set for every name."""
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("server") / "log"


@pytest.fixture(scope="module")
def port(asked, log):
    proxy = f"http://127.0.0.1:{asked.getsockname()[1]}"
    settings = {"TROPVIZ_LOG": "1", "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}
    with log.open("w") as out, server("app.py", out, http_proxy=proxy, https_proxy=proxy, **settings) as port:
        yield port


def nobody(asked: socket.socket) -> bool:
    asked.setblocking(False)
    try:
        asked.accept()
    except BlockingIOError:
        return True
    return False


def test_a_foreign_origin_is_refused_at_once_and_nobody_is_asked(port, asked):
    """Before any visit, from a name that resolves nowhere: no look-up of the name, none of the server's own address."""
    for origin in ("http://nowhere.invalid", "https://nowhere.invalid:8501", "null"):
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws://127.0.0.1:{port}/_stcore/stream", origin=origin)
        assert refused.value.response.status_code == 403
    assert nobody(asked)
    with connect(f"ws://127.0.0.1:{port}/_stcore/stream", origin=f"http://127.0.0.1:{port}"):
        pass


def test_one_line_an_event_and_never_data(port, log):
    client = Client(port, "capacity", "n=12&k=3&cell=secret-word")
    size = client.run({})[1]
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    runs = [line for line in lines if line["event"] == "run"]
    assert {line["event"] for line in lines} >= {"open", "run", "refused"}
    assert runs[-1]["page"] == "capacity" and runs[-1]["ms"] > 0
    assert 0 <= size - runs[-1]["bytes"] < 100  # an acknowledgement or two
    assert all(set(line) <= {"event", "page", "ms", "bytes", "cells"} for line in runs)
    assert "secret-word" not in log.read_text()


def test_the_line_of_a_picture_says_how_many_cells_it_shows(port, log):
    Client(port, "", "v=1&n=12&k=3").run({})
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith('{"event": "run"')]
    fans = [line for line in lines if line["page"] == "fan"]
    assert fans and fans[-1]["cells"] > 12


def test_a_page_without_cells_has_none_in_its_line(port, log):
    client = Client(port, "", "v=1&n=12&k=3")
    pages = {name: hash for hash, name in client.pages.items()}
    client.hash = pages["capacity"]
    client.run({})
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith('{"event": "run"')]
    assert lines[-1]["page"] == "capacity" and "cells" not in lines[-1]


def test_a_closed_tab_is_forgotten_without_another_visit(port, log):
    before = log.read_text().count('"forgotten"')
    client = Client(port)
    client.socket.close()
    until = time.monotonic() + 60
    while log.read_text().count('"forgotten"') == before and time.monotonic() < until:
        time.sleep(0.05)
    assert log.read_text().count('"forgotten"') > before


class Session:
    """As an AppSession: a cycle that holds what a person brought."""

    def __init__(self) -> None:
        self.me = self
        self.over = False
        self._session_state = {"board": Board()}

    def shutdown(self) -> None:
        self.over = True


class Board:
    """Of a session."""


def test_what_is_forgotten_is_gone_from_memory():
    now, stored = [0.0], set[str]()
    closed = TTLCache(8, ttl=30, timer=lambda: now[0])
    session = Session()
    closed["ada"] = SimpleNamespace(session=session)
    board = weakref.ref(session._session_state["board"])
    assert forget(closed, stored) == 0 and board() is not None
    now[0] = 31.0
    assert forget(closed, stored) == 1 and not stored and forget(closed, stored) == 0
    assert session.over and board() is None  # though somebody still holds the session
    held = weakref.ref(session)
    closed["ada"] = SimpleNamespace(session=session)
    del session
    now[0] = 62.0
    assert forget(closed, stored) == 1 and held() is None


def test_what_went_on_its_own_when_the_next_came_is_forgotten_too():
    now, stored = [0.0], set[str]()
    closed = TTLCache(8, ttl=30, timer=lambda: now[0])
    session = Session()
    closed["ada"] = SimpleNamespace(session=session)
    held = weakref.ref(session)
    del session
    assert forget(closed, stored) == 0
    now[0] = 31.0
    closed["bob"] = SimpleNamespace(session=Session())  # lets ada go
    assert "ada" not in closed._data and held() is not None
    assert forget(closed, stored) == 1 and held() is None
    assert forget(closed, stored) == 0


def test_closed_tabs_are_kept_for_half_a_minute():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["server"]["disconnectedSessionTTL"] + LOOK < 60
