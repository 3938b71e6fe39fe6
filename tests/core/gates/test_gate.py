"""Gates: classes by what they do, and class C as a diagram in the space of scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tropviz import Router
from tropviz.core.collapse import critical_offset
from tropviz.core.gates import Gate, Rule, in_router_coordinates, router_coordinates

RANDOM = np.random.default_rng(0)
W, X, BETA = RANDOM.normal(size=(8, 5)), RANDOM.normal(size=(200, 5)), RANDOM.normal(0, 0.2, 8)


@pytest.mark.parametrize(
    ("rule", "b", "beta", "kind"),
    [
        (Rule("sigmoid"), None, None, "A"),
        (Rule("sigmoid", scale=0.1, softcap=3.0), None, np.full(8, 0.3), "A"),
        (Rule(), BETA, None, "A+"),
        (Rule(), np.full(8, 2.0), None, "A"),
        (Rule(groups=4, kept=2, group_score="best"), None, None, "A"),  # as many groups as experts: none is missed
        (Rule(groups=4, kept=1, group_score="best"), None, None, "P"),
        (Rule("sigmoid"), None, BETA, "C"),
        (Rule("softmax"), None, BETA, "S"),
        (Rule("sigmoid", groups=4, kept=2), None, BETA, "G"),
        (Rule(refused="it is random"), None, None, "X"),
    ],
)
def test_the_class_of_a_gate(rule, b, beta, kind):
    gate = Gate(0, "g", W, 2, rule, b=b, beta=beta)
    assert gate.kind == kind
    if gate.exact:
        slow = np.sort(np.argsort(-rule.ranked(X @ W.T + (0 if b is None else b), beta), axis=1)[:, :2], axis=1)
        assert np.array_equal(gate.active_sets(X), slow) and np.array_equal(gate.router().active_sets(X), slow)
        assert gate.elsewhere(X).value == 0
    else:
        with pytest.raises(ValueError, match=f"g is of class {kind}"):
            gate.router()


def test_a_gate_of_class_c_is_an_order_k_diagram_of_its_scores():
    gate = Gate(0, "g", W, 3, Rule("sqrtsoftplus"), beta=BETA)
    scores = gate.squash(X)
    assert np.array_equal(gate.diagram.active_sets(scores), gate.active_sets(X))
    step = RANDOM.normal(size=scores.shape)
    step *= (gate.diagram.margin(scores) * 0.999 / np.linalg.norm(step, axis=1))[:, None]
    assert np.array_equal(gate.diagram.active_sets(scores + step), gate.active_sets(X))
    assert 0.1 < gate.elsewhere(X).value < 1


def slow_choice(z, k, beta, groups, kept):
    """DeepSeek-V3's rule, one token and one expert at a time."""
    s = [1 / (1 + np.exp(-v)) + c for v, c in zip(z, beta, strict=True)]
    size = len(s) // groups
    rank = sorted(range(groups), key=lambda g: -sum(sorted(s[g * size : (g + 1) * size])[-2:]))
    allowed = [i for i in range(len(s)) if i // size in rank[:kept]]
    return sorted(sorted(allowed, key=lambda i: -s[i])[:k])


@given(st.integers(0, 10**6), st.sampled_from([(4, 2), (2, 1), (4, 3), (8, 4)]))
def test_groups_against_a_slow_choice(seed, groups):
    random = np.random.default_rng(seed)
    z, beta = random.normal(size=(4, 8)), random.normal(0, 0.2, 8)
    rule = Rule("sigmoid", groups=groups[0], kept=groups[1])
    expected = [slow_choice(row, 2, beta, *groups) for row in z]
    assert rule.choose(z, 2, beta).tolist() == expected


def test_router_coordinates_keep_sets_and_margins():
    wide = RANDOM.normal(size=(6, 40)) + 3.0
    gate = Gate(0, "g", wide, 2)
    Q = gate.coordinates
    assert Q.shape == (5, 40) and np.allclose(Q @ Q.T, np.eye(5))
    points = RANDOM.normal(size=(50, 40))
    small = Gate(0, "g", wide @ Q.T, 2)
    assert np.array_equal(small.active_sets(points @ Q.T), gate.active_sets(points))
    assert np.allclose(small.plain.margin(points @ Q.T), gate.plain.margin(points))
    assert router_coordinates(wide, differences=False).shape == (6, 40)
    assert router_coordinates(np.ones((3, 4))).shape == (0, 4)


def test_the_certified_offset_of_a_cloud_falls_in_router_coordinates():
    router = Router(RANDOM.normal(size=(8, 400)), RANDOM.normal(size=8), 2)
    X = RANDOM.normal(size=(300, 400)) + 0.5
    small, Y = in_router_coordinates(router, X)
    assert small.d == 7 and np.array_equal(small.active_sets(Y), router.active_sets(X))
    np.testing.assert_allclose(small.margin(Y), router.margin(X), rtol=1e-9, atol=1e-12)

    def offset(router, X):
        mean = X.mean(axis=0)
        return critical_offset(router, mean, np.linalg.norm(X - mean, axis=1).max()) / np.linalg.norm(mean)

    radius = [np.linalg.norm(Z - Z.mean(axis=0), axis=1).max() for Z in (X, Y)]
    assert offset(small, Y) < offset(router, X) / 2 and radius[1] < radius[0] / 3
    with pytest.raises(ValueError, match=r"X has shape \(1, 3\): give one row of 400 numbers"):
        in_router_coordinates(router, np.ones((1, 3)))
    assert in_router_coordinates(Router(np.ones((3, 4)), None, 1), np.ones((2, 4)))[1].shape == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(k=9), "k is 9: it must lie between 1 and the number of experts, 8"),
        (dict(k=2, beta=[1.0]), "the selection bias has 1 numbers for 8 experts"),
        (dict(k=2, b=[np.nan] * 8), r"the bias of g\[0\] is nan"),
    ],
)
def test_a_gate_that_does_not_fit_together_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Gate(0, "g", W, **arguments)


