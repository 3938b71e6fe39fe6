"""The Two layers page: its numbers are the core's, its sentence follows them, what is out of reach is refused first."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest

from tests.pages import reading
from tests.pages.reading import counts, pictures, scene_of, words
from tropviz import MoELayer, Router
from tropviz.core import presets
from tropviz.core.experts import Stack
from tropviz.ui import heavy
from tropviz.ui.two_layers import export, region
from tropviz.ui.two_layers.words import verdict

open_page = partial(reading.open_page, "two_layers")
SMALL = {"v": "1", "n": "6", "k": "2", "h": "3", "seed": "5"}


def made(i: int) -> MoELayer:
    """Layer i of the small scene, from the library alone."""
    V = presets.random_outputs(6, 3, 2, 5 + i)
    router = Router(*presets.random_affine(6, 2, 5 + i), k=2)
    return MoELayer(router, *presets.random_experts(6, 3, 2, 5 + i), V=V)


def wide(i: int) -> MoELayer:
    """The first two experts of it, always active."""
    one = made(i)
    V = np.concatenate([one.V[0], one.V[1]], axis=1) / 2
    return MoELayer.dense(one.U[:2].reshape(-1, 2), one.c[:2].ravel(), V=V)


def test_the_numbers_are_those_of_the_stacks():
    at = open_page(**SMALL, ly="3")
    moe, dense = (Stack([layer(i) for i in range(3)]).levels(3.0) for layer in (made, wide))
    found = counts(at)
    assert found["Regions, mixture"] == (f"{moe[-1].regions}", "exact")
    assert found["Regions, dense"] == (f"{dense[-1].regions}", "exact")
    assert found["Routing paths taken"] == (f"{moe[-1].path_count}", "exact")
    assert found["Routing paths promised"] == ("≤ 3,375", "upper")
    text = words(at)
    assert f"Of 15³ routing paths {moe[-1].path_count} are taken" in text and not at.exception
    alone = [Stack([layer(i)]).regions(3.0).value for i in range(3) for layer in (made, wide)]
    product = np.prod([a / b for a, b in zip(alone[::2], alone[1::2], strict=True)])
    gain = int(moe[-1].regions) / int(dense[-1].regions)
    assert f"multiplied {product:.3g}:" in text
    assert ("do not multiply" in text) == (gain < product)
    left, right = pictures(at)
    assert len(left["regions"]["starts"]) == int(moe[-1].regions) + 1 and "regions" not in right
    assert " → " in left["regions"]["labels"][0]


def test_a_sentence_says_that_gains_multiply_only_where_they_do():
    assert verdict(2, 4) == "the gains do <b>not multiply</b>"
    assert "not" not in verdict(5, 4) and "no gain" in verdict(2, 1)


def test_the_depth_is_a_slider_and_the_scene_of_a_link():
    at = open_page(**SMALL, ly="1")
    assert "Stack another one" in words(at)
    at.slider(key="w_layers").set_value(2).run()
    assert scene_of(at).layers == 2 and "By themselves the layers have" in words(at)


def test_a_point_shows_its_region_in_both_pictures_and_its_routing_path():
    x = np.array([0.5, -0.7])
    at = open_page(**SMALL, ly="2", pt="0.5_-0.7")
    first, second = made(0), made(1)
    (one,), y = first.router.active_sets(x[None]), x.copy()
    for i in one:
        y = y + np.maximum(first.U[i] @ x + first.c[i], 0) @ first.V[i].T / 2
    (two,) = second.router.active_sets(y[None])
    path = tuple(one.tolist()), tuple(two.tolist())
    level = Stack([first, second]).levels(3.0)[-1]
    row = level.at(x)
    assert level.paths[level.path[row]] == path
    text = words(at)
    for i, active in enumerate(path, 1):
        assert re.search(rf"Layer {i} ?experts \{{{active[0]}, {active[1]}\}},", text)
    assert counts(at)["Regions on this path"] == (str(int((level.path == level.path[row]).sum())), "exact")
    for picture, levels in zip(pictures(at), (level, Stack([wide(0), wide(1)]).levels(3.0)[-1]), strict=True):
        ring = levels.polygons[levels.at(x)].astype(np.float32)
        line = np.column_stack([picture["data"][0]["x"], picture["data"][0]["y"]])
        assert {tuple(p) for p in ring.tolist()} == {tuple(p) for p in line.tolist() if p[0] == p[0]}
    nowhere = open_page(**SMALL, ly="2", pt="30_0")
    assert "Click a region" in words(nowhere) and not nowhere.exception


def test_a_click_looks_at_a_region_and_lets_it_go_and_arrows_walk_over_all_paths():
    scene = scene_of(open_page(**SMALL, ly="2"))
    level = Stack([made(0), made(1)]).levels(3.0)[-1]
    near = level.polygons[3].mean(axis=0)
    there = scene.replace(**region.clicked(scene, {"x": near[0], "y": near[1]}))[0]
    assert region.picked(there, level) == 3
    assert region.clicked(there, {"x": near[0], "y": near[1]}) == {"spot": ""} == region.let_go(there, {})
    seen = []
    for _ in level.paths:
        scene = scene.replace(**region.walked(scene, level, 1))[0]
        seen.append(int(level.path[region.picked(scene, level)]))
    assert sorted(seen) == list(range(len(level.paths)))
    back = scene.replace(**region.walked(scene, level, -1))[0]
    assert int(level.path[region.picked(back, level)]) == seen[-2]


def test_what_is_out_of_reach_is_refused_before_it_starts():
    at = open_page(v="1", n="64", k="20", h="100", ly="3")
    assert "choose a smaller N, k or H, or fewer layers" in words(at) and not at.exception
    assert not [job for job in heavy.pool().jobs.values() if not job.over.is_set()]
    many = open_page(**{**SMALL, "n": "100", "h": "1"}, ly="1")
    assert scene_of(many).n == 64 and "Stacks take up to 64 experts; there were 100." in words(many)


def test_more_is_counted_in_the_pool_and_can_be_stopped():
    at = open_page(v="1", n="16", k="4", h="8", ly="3", seed="7")
    assert "being counted" in words(at)
    next(button for button in at.button if button.label == "Stop").click().run()
    assert "Stopped" in words(at)
    next(button for button in at.button if button.label == "Count the regions").click().run()
    for _ in range(6):  # asked for, done, kept, then shown
        for job in list(heavy.pool().jobs.values()):
            assert job.over.wait(120)
        if "Regions, mixture" in counts(at.run()):
            break
    assert int(counts(at)["Regions, mixture"][0].replace(",", "")) > 1000


@pytest.mark.parametrize("make", [export.depths_csv, export.paths_csv, export.as_json, export.as_counts])
def test_files_hold_the_same(make):
    scene = scene_of(open_page(**SMALL, ly="2"))
    (level,) = Stack([made(0), made(1)]).levels(3.0)[1:]
    text = make(scene)
    if make is export.depths_csv:
        assert text.splitlines()[2].startswith(f"2,{level.regions.value},{level.path_count.value},")
    elif make is export.paths_csv:
        assert sum(int(line.rsplit(",", 1)[1]) for line in text.splitlines()[1:]) == level.regions.value
    else:
        assert str(level.regions.value) in text


def test_the_script_counts_the_same(capsys):
    exec(compile(export.as_python(scene_of(open_page(**SMALL, ly="2"))), "stack.py", "exec"), {})
    regions = Stack([made(0), made(1)]).regions(3.0)
    assert f"2 layers: {regions} regions" in capsys.readouterr().out
