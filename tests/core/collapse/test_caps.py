"""Spherical caps: exact cases, elementary closed forms, quadrature in 60 digits, complements."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tropviz.core.collapse.caps import ball_half_angle, cap_fraction, log10_cap_fraction

mpmath = pytest.importorskip("mpmath")
CASES = json.loads((Path(__file__).parents[2] / "data" / "cap_fractions.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"d{c['d']}-{c['theta']}")
def test_exact_cases(case: dict) -> None:
    theta, d = float(case["theta_decimal"]), case["d"]
    assert log10_cap_fraction(theta, d) == pytest.approx(float(case["log10_fraction"]), rel=1e-13)
    if float(case["fraction"]) > 1e-300:
        assert cap_fraction(theta, d) == pytest.approx(float(case["fraction"]), rel=1e-12)
    else:
        assert cap_fraction(theta, d) == 0


def in_many_digits(theta: float, d: int) -> tuple[float, float]:
    """(fraction, log10) with 60 digits, from the definition as a ratio of two integrals of sin^(d-2)."""
    with mpmath.workdps(60):
        angle, half = mpmath.mpf(theta), mpmath.pi / 2
        x = mpmath.sin(angle) ** 2
        share = mpmath.betainc(mpmath.mpf(d - 1) / 2, mpmath.mpf(1) / 2, 0, x, regularized=True) / 2
        share = share if angle <= half else 1 - share
        return float(share), float(mpmath.log10(share))


@pytest.mark.parametrize("d", [2, 3, 4, 5, 17, 100, 201, 202, 999, 4096, 100_000])
@pytest.mark.parametrize("distance", [-3.1, -2.0, -1.99, -0.3, -1e-9, 1e-9, 0.7, 2.5])
def test_relative_accuracy_around_the_equator(d: int, distance: float) -> None:
    theta = math.pi / 2 + distance / math.sqrt(d)
    if not 0 < theta < math.pi:
        return
    share, log = in_many_digits(theta, d)
    assert cap_fraction(theta, d) == pytest.approx(share, rel=1e-12)
    assert log10_cap_fraction(theta, d) == pytest.approx(log, rel=1e-12)


@pytest.mark.parametrize("d", [4, 7, 64, 1000, 10_000])
@pytest.mark.parametrize("theta", [1e-6, 0.3, math.pi / 4, 1.2])
def test_logarithm_where_the_fraction_is_gone(d: int, theta: float) -> None:
    assert log10_cap_fraction(theta, d) == pytest.approx(in_many_digits(theta, d)[1], rel=1e-12)


@pytest.mark.parametrize("theta", [0.01, 0.8, 1.5, math.pi / 2, 2.0, 3.1])
def test_closed_forms_of_low_dimensions(theta: float) -> None:
    assert cap_fraction(theta, 2) == pytest.approx(theta / math.pi, rel=1e-14)
    assert cap_fraction(theta, 3) == pytest.approx((1 - math.cos(theta)) / 2, rel=1e-10)
    assert cap_fraction(theta, 4) == pytest.approx((theta - math.sin(theta) * math.cos(theta)) / math.pi, rel=1e-9)
    c = math.cos(theta)
    assert cap_fraction(theta, 5) == pytest.approx((2 - 3 * c + c**3) / 4, rel=1e-6)


def test_against_points_on_the_sphere() -> None:
    x = np.random.default_rng(0).standard_normal((200_000, 6))
    inside = x[:, 0] / np.linalg.norm(x, axis=1) >= math.cos(1.1)
    assert cap_fraction(1.1, 6) == pytest.approx(inside.mean(), abs=5 * math.sqrt(0.1 / 200_000))


@given(st.floats(1e-3, math.pi / 2), st.integers(2, 3000))
def test_two_caps_fill_the_sphere_and_wider_is_more(theta: float, d: int) -> None:
    assert cap_fraction(theta, d) + cap_fraction(math.pi - theta, d) == pytest.approx(1, abs=1e-12)
    assert log10_cap_fraction(theta * 0.9, d) < log10_cap_fraction(theta, d)
    assert log10_cap_fraction(theta, d + 1) <= log10_cap_fraction(theta, d) + 1e-13


@pytest.mark.parametrize("d", [1, 2, 3, 4, 1000])
def test_the_ends(d: int) -> None:
    assert cap_fraction(math.pi, d) == 1 and log10_cap_fraction(math.pi, d) == pytest.approx(0, abs=1e-30)
    assert cap_fraction(math.pi / 2, d) == pytest.approx(0.5, rel=1e-14)
    assert cap_fraction(0, d) == (0.5 if d == 1 else 0)
    assert log10_cap_fraction(0, d) == (pytest.approx(math.log10(0.5)) if d == 1 else -math.inf)


@pytest.mark.parametrize("d", [2, 3, 4, 50])
@pytest.mark.parametrize("theta", [5e-324, 1e-320, 3e-308, 1e-200])
def test_the_smallest_angles(theta: float, d: int) -> None:
    assert 0 <= cap_fraction(theta, d) <= theta
    assert log10_cap_fraction(theta, d) == pytest.approx(in_many_digits(theta, d)[1], rel=1e-12)


def test_lengths_that_are_no_numbers() -> None:
    for offset, radius in (("1", 1), (1, None)):
        with pytest.raises(ValueError, match=r"(offset is '1'|radius is None): give a number\.$"):
            ball_half_angle(offset, radius)  # type: ignore[arg-type]


def test_half_angle_of_a_ball() -> None:
    assert ball_half_angle(2, 1) == pytest.approx(math.pi / 6)
    assert ball_half_angle(0.5, 1) == ball_half_angle(0, 0) == math.pi  # the origin lies in the ball: every direction
    assert ball_half_angle(1, 0) == 0


@pytest.mark.parametrize(("theta", "d"), [(-0.1, 3), (3.2, 3), (math.nan, 3), (1, 0), (1, 2.5)])
def test_refusals(theta: float, d: float) -> None:
    with pytest.raises(ValueError, match=r"theta|d is"):
        cap_fraction(theta, d)  # type: ignore[arg-type]
