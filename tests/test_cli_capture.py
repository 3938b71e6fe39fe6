"""`python -m tropviz capture`: saved inputs of a router, stopped and gone on with, and refusals in one sentence."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from click.testing import CliRunner
from safetensors.numpy import save_file

from tropviz.cli import cli
from tropviz.core.capture import load

N, d, n = 16, 64, 400_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out, random = tmp_path_factory.mktemp("model"), np.random.default_rng(0)
    save_file({"gate": random.normal(size=(N, d)).astype(np.float32)}, out / "w.safetensors")
    np.save(out / "x.npy", random.normal(size=(n, d)).astype(np.float32))
    return out


def arguments(folder, output):
    return [
        "capture",
        str(folder),
        str(folder / "x.npy"),
        "--tensor",
        "gate",
        "--rule",
        "plain",
        "-k",
        "2",
        "-o",
        output,
    ]


#: Ctrl-C in the middle of the work.
STOPPED = """
import os, signal
import tropviz.core.capture.states as states
from tropviz.cli import main

states.CHUNK, add, calls = 2**16, states.Stream.add, []

def add_and_stop(*given):
    calls.append(add(*given))
    if len(calls) == 50:
        os.kill(os.getpid(), signal.SIGINT)

states.Stream.add = add_and_stop
main()
"""


def test_stopped_and_gone_on_with(folder, tmp_path):
    output = str(tmp_path / "c.npz")
    call = [sys.executable, "-c", STOPPED, *arguments(folder, output)]
    stopped = subprocess.run(call, capture_output=True, text=True)
    assert stopped.returncode == 130 and stopped.stderr.strip().endswith("tropviz: stopped.") and not stopped.stdout
    part = tmp_path / "c.npz.part"
    assert load(part).layers[0].n == 50 * 2**16 // d < n
    done = CliRunner().invoke(cli, arguments(folder, output))
    assert done.exit_code == 0 and json.loads(done.stdout)["tokens"] == n and not part.exists()
    whole = CliRunner().invoke(cli, arguments(folder, str(tmp_path / "w.npz")))
    assert whole.exit_code == 0
    one, other = load(output).layers[0], load(tmp_path / "w.npz").layers[0]
    assert np.array_equal(one.together, other.together) and np.array_equal(one.sample.chosen, other.sample.chosen)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a, f: [*a[:2], str(f / "none.npy"), *a[3:]], "none.npy: there is no such file"),
        (lambda a, f: [*a[:2], str(f / "w.safetensors"), *a[3:]], "w.safetensors: this is no array of numbers"),
        (lambda a, f: [*a[:-1], "c.txt"], "-o is c.txt: give a name that ends in .npz"),
        (lambda a, f: [*a[:-1], "/none/c.npz"], "-o is c.npz: there is no folder /none: make it first"),
        (lambda a, f: [*a, "-k", "99"], "k is 99"),
        (lambda a, f: [*a, "--layer", "7"], "layer 7 has no router"),
    ],
)
def test_what_cannot_be_routed_is_one_sentence(folder, tmp_path, change, message, monkeypatch, capsys):
    from tropviz.cli import main

    monkeypatch.setattr("sys.argv", ["tropviz", *change(arguments(folder, str(tmp_path / "c.npz")), folder)])
    with pytest.raises(SystemExit) as end:
        main()
    said = capsys.readouterr().err
    assert end.value.code == 2 and message in said and "Traceback" not in said


class Code:
    """Unpickling it would make a file."""

    def __reduce__(self):
        return open, ("ran", "w")


def saved(values, cut=0):
    """As numpy.save writes it, less so many bytes."""
    out = io.BytesIO()
    np.save(out, values, allow_pickle=True)
    return out.getvalue()[: -cut or None]


def lying():
    """A header of 10^12 tokens and nothing behind it."""
    out = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": (10**12, d)}
    np.lib.format.write_array_header_1_0(out, header)
    return out.getvalue() + bytes(64)


ROWS = np.random.default_rng(1).normal(size=(20, d)).astype(np.float32)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (saved(np.array([Code()], dtype=object)), "this is no array of numbers, or it is cut off"),
        (saved(ROWS, 100), "this is no array of numbers, or it is cut off"),
        (lying(), "this is no array of numbers, or it is cut off"),
        (b"", "this is no array of numbers, or it is cut off"),
        (saved(ROWS + 1j), "it holds complex64 of shape (20, 64): save numbers, one row a token"),
        (saved(ROWS > 0), "it holds bool of shape (20, 64): save numbers, one row a token"),
        (saved(ROWS.astype("U8")), "it holds <U8 of shape (20, 64): save numbers, one row a token"),
        (saved(ROWS[:0]), "it holds float32 of shape (0, 64): save numbers, one row a token"),
        (saved(ROWS[:, :5]), "have shape (20, 5): give (tokens, 64) or (batch, sequence, 64)"),
        (saved(ROWS[0]), "have shape (64,): give (tokens, 64) or (batch, sequence, 64)"),
        (saved(np.full((20, d), np.inf, np.float16)), "the input of token 0 is inf at 0: run the model in float32"),
        (saved(np.where(np.arange(20)[:, None] == 7, np.nan, ROWS)), "the input of token 7 is nan at 0: run the model"),
        (saved(ROWS * np.float32(1e30)), "inputs beyond 1e19 leave the range of float32: scale them down"),
    ],
)
def test_bad_inputs_are_one_sentence_run_nothing_and_leave_an_earlier_file(
    folder, tmp_path, content, message, monkeypatch, capsys
):
    from tropviz.cli import main

    (tmp_path / "x.npy").write_bytes(content)
    (tmp_path / "c.npz").write_bytes(b"earlier")
    monkeypatch.chdir(tmp_path)
    call = arguments(folder, "c.npz")
    monkeypatch.setattr("sys.argv", ["tropviz", *call[:2], "x.npy", *call[3:]])
    tracemalloc.start()
    with pytest.raises(SystemExit) as end:
        main()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    said = capsys.readouterr().err
    assert end.value.code == 2 and message in said and said.count("tropviz: ") == 1 and "Traceback" not in said
    assert (tmp_path / "c.npz").read_bytes() == b"earlier" and sorted(p.name for p in tmp_path.iterdir()) == [
        "c.npz",
        "x.npy",
    ]
    assert peak < 10**8


@pytest.mark.parametrize("kind", [np.longdouble, ">f8", np.int8, np.uint64])
def test_numbers_of_every_type_are_routed(kind, folder, tmp_path):
    np.save(tmp_path / "x.npy", np.round(np.abs(ROWS) * 30).astype(kind))
    call = arguments(folder, str(tmp_path / "c.npz"))
    done = CliRunner().invoke(cli, [*call[:2], str(tmp_path / "x.npy"), *call[3:]])
    assert done.exit_code == 0 and json.loads(done.stdout)["tokens"] == 20
