"""The door: so many visitors, so many files, and only what pages ask."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from http.client import HTTPConnection

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.bench.serve import Client, server
from tropviz.ui.door import FILES, MB, PERSON


@pytest.fixture(scope="module")
def port():
    with server("app.py", TROPVIZ_SESSIONS="3", TROPVIZ_UPLOADS_MB="200") as port:
        yield port


class Bringer:
    """A session that puts files, as a browser does, and without being asked for any."""

    def __init__(self, port: int) -> None:
        self.port, self.client = port, Client(port, "about")
        answer = urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health")
        found = re.search(r"_streamlit_xsrf=([^;]+)", str(answer.headers.get("set-cookie", "")))
        self.token = found[1] if found else ""

    def put(self, name: str, size: int) -> int:
        """Put a file of zeros; the status of the answer."""
        begin = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.npy"\r\n\r\n'
        body = begin + bytes(size) + b"\r\n--x--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=x", "X-Xsrftoken": self.token}
        headers["Cookie"] = f"_streamlit_xsrf={self.token}"
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request("PUT", f"/_stcore/upload_file/{self.client.session}/{name}", body, headers)
            return line.getresponse().status
        except ConnectionError:  # refused and closed while the rest was still on its way
            return 413
        finally:
            line.close()


def test_files_are_bounded_in_number_and_bytes_for_one_and_for_all(port):
    ada, bob = Bringer(port), Bringer(port)
    large = 45 * MB
    assert [ada.put(str(i), large) for i in range(4)] == [204, 204, 204, 413] and 4 * large > PERSON
    assert [bob.put(str(i), large) for i in range(2)] == [204, 413]  # with Ada's more than all may bring
    assert [bob.put(f"small {i}".replace(" ", ""), 10) for i in range(FILES)] == [204] * (FILES - 1) + [413]
    assert ada.client.run({}) and bob.client.run({})
    ada.client.socket.close()
    bob.client.socket.close()


def test_one_visitor_too_many_is_refused_and_comes_in_when_another_has_gone(port):
    inside = [connect(f"ws://127.0.0.1:{port}/_stcore/stream") for _ in range(3)]
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{port}/_stcore/stream")
    for one in inside:
        one.close()
    while True:
        try:
            Client(port, "about").socket.close()
            return
        except InvalidStatus:  # the server has not noticed yet
            continue


def test_what_no_page_asks_is_not_heard_and_the_next_message_is(port):
    client = Client(port, "about")
    for kind in ("load_git_info", "clear_cache", "set_run_on_save"):
        message = BackMsg()
        setattr(message, kind, True)
        client.socket.send(message.SerializeToString())
    message = BackMsg()
    message.backend_operation_request.install_skills.SetInParent()
    client.socket.send(message.SerializeToString())
    kinds = []
    learn = client._learn
    client._learn = lambda found: (kinds.append(found.WhichOneof("type")), learn(found))
    assert client.run({}) and "backend_operation_response" not in kinds
    client.socket.close()


@pytest.mark.parametrize("data", [b"\xff" * 50, bytes(3_000_000), bytes(9_000_000)])
def test_what_is_no_message_or_too_large_ends_that_connection_alone(port, data):
    other, bad = Client(port, "about"), Client(port, "about")
    with pytest.raises(ConnectionClosed):
        bad.socket.send(data)
        while True:
            bad.socket.recv(timeout=60)
    assert other.run({})
    other.socket.close()