@pytest.mark.parametrize(
    "rule",
    [dict(score="cosine"), dict(scale=-1.0), dict(softcap=np.inf), dict(groups=2, kept=3), dict(group_score="x")],
)
def test_a_rule_that_is_none_is_refused(rule):
    with pytest.raises(ValueError, match=r": (use one of|give|keep)"):
        Rule(**rule)
    with pytest.raises(ValueError, match="8 experts do not split into 3 equal groups"):
        Rule(groups=3, kept=1).choose(X @ W.T, 1)


def offsets(router, X, u):
    """t* of the ball around the residuals of X along u, with all inputs and in router coordinates, in one unit."""
    small, Y = in_router_coordinates(router, X)
    y = in_router_coordinates(router, u[None])[1][0]
    radius = [np.linalg.norm(Z - Z.mean(axis=0), axis=1).max() for Z in (X, Y)]
    return critical_offset(router, u, radius[0]) / np.linalg.norm(u), critical_offset(
        small, y, radius[1]
    ) / np.linalg.norm(y)


@pytest.mark.parametrize("seed", range(40))
def test_router_coordinates_never_raise_the_certified_offset(seed):
    random = np.random.default_rng(seed)
    N, d = int(random.integers(3, 12)), int(random.integers(2, 40))
    b = random.normal(size=N) * random.integers(0, 2)
    router = Router(random.normal(size=(N, d)), b, int(random.integers(1, N)))
    whole, small = offsets(router, random.normal(size=(50, d)) * random.uniform(0, 3, d), random.normal(size=d))
    assert small <= whole * (1 + 1e-9)
    assert d >= N or small == pytest.approx(whole)  # nothing to take off: the experts see all inputs


def test_the_certified_offset_of_a_layer_of_a_model_falls_to_less_than_a_third():
    """A random router of 128 experts at 2,048 inputs, Gaussian tokens: the radius falls by 3.5, and t* with it."""
    random = np.random.default_rng(0)
    router = Router(random.normal(size=(128, 2048)), None, 8)
    whole, small = offsets(router, random.normal(size=(1000, 2048)), random.normal(size=2048))
    assert 3.4 < whole / small < 3.7
