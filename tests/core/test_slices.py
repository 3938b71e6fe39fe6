"""A slice of a router is a router: same active sets at the same points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.core import slices
from tropviz.core.router import Router
from tropviz.core.slices import plane_through, principal_directions, restrict


@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=50, deadline=None)
def test_same_sets_on_the_slice(seed, n, d, r):
    rng = np.random.default_rng(seed)
    router = Router(rng.standard_normal((n, d)), rng.standard_normal(n), k=min(2, n - 1))
    origin, basis = rng.standard_normal(d), rng.standard_normal((min(r, d), d))
    cut = restrict(router, origin, basis)
    y = rng.standard_normal((100, len(basis)))
    assert (cut.N, cut.d, cut.k) == (n, len(basis), router.k)
    assert np.array_equal(cut.active_sets(y), router.active_sets(origin + y @ basis))


def test_a_central_router_stays_central_through_the_origin():
    assert restrict(Router(np.eye(3), k=1), [0, 0, 0], np.eye(3)[:2]).central


@pytest.mark.parametrize(
    ("origin", "basis", "word"),
    [([0, 0], np.eye(3)[:2], "origin"), ([0] * 3, np.eye(2), "basis"), ([0] * 3, [[1, 0, 0], [2, 0, 0]], "dependent"),
     ([0] * 3, [[0, 0, 0]], "dependent"), ([0, 0, np.nan], np.eye(3), "origin")],
)  # fmt: skip
def test_bad_slices(origin, basis, word):
    with pytest.raises(ValueError, match=word):
        restrict(Router(np.eye(3), k=1), origin, basis)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 1e-3))
def test_planes_are_orthonormal_and_right_handed(normal):
    u, v = plane_through(normal)
    assert np.allclose(np.cross(u, v), np.array(normal) / np.linalg.norm(normal), atol=1e-12)
    assert np.allclose([u @ u, v @ v, u @ v], [1, 1, 0], atol=1e-12)


@pytest.mark.parametrize(("n", "d", "r"), [(40, 6, 2), (3, 6, 4), (1, 3, 2), (200, 2, 2)])
def test_principal_directions_hold_the_most_variance(n, d, r):
    rows = np.random.default_rng(n).standard_normal((n, d)) * np.arange(1, d + 1)
    mean, basis = principal_directions(rows, r)
    assert np.allclose(basis @ basis.T, np.eye(r), atol=1e-12) and np.allclose(mean, rows.mean(0))
    top = np.sort(np.linalg.eigvalsh(np.cov(rows.T, bias=True)))[::-1][:r] if n > 1 else np.zeros(r)
    assert np.allclose(((rows - mean) @ basis.T).var(axis=0), top, rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="principal"):
        principal_directions(rows, d + 1)


def test_principal_directions_of_many_points_are_those_of_the_whole_matrix(monkeypatch):
    random = np.random.default_rng(0)
    for last in (3.0, 1e-3, 1e-9, 0.0):  # far weaker directions, and none
        X = random.normal(size=(2000, 30)) * np.array([2.0, last, *[last / 2] * 28]) * 1e200 + 5
        monkeypatch.setattr(slices, "TALL", 2**15)
        _, quick = principal_directions(X, 2)
        monkeypatch.setattr(slices, "TALL", 10**9)
        _, plain = principal_directions(X, 2)
        np.testing.assert_allclose(quick, plain, atol=1e-9)
        np.testing.assert_allclose(quick @ quick.T, np.eye(2), atol=1e-12)
