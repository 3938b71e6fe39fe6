"""Linear regions on the Router fan page: the numbers on the page are those of the library and of the command line."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from tests.pages.reading import words
from tropviz import MoELayer, Router, capacity
from tropviz.cli import cli
from tropviz.core.presets import random_affine, random_experts
from tropviz.ui.counts import KINDS

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(**query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=120)
    at.query_params.update({"v": "1", **query})
    at.run()
    at = at.switch_page("pages/fan.py").run()
    assert not at.exception
    return at


def html(at: AppTest) -> str:
    return " ".join(block.proto.body for block in at.get("html"))


def shown(at: AppTest) -> dict[str, tuple[str, str]]:
    """Label -> (value, kind) of every count on the page."""
    spoken = re.findall(r'<li class="tv-count[^>]*aria-label="([^"]*)"', html(at))
    kinds = "|".join(KINDS.values())
    found = [re.match(rf"(.*?): (.*?), ({kinds})\.", unescape(text)) for text in spoken]
    return {match[1]: (match[2], match[3]) for match in found if match}


def layer(n: int, k: int, h: int, d: int, seed: int) -> MoELayer:
    return MoELayer(Router(*random_affine(n, d, seed), k=k), *random_experts(n, h, d, seed))


@pytest.mark.parametrize(("n", "k", "h", "d"), [(8, 2, 4, 2), (16, 4, 8, 2), (6, 2, 3, 3)])
def test_page_api_and_command_agree(tmp_path, n, k, h, d):
    at = open_page(n=str(n), k=str(k), h=str(h), d=str(d), seed="5", win="2")
    rows, moe = shown(at), layer(n, k, h, d, 5)
    place = "plane" if d == 2 else "space"
    whole, inside = moe.regions(None), moe.regions(2)
    assert rows[f"This router, whole {place}"] == (str(whole), "exact")
    assert rows["This router, in the window"] == (str(inside), "exact")
    path = tmp_path / "layer.json"
    text = {"W": moe.router.W, "b": moe.router.b, "U": moe.U, "c": moe.c}
    path.write_text(json.dumps({"k": k, **{key: value.tolist() for key, value in text.items()}}))
    for options, count in (([], whole), (["--window", "2"], inside)):
        out = json.loads(CliRunner().invoke(cli, ["regions", str(path), *options]).stdout)
        assert out["regions"] == count.to_json()
    table = capacity.table(n, k, h, d)
    assert rows["Slice bound, maximum over weights"] == (str(table["slice_bound"]), "upper bound")
    assert rows["Promised, maximum over weights"] == (str(table["moe_bound"]), "upper bound")
    dense = MoELayer.dense(moe.U[:k].reshape(-1, d), moe.c[:k].ravel())
    assert rows["Dense, active width kH, in the window"][0] == str(dense.regions(2))
    assert int(dense.regions(None)) == int(table["dense_baseline"])
    gain = int(whole) / int(dense.regions(None))
    assert float(rows["This router over dense, width kH"][0]) == pytest.approx(gain, rel=1e-3)


def test_the_papers_example_in_the_plane():
    """Theory, section 4: 1820 x is promised for (16, 4, 8); a random plane keeps about one and a half."""
    rows = shown(open_page(n="16", k="4", h="8", r="linear"))
    assert rows["Random, mean over weights"] == ("≈ 817.5", "expected")
    assert rows["Dense, active width kH, whole plane"] == ("529", "exact")
    assert rows["Promised, maximum over weights"] == ("≤ 962,780", "upper bound")


def test_more_than_can_be_counted_is_said():
    at = open_page(n="256", k="64", h="256", pts="50")
    assert shown(at)["This router, whole plane"][1] == "lower bound"
    assert "too many hinges" in html(at)


def test_a_selected_cell_shows_the_region_of_its_spot():
    moe = layer(8, 2, 4, 2, 286)
    inside = moe.regions_per_cell(3)
    active = max(inside, key=lambda s: int(inside[s]))
    grid = np.random.default_rng(1).uniform(-3, 3, (4000, 2)).round(3)
    spot = grid[(moe.router.active_sets(grid) == active).all(axis=1)][0]
    at = open_page(cell="-".join(map(str, active)), pt="_".join(f"{v:g}" for v in spot))
    text = unescape(re.sub(r"<[^>]+>", " ", html(at)))
    for expert, word in zip(active, moe.region_at(spot).pattern, strict=True):
        assert re.search(rf"Expert {expert}\s+{word}\b", text)
    name = re.escape("{" + ", ".join(map(str, active)) + "}")
    assert re.search(rf"Regions of cell {name}\s+exact\s+{inside[active]} ", text)


def test_the_switch_hides_the_hinges():
    assert open_page().toggle(key="w_hinges").value is True
    at = open_page(n="256", k="64", h="256", pts="50", hg="0")
    assert at.toggle(key="w_hinges").value is False and "too many hinges" not in html(at)


@pytest.mark.parametrize(("n", "k", "h", "d"), [(16, 4, 8, 2), (8, 1, 3, 2), (7, 5, 2, 2), (8, 2, 3, 3)])
def test_a_designed_layer_is_opened_and_its_regions_are_counted(n, k, h, d):
    at = open_page(n=str(n), k=str(k), h=str(h), d=str(d), r="designed")
    rows, every = shown(at), capacity.constructions(n, k, h, d)
    made = {one.name: one for one in every}.get("polygon") or max(every, key=lambda one: one.regions)
    whole = rows["This router, whole plane" if d == 2 else "This router, whole space"]
    assert whole == (f"{made.regions:,}", "exact") and f"{made.regions:,} of them" in words(at)
    assert int(rows["Designed, chosen weights"][0].replace(",", "")) >= made.regions
    assert (n, k, h) != (16, 4, 8) or made.regions == 4048


def test_the_layer_that_is_quoted_beside_the_promise_can_be_opened():
    seen, most = (open_page(n="16", k="4", h="8", r="designed", dz=how) for how in ("seen", "most"))
    assert "The 5,797 that stand beside the promise are of another layer (layout)" in words(seen)
    rows = shown(most)
    assert rows["This router, whole plane"] == rows["Designed, chosen weights"] == ("5,797", "exact")
    assert "5,797 of them" in words(most) and "another layer" not in words(most)
    alike = open_page(n="12", k="3", h="6", r="designed")
    assert "another layer" not in words(alike) and not [
        b for b in alike.get("button_group") if b.label == "Designed layer"
    ]
    assert [b for b in seen.get("button_group") if b.label == "Designed layer"]


def test_the_dense_network_is_drawn_beside_the_layer_when_it_is_asked_for():
    for name, experts in (("active", 2), ("total", 8)):
        at, moe = open_page(dn=name, hg="1"), layer(8, 2, 4, 2, 286)
        dense = MoELayer.dense(moe.U[:experts].reshape(-1, 2), moe.c[:experts].ravel())
        assert f"<b>{dense.regions(3)}</b> regions" in html(at)
    assert "whole plane, and they cut" not in html(open_page())
