"""What is not a number, or not a router, is refused in one sentence that names the entry and the remedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tropviz import MoELayer, Router, RoutingFan, collapse

ROUTER = Router([[1, 0], [0, 1], [-1, -1]], k=1)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RoutingFan([[1, 2], [3, 4]]), "router is a list: give a Router"),
        (lambda: MoELayer(5, [[[1.0, 0]]], [[0.0]]), "router is a int: give a Router"),
        (lambda: collapse.critical_offset(ROUTER, (1, 0), "a"), "r is 'a': give a number."),
        (lambda: collapse.critical_offset(ROUTER, (1, 0), None), "r is None: give a number."),
        (lambda: collapse.cap_fraction(None, 2), "theta is None: give a number."),
        (lambda: collapse.cap_fraction(1, "a"), "d is 'a': give a number."),
        (lambda: collapse.cap_fraction(1, np.inf), "d is inf: give a whole number"),
        (lambda: collapse.log10_cap_fraction(1, np.nan), "d is nan: give a whole number"),
        (lambda: collapse.disk_shares(ROUTER, (0, 0), None), "radius is None: give a number."),
    ],
)
def test_one_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError) as problem:
        make()
    assert str(problem.value).startswith(sentence)
