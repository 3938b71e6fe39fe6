"""The background import of torch must not be seen by code that looks at half-made modules."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
from pathlib import Path

from tropviz.ui.latency import _no_nagle

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys
from tropviz.ui.latency import _PatientTorch, warm
thread = warm()
asked = 0
while thread.is_alive():
    half = sys.modules.get("torch")
    assert half is None or hasattr(half, "Tensor"), "scipy asks a module called torch for its Tensor"
    asked += half is not None
import torch
assert asked > 10 and torch.ones(2).sum() == 2 and isinstance(torch.ones(1), torch.Tensor)
assert not any(isinstance(finder, _PatientTorch) for finder in sys.meta_path)
print("fine")
"""


def test_a_half_imported_torch_already_has_its_tensor() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=200)
    assert ran.stdout.strip() == "fine", ran.stderr[-2000:]
    assert "Exception" not in ran.stderr


def test_a_socket_the_collector_no_longer_lists_does_not_wait_either() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        gc.freeze()
        try:
            assert _no_nagle() >= 1
            assert server.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        finally:
            gc.unfreeze()
