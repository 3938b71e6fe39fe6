"""A server and its raw websocket, for timing one event from the socket that sends it to the last message back."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[2]
#: Url names of all pages; the first, Router fan, is the app's own address.
PAGES = ("", *sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - {"fan", "__init__"}))


@contextlib.contextmanager
def server(script: str, log: Any = subprocess.DEVNULL, **environment: str) -> Iterator[int]:
    """A Streamlit app on a free port; what it writes goes to `log`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", **environment}
    base = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
    base = f"/{base}" if base else ""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}{base}/_stcore/health", timeout=2).close()
                break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(20)


class Client:
    """A browser without a screen: it sends widget values and reads messages."""

    def __init__(self, port: int, page: str = "", query: str = "") -> None:
        self.page, self.query = page, query
        self.socket = connect(f"ws://127.0.0.1:{port}/_stcore/stream", max_size=None)
        self.sliders: dict[str, tuple[str, str]] = {}
        self.steps: set[str] = set()  # those that say the step itself, as a text
        self.beacon = ("", "")
        self.told: dict[str, Any] = {}
        self.events = 0
        self.session = ""  # Streamlit's name of it
        self.state: dict[str, Any] = {}
        self.hash = ""
        self.pages: dict[str, str] = {}  # url names by the hashes that Streamlit gives its pages
        self.bytes = self.run({})[1]

    def run(self, changes: dict[str, Any], fragment: str = "") -> tuple[float, int]:
        """Send one event; seconds until the script has finished, and bytes that came back."""
        message = BackMsg()
        client = message.rerun_script
        client.fragment_id, client.page_script_hash = fragment, self.hash
        client.query_string = self.query
        if not self.hash:
            client.page_name = self.page
        for widget, value in {**self.state, **changes}.items():
            state = client.widget_states.widgets.add(id=widget)
            if isinstance(value, dict):
                state.json_value = json.dumps(value)
            elif widget in self.steps:
                state.string_array_value.data.append(f"{value:g}")
            else:
                state.double_array_value.data.append(value)
        self.state |= changes
        return self.send(message)

    def send(self, message: BackMsg, last: str = "script_finished") -> tuple[float, int]:
        """Send a message; seconds until one of the kind `last` has come, and bytes until then."""
        raw = message.SerializeToString()
        start, size = time.perf_counter(), 0
        self.socket.send(raw)
        while True:
            data = self.socket.recv(timeout=600)
            size += len(data)
            found = ForwardMsg.FromString(data)
            self._learn(found)
            # a callback may ask for other fragments: then one run ends early and the next begins
            ended = found.WhichOneof("type") == last
            if ended and (last != "script_finished" or found.script_finished != found.FINISHED_EARLY_FOR_RERUN):
                return time.perf_counter() - start, size

    def event(self, name: str, canvas: str = "plane", of: str = "2", **value: Any) -> tuple[float, int]:
        """Say an event of a canvas, as the browser would: a state of the beacon, which alone runs again by itself."""
        beacon, fragment = self.beacon
        self.events += 1
        said = {"id": self.events, "session": self.told["session"], "canvas": canvas, "name": name, "of": of, **value}
        return self.run({beacon: {"said": [said]}}, fragment)

    def _learn(self, found: ForwardMsg) -> None:
        kind = found.WhichOneof("type")
        if kind == "new_session":
            self.hash = found.new_session.page_script_hash
            self.session = found.new_session.initialize.session_id or self.session
        if kind == "navigation":
            self.pages = {page.page_script_hash: page.url_pathname for page in found.navigation.app_pages}
        if kind != "delta" or found.delta.WhichOneof("type") != "new_element":
            return
        element, fragment = found.delta.new_element, found.delta.fragment_id
        if element.WhichOneof("type") == "slider":
            self.sliders[element.slider.label] = (element.slider.id, fragment)
            if element.slider.type == element.slider.SELECT_SLIDER:
                self.steps.add(element.slider.id)
        if element.WhichOneof("type") == "bidi_component" and element.bidi_component.component_name == "tropviz_beacon":
            self.beacon = (element.bidi_component.id, fragment)
            self.told = json.loads(element.bidi_component.json)
