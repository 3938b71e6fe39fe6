"""Charts: axes without a largest number, labels that keep apart, and data that is what it is given."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tropviz.core.count import Count
from tropviz.figures.capacity import GainCurve, GrainPoint, IsoPoint, gain_figure, granularity_figure, iso_figure
from tropviz.figures.charts import log_axis, short, spread
from tropviz.figures.colour import contrast
from tropviz.figures.resilience import CrossLine, ShareCurve, SharePoint, cross_figure, share_figure
from tropviz.figures.theme import theme


def test_axis_marks_are_round_and_inside():
    wide = log_axis(0, 4890, "x", "×")
    assert wide["ticktext"][1].startswith("10") and len(wide["tickvals"]) <= 8
    narrow = log_axis(0, 1.31, "x")
    assert narrow["ticktext"] == ["1", "2", "5", "10", "20"]
    assert all(0 <= v <= 4890 for v in wide["tickvals"])


@pytest.mark.parametrize("log10", [0, 0.189, 3.26, 308.5, 4886.4])
def test_short_numbers_of_any_size(log10):
    text = short(log10)
    assert text and "inf" not in text and "e+" not in text and len(text) <= 12


def test_labels_keep_apart_in_order():
    placed = spread([1, 1, 1, 9], 2, 0, 10)
    assert np.diff(placed).min() >= 2 and placed == sorted(placed) and max(placed) <= 10


@pytest.mark.parametrize("dark", [False, True])
def test_inks_can_be_read_on_their_background(dark):
    look = theme(dark)
    for colour in (look.bound, look.expected, look.exact, look.other, look.muted, look.text):
        assert contrast(colour, look.background) >= 4.5


def test_gain_figure_marks_the_slice_on_every_curve():
    at = np.array([1.0, 2.0, 47.0])
    curves = [GainCurve("a", at, np.array([0.1, 0.2, 3.26]), 3.26), GainCurve("b", at, np.array([0, 0.1, 1.2]), 1.2)]
    figure = gain_figure(curves, at=2, star=6.0, full=47)
    dots = [t for t in figure["data"] if t["mode"] == "markers"]
    assert [float(t["x"][0]) for t in dots] == pytest.approx([math.log10(2)] * 2)
    assert [float(t["y"][0]) for t in dots] == pytest.approx([0.2, 0.1])
    assert any("d* = 6.0" in a["text"] for a in figure["layout"]["annotations"])


def test_iso_and_granularity_figures_hold_what_they_are_given():
    figure = iso_figure([IsoPoint("k = 1", "top-1", 1.2, 0.1), IsoPoint("k = 4", "top-4", 3.26, 0.19, True)])
    rings, kept = figure["data"][-2:]
    assert rings["y"] == pytest.approx([1.2, 3.26]) and kept["y"] == pytest.approx([0.1, 0.19])
    grain = granularity_figure([GrainPoint(1, "1", 10.8, 4, True), GrainPoint(2, "2", 23, 5, False)], chosen=1, best=1)
    assert any("floor" in a["text"] for a in grain["layout"]["annotations"])
    assert all(isinstance(t["y"], np.ndarray) and t["y"].dtype == np.float32 for t in grain["data"])


def test_share_figure_tells_counted_from_sampled():
    law = ShareCurve("law", np.arange(1.0, 8), np.linspace(0.1, 1, 7))
    counted, sampled = Count(0.3, "exact", ""), Count(0.5, "sampled", "", "", (0.4, 0.7))
    own = [SharePoint(2, counted), SharePoint(4, sampled)]
    figure = share_figure(law, [law], own, [SharePoint(3, sampled)], 3.0, 1.0)
    bars = [t for t in figure["data"] if "error_y" in t]
    assert len(bars) == 1 and bars[0]["y"] == pytest.approx([0.5])
    up, down = (bars[0]["error_y"][side] for side in ("array", "arrayminus"))
    assert up == pytest.approx([0.2]) and down == pytest.approx([0.1])  # 0.5, from 0.4 to 0.7
    assert any(t["mode"] == "markers" and t.get("marker", {}).get("symbol") is None for t in figure["data"])


def test_cross_figure_shows_every_line_and_what_is_only_a_bound():
    bound = [Count(v, "lower", "") for v in (10, 40)]
    exact = [Count(5, "exact", "")] * 2
    lines = [CrossLine("flat", "flat", [2, 8], exact), CrossLine("curved", "curved", [2, 8], bound)]
    figure = cross_figure(lines, "cells")
    symbols = [t["marker"]["symbol"] for t in figure["data"] if t.get("mode") == "markers"]
    assert symbols == [["circle"] * 2, ["circle-open"] * 2]
    low, high = figure["layout"]["yaxis"]["range"]
    assert low <= math.log10(5) and high >= math.log10(43)
