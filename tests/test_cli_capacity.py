"""The capacity and slice-law commands give the numbers of the library, as JSON, at any size."""

from __future__ import annotations

import json

import pytest

from tropviz import cli
from tropviz.core import capacity, slice_law


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["tropviz", *arguments])
    cli.main()


def test_capacity_is_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    run(monkeypatch, "capacity", "-N", "16", "-k", "4", "-H", "8", "-d", "6", "--d-eff", "2", "-m", "2")
    out = json.loads(capsys.readouterr().out)
    table = capacity.table(16, 4, 8, 6, 2)
    assert {name: out[name]["value"] for name in table} == {name: count.value for name, count in table.items()}
    assert out["gain_dimension"] == 22 and out["designed"]["kind"] == "exact"
    assert out["depths"]["promised"]["layers_enough"] == out["depth"]
    run(monkeypatch, "capacity", "-N", "16", "-k", "4", "-H", "8", "-d", "6", "--affine")
    biased = json.loads(capsys.readouterr().out)
    assert biased["region_law"]["value"] == capacity.table(16, 4, 8, 6, affine=True)["region_law"].value
    assert biased["region_law"]["value"] > out["region_law"]["value"]
    assert out["granularity"]["shape"] == {"N": 32, "k": 8, "H": 4} and out["granularity"]["best_m"] == 4


def test_capacity_beyond_four_thousand_digits(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    run(monkeypatch, "capacity", "-N", "256", "-k", "8", "-H", "2048", "-d", "7168")
    out = json.loads(capsys.readouterr().out)
    assert len(out["moe_bound"]["value"]) == int(out["moe_bound"]["log10"]) + 1 > 4300


def test_slice_law_all_dimensions_and_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    run(monkeypatch, "slice-law", "-N", "16", "-k", "4")
    out = json.loads(capsys.readouterr().out)
    assert [row["d"] for row in out["dimensions"]] == list(range(1, 16)) and out["all"]["value"] == 1820
    assert out["dimensions"][5]["cells"]["value"] == slice_law.expected_cells(16, 4, 6).value
    run(monkeypatch, "slice-law", "-N", "16", "-k", "4", "-d", "6", "--affine")
    out = json.loads(capsys.readouterr().out)
    assert out["dimensions"][0]["share"] == slice_law.share_kept(16, 4, 6, affine=True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("capacity", "-N", "16", "-k", "4", "-H", "0", "-d", "2"), "H = 0"),
        (("capacity", "-N", "4", "-k", "9", "-H", "8", "-d", "2"), "k = 9 with N = 4"),
        (("capacity", "-N", "4", "-k", "2", "-H", "8", "-d", "2", "--d-eff", "3"), "d_eff = 3"),
        (("capacity", "-N", "4", "-k", "2", "-H", "8", "-d", "2", "-m", "3"), "m = 3"),
        (("slice-law", "-N", "4", "-k", "9"), "k = 9"),
        (("slice-law", "-N", "4", "-k", "2", "-d", "-1"), "d = -1"),
        (("slice-law", "-N", "4", "-k", "2", "-d", "x"), "-d"),
    ],
)
def test_refusals(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, *arguments)
    captured = capsys.readouterr()
    assert caught.value.code == 2 and captured.out == "" and words in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-N", "1000000000", "-k", "500000000", "-H", "4", "-d", "2"), "choose at most 4,096 experts"),
        (("-N", "4096", "-k", "2", "-H", "1000000000", "-d", "2"), "choose a smaller H"),
        (("-N", "4096", "-k", "2048", "-H", "256", "-d", "16000"), "beyond the work budget"),
    ],
)
def test_a_shape_without_end_is_refused_and_not_begun(words, said, monkeypatch, capsys):
    with pytest.raises(SystemExit) as left:  # begun, it would take minutes or all memory
        run(monkeypatch, "capacity", *words)
    shown = capsys.readouterr()
    assert left.value.code == 2 and shown.out == "" and said in shown.err and shown.err.count("\n") == 1
