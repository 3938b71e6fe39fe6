"""`python -m tropviz regions`: the exact cases, and the API's own numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tropviz.cli import cli
from tropviz.io.read import read_layer

DATA = Path(__file__).parent / "data"
FILES = [DATA / f"regions_{name}.json" for name in ("dense2d", "moe2d", "moe3d")]
CASES = {case["id"]: case for file in FILES for case in json.loads(file.read_text())}


def run(tmp_path: Path, case: dict, *options: str) -> dict:
    path = tmp_path / "layer.json"
    path.write_text(json.dumps({key: case[key] for key in ("W", "b", "k", "U", "c") if key in case}))
    result = CliRunner().invoke(cli, ["regions", str(path), *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    out = json.loads(result.stdout)
    window = float(options[1]) if options else None
    layer = read_layer(path).layer()
    assert out["regions"] == layer.regions(window).to_json()
    assert out["per_cell"] == {",".join(map(str, s)): int(n) for s, n in layer.regions_per_cell(window).items()}
    return out


@pytest.mark.parametrize("name", ["moe_6_2_4", "moe3_4_2_2", "dense_concurrent", "moe_shared_lines"])
def test_regions(tmp_path, name):
    case = CASES[name]
    out = run(tmp_path, case, "--window", str(case["window"]))
    assert out["regions"]["value"] == case["regions"] and out["regions"]["kind"] == "exact"
    assert out["cells_in_window"]["value"] == case.get("cells_in_window", 1)
    assert out["per_cell"] == case.get("regions_per_cell", out["per_cell"])


def test_whole_plane(tmp_path):
    out = run(tmp_path, CASES["dense_32"])
    assert out["regions"]["value"] == 527 and out["cells"]["value"] == 1


def test_refusals(tmp_path):
    path = tmp_path / "layer.json"
    path.write_text(json.dumps({"U": [[1, 0]], "c": [0]}))
    for options in (["--window", "-1"], ["--window", "x"]):
        result = CliRunner().invoke(cli, ["regions", str(path), *options])
        assert isinstance(result.exception, ValueError) and "window" in str(result.exception)
