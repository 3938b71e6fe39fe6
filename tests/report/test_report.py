"""The report: a page that needs no network, JSON and CSV that say the same, and one sentence for bad input."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest
import torch

import tropviz
from tropviz.core import slice_law
from tropviz.core.capture import of_choices, of_states
from tropviz.core.capture.chance import by_source
from tropviz.core.capture.health import lift
from tropviz.core.gates import Gate
from tropviz.figures.capture import flow_map, lift_map, load_map, source_map, strip
from tropviz.io import read_capture
from tropviz.report import as_json, numbers, page, table

RANDOM = np.random.default_rng(0)


class Two(torch.nn.Module):
    """Two gates in a row."""

    def __init__(self, seed=0):
        super().__init__()
        torch.manual_seed(seed)
        self.a, self.b = torch.nn.Linear(12, 6, bias=False), torch.nn.Linear(12, 6)

    def forward(self, x):
        self.a(x)
        return self.b(x.tanh())


def captured(seed=0, sources=("news", "<b>code")):
    model = Two(seed)
    with tropviz.capture(model, gates={"a": 2, "b": 2}) as c:
        for i, c.source in enumerate(sources):
            c.tokens = torch.arange(400) % 7
            model(torch.randn(400, 12, generator=torch.Generator().manual_seed(i)) + i)
    return c.capture


def run(*arguments):
    call = [sys.executable, "-m", "tropviz", "report", *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_command_writes_a_page_json_and_csv_that_say_the_same(tmp_path):
    captured().save(tmp_path / "one.npz")
    captured(1).save(tmp_path / "two.npz")
    code, out, err = run(tmp_path / "one.npz", "--with", tmp_path / "two.npz", "-o", tmp_path / "r.html", "-H", 8)
    assert code == 0 and not err and json.loads(out)["layers"] == 2
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    without_script = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    assert "http" not in without_script and "<b>code" not in without_script and "Two captures" in text
    assert "Tokens</h2>" in text and "Sources</h2>" in text and "id 6" in text and "by likelihood" in text
    assert "not router saturation" in text and "recomputed" in text
    found = json.loads((tmp_path / "r.json").read_text())
    rows = list(csv.DictReader((tmp_path / "r.csv").open()))
    for layer, row in zip(found["layers"], rows, strict=True):
        assert float(row["load_cv"]) == layer["load_cv"]
        assert float(row["gain_dimension"]) == slice_law.gain_dimension(6, 2, 8)
        assert layer["dimension_likely"]["kind"] == "sampled"
        assert float(row["agreement"]) == layer["agreement"]["value"] == 1
        assert float(row["coverage_low"]) == layer["coverage"]["interval"][0]
    assert found["compared"][0]["tokens_shared"] == 800


def test_shards_are_merged(tmp_path):
    for name in ("one.npz", "two.npz"):
        captured().save(tmp_path / name)
    assert run(tmp_path / "one.npz", tmp_path / "two.npz", "-o", tmp_path / "r.html")[0] == 0
    assert [layer["tokens"] for layer in json.loads((tmp_path / "r.json").read_text())["layers"]] == [1600, 1600]


def test_a_page_of_choices_alone_says_what_is_not_known():
    choices = np.sort(np.argsort(RANDOM.random((300, 2, 5)), axis=2)[:, :, :2], axis=2)
    seen = of_choices(choices)
    found = numbers(seen)
    assert "Only choices were recorded" in page(seen, found)
    assert found["layers"][0]["agreement"] is None and found["layers"][0]["certified_offset"] is None
    json.dumps(as_json(found), allow_nan=False)
    head, rows = table(found)
    assert {len(row) for row in rows} == {len(head)}


def test_a_collapsed_router_is_called_so_first():
    choices = np.zeros((300, 1, 1), dtype=int)
    choices[0] = 1
    text = page(seen := of_choices(choices, 4), numbers(seen))
    assert "Collapsed: 99.7 % [98.1, 100.0] of the tokens are in one active set." in text
    assert "2 experts (2, 3) were never chosen in 300 tokens." in text


def test_what_nobody_recorded_is_not_said_to_agree():
    X = RANDOM.normal(size=(50, 5))
    seen = of_states([Gate(0, "g", RANDOM.normal(size=(4, 5)), 2)], [X])
    text = page(seen, numbers(seen))
    assert "there is nothing to agree with" in text and "100.0 % [92.9, 100.0] of the sample" not in text
    assert "4 experts, 2 active, class A" in text and "<td class=kind>exact</td>" in text
    same = of_states([Gate(0, "g", np.eye(4, 5), 2)], [np.ones((50, 5))])
    assert "All 50 tokens are one point: mask the padding" in page(same, numbers(same))


def test_a_report_of_many_layers_has_tables_that_fit_a_sheet():
    choices = np.sort(np.argsort(RANDOM.random((30, 14, 5)), axis=2)[:, :, :2], axis=2)
    seen = of_choices(choices)
    heads = re.findall(r"<table><tr>(.*?)</tr>", page(seen, numbers(seen)))
    assert [re.findall(r"<th>(\d+)</th>", head) for head in heads] == [
        [str(i) for i in part] for part in (range(6), range(6, 12), range(12, 14))
    ]


def test_plotly_accepts_every_picture():
    seen = captured()
    loads = [layer.load.sum(0) for layer in seen.layers]
    pictures = [load_map(loads, ["0", "1"]), lift_map(lift(seen.layers[0])), flow_map(np.ones((3, 3)))]
    pictures += [
        source_map(by_source(seen.layers[0])[1], seen.sources),
        strip([1.0, None, 2.0], "x", "abc", [(0, 2), None, None]),
    ]
    for picture in pictures:
        go.Figure(picture)
    assert np.isnan(load_map([[0, 2]], ["0"])["data"][0]["z"][0, 0])  # a dead expert is left blank


def test_recorded_choices_are_read_from_npy_and_csv(tmp_path):
    choices = np.array([[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 1], [0, 1]]], dtype=np.int16)
    np.save(tmp_path / "c.npy", choices)
    lines = [f"{t},{i},{e}" for t in range(3) for i in range(2) for e in choices[t, i]]
    (tmp_path / "c.csv").write_text("token,layer,expert\n" + "\n".join(lines))
    (tmp_path / "d.csv").write_text("layer,expert\n0,1\n0,1\n4,0\n")
    one, other, loads = (read_capture(tmp_path / name) for name in ("c.npy", "c.csv", "d.csv"))
    for a, b in zip(one.layers, other.layers, strict=True):
        assert np.array_equal(a.load, b.load) and np.array_equal(a.together, b.together) and a.n == b.n == 3
    assert [layer.load[0].tolist() for layer in loads.layers] == [[0, 2], [1, 0]]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.txt", b"x", r"c\.txt: the extension is \.txt: use one of"),
        ("c.npz", b"x", r"c\.npz: this is no capture"),
        ("c.npy", b"\x93NUMPY", r"c\.npy: this is no array of numbers"),
        ("c.csv", b"a,b\n1,2\n", r"c\.csv: the columns layer and expert are missing"),
        ("c.csv", b"layer,expert\n0,1.5\n", r"c\.csv: an entry is no whole number"),
        ("c.csv", b"token,layer,expert\n0,0,1\n0,0,2\n1,0,1\n", r"c\.csv: some token has more experts"),
    ],
)
def test_what_is_no_capture_is_one_sentence(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_capture(tmp_path / name)


def test_the_command_refuses_in_one_sentence(tmp_path):
    captured().save(tmp_path / "one.npz")
    code, out, err = run(tmp_path / "one.npz", "-o", tmp_path / "r.pdf")
    assert (code, out) == (2, "") and err.endswith("-o is r.pdf: give a name that ends in .html or .htm.\n")
