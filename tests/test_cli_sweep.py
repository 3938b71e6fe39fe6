"""`python -m tropviz sweep`: a tidy table whose numbers are those of the core, and refusals in one sentence."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.parquet
import pytest
from click.testing import CliRunner

from tropviz import MoELayer, Router, RoutingFan, collapse, slice_law
from tropviz.cli import cli
from tropviz.core import presets


def sweep(*options):
    return CliRunner().invoke(cli, ["sweep", *options])


def test_a_table_with_a_row_for_every_combination(tmp_path):
    file = tmp_path / "s.parquet"
    options = ["-N", "4,7", "-k", "2,5", "-H", "0,3", "-d", "2,6", "--offsets", "0,1.5", "--seeds", "0:2"]
    told = sweep(*options, "-o", str(file))
    rows = pyarrow.parquet.read_table(file).to_pylist()
    assert told.exit_code == 0 and json.loads(told.stdout)["rows"] == len(rows) == 3 * 2 * 2 * 2 * 3  # k = 5 of 7 only
    assert {(r["N"], r["k"]) for r in rows} == {(4, 2), (7, 2), (7, 5)}
    row = next(r for r in rows if (r["N"], r["k"], r["H"], r["d"], r["seed"]) == (7, 2, 3, 2, 1) and r["offset"] == 1.5)
    router = Router(*presets.random_linear(7, 2, 1), 2)
    layer = MoELayer(router, *presets.random_experts(7, 3, 2, 1))
    assert row["cells"] == int(RoutingFan(router).count) and row["cells_kind"] == "exact"
    assert row["regions"] == int(layer.regions(None)) and row["regions_kind"] == "exact"
    assert row["regions_expected"] == slice_law.expected_regions(7, 2, 3, 2).value
    assert 0 < row["fullest_set_low"] <= row["fullest_set"] <= row["fullest_set_high"] <= 1
    deep = [r for r in rows if r["d"] == 6 and r["N"] == 7]
    assert {r["cells"] for r in deep} == {21.0} and {r["regions"] for r in rows if not r["H"]} == {None}


def test_from_the_certified_offset_on_the_cloud_is_in_one_set():
    from tropviz.core.survey import Shape, survey

    for seed in range(4):
        star = survey(Shape(5, 2, 3, seed=seed), [0.0], 10)[0]["critical_offset"]
        (row,) = survey(Shape(5, 2, 3, seed=seed), [star], 300)
        assert row["fullest_set"] > 0.98 and np.isfinite(star)
        assert collapse.critical_offset(Router(*presets.random_linear(5, 3, seed), 2), [1, 0, 0], 1) > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-N", "a"], "-N is 'a': give whole numbers, as 8,16,32 or 4:12."),
        (["--seeds", "5:1"], "--seeds is '5:1': give whole numbers"),
        (["--offsets", "x"], "--offsets is 'x': give numbers with commas"),
        (["--offsets", "-1"], "offset is -1"),
        (["-N", "4", "-k", "5"], "-k is above every -N"),
        (["-N", "1:1000", "--seeds", "0:9999"], "a table of 10,000,000 rows"),
        (["-d", "2000000"], "d is 2000000: give a whole number from 1 to 16384"),
        (["-o", "s.txt"], "-o is s.txt: give a name that ends in .parquet or .csv"),
        (["-o", "/no/such/s.csv"], "there is no folder"),
    ],
)
def test_what_is_no_sweep_is_one_sentence(options, message, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["tropviz", "sweep", *options])
    with pytest.raises(SystemExit) as end:
        cli_main()
    said = capsys.readouterr().err
    assert end.value.code == 2 and message in said and "Traceback" not in said


def cli_main():
    from tropviz.cli import main

    main()
