"""The command line as a person meets it: JSON out, one sentence on standard error, exit code 2, never a traceback."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tropviz import Router, RoutingFan, cli

ROOT = Path(__file__).resolve().parents[1]
CASES = json.loads((ROOT / "tests" / "data" / "routers.json").read_text())


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command in this process: (exit code, standard output, standard error)."""

    def call(*arguments) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tropviz", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def save(tmp_path):
    def write(name: str, content) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_exact_cases(case, run, save):
    path = save("router.json", case)
    for k, expected in case["cells"].items():
        code, out, err = run("cells", path, "-k", k, "--list")
        found = json.loads(out)
        assert code == 0 and err == ""
        assert found["cells"]["value"] == expected == len(found["active_sets"]) and found["cells"]["kind"] == "exact"
        if "active_sets" in case:
            assert found["active_sets"] == case["active_sets"][k]
        if "adjacent_pairs" in case:
            assert len(found["neighbours"]) == case["adjacent_pairs"][k]


def test_without_list_only_the_count(run, save):
    path = save("r.json", {"W": [[1, 0], [0, 1], [-1, -1]], "b": None, "k": 1})
    code, out, _ = run("cells", path)
    assert code == 0 and set(json.loads(out)) == {"cells"}


def test_every_format_gives_the_same_answer(run, save, tmp_path):
    W, b = np.random.default_rng(0).normal(size=(2, 6, 2)).tolist()
    b = [row[0] for row in b]
    expected = json.loads(run("cells", save("r.json", {"W": W, "b": b, "k": 2}), "--list")[1])
    np.savez(tmp_path / "r.npz", W=W, b=b, k=2)
    lines = "x,y,b\n" + "\n".join(",".join(map(repr, [*row, bias])) for row, bias in zip(W, b, strict=True))
    for path in (tmp_path / "r.npz", save("r.csv", lines.encode())):
        assert json.loads(run("cells", path, "-k", 2, "--list")[1]) == expected


def test_space_adds_volumes_and_solid_angles(run, save):
    W = np.vstack([np.eye(3), -np.eye(3)])
    code, out, _ = run("cells", save("r.json", {"W": W.tolist()}), "-k", 2, "--list")
    found = json.loads(out)
    assert code == 0 and len(found["neighbours"]) == 24 and found["window"] == [[-3, 3]] * 3
    assert np.allclose(found["solid_angles"], math.pi / 3, atol=1e-9, rtol=0)
    assert np.allclose(found["volumes"], 6**3 / 12)
    code, out, _ = run("cells", save("a.json", {"W": W.tolist(), "b": [0.5] + [0.0] * 5}), "--window", "0:1,0:2,0:1")
    found = json.loads(out)
    assert found["solid_angles"] is None and "bias" in found["solid_angles_reason"]
    assert math.isclose(sum(found["volumes"]), 2) and "active_sets" not in found


