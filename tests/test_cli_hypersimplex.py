"""The hypersimplex command: JSON on standard output, one sentence and exit code 2 on bad input."""

from __future__ import annotations

import json
import math

import pytest

from tropviz import cli


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["tropviz", "hypersimplex", *arguments])
    cli.main()


def test_numbers_and_a_cone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    run(monkeypatch, "-N", "5", "-k", "2", "--cone", "3,0")
    out = json.loads(capsys.readouterr().out)
    assert out["f_vector"] == [10, 30, 30, 10] and out["normalised_volume"] == 11
    assert [f["type"] for f in out["facet_kinds"]] == [[2, 4], [1, 4]]
    assert out["cone"]["active_set"] == [0, 3]
    assert len(out["cone"]["walls"]) == 6 and len(out["cone"]["generators"]) == 5


def test_integers_of_any_size(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    run(monkeypatch, "-N", "4096", "-k", "2048")
    out = json.loads(capsys.readouterr().out)
    assert isinstance(out["vertices"], str) and len(out["vertices"]) == 1232
    assert abs(out["vertices_log10"] - (math.lgamma(4097) - 2 * math.lgamma(2049)) / math.log(10)) < 1e-9
    assert len(out["f_vector"]) == len(out["f_vector_log10"]) == 4095


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("-N", "5", "-k", "7"), "k is 7"), (("-N", "5", "-k", "2", "--cone", "a"), "--cone"), (("-N", "5"), "-k")],
)
def test_refusals(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit) as stop:
        run(monkeypatch, *arguments)
    assert stop.value.code == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.err.count("\n") == 1 and not captured.out
