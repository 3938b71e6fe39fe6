"""The two angles behind the slice law, against high-precision integrals along other paths."""

import mpmath as mp
import numpy as np
import pytest

from tropviz.core.slice_law.cone_angles import log_beta, log_binomials, log_gamma, log_volumes


def pair(p, q):
    return np.array([p]), np.array([q])


def reference_log_beta(p, q, shift):
    """log beta by mpmath along Re s = shift, y = sinh(u) / sqrt(n): another path, a finer rule, 40 digits."""
    n = p + q

    def integrand(u):
        s = mp.mpc(shift, mp.sinh(u) / mp.sqrt(n))
        upper, lower = mp.erfc(-s / mp.sqrt(2)), mp.erfc(s / mp.sqrt(2))
        return (mp.exp(n * s * s / 2) * upper**q * lower**p).real * mp.cosh(u)

    step = mp.mpf(1) / 16
    far = int((7 + mp.mpf(45) / (n - 1)) / step)
    whole = step * (integrand(mp.mpf(0)) / 2 + sum(integrand(step * j) for j in range(1, far))) / (mp.pi * mp.sqrt(n))
    return float(mp.log(whole * mp.sqrt(2 * mp.pi * n)) - n * mp.log(2))


@pytest.mark.parametrize(
    ("p", "q", "shift"),
    [(1, 2, "0"), (2, 3, "-0.1"), (8, 100, "-3"), (256, 256, "0"), (512, 256, "0.5"), (1, 200, "-14")],
)
def test_beta_agrees_with_forty_digits(p, q, shift):
    with mp.workdps(40):
        assert log_beta(*pair(p, q))[0] == pytest.approx(reference_log_beta(p, q, mp.mpf(shift)), abs=1e-10)


def test_beta_known_values_and_symmetry():
    assert np.exp(log_beta(*pair(1, 1)))[0] == pytest.approx(1 / 2, rel=1e-12)
    assert np.exp(log_beta(*pair(1, 2)))[0] == pytest.approx(1 / 6, rel=1e-12)
    p, q = np.arange(1, 60), np.arange(60, 1, -1)
    assert np.allclose(log_beta(p, q), log_beta(q, p), rtol=0, atol=1e-11)


def test_the_signs_of_deviations_from_the_mean_are_a_partition():
    """Of n normals some but not all lie below their mean: sum of C(n, p) beta(p, n-p) over 0 < p < n is 1."""
    for n in (2, 3, 7, 40, 512, 4096):
        p = np.arange(1, n)
        logs = log_binomials(n)[1:-1] + log_beta(p, n - p)
        assert np.exp(logs).sum() == pytest.approx(1, rel=1e-10)


@pytest.mark.parametrize(("p", "q", "N", "k"), [(1, 1, 8, 2), (4, 90, 256, 8), (1, 1, 4096, 1), (100, 3, 512, 256)])
def test_gamma_agrees_with_forty_digits(p, q, N, k):
    with mp.workdps(40):
        n = mp.mpf(p + q)
        step = 1 / mp.sqrt(8 * N)
        nodes = [step * (j + mp.mpf("0.3")) for j in range(-int(9 / step), int(9 / step))]
        whole = sum(mp.exp(-n * t * t / 2) * mp.ncdf(-t) ** (k - p) * mp.ncdf(t) ** (N - k - q) for t in nodes)
        expected = float(mp.log(whole * step * mp.sqrt(n / (2 * mp.pi))))
        assert log_gamma(*pair(p, q), N, k)[0] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("N", "k"), [(2, 1), (3, 1), (8, 2), (16, 4), (256, 8), (300, 150), (4096, 1)])
def test_intrinsic_volumes_sum_to_one_and_halves(N, k):
    volumes = np.exp(log_volumes(N, k, N))
    assert volumes.sum() == pytest.approx(1, rel=1e-10)
    assert volumes[::2].sum() == pytest.approx(1 / 2, rel=1e-10)
