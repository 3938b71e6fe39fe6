"""The balancing bias against the linear programme it is, and what it does to collapsed data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tropviz import Router, collapse
from tropviz.core.collapse import balance, balancing_bias
from tropviz.core.collapse.balance import _anneal, _programme
from tropviz.core.presets import random_linear


def by_programme(router: Router, X: np.ndarray) -> float:
    """min over b, theta, m of mean(k theta + sum m) - (k/N) sum b, with m >= 0 and theta_p + m_pi >= w_i x_p + b_i."""
    scores = X @ router.W.T
    n, N = scores.shape
    goal = np.concatenate([np.full(N, -router.k / N), np.full(n, router.k / n), np.full(n * N, 1 / n)])
    rows = np.concatenate([np.tile(np.eye(N), (n, 1)), -np.kron(np.eye(n), np.ones((N, 1))), -np.eye(n * N)], axis=1)
    bounds = [(None, None)] * (N + n) + [(0, None)] * (n * N)
    found = linprog(goal, A_ub=rows, b_ub=-scores.ravel(), bounds=bounds, method="highs")
    assert found.status == 0
    return float(found.fun)


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 6), st.data())
def test_against_the_linear_programme(N, data):
    k, n = data.draw(st.integers(1, N)), data.draw(st.integers(1, 25))
    random = np.random.default_rng(data.draw(st.integers(0, 999)))
    router = Router(random.normal(size=(N, 3)), k=k)
    X = random.normal(size=(n, 3)) + data.draw(st.sampled_from([0.0, 30.0]))
    X = np.repeat(X, data.draw(st.integers(1, 2)), axis=0)
    found, scale = balance(router, X), np.ptp(X @ router.W.T, axis=1).max()
    best = by_programme(router, X)
    assert found.bound - 1e-9 * scale <= best + 1e-9 * scale and best <= found.value + 1e-9 * scale
    assert found.gap <= 2e-5 * (1 + scale)
    assert abs(found.bias.sum()) < 1e-9 * (1 + scale)


def test_collapsed_data_is_spread_again():
    router = Router(*random_linear(16, 2, seed=0), k=4)
    X = collapse.cloud(2000, 2, offset=20, direction=[1, 0], spread=1, seed=0)
    rows = {row.name: row for row in collapse.remedies(router, X)}
    seen = {name: (len(row.seen.hits), row.seen.hits[0] / row.seen.n) for name, row in rows.items()}
    assert seen["as it is"][0] <= 3 and seen["as it is"][1] > 0.7
    assert seen["centring"] == seen["bias"] == seen["shared expert"] and 12 <= seen["centring"][0] <= 24
    assert seen["balancing"][0] > 50 and seen["balancing"][1] < 0.13
    load = rows["balancing"].seen.load / 2000
    assert abs(load - 0.25).max() < 0.01 < abs(rows["centring"].seen.load / 2000 - 0.25).max()
    assert not any(row.worse for row in rows.values())


def test_what_is_frozen_is_frozen_for_all_and_worse_is_said():
    """Made for data on one side, used on the other: every remedy can be worse than none, and is marked."""
    router = Router(*random_linear(8, 2, seed=1), k=2)
    here = collapse.cloud(1000, 2, offset=20, direction=[1, 0], spread=1, seed=0)
    centre = collapse.cloud(1000, 2, offset=0, direction=[1, 0], spread=1, seed=0)
    rows = {row.name: row for row in collapse.remedies(router, centre, fitted=here)}
    for name in ("centring", "shared expert", "bias", "balancing"):
        assert {"saturation", "effective sets"} <= set(rows[name].worse)
    assert rows["as it is"].worse == ()


def test_regions_stand_beside_sets():
    from tropviz import MoELayer
    from tropviz.core.presets import random_experts

    router = Router(*random_linear(8, 3, seed=1), k=2)
    layer = MoELayer(router, *random_experts(8, 4, 3, seed=1))
    X = collapse.cloud(800, 3, offset=1, direction=[1, 0, 0], spread=1, seed=0)
    for row in collapse.remedies(router, X, layer=layer):
        names = set()
        for x, active in zip(X, row.router.active_sets(X), strict=True):
            open_ = np.einsum("khd,d->kh", layer.U[active], x) + layer.c[active] > 0
            names.add((tuple(active), open_.tobytes()))
        assert int(row.regions) == len(names) >= int(row.seen.sets_hit)


@pytest.mark.parametrize(("n", "says"), [(0, "give a table"), (10**7, "use at most 131,072 points")])
def test_refusals(n, says):
    with pytest.raises(ValueError, match=says):
        balancing_bias(Router(np.ones((16, 2)), k=1), np.broadcast_to(np.zeros((1, 2)), (n, 2)))


@pytest.mark.parametrize("seed", range(3))
def test_the_fast_way_against_the_programme(seed):
    random = np.random.default_rng(seed)
    scores = random.normal(size=(300, 3)) @ random.normal(size=(3, 6)) + random.normal(size=6)
    scores /= np.ptp(scores, axis=1).max()
    values = []
    for way in (_anneal, _programme):
        b, share = way(scores, 2)
        assert abs(share.mean(axis=0) - 1 / 3).max() < 1e-4 and abs(share.sum(axis=1) - 2).max() < 1e-9
        values.append(np.sort(scores + b, axis=1)[:, -2:].sum(axis=1).mean() - b.sum() / 3)
    assert values[1] - 1e-12 <= values[0] <= values[1] + 2e-5


def test_nothing_to_balance():
    assert balancing_bias(Router(np.eye(3), k=3), np.eye(3)).tolist() == [0, 0, 0]
    assert balancing_bias(Router(np.zeros((3, 2)), k=1), np.ones((4, 2))).tolist() == [0, 0, 0]
