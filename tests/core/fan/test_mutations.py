"""verify() is held to its promise: every kind of damage to every kind of fan is noticed, and no right fan accused."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tropviz.core.count import Count
from tropviz.core.fan.find import find
from tropviz.core.fan.record import Fan
from tropviz.core.fan.verify import verify
from tropviz.core.fan.witness import copies_used, inside_exactly
from tropviz.core.router import Router

KINDS = ("random", "lattice", "copies", "flat", "nearly flat", "extreme", "parallel")
#: Fans of each kind and dimension.
EACH = 2


def routers(kind: str, d: int) -> Iterator[Router]:
    random = np.random.default_rng([KINDS.index(kind), d])
    for trial in range(EACH):
        N = int(random.integers(3, 8 if d < 4 else 7))
        W, b = random.standard_normal((N, d)), random.standard_normal(N)
        if kind in ("lattice", "copies"):
            W, b = random.integers(-2, 3, (N, d)).astype(float), random.integers(-2, 3, N).astype(float)
        if kind == "copies":
            W, b = np.repeat(W, 2, axis=0), np.repeat(b, 2)
        if kind == "flat":
            W = random.standard_normal((N, max(1, d - 1))) @ random.integers(-2, 3, (max(1, d - 1), d))
        if kind == "nearly flat":
            W = np.round(random.standard_normal((N, 1)), 1) * np.ones(d) + random.standard_normal((N, d)) * 2.0**-50
        if kind == "extreme":
            W, b = W * 10.0 ** random.integers(-150, 150, (N, 1)), b * 10.0 ** random.integers(-150, 150, N)
        if kind == "parallel":
            W[1 : 3 + trial] = W[0]
        yield Router(W, b if trial % 2 else None, int(random.integers(1, len(W))))


def without(lists: tuple[np.ndarray, np.ndarray], place: int) -> tuple[np.ndarray, np.ndarray]:
    """Items grouped by cell, one of them taken out."""
    ids, starts = lists
    return np.delete(ids, place), starts - (starts > place)


def damaged(fan: Fan, random: np.random.Generator) -> Iterator[tuple[str, Fan]]:
    """One of each kind of damage that this fan can take."""
    m, walls = len(fan.active_sets), fan.neighbours
    if len(walls):
        for lost in random.permutation(len(walls))[:2]:
            yield "wall dropped", replace(fan, neighbours=np.delete(walls, lost, axis=0))
        known = {tuple(pair) for pair in walls.tolist()}
        other = [(i, j) for i in range(m) for j in range(i + 1, m) if (i, j) not in known]
        if other:
            new = other[random.integers(len(other))]
            yield "wall invented", replace(fan, neighbours=np.array(sorted([*known, new])))
            moved = sorted({*known, new} - {tuple(walls[random.integers(len(walls))].tolist())})
            yield "wall moved", replace(fan, neighbours=np.array(moved))
    for name in ("cell_vertices", "cell_directions"):
        ids, starts = getattr(fan, name)
        for place in random.permutation(len(ids))[:2]:
            yield f"{name} dropped", replace(fan, **{name: without((ids, starts), int(place))})
        cells = np.repeat(np.arange(m), np.diff(starts))
        free = [(c, i) for c in range(m) for i in np.setdiff1d(ids, ids[cells == c]).tolist()]
        if free:
            c, i = free[random.integers(len(free))]
            yield (
                f"{name} invented",
                replace(fan, **{name: (np.insert(ids, starts[c], i), starts + (np.arange(m + 1) > c))}),
            )
    if m > 1:
        a, c = random.choice(m, 2, replace=False)
        witnesses = fan.witnesses.copy()
        witnesses[a] = witnesses[c]
        broken = replace(fan)
        broken.__dict__["witnesses"] = witnesses
        used = copies_used(fan.reduced, fan.active_sets)[a]
        same = np.array_equal(fan.witnesses[a], witnesses[a])
        if not same and not inside_exactly(
            fan.router, used, fan.reduced, witnesses[a]
        ):  # where no float64 point is inside c
            yield "witness of another cell", broken
        lost = random.integers(m)
        fewer = fan.only(np.arange(m) != lost)
        yield "cell dropped", replace(fewer, count=Count(m - 1, "exact", ""))
    lines = fan.lineality
    if len(lines):
        yield "lineality missing", replace(fan, lineality=lines[:-1])
        if fan.router.d > len(lines) and m > 1:
            tilt = lines.copy()
            rows = fan.router._scaled[0]
            tilt[0] += 0.1 * np.abs(lines).max() * np.sign(rows[np.abs(rows - rows[0]).max(axis=1).argmax()] - rows[0])
            yield "lineality wrong", replace(fan, lineality=tilt)
        if len(lines) > 1:
            yield "lineality twice", replace(fan, lineality=np.concatenate([lines[:1], lines[:1], lines[2:]]))
    else:
        yield "lineality invented", replace(fan, lineality=np.eye(fan.router.d)[:1])
    bounded = replace(fan)
    bounded.__dict__["bounded"] = ~fan.bounded
    yield "bounded", bounded


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_every_damage_to_every_fan_is_noticed(kind: str, d: int) -> None:
    random = np.random.default_rng(d)
    for router in routers(kind, d):
        fan = find(router, 20_000)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert verify(fan).failures == (), (router.W.tolist(), router.b.tolist(), router.k)
            for what, broken in damaged(fan, random):
                assert not verify(broken).ok, (what, router.W.tolist(), router.b.tolist(), router.k)


def test_float_ties_at_a_probe_are_no_missing_cell() -> None:
    a, below = 0.15673801497157, np.nextafter(0.15673801497157, 0)
    assert verify(find(Router([[a], [below], [a], [below]], [1] * 4, 2), 100)).ok


def test_there_is_a_report_for_any_record() -> None:
    fan = find(Router(np.random.default_rng(0).standard_normal((5, 2)), [0, 1, 2, 3, 4], 2), 1000)
    nothing = np.zeros((0, 2))
    for change in (
        {"neighbours": np.zeros((3, 5), dtype=np.int64)},
        {"vertices": nothing},
        {"directions": nothing},
        {"cell_vertices": (np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64))},
        {"cell_directions": (np.array([10**6]), np.array([0, 1]))},
        {"active_sets": np.zeros((0, 2), dtype=np.int64)},
        {"lineality": np.full((1, 2), np.nan)},
        {"diagram": None},
    ):
        assert not verify(replace(fan, **change)).ok, change
