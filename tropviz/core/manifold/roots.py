"""All real zeros of many trigonometric or Chebyshev series at once, as eigenvalues of companion matrices.

Zeros that are only nearly real are kept: whoever cuts a curve at all of them loses nothing, and a cut where nothing
crosses does no harm.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.tolerance import LEADING, NEARLY_REAL

Floats = NDArray[np.float64]

#: Bytes of companion matrices that are held at a time.
_BATCH = 2**26


def trigonometric_zeros(series: Floats) -> Floats:
    """Angles in [0, 2 pi) at which any of the series vanishes (a superset), ascending.

    Parameters
    ----------
    series : ndarray (n, 2 m + 1)
        Coefficients of 1, cos t, sin t, cos 2t, sin 2t, ..., cos m t, sin m t.

    Examples
    --------
    >>> trigonometric_zeros(np.array([[0.0, 1.0, 0.0]])).round(3).tolist()
    [1.571, 4.712]
    """
    cosine, sine = series[:, 1::2], series[:, 2::2]
    half = (cosine + 1j * sine) / 2  # coefficient of exp(-i n t)
    degree = _degrees(np.abs(half))
    found = [np.empty(0)]
    for m in np.unique(degree[degree > 0]):
        some = degree == m
        # Times exp(i m t): a polynomial of degree 2 m in z = exp(i t), ascending.
        powers = np.concatenate([half[some, :m][:, ::-1], series[some, :1], half[some, :m].conj()], axis=1)
        step = max(1, _BATCH // (16 * (2 * int(m)) ** 2))
        for start in range(0, len(powers), step):
            z = np.linalg.eigvals(_companion(powers[start : start + step])).ravel()
            size = np.abs(z)
            found.append(np.angle(z[np.abs(size - 1) < NEARLY_REAL]) % (2 * np.pi))
    return np.sort(np.concatenate(found))


def chebyshev_zeros(series: Floats) -> Floats:
    """Points of [-1, 1] at which any of the series vanishes (a superset), ascending.

    Parameters
    ----------
    series : ndarray (n, m + 1)
        Coefficients of T_0, ..., T_m.

    Examples
    --------
    >>> chebyshev_zeros(np.array([[0.0, 0.0, 1.0], [-0.5, 1.0, 0.0]])).round(3).tolist()
    [-0.707, 0.5, 0.707]
    """
    degree = _degrees(np.abs(series[:, 1:]))
    found = [np.empty(0)]
    for m in np.unique(degree[degree > 0]):
        some = series[degree == m, : m + 1]
        step = max(1, _BATCH // (8 * int(m) ** 2))
        for start in range(0, len(some), step):
            z = np.linalg.eigvals(_colleague(some[start : start + step])).ravel()
            real = z.real[(np.abs(z.imag) < NEARLY_REAL) & (np.abs(z.real) < 1 + NEARLY_REAL)]
            found.append(real.clip(-1, 1))
    return np.sort(np.concatenate(found))


def _degrees(size: Floats) -> NDArray[np.int64]:
    """Index + 1 of the last coefficient of each row that is not negligible; 0 for a constant."""
    high = size > LEADING * size.max(axis=1, initial=0.0)[:, None]
    return np.where(high.any(axis=1), high.shape[1] - high[:, ::-1].argmax(axis=1), 0)


def _companion(powers: NDArray[np.complex128]) -> NDArray[np.complex128]:
    n, m = powers.shape[0], powers.shape[1] - 1
    out = np.zeros((n, m, m), dtype=np.complex128)
    out[:, np.arange(1, m), np.arange(m - 1)] = 1
    out[:, :, -1] = -powers[:, :-1] / powers[:, -1:]
    return out


def _colleague(series: Floats) -> Floats:
    """The matrix of multiplication by x on T_0 .. T_(m-1), modulo the series."""
    n, m = series.shape[0], series.shape[1] - 1
    out = np.zeros((n, m, m))
    if m == 1:
        out[:, 0, 0] = -series[:, 0] / series[:, 1]
        return out
    out[:, 1, 0] = 1
    j = np.arange(1, m - 1)
    out[:, j - 1, j] = 0.5
    out[:, j + 1, j] = 0.5
    out[:, m - 2, m - 1] = 0.5
    out[:, :, m - 1] -= series[:, :m] / (2 * series[:, m:])
    return out
