"""Numbers of a capture: against slow ways to compute them, and intervals that cover as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.stats import hypergeom

from tropviz import Router
from tropviz.core.capture import Capture, Layer, Stream, chance, of_choices
from tropviz.core.capture.chance import against_chance, by_source, by_token
from tropviz.core.capture.compare import _mean, compare, divergence, flow, specialisation
from tropviz.core.capture.geometry import intrinsic_dimension, likely_dimension, near_rounding, sample_offset
from tropviz.core.capture.health import coverage, health, lift
from tropviz.core.collapse import critical_offset
from tropviz.core.collapse.fullest import fullest_interval
from tropviz.core.gates import Gate, Rule

RANDOM = np.random.default_rng(0)


def seen(W, X, rule=None, beta=None, k=2) -> Layer:
    gate = Gate(0, "g", W, k, rule or Rule(), beta=beta)
    stream = Stream(gate, "g")
    stream.add(torch.from_numpy(X), gate.active_sets(X))
    return stream.layer


def test_offset_of_a_sample_is_where_its_last_token_joins():
    for seed in range(20):
        random = np.random.default_rng(seed)
        router = Router(random.normal(size=(6, 4)), random.normal(size=6), 2)
        u, Z = random.normal(size=4), random.normal(size=(60, 4))
        t = sample_offset(router, u, Z)
        after = router.active_sets(u * (t * 1.0001 + 1e-9) + Z)
        assert (after == after[0]).all()
        assert (router.active_sets(u * t * 50 + Z) == after[0]).all()
        if t > 0:
            before = router.active_sets(u * (t * 0.9999) + Z)
            assert not (before == after[0]).all()
    assert sample_offset(Router([[1.0, 0], [1.0, 0.5]], k=1), [1.0, 0], [[0, 1.0], [0, -1.0]]) == math.inf


def test_offsets_in_router_coordinates_are_smaller_than_in_all_of_them():
    W, X = RANDOM.normal(size=(6, 300)), RANDOM.normal(size=(500, 300)) + 0.3
    found = health(seen(W, X))
    router, mean = Router(W, None, 2), X.mean(axis=0)
    ambient = critical_offset(router, mean, np.linalg.norm(X - mean, axis=1).max()) / np.linalg.norm(mean)
    assert 1 < found["sample_offset"] < found["certified_offset"] < ambient / 2
    assert found["sample_offset"] == pytest.approx(sample_offset(router, mean, X - mean), rel=1e-4)
    assert found["mean_square_share"] == pytest.approx(mean @ mean / np.square(X).sum(1).mean(), rel=1e-4)
    assert np.allclose(found["margins"], np.quantile(router.margin(X), (0.05, 0.25, 0.5, 0.75, 0.95)), rtol=1e-4)


def test_choices_by_another_rule_show_as_disagreement_that_rounding_does_not_explain():
    W, X = RANDOM.normal(size=(8, 20)), RANDOM.normal(size=(3000, 20))
    true = Gate(0, "g", W, 2, Rule("sigmoid"), beta=RANDOM.normal(0, 0.5, 8))
    stream = Stream(Gate(0, "g", W, 2), "g")
    stream.add(torch.from_numpy(X), true.active_sets(X))
    found = health(stream.layer)
    assert found["agreement"].value < 0.8 and found["explained_by_rounding"] < 0.2 and found["elsewhere"].value == 0
    own = health(seen(W, X, Rule("sigmoid"), true.beta))
    assert own["agreement"].value == 1 and own["elsewhere"].value == pytest.approx(true.elsewhere(X).value)


def test_loads_dead_and_cold_experts_and_near_twins():
    W = RANDOM.normal(size=(6, 12))
    W[1] = W[0] * 1.01
    X = RANDOM.normal(size=(4000, 12))
    choices = np.sort(np.argsort(-(X @ W.T), axis=1)[:, :2], axis=1)
    choices[(choices == 5).any(axis=1)] = [0, 1]
    choices[:10] = [0, 4]
    stream = Stream(Gate(0, "g", W, 2), "g")
    stream.add(torch.from_numpy(X), choices)
    found = health(stream.layer)
    assert found["dead"] == [5] and found["cold"] == []
    twin = found["near_twins"][0]
    assert twin["experts"] == [0, 1] and twin["lift"] > 1.2
    load = stream.layer.load[0]
    assert found["load_cv"] == pytest.approx(load.std() / load.mean())
    assert lift(stream.layer)[0, 1] == pytest.approx(twin["lift"])


def test_scores_within_rounding_of_a_wall():
    scores = np.array([[1.0, 0.999, 0.0], [1.0, 0.9, 0.0], [-1.0, -1.001, -5.0], [1e-9, 0.0, -1.0]])
    assert near_rounding(scores, 1).tolist() == [True, False, True, False]
    random = np.random.default_rng(0)
    true = random.random((200_000, 2)) + [[1.0, 0.0]] * (random.random(200_000) < 0.5)[:, None]
    rounded = torch.from_numpy(true).bfloat16().double().numpy()
    changed = (true[:, 0] > true[:, 1]) != (rounded[:, 0] > rounded[:, 1])
    near = near_rounding(true, 1)
    assert changed.sum() > 20 and near[changed].all() and near.mean() < 20 * changed.mean()
    assert near_rounding(np.array([[1.0, 1.0, -np.inf]]), 2).tolist() == [False]  # nobody else competes


@pytest.mark.parametrize("law", ["zipf", "even", "steep"])
@pytest.mark.parametrize("n", [200, 5000])
def test_the_interval_of_the_coverage_covers(law, n):
    random = np.random.default_rng(1)
    p = {"zipf": 1 / np.arange(1, 1177), "even": np.ones(300), "steep": 0.8 ** np.arange(60)}[law]
    p = p / p.sum()
    sets = np.array([(i, j) for i in range(49) for j in range(i + 1, 49)])[: len(p)]
    inside = 0
    for _ in range(150):
        hits = random.multinomial(n, p)
        layer = of_choices(np.repeat(sets, hits, axis=0)[:, None], 49).layers[0]
        low, high = coverage(layer)["coverage"].interval
        inside += low <= min(1.0, p[hits > 0].sum()) <= high
    assert inside >= 150 * 0.9  # 95 in 100, less three standard errors


def test_the_number_of_sets_is_a_lower_bound_that_says_so():
    sets = np.array([(i, j) for i in range(30) for j in range(i + 1, 30)])
    layer = of_choices(sets[RANDOM.integers(0, len(sets), 400)][:, None], 30).layers[0]
    found = coverage(layer)
    assert found["sets_at_least"].kind == "lower"
    assert found["sets_seen"].value < found["sets_at_least"].value < 1.25 * len(sets)


@pytest.mark.parametrize("d", [1, 3])
def test_the_interval_of_the_dimension_covers(d):
    inside = 0
    for seed in range(60):
        points = np.random.default_rng(seed).random((400, d)) @ np.random.default_rng(seed + 1).normal(size=(d, 10))
        low, high = intrinsic_dimension(points).interval
        inside += low <= d <= high
    assert inside >= 60 * 0.87
    assert intrinsic_dimension(np.ones((50, 3))) is None


@pytest.mark.parametrize("d", [1, 2])
def test_the_interval_of_the_likely_dimension_covers_where_density_is_even(d):
    inside, steadier = 0, []
    for seed in range(60):
        turns = 2 * np.pi * np.random.default_rng(seed).random((400, d))  # a torus has no edge
        points = np.concatenate([np.cos(turns), np.sin(turns)], axis=1)
        found, two = likely_dimension(points), intrinsic_dimension(points)
        inside += found.interval[0] <= d <= found.interval[1]
        steadier.append(np.ptp(found.interval) < np.ptp(two.interval))
    assert inside >= 60 * 0.87 and all(steadier)
    assert likely_dimension(np.ones((50, 3))) is None and likely_dimension(RANDOM.random((9, 3))) is None
    # of few points ten neighbours are most of them: it said 1.9 [1.6, 2.3] of 12 points in three dimensions
    assert likely_dimension(RANDOM.random((12, 3))) is None and intrinsic_dimension(RANDOM.random((12, 3))) is not None


def test_shuffled_sources_and_tokens_show_nothing():
    random = np.random.default_rng(5)
    load, sizes, false = np.array([40, 300, 900, 0, 6]), np.array([100, 500, 1000]), 0
    for _ in range(200):
        users = [random.permutation(1600)[:n] for n in load]
        rows = np.repeat([0, 1, 2], sizes)
        table = np.stack([np.bincount(rows[u], minlength=3) for u in users], axis=1)
        found = against_chance(table, sizes)
        assert np.isnan(found[:, 3]).all()
        false += bool((np.nan_to_num(found) != 0).any())
    assert false <= 200 * 0.05 + 3 * np.sqrt(200 * 0.05)
    table, load, rows = random.integers(0, 40, (6, 9)), np.arange(40, 49)[None], np.arange(50, 56)[:, None]
    exact = np.minimum(hypergeom.cdf(table, 200, load, rows), hypergeom.sf(table - 1, 200, load, rows))
    tail = chance._tail(table, 200, load, rows, 1.0)
    assert np.allclose(tail[exact < 0.3], exact[exact < 0.3], rtol=1e-8) and (tail[exact >= 0.3] >= 0.3).all()


def test_sources_and_tokens_that_choose_are_found():
    gate = Gate(0, "g", np.eye(4), 1)
    stream = Stream(gate, "g")
    for source in (0, 1):
        ids = RANDOM.integers(0, 6, 2000)
        X = RANDOM.normal(size=(2000, 4))
        X[ids == 3, 2] += 9
        X[:, 0] += source * 2
        stream.add(torch.from_numpy(X), gate.active_sets(X), source, token=ids)
    sources, found = by_source(stream.layer)
    assert sources.tolist() == [0, 1] and found[0, 0] < -0.5 and found[1, 0] > 0.3
    tokens, found = by_token(stream.layer, most=4)
    assert len(tokens) == len(found) == 4 and set(tokens.tolist()) < set(range(6))
    tokens, found = by_token(stream.layer)
    assert sorted(tokens.tolist()) == list(range(6)) and found[tokens.tolist().index(3), 2] > 1
    alone = seen(np.eye(3), X[:, :3])
    assert by_token(alone) is None and by_source(alone) is None


def test_two_captures_of_the_same_tokens_are_compared_token_by_token():
    X = RANDOM.normal(size=(2000, 12))
    W = RANDOM.normal(size=(8, 12))
    V = W + 0.1 * RANDOM.normal(size=W.shape)
    a, b = seen(W, X), seen(V, X)
    (row,) = compare(Capture((a,)), Capture((b,)))
    first, second = (np.argsort(-(X @ w.T), axis=1)[:, :2] for w in (W, V))
    common = np.array([len(set(i) & set(j)) for i, j in zip(first, second, strict=True)])
    assert row["tokens_shared"] == 2000
    assert row["saturation"].value == pytest.approx(common.mean() / 2)
    assert row["jaccard"].value == pytest.approx((common / (4 - common)).mean())
    assert 0 < row["jsd"] < 0.05 and divergence([3, 0, 1], [3, 0, 1]) == 0
    with pytest.raises(ValueError, match="captures are of models of different shape"):
        compare(Capture((a,)), Capture((seen(W[:5], X),)))
    few = seen(W, X[:20])
    (same,) = compare(Capture((few,)), Capture((few,)))
    low, high = same["same_set"].interval
    assert same["same_set"].value == high == 1 and 0.8 < low < 0.85  # twenty tokens alike: a tenth may still differ
    found = flow(a, b)
    assert found.sum() == 2000 * 4 and found[0].sum() == 2 * a.load[0, 0]


@pytest.mark.parametrize("n", [30, 300])
@pytest.mark.parametrize("p", [0.01, 0.1, 0.5, 0.95, 0.99])
def test_the_interval_of_a_comparison_covers(p, n):
    random, k = np.random.default_rng(0), 4
    common = np.where(
        random.random((1000, n)) < 0.5, k * (random.random((1000, n)) < p), random.binomial(k, p, (1000, n))
    )
    share = np.arange(k + 1) / k
    odds = np.array([math.comb(k, c) * p**c * (1 - p) ** (k - c) for c in range(k + 1)]) / 2
    odds[[0, k]] += np.array([1 - p, p]) / 2
    for value in (share, share / (2 - share), share == 1):
        found = [_mean(row).interval for row in value[common]]
        assert np.mean([low <= odds @ value <= high for low, high in found]) >= 0.93


def test_sources_that_go_to_other_experts_are_told_from_chance():
    gate = Gate(0, "g", np.eye(4), 1)
    stream, alike = Stream(gate, "g"), Stream(gate, "g")
    for source in (0, 1):
        X = RANDOM.normal(size=(500, 4)) + (np.eye(4)[source] * 3)
        stream.add(torch.from_numpy(X), gate.active_sets(X), source)
        Y = RANDOM.normal(size=(500, 4))
        alike.add(torch.from_numpy(Y), gate.active_sets(Y), source)
    apart, together = specialisation(stream.layer), specialisation(alike.layer)
    assert apart["p"] < 0.01 and apart["bits"] > 10 * apart["by_chance"]
    assert together["p"] > 0.01
    assert specialisation(seen(np.eye(3), RANDOM.normal(size=(9, 3)))) is None


def test_a_layer_without_tokens_is_refused():
    with pytest.raises(ValueError, match="g has seen no token"):
        health(Layer.empty(Gate(0, "g", np.eye(3), 1), 3, "g"))


def test_the_fullest_set_has_the_interval_of_one_that_was_picked():
    """As in the table of what would undo the collapse: Wilson's forgets that it is the fullest of many."""
    layer = seen(RANDOM.normal(size=(32, 4)), RANDOM.normal(size=(400, 4)))
    share, hits = health(layer)["fullest_set"], np.unique(layer.sample.chosen, axis=0, return_counts=True)[1]
    assert share.value == hits.max() / 400
    assert share.interval == tuple(float(end) for end in fullest_interval(int(hits.max()), 400))
