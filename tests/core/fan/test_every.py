"""Routers with affinely independent rows keep all C(N, k) cells: decided exactly, at once at any size."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tropviz import Router, RoutingFan
from tropviz.core.fan import every
from tropviz.core.fan.verify import verify

RANDOM = np.random.default_rng(0)


def test_a_router_of_the_width_of_a_model_is_counted_and_listed():
    fan = RoutingFan(Router(RANDOM.normal(size=(16, 4096)).astype(np.float32), RANDOM.normal(size=16), k=2))
    assert (fan.count.value, fan.count.kind, len(fan.active_sets)) == (120, "exact", 120)
    assert len(fan.neighbours) == 120 * 2 * 14 // 2 and not fan.bounded.any() and fan.verify().ok
    assert np.array_equal(fan.router.active_sets(fan.witnesses), fan.active_sets)


def test_more_cells_than_can_be_listed_are_counted_and_refused_by_name():
    fan = RoutingFan(Router(RANDOM.normal(size=(256, 512)), None, 8))
    assert (fan.count.value, fan.count.kind) == (409663695276000, "exact") and fan.verify().ok
    for name in ("active_sets", "witnesses", "corners", "bounded"):
        with pytest.raises(ValueError, match="409,663,695,276,000 cells of this router are too many to be listed"):
            getattr(fan, name)
    assert pickle.loads(pickle.dumps(fan)).count == fan.count
    assert not hasattr(fan, "nothing_of_this_name")


def exact_rank(rows):
    rows = [[Fraction(float(v)) - Fraction(float(w)) for v, w in zip(row, rows[0], strict=True)] for row in rows[1:]]
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [a - factor * c for a, c in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


@given(st.integers(0, 10**6), st.sampled_from(["integers", "tiny", "dependent", "twins"]))
def test_the_rank_is_that_of_rational_arithmetic(seed, kind):
    random = np.random.default_rng(seed)
    W = random.integers(-1, 2, size=(4, 4)).astype(float)
    if kind == "tiny":
        W = 1.0 + random.normal(size=(4, 4)) * 1e-15
    elif kind == "dependent":
        W[3] = (W[1] + W[2]) * 0.5
    elif kind == "twins":
        W[3] = W[0]
    assert every.independent(W) == (exact_rank(W) == 3)


def test_the_walk_finds_the_same_cells():
    for k in (1, 2, 4):
        router = Router(RANDOM.normal(size=(6, 5)), RANDOM.normal(size=6), k)
        walked = RoutingFan(router)
        known = every.every_set(router)
        assert walked.count.value == known.count.value == math.comb(6, k)
        assert np.array_equal(walked.active_sets, known.active_sets)
        assert np.array_equal(walked.neighbours, known.neighbours)


def test_dependent_rows_are_not_said_to_keep_every_set():
    W = RANDOM.normal(size=(12, 40))
    W[11] = (W[0] + W[1]) / 2
    W[:, 20:] = 0.0
    assert every.every_set(Router(W, None, 2)) is None


def test_a_broken_record_does_not_verify():
    fan = every.every_set(Router(RANDOM.normal(size=(11, 12)), None, 2))
    assert verify(fan).ok
    assert not verify(replace(fan, seen=fan.witnesses[::-1])).ok
    assert not verify(replace(fan, count=replace(fan.count, value=54))).ok
    assert not verify(replace(fan, active_sets=fan.active_sets[::-1])).ok
