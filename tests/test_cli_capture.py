"""`python -m tropviz capture`: saved inputs of a router, stopped and gone on with, and refusals in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys

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
