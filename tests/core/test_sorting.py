"""Sorts of plain numbers against what numpy's own slower functions say."""

import numpy as np
import pytest

from tropviz.core.sorting import by_owner, distinct, groups, pairs_in_order


@pytest.mark.parametrize("size", [0, 1, 2, 50, 3000])
@pytest.mark.parametrize("top", [1, 7, 2**64 - 1])
def test_groups_are_those_of_unique(size, top):
    keys = np.random.default_rng(size).integers(0, top, size, dtype=np.uint64)
    values, first, name, count = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    found = groups(keys)
    for have, want in zip(found, (values, first, name, count), strict=True):
        assert have.tolist() == want.tolist()
    assert distinct(keys).tolist() == values.tolist()


@pytest.mark.parametrize("bound", [1, 2, 8, 9, 2**40])
def test_pairs_are_in_lexicographic_order(bound):
    random = np.random.default_rng(bound)
    major, minor = random.integers(0, 30, 500), random.integers(0, bound, 500)
    order = np.lexsort((minor, major))
    one, two = pairs_in_order(major, minor, bound)
    assert one.tolist() == major[order].tolist()
    assert two.tolist() == minor[order].tolist()


def test_owners_keep_their_order():
    owner = np.random.default_rng(0).integers(0, 9, 700)
    order, sorted_ = by_owner(owner)
    assert order.tolist() == np.argsort(owner, kind="stable").tolist()
    assert sorted_.tolist() == np.sort(owner).tolist()
