"""The hypersimplex: formulas against listing, and the page's figures against the fan they are made from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from tests.bench.harness import Row, paired
from tropviz import Hypersimplex, Router, RoutingFan
from tropviz.core import presets
from tropviz.core.hypersimplex.shadow import shadow, tropical_surface


def _slow_f_vector(N: int, k: int) -> list[int]:
    terms = lambda j: range(max(0, k - j), min(k - 1, N - j - 1) + 1)  # noqa: E731
    return [math.comb(N, k)] + [
        math.comb(N, j + 1) * sum(math.comb(N - j - 1, a) for a in terms(j)) for j in range(1, N - 1)
    ]


def rows() -> Iterable[Row]:
    """Rows of the bench."""
    ratio = paired(lambda: Hypersimplex(256, 64).f_vector, lambda: _slow_f_vector(256, 64), repeat=5)
    yield Row("f-vector of Delta(64,256) / summed term by term", ratio, "<= 0.2")
    listed = lambda: sum(1 for _ in itertools.combinations(range(20), 10))  # noqa: E731
    ratio = paired(lambda: Hypersimplex(4096, 2048).f_vector, listed, repeat=3)
    yield Row("f-vector of Delta(2048,4096) / listing Delta(10,20)'s vertices", ratio, "<= 100")
    for N, k, d in ((16, 4, 2), (64, 8, 2), (64, 8, 3)):
        router = Router(*presets.random_affine(N, d, seed=1), k)
        fan = RoutingFan(router)
        ratio = paired(lambda fan=fan: shadow(fan), lambda router=router: RoutingFan(router), repeat=5)
        yield Row(f"shadow ({N},{k}) d={d} / its fan", ratio, "<= 1")
        if d == 2:
            ratio = paired(lambda fan=fan: tropical_surface(fan, 3), lambda router=router: RoutingFan(router), repeat=5)
            yield Row(f"tropical surface ({N},{k}) / its fan", ratio, "<= 1")