def test_areas_in_the_plane_agree_with_sampling(run, save):
    W, b = np.random.default_rng(3).normal(size=(2, 7, 2))
    _, out, _ = run("cells", save("r.json", {"W": W.tolist(), "b": b[:, 0].tolist()}), "-k", 3, "--list", "--window", 2)
    found = json.loads(out)
    X = np.random.default_rng(4).uniform(-2, 2, size=(40_000, 2))
    sets, hits = np.unique(Router(W, b[:, 0], 3).active_sets(X), axis=0, return_counts=True)
    areas = {tuple(s): a for s, a in zip(found["active_sets"], found["areas"], strict=True)}
    assert math.isclose(sum(areas.values()), 16, rel_tol=1e-9)
    assert all(abs(areas[tuple(s)] - 16 * n / len(X)) < 0.25 for s, n in zip(sets.tolist(), hits, strict=True))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cells", "{folder}/none.json"], "none.json: there is no such file"),
        (["cells", "{folder}"], "this is a folder: give a file"),
        (["cells", "{garbage}"], "garbage.npz: this is not a readable npz archive"),
        (["cells", "{router}", "-k", "9"], "k is 9"),
        (["cells", "{router}", "-k", "0"], "k is 0"),
        (["cells", "{router}", "-k", "two"], "not a valid integer"),
        (["cells", "{router}", "-k", "1" + "0" * 5000], "not a valid integer"),
        (["cells", "{router}", "--window", "0"], "window"),
        (["cells", "{router}", "--window", "nan"], "window"),
        (["cells", "{router}", "--window", "1:0,0:1"], "window"),
        (["cells", "{router}", "--window", "1e308"], "window"),
        (["collapse", "{router}", "-k", "1", "--direction", "1,2", "--radius", "1e308"], "nearer to 1"),
        (["capacity", "-N", "16", "-k", "4", "-H", "8", "-d", "1000000000000000"], "16,384"),
        (["cells", "{router}", "--window", "wide"], "--window is 'wide'"),
        (["cells", "{four}", "--window", "1"], "d = 4"),
        (["cells", "{router}", "--colour", "red"], "--colour"),
        (["cells", "{router}", "{router}"], "Got unexpected extra argument ("),
        (["cells", "{router}", "--lits"], "No such option '--lits', did you mean '--list': see "),
        (["cells", "{router}", "-k"], "Option '-k' requires an argument: see tropviz"),
        (["cells", "{router}", "a\nb"], "argument (a\\nb): see "),
        (["cells", "{dense}"], "(found U, c): add W, one row per expert, or give a dense file to `regions`"),
        (["cells", "{broken}"], "a\\nb[0, 0] is a text"),
        (["cells", "{router}", "-k", "1_0"], "'1_0' is not a valid integer"),
        (["cells", "{router}", "-k", "２"], "'２' is not a valid integer"),
        (["cells", "{router}", "-k", "1" * 4000], "1111…: it must lie"),
        (["cells", "{router}", "-k", "x" * 4000], "xxxx…' is not a valid integer"),
        (["cells", "{router}", "x " * 4000], "x x…): see "),
        (["x " * 4000], "No such command"),
        (["cells", "{router}", "--window", "x" * 4000], "--window is 'xxx"),
        (["cells", "{router}", "--window", "0:1_0,0:1"], "--window is '0:1_0,0:1'"),
        (["hypersimplex", "-N", "6", "-k", "2", "--cone", "x" * 4000], "--cone is 'xxx"),
        (["hypersimplex", "-N", "6", "-k", "2", "--cone", "1_0,2"], "--cone is '1_0,2'"),
        (["collapse", "{router}", "--direction", "x" * 4000, "--radius", "1"], "--direction is 'xxx"),
        (["collapse", "{router}", "--direction", "1,0", "--radius", "1_0"], "'1_0' is not a valid float"),
        (["collapse", "{router}", "--direction", "1,0", "--radius", "1", "--offset", "1e308"], "offset is 1e+308"),
        (["cells"], "FILE"),
        (["paint"], "paint"),
    ],
)
def test_refusals_are_one_sentence_and_exit_code_2(arguments, said, run, save, tmp_path):
    places = {
        "folder": tmp_path,
        "garbage": save("garbage.npz", bytes(range(256)) * 4),
        "router": save("r.json", {"W": [[1, 0], [0, 1], [-1, -1]]}),
        "dense": save("dense.json", {"U": [[1, 0], [0, 1], [1, 1]], "c": [0, 1, 5]}),
        "broken": save("broken.json", {"a\nb": [["x"]]}),
        "four": save("four.json", {"W": np.eye(4).tolist()}),
    }
    code, out, err = run(*(a.format(**places) for a in arguments))
    assert code == 2 and out == "" and said in err and err.startswith("tropviz: ") and "Traceback" not in err
    assert err.count("\n") == 1 and err.endswith(".\n") and len(err) < 300, err


def test_no_command_prints_the_help_and_help_is_no_error(run):
    code, out, err = run()
    assert code == 2 and "Commands:" in err and out == ""
    for arguments in (["--help"], ["cells", "-h"]):
        code, out, err = run(*arguments)
        assert code == 0 and "Usage:" in out and err == ""


def test_defects_and_interrupts_show_no_traceback(run, save, monkeypatch):
    path = save("r.json", {"W": [[1, 0], [0, 1]]})
    for problem, code, said in [
        (KeyError("x"), 70, "internal error (KeyError"),
        (MemoryError(), 2, "not enough memory"),
        (KeyboardInterrupt(), 130, "stopped"),
    ]:

        def fail(*_args, problem=problem, **_more):
            raise problem

        monkeypatch.setattr("tropviz.io.write.cells_report", fail)
        found, out, err = run("cells", path)
        assert (found, out) == (code, "") and said in err and "Traceback" not in err


def test_a_number_is_the_same_in_the_shell_and_the_library(run, save):
    from tropviz.core.presets import random_affine

    W, b = random_affine(16, 2, seed=5)
    _, out, _ = run("cells", save("r.json", {"W": W.tolist(), "b": b.tolist()}), "-k", 4)
    assert json.loads(out)["cells"] == RoutingFan(Router(W, b, 4)).count.to_json()


def shell(*arguments, **options):
    call = [sys.executable, "-m", "tropviz", *map(str, arguments)]
    return subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def test_as_a_process(save, tmp_path):
    path = save("r.json", {"W": [[1, 0], [0, 1], [-1, -1]]})
    out, err = (done := shell("cells", path, "-k", 1)).communicate(timeout=60)
    assert done.returncode == 0 and err == b"" and json.loads(out)["cells"]["value"] == 3
    out, err = (done := shell("cells", tmp_path / "ä.json", env={**os.environ, "LC_ALL": "C"})).communicate(timeout=60)
    assert done.returncode == 2 and out == b"" and err.startswith(b"tropviz: ") and err.count(b"\n") == 1


def test_a_reader_that_leaves_early_sees_no_traceback():
    process = shell("slice-law", "-N", 64, "-k", 8)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(timeout=60) == 1
