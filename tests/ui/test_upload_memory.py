"""Memory of what reads the files of the page Your router: at most 10 times the file, and 600 MB, as in a worker."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from tests.io.files import npy, npz, pt, zipped
from tropviz.core.capture import of_states
from tropviz.core.gates import Gate, Rule

#: Reads each file in a fork of its own and prints a line of JSON: MB held before and at most, what was said.
CHILD = """
import json, os, resource, sys
from tropviz.ui.lab.data import given_tokens, inside
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
config = json.dumps({"model_type": "mixtral", "num_local_experts": 256, "num_experts_per_tok": 2}).encode()
for path in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    data = open(path, "rb").read()
    before = most()
    try:
        if path.startswith("said"):
            X, texts = given_tokens(data, path, 2)
            said = f"{X.shape} {texts and texts[-1]}"
        else:
            _, _, found = inside(data, path, config if path.startswith("shard") else None)
            said = type(found).__name__
    except ValueError as problem:
        said = str(problem)
    print(json.dumps([before, most(), said]), flush=True)
    os._exit(0)
"""
RANDOM = np.random.default_rng(0)


def capture(folder: Path) -> bytes:
    """Two layers, 10,000 tokens."""
    gates = [Gate(i, f"{i}.gate", RANDOM.normal(size=(64, 64)), 2, Rule("identity")) for i in range(2)]
    of_states(gates, [RANDOM.normal(size=(10_000, 64))] * 2).save(folder / "made.npz")
    return (folder / "made.npz").read_bytes()


def gates(count: int = 8) -> dict[str, np.ndarray]:
    W = RANDOM.normal(size=(256, 2048)).astype(np.float16)
    return {f"model.layers.{i}.block_sparse_moe.gate.weight": W for i in range(count)}


def said(n: int = 100_000) -> bytes:
    X = RANDOM.normal(size=(n, 2)).round(6).tolist()
    return json.dumps({"X": X, "texts": [f"token number {i:06}" for i in range(n)]}).encode()


#: Name of the file, its content, and a phrase of what is said.
FILES: list[tuple[str, Callable[[Path], bytes], str]] = [
    ("capture.npz", capture, "Capture"),
    ("bomb.npz", lambda _: zipped({"about.npy": npy(np.array("{}")), "0.W.npy": bytes(2**27)}), "it unpacks to more"),
    ("many.npz", lambda _: zipped({f"{i}.npy": b"" for i in range(9000)} | {"about.npy": b""}), "no capture"),
    ("shard.safetensors", lambda _: save(gates()), "dict"),
    ("shard.pt", lambda _: pt({name: torch.from_numpy(W) for name, W in gates().items()}), "dict"),
    ("said.json", lambda _: said(), "(100000, 2) token number 099999"),
    ("said.npz", lambda _: npz(X=np.zeros((2**19, 2)), texts=np.full(2**19, "ab")), "texts are str"),
    ("said.npy", lambda _: npy(RANDOM.normal(size=(1_000_000, 2)).astype(np.float32)), "(1000000, 2) None"),
]


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> dict[str, tuple[float, float, float, str]]:
    """MB of the file, MB before, MB at most, what was said; by name."""
    folder = tmp_path_factory.mktemp("files")
    for name, make, _ in FILES:
        (folder / name).write_bytes(make(folder))
    names = [name for name, _, _ in FILES]
    places = {"PYTHONPATH": str(Path(__file__).parents[2]), "HOME": "/nowhere"}
    call = [sys.executable, "-c", CHILD, *names]
    done = subprocess.run(call, cwd=folder, env=places, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {n: ((folder / n).stat().st_size / 2**20, *line) for n, line in zip(names, lines, strict=True)}


@pytest.mark.parametrize(("name", "phrase"), [(name, phrase) for name, _, phrase in FILES])
def test_what_reads_a_file_takes_ten_times_its_size_at_most(name, phrase, measured):
    size, before, most, told = measured[name]
    assert phrase in told
    assert most - before <= max(10 * size, 24) and most <= 600  # 24: what any file may hold, 8, and its working room
