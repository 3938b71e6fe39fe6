"""Results written out are read back to the same numbers."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

from tropviz import Count, Router, RoutingFan
from tropviz.core.presets import random_affine, random_linear
from tropviz.io import write


@pytest.fixture(scope="module")
def fan():
    return RoutingFan(Router(*random_affine(9, 2, seed=2), k=3))


def test_cells_as_csv_and_json_agree(fan):
    report = json.loads(json.dumps(write.cells_report(fan, window=2), allow_nan=False))
    rows = list(csv.DictReader(io.StringIO(write.cells_csv(fan, window=2, columns={"twice": range(0, 2000, 2)}))))
    assert [int(r["twice"]) for r in rows] == [2 * int(r["cell"]) for r in rows]
    assert len(rows) == int(fan.count) == report["cells"]["value"]
    assert [list(map(int, r["active_set"].split())) for r in rows] == report["active_sets"] == fan.active_sets.tolist()
    assert [float(r["area_in_window"]) for r in rows] == report["areas"] and math.isclose(sum(report["areas"]), 16)
    pairs = {(i, j) for i, r in enumerate(rows) for j in map(int, r["neighbours"].split())}
    assert pairs == {pair for i, j in report["neighbours"] for pair in ((i, j), (j, i))}
    witnesses = np.array([[float(r["witness_0"]), float(r["witness_1"])] for r in rows])
    assert np.array_equal(fan.router.active_sets(witnesses), fan.active_sets)
    assert [r["bounded"] == "yes" for r in rows] == fan.bounded.tolist()


def test_angles_of_a_central_fan_fill_the_circle():
    fan = RoutingFan(Router(*random_linear(9, 2, seed=2), k=3))
    report = write.cells_report(fan, window=2, listed=False)
    assert math.isclose(sum(report["solid_angles"]), 2 * math.pi) and "neighbours" not in report


def test_counts_keep_every_digit():
    rows = [
        ("huge", Count(7**9000, "upper", "7^9000"), ""),
        ("share", Count(0.25, "sampled", "600 points", interval=(0.2, 0.3)), "", "share"),
        ("never", Count(math.inf, "exact", "t*", "the direction lies on a wall"), ""),
    ]
    table = {r["name"]: r for r in csv.DictReader(io.StringIO(write.counts_csv(rows)))}
    assert table["huge"]["value"] == rows[0][1].to_json()["value"] and len(table["huge"]["value"]) == 7606
    assert (table["share"]["low"], table["share"]["high"]) == ("0.2", "0.3")
    assert table["never"]["value"] == "" and "wall" in table["never"]["assumption"]


def test_sizes_beyond_space_are_refused():
    with pytest.raises(ValueError, match="d = 4"):
        write.cells_report(RoutingFan(Router(np.eye(4), k=1)), window=1)
