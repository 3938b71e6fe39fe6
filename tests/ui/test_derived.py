"""What is kept under what it read: warm equals cold, once for all who ask, bounded in bytes, gone with its session."""

from __future__ import annotations

import gc
import math
import random
import sys
import threading
import time
from collections.abc import Callable
from functools import cached_property

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tropviz.io.read import RouterFile
from tropviz.ui.collapse import picture as collapse_picture
from tropviz.ui.collapse import study as collapse_study
from tropviz.ui.fan import body, plane, regions, words
from tropviz.ui.fan.counts import counts as fan_counts
from tropviz.ui.scene import Scene, Upload, derived, model
from tropviz.ui.scene.store import STORE, Store, limit_of
from tropviz.ui.scene.weight import weight

SMALL = {
    "router": st.sampled_from(["affine", "linear", "polygon", "digits"]),
    "n": st.sampled_from([4, 8]),
    "k": st.sampled_from([1, 2]),
    "seed": st.sampled_from([1, 286]),
    "window": st.sampled_from([2.0, 3.0]),
    "offset": st.sampled_from([0.0, 0.9]),
    "direction": st.sampled_from([50.0, -120.0]),
    "points": st.sampled_from([50, 80]),
    "spread": st.sampled_from([0.5, 0.65]),
    "cloud": st.sampled_from(["gaussian", "ball"]),
    "expert": st.sampled_from([-1, 1]),
    "hinges": st.booleans(),
    "dark": st.booleans(),
    "shared": st.booleans(),
}
scenes = st.fixed_dictionaries({}, optional=SMALL).map(lambda changes: Scene.default().replace(**changes)[0])


def same(a: object, b: object) -> bool:
    """Equal, however deep; what floats there are, to the last bit."""
    if isinstance(a, np.ndarray):
        gaps = a.dtype.kind == "f"  # NaN is a gap in a line
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b, equal_nan=gaps)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if hasattr(a, "__dataclass_fields__"):
        names = set(a.__dataclass_fields__) - {"scene", "token"}
        return type(a) is type(b) and all(same(getattr(a, name), getattr(b, name)) for name in names)
    return a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b))


def answers(scene: Scene) -> dict[str, object]:
    """What the fan and the collapse page show of a scene, computed before anything is drawn."""
    view, study = plane.plane(scene), collapse_study.study(scene)
    drawn = plane.figure(view).parts()
    return {
        "cells": [view.cells.ids, view.cells.areas, view.cells.middles, [s.wkb for s in view.cells.shapes]],
        "points": [view.points, view.point_cells, view.seen.hits],
        "domain": view.domain and (view.domain.ids, view.domain.area, view.domain.pieces),
        "picture": [drawn["layout"], drawn["regions"], drawn["cloud"], [t.get("x") for t in drawn["data"]]],
        "counts": [(row[0], str(row[1])) for row in (*fan_counts(view), *regions.counts(scene))],
        "words": words.sentence(view),
        "collapse": [study.axes, study.z, study.radius, study.certified, study.reach, collapse_study.offsets(study)],
        "shown": [collapse_study.seen_now(study).hits, collapse_picture.colours(scene, study.reach)],
    }


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(scenes, scenes)
def test_for_any_two_scenes_a_warm_answer_equals_a_cold_one(first: Scene, second: Scene) -> None:
    STORE.clear()
    cold = answers(second)
    STORE.clear()
    answers(first)
    warm = answers(second)
    for name, value in cold.items():
        assert same(warm[name], value), name


# --- one function on top of another ---


def tower(seed: int, wrap: Callable[[Callable[..., int]], Callable[..., int]]) -> list[Callable[..., int]]:
    """Functions that branch and ask one another."""
    rng, made = random.Random(seed), []
    numbers = ("n", "k", "h", "points", "seed", "pieces", "slice")
    for level in range(12):
        names, below = rng.sample(numbers, 3), rng.sample(made, min(2, len(made)))

        def make(scene: Scene, names=names, below=below, level=level) -> int:
            total = 31 * level + getattr(scene, names[0])
            if total % 2:
                total += 7 * getattr(scene, names[1])
            return total + sum(other(scene) for other in below[: 1 + getattr(scene, names[2]) % 2])

        made.append(wrap(make))
    return made


def test_functions_that_branch_and_nest_never_mix_up_scenes_and_are_of_all_they_read() -> None:
    rng = random.Random(5)
    for seed in range(6):
        kept, plain = tower(seed, derived), tower(seed, lambda make: make)
        for _ in range(150):
            scene, _ = Scene.default().replace(
                n=rng.randint(4, 7), k=rng.randint(1, 3), h=rng.randint(2, 4), points=50 * rng.randint(1, 3)
            )
            for warm, cold in zip(kept, plain, strict=True):
                noted, read = set(), set()
                assert warm(Scene(scene._values, noted)) == cold(Scene(scene._values, read)) and noted == read


