"""`python -m tropviz collapse`: the exact cases, and every refusal in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from tropviz.cli import cli

CASES = json.loads((Path(__file__).parent / "data" / "critical_offsets.json").read_text())


def run(tmp_path: Path, router: dict, *options: str) -> dict:
    path = tmp_path / "router.json"
    path.write_text(json.dumps(router))
    result = CliRunner().invoke(cli, ["collapse", str(path), *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['router']}-k{c['k']}")
def test_exact_cases(tmp_path: Path, case: dict) -> None:
    u = ",".join(str(v / case["u_denominator"]) for v in case["u_numerators"])
    out = run(tmp_path, {"W": case["W"], "b": None}, "-k", str(case["k"]), "--direction", u, "--radius", str(case["r"]))
    assert out["critical_offset"] == pytest.approx(float(case["t_star"]), rel=1e-12)
    assert out["active_set"] == case["S"] and out["wall"] == case["binding_pair"]
    assert out["margin"] ** 2 == pytest.approx(float(Fraction(case["min_margin_squared"])), rel=1e-12)
    assert out["intervals"][-1]["from"] == pytest.approx(out["critical_offset"]) and out["intervals"][-1]["to"] is None


def test_infinity_is_null_with_a_reason(tmp_path: Path) -> None:
    out = run(tmp_path, {"W": [[1, 0], [-1, 0]]}, "-k", "1", "--direction=0,-1", "--radius", "1")
    assert out["critical_offset"] is None and "wall" in out["reason"]
    one = run(tmp_path, {"W": [[1, 0], [1, 0]]}, "-k", "1", "--direction", "0,1", "--radius", "1")
    assert one["critical_offset"] == 0 and one["margin"] is None and "one cell" in one["margin_reason"]


def test_at_an_offset(tmp_path: Path) -> None:
    router = {"W": [[1, 0], [-1, 0]]}
    out = run(tmp_path, router, "-k", "1", "--direction", "5,0", "--radius", "1", "--offset", "0.3")["at_offset"]
    assert out["disk_shares"]["1"] == pytest.approx(0.3119188323905365, abs=1e-12)
    assert out["margin"] == pytest.approx(0.3) and out["cap_fraction"] == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--direction", "0,0", "--radius", "1"], "zero vector"),
        (["--direction", "1,2,3", "--radius", "1"], "2 numbers"),
        (["--direction", "a,b", "--radius", "1"], "--direction"),
        (["--direction", "1,nan", "--radius", "1"], "direction"),
        (["--direction", "1,0", "--radius", "-1"], "r is -1"),
        (["--direction", "1,0", "--radius", "1", "--offset", "-2"], "offset"),
        (["--direction", "1,0", "--radius", "1", "-k", "9"], "k"),
        (["--radius", "1"], "direction"),
    ],
)
def test_refusals(tmp_path: Path, options: list[str], word: str) -> None:
    path = tmp_path / "router.json"
    path.write_text('{"W": [[1, 0], [0, 1]], "k": 1}')
    done = subprocess.run(
        [sys.executable, "-m", "tropviz", "collapse", str(path), *options], capture_output=True, text=True
    )
    assert done.returncode == 2 and not done.stdout
    assert word in done.stderr and len(done.stderr.strip().splitlines()) == 1
