"""Memory of a reader on files made to exhaust it: at most 10 times the file, and 600 MB, in a process of its own."""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.io.files import npy, npy_header, npz, pt, safetensors, zipped

#: Reads each file in a fork of its own and prints a line of JSON: MB held before and at most, seconds, what was said.
CHILD = """
import json, os, resource, sys, time, zipfile
import safetensors
from tropviz.io import read_any, read_points
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
for path in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    data = open(path, "rb").read()
    before, start = most(), time.process_time()
    try:
        found = (read_points if path.endswith("csv") else read_any)(data, path)
        said = str(getattr(found, "W", found).shape)
    except ValueError as problem:
        said = str(problem)
    print(json.dumps([before, most(), time.process_time() - start, said]), flush=True)
    os._exit(0)
"""


class Allocates:
    """A pickle of this asks for 4 GB."""

    def __reduce__(self):
        return bytearray, (4 * 10**9,)


def shared_storage() -> bytes:
    """A small tensor shown as a large one by steps of 0."""
    return pt({"W": torch.zeros(1, 1).expand(100_000, 1000)})


def repacked() -> bytes:
    """The same archive as torch's, compressed."""
    plain = zipfile.ZipFile(io.BytesIO(pt({"W": torch.zeros(2**24)})))
    return zipped([(name, plain.read(name)) for name in plain.namelist()])


def names(n: int) -> bytes:
    one = {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}
    return safetensors({f"w{i}": one for i in range(n)})


def keys(n: int) -> bytes:
    return ("{" + ",".join(f'"{i}":1' for i in range(n)) + ',"0":1}').encode()


def lists_of_lists() -> bytes:
    """A list that holds a list a thousand times, which holds a list a thousand times, in 10 kB."""
    inner = [1.0] * 1000
    return pt({"W": [[inner] * 1000] * 1000})


#: Name of the file, its content, and a phrase of what is said.
BOMBS: list[tuple[str, Callable[[], bytes], str]] = [
    ("one.npz", lambda: zipped({"W.npy": npy_header((4096, 2048)) + bytes(2**26)}), "uncompressed, with numpy.savez"),
    ("many.npz", lambda: npz(**{f"a{i}": np.zeros((512, 1024)) for i in range(25)}), "W is missing"),
    (
        "directory.npz",
        lambda: zipped({f"{i}.npy": b"" for i in range(12_000)}, packed=False),
        "more than 10,000 entries",
    ),
    ("packed.pt", repacked, "compressed, which torch does not do"),
    ("expanded.pt", shared_storage, "the most here is 1,048,576"),
    ("shared.pt", lists_of_lists, "the most here is 1,048,576"),
    (
        "call.pt",
        lambda: zipped({"a/data.pkl": pickle.dumps({"W": Allocates()}, 2)}, packed=False),
        "builtin__.bytearray",
    ),
    ("legacy.pt", lambda: pickle.dumps(Allocates(), 2), "since version 1.6"),
    ("tensors.pt", lambda: pt({f"w{i}": torch.zeros(1) for i in range(10_001)}), "more than 10,000 entries"),
    ("names.safetensors", lambda: names(100_000), "more than 10,000 tensors"),
    ("twice.json", lambda: keys(40_000), "the key '0' occurs twice"),
    ("keys.json", lambda: keys(300_000), "would take"),
    ("lists.json", lambda: b"[" + b"[]," * 2_000_000 + b"[]]", "would take"),
    ("deep.json", lambda: b"[" * 20_000_000, "would take"),
    ("wide.json", lambda: ('{"\U0001f600":[' + "0.123456," * 600_000 + "1]}").encode(), "it must be (N, d)"),
    ("numbers.json", lambda: b"[" + b"[0.1250, -7.2500, 123.5], " * 500_000 + b"[1,2,3]]", "(500001, 3)"),
    ("short.csv", lambda: b"1\n" * 1_000_000, "(1000000, 1)"),
    ("minus.csv", lambda: "\u22121,2\n".encode() * 1_000_000, "(1000000, 2)"),
    ("line.csv", lambda: b"1," * 8_000_000, "longer than 2,000,000 characters"),
    ("quoted.csv", lambda: b'"' * 8_000_000, "longer than 2,000,000 characters"),
    ("bytes.npy", lambda: npy_header((1000, 16_000), "|i1") + bytes(16_000_000), "(1000, 16000)"),
    ("halves.npy", lambda: npy_header((1000, 8_000), "<f2") + bytes(16_000_000), "(1000, 8000)"),
    ("large.npz", lambda: npz(W=spread(np.float32)), "(1000, 4000)"),
    ("large.npy", lambda: npy(spread(np.float64)), "(1000, 4000)"),
    ("large.pt", lambda: pt({"W": torch.from_numpy(spread(np.float32))}), "(1000, 4000)"),
    ("large.csv", lambda: b"".join(b"%.6f,%.6f\n" % (a, -a) for a in spread(np.float64)[:100].ravel()), "(400000, 2)"),
    ("lying.npy", lambda: npy_header((10**6, 10**6)) + bytes(1_000_000), "the most here is 1,048,576"),
    ("lying.safetensors", lambda: one_tensor("F32", 1000, 1000)[:-1], "not a readable safetensors file"),
    ("twice.npz", lambda: twice(), "the key 'W' occurs twice"),
    ("bytes.safetensors", lambda: one_tensor("U8", 4000, 4000), "(4000, 4000)"),
]


def spread(kind: type) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(1000, 4000)).astype(kind)


def twice() -> bytes:
    """An archive with a large entry of one name two times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(2):
            archive.writestr("W.npy", npy(np.zeros((1000, 500))))
    return out.getvalue()


def one_tensor(kind: str, n: int, d: int) -> bytes:
    return safetensors({"W": {"dtype": kind, "shape": [n, d], "data_offsets": [0, n * d]}}, bytes(n * d))


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> dict[str, tuple[float, float, float, float, str]]:
    """MB of the file, MB before, MB at most, seconds, what was said; by name."""
    folder = tmp_path_factory.mktemp("files")
    for name, make, _ in BOMBS:
        (folder / name).write_bytes(make())
    names = [name for name, _, _ in BOMBS]
    places = {"PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": "/nowhere", "HOME": "/nowhere"}  # no file is made
    call = [sys.executable, "-c", CHILD, *names]
    done = subprocess.run(call, cwd=folder, env=places, capture_output=True, text=True, check=True)
    assert not done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {n: ((folder / n).stat().st_size / 2**20, *line) for n, line in zip(names, lines, strict=True)}


@pytest.mark.parametrize(("name", "said"), [(name, said) for name, _, said in BOMBS])
def test_a_reader_takes_ten_times_the_file_at_most(name, said, measured):
    size, before, most, seconds, told = measured[name]
    assert said in told
    assert most - before <= max(10 * size, 24) and most <= 600  # 24: what any file may hold, 8, and its working room
    assert seconds < 2 + size  # a step that is not linear takes minutes