def test_ten_threads_that_ask_the_same_compute_it_once_though_their_scenes_differ_in_what_is_not_read() -> None:
    calls: list[int] = []

    @derived
    def slow(scene: Scene) -> int:
        calls.append(scene.n)
        time.sleep(0.05)
        return scene.n

    slow(Scene.default())  # now it is known what it reads
    asked = [Scene.default().replace(n=9, seed=i)[0] for i in range(10)]
    found: list[int] = []
    threads = [threading.Thread(target=lambda s=s: found.append(slow(s))) for s in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [9] * 10 and calls == [8, 9]


def test_if_the_one_who_computes_fails_the_next_takes_over() -> None:
    calls: list[int] = []

    @derived
    def once(scene: Scene) -> int:
        calls.append(1)
        time.sleep(0.02)
        if len(calls) == 1:
            raise ValueError("the first one fails")
        return scene.n

    outcomes: list[object] = []

    def ask() -> None:
        try:
            outcomes.append(once(Scene.default()))
        except ValueError as problem:
            outcomes.append(str(problem))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == ["8", "8", "8", "the first one fails"] and len(calls) == 2
    assert not STORE.flights


# --- bytes ---


def test_the_size_is_the_sum_and_never_above_the_limit() -> None:
    store, rng = Store(100_000), random.Random(1)
    for i in range(300):
        store.put(("a", rng.randint(0, 40)), np.zeros(rng.randint(1, 3000)))
        assert store.size == sum(kept.size for kept in store.items.values()) <= 100_000, i
    store.put(("large",), np.zeros(20_000))
    assert ("large",) not in store.items and store.get(("large",)) is None
    assert len(store.items) > 3


def test_weights_count_what_is_there() -> None:
    square = shapely.box(0, 0, 1, 1)
    many = shapely.Point(0, 0).buffer(1, quad_segs=250)
    assert weight(many) - weight(square) > 900 * 16
    assert weight(np.array([many, many], dtype=object)) > 2 * 900 * 16
    assert weight(np.zeros(1000)[:2]) >= 8000  # a view keeps all of it alive
    named = {i: f"{i:>100}" for i in range(5000)}
    assert weight(named) == pytest.approx(sys.getsizeof(named) + 5000 * (149 + 28), rel=0.1), "a part of it is weighed"
    shared = np.zeros(1000)
    assert weight([shared, shared]) < 9000


def test_an_answer_that_grows_by_what_it_keeps_is_weighed_again_when_it_serves() -> None:
    class Growing:
        @cached_property
        def table(self) -> np.ndarray:
            return np.zeros(10_000)

    store, thing = Store(10**9), Growing()
    store.put(("g",), thing)
    before = store.size
    assert thing.table.size
    store.get(("g",))
    assert store.size > before + 80_000


def test_an_answer_may_not_hold_the_scene() -> None:
    @derived
    def wrong(scene: Scene) -> list[Scene]:
        return [scene]

    with pytest.raises(TypeError, match="may not hold the scene"):
        wrong(Scene.default())


def test_the_limit_is_a_setting_and_a_bad_one_is_one_sentence() -> None:
    assert limit_of("1000") == 1000
    for bad in ("much", "-1", "inf"):
        with pytest.raises(ValueError, match=f"TROPVIZ_CACHE_BYTES is '{bad}': give a number of bytes"):
            limit_of(bad)


def test_thirty_scenes_in_space_keep_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``?d=3&n=64&k=32&seed=i`` once filled four gigabytes; smaller here, and a smaller limit."""
    STORE.clear()
    monkeypatch.setattr(STORE, "limit", 12_000_000)
    sizes = []
    for seed in range(30):
        scene, _ = Scene.default().replace(dim="3", n=20, k=10, seed=seed)
        assert body.space(scene).cells.ids.size
        sizes.append(STORE.size)
    assert max(sizes) <= 12_000_000 < 30 * sizes[0], sizes
    assert STORE.size == sum(kept.size for kept in STORE.items.values())
    assert model.scene_fan.known(scene) is not None  # the last one is there
    STORE.clear()


def test_what_follows_from_an_upload_goes_with_its_session() -> None:
    W = np.random.default_rng(0).normal(size=(40, 2))
    STORE.clear()
    everyone = model.scene_fan(Scene.default())
    shared = STORE.size
    upload = Upload(RouterFile("own.json", W, None, 2))
    scene, _ = Scene.default().replace(own_router=upload, router="file", n=40)
    fan = model.scene_fan(scene)
    assert model.scene_fan(scene) is fan and len(fan.active_sets) and STORE.size > shared + 10_000
    other, _ = Scene.default().replace(own_router=Upload(RouterFile("own.json", 2 * W, None, 2)), router="file", n=40)
    assert model.scene_fan(other) is not fan
    del upload, scene, fan, other  # the session ends
    gc.collect()
    assert STORE.size == pytest.approx(shared, rel=0.3) and model.scene_fan(Scene.default()) is everyone


def test_the_cells_of_another_window_are_others() -> None:
    """What a list of names by hand would have to remember."""
    wide, narrow = (Scene.default().replace(window=window)[0] for window in (6.0, 1.0))
    for scene in (wide, narrow):
        cells = model.scene_cells(scene)
        assert cells.areas.sum() == pytest.approx((2 * scene.window) ** 2)
    assert len(model.scene_cells(narrow).ids) < len(model.scene_cells(wide).ids)
