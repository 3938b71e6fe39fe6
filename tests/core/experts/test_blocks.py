"""Many triples of hinges in one cell: counted a block at a time, with the same numbers and in bounded memory."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from tropviz import MoELayer
from tropviz.core.capacity.closed_forms import hyperplane_regions
from tropviz.core.experts import count, layer
from tropviz.core.presets import random_experts


def peak(make) -> tuple[int, int]:
    tracemalloc.start()
    value = make()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return value, most


def test_a_wide_dense_layer_is_counted_in_blocks(monkeypatch):
    U, c = random_experts(1, 96, 3, seed=1)
    whole, held = peak(lambda: int(MoELayer.dense(U[0], c[0]).regions()))
    monkeypatch.setattr(count, "TRIPLES_AT_ONCE", 2**12)
    blocks, less = peak(lambda: int(MoELayer.dense(U[0], c[0]).regions()))
    assert blocks == whole == hyperplane_regions(96, 3)
    assert less < held / 3


@pytest.mark.parametrize("at_once", [2**20, 50])
def test_hinges_through_one_point_are_noticed_in_blocks_too(monkeypatch, at_once):
    monkeypatch.setattr(count, "TRIPLES_AT_ONCE", at_once)
    settled = []
    settle = layer.settle
    monkeypatch.setattr(layer, "settle", lambda *a: settled.append(1) or settle(*a))
    random = np.random.default_rng(2)
    U, c = random.integers(-99, 99, (12, 3)), random.integers(-99, 99, 12)
    c[:5] = -U[:5] @ [2, -1, 3]  # five of twelve meet in a point, exactly
    regions = int(MoELayer.dense(U, c).regions())
    assert settled and regions < hyperplane_regions(12, 3)
    assert regions == hyperplane_regions(12, 3) - math.comb(4, 3)  # what five planes lose in a common point
