"""The shipped shapes are complete, plausible and say where they come from."""

import math

from tropviz.core.capacity.designs import grouped_choices
from tropviz.io.architectures import architectures


def test_every_row_is_plausible_and_names_its_source():
    rows = architectures()
    assert len(rows) >= 16 and len({a.name for a in rows}) == len(rows)
    for a in rows:
        assert 1 <= a.k < a.N and a.shared >= 0 and a.H > 0 and a.d > 0 and 2020 <= a.year <= 2026
        assert a.source and a.N % a.groups == 0 and 1 <= a.kept <= a.groups
        assert (a.groups > 1) <= bool(a.choice)


def test_the_shapes_of_the_theory_table_are_among_them():
    shapes = {(a.N, a.k) for a in architectures()}
    table = {(8, 2), (16, 4), (16, 1), (32, 4), (64, 6), (64, 8), (128, 4), (128, 8), (160, 6), (256, 8)}
    assert table <= shapes


def test_a_group_limit_leaves_fewer_sets():
    limited = {a.name: (a, grouped_choices(a.N, a.k, a.groups, a.kept)) for a in architectures() if a.groups > 1}
    assert set(limited) == {"DeepSeek-V2", "DeepSeek-V3"}
    for a, left in limited.values():
        assert math.comb(a.N // a.groups * a.kept, a.k) < left < math.comb(a.N, a.k)
