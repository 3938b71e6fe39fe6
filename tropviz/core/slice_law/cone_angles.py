"""Conic intrinsic volumes of the normal cones of the hypersimplex, by quadrature in log space.

A Gaussian point projects onto the normal cone of an active set by clamping the ``p`` lowest scores inside the set and
the ``q`` highest outside it to their common mean. Each face therefore contributes an internal part ``beta(p, q)`` and
an external part ``gamma(p, q)``; the sums over ``p + q = n`` are the intrinsic volumes the slice law is made of.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, log_ndtr, wofz

from tropviz.core.tolerance import QUADRATURE_DROP, QUADRATURE_REACH, QUADRATURE_STEP_LINE, QUADRATURE_STEP_SINH

Array = NDArray[np.float64]
#: Entries of a (pairs, nodes) block evaluated at once: 8 MB of float64 stays in cache and bounds memory.
BLOCK = 1 << 20
#: exp(EXPONENT) is still a float; above it the Faddeeva function is its own leading term to every digit.
EXPONENT = 500.0
#: Saddle points are tabulated up to this size, that is for ratios p / q up to its square: beyond N = 4096.
SADDLE_REACH = 100.0


def log_binomials(n: int, top: int | None = None) -> Array:
    """log C(n, j) for j = 0 .. top (default n), error below 1e-15 of the sum of its terms.

    >>> np.exp(log_binomials(4)).round(12).tolist()
    [1.0, 4.0, 6.0, 4.0, 1.0]
    """
    top = n if top is None else min(top, n)
    j = np.arange(1, top + 1, dtype=np.longdouble)
    steps = np.log((n - j + 1) / j)  # extended precision: a sum of thousands of logs keeps all float64 digits
    return np.concatenate([[0.0], np.cumsum(steps)]).astype(np.float64)


def _tilted(s: Array) -> tuple[Array, Array]:
    """First and second derivative of the half-normal's cumulant function s^2/2 + log 2 Phi(s)."""
    ratio = math.sqrt(2 / math.pi) / erfcx(-s / math.sqrt(2))  # phi(s) / Phi(s), without overflow on either side
    return s + ratio, 1 - ratio * (ratio + s)


@lru_cache(maxsize=1)
def _saddle_table() -> tuple[Array, Array, Array]:
    """Saddle points s against log(p / q): the saddle depends on p and q through their ratio alone."""
    s = np.sinh(np.linspace(-math.asinh(SADDLE_REACH), math.asinh(SADDLE_REACH), 4001))
    first, second = _tilted(s)
    return np.log(first / first[::-1]), s, second


def _saddle(p: Array, q: Array) -> tuple[Array, Array]:
    """Saddle point of q K(s) + p K(-s) and the width of the Gaussian there.

    A tabulated saddle is enough: the integral is the same on every vertical path, only its conditioning changes.
    """
    slope, s, second = _saddle_table()
    at = np.interp(np.log(p / q), slope, s)
    curvature = q * np.interp(at, s, second) + p * np.interp(-at, s, second)
    return at, 1 / np.sqrt(curvature)


def _log_w(z: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """log of the Faddeeva function; where it would overflow, in the lower half plane, by its leading term."""
    leading = -z * z  # w(z) = 2 exp(-z^2) - w(-z), and |w(-z)| <= 1 there
    far = (leading.real > EXPONENT) & (z.imag < 0)
    return np.where(far, leading + math.log(2), np.log(wofz(np.where(far, 1j, z))))


def _beta_nodes(n: int) -> Array:
    """Nodes u >= 0 of the trapezoid rule after y = width sinh(u): the tail |y|^-n becomes exp(-(n - 1) u)."""
    reach = math.asinh(math.sqrt(2 * QUADRATURE_DROP)) + QUADRATURE_DROP / (n - 1)
    return np.arange(math.ceil(reach / QUADRATURE_STEP_SINH) + 1, dtype=np.float64) * QUADRATURE_STEP_SINH


def _beta_block(p: Array, q: Array) -> Array:
    """log beta(p, q) for arrays of equal length, on the nodes that the smallest p + q among them needs."""
    n = p + q
    u = _beta_nodes(int(n.min()))
    at, width = _saddle(p, q)
    y = width[:, None] * np.sinh(u)
    z = np.asarray(y - 1j * at[:, None], dtype=np.complex128) / math.sqrt(2)
    path = p[:, None] * _log_w(-z) + q[:, None] * _log_w(z)
    top = path[:, :1].real  # the modulus is largest at the saddle point
    terms = np.exp(path - top).real * np.cosh(u)
    terms[:, 0] /= 2  # the node at the saddle is shared by the two mirror halves of the path
    density = terms.sum(axis=1) * QUADRATURE_STEP_SINH * width / math.pi
    return np.log(density) + top[:, 0] - n * math.log(2) + 0.5 * np.log(2 * math.pi * n)


def log_beta(p: NDArray[np.int64], q: NDArray[np.int64]) -> Array:
    """log beta(p, q): of p + q independent standard normals the first p lie below their mean, the others above.

    Parameters
    ----------
    p, q : (m,) int arrays, all entries >= 1

    Returns
    -------
    (m,) float64, relative error of beta about 1e-12.

    Notes
    -----
    beta = 2^-n sqrt(2 pi n) f(0), f the density of q half-normals minus p half-normals. f(0) is the integral of the
    characteristic functions (Faddeeva functions) along a path through the saddle point, where nothing cancels.

    Examples
    --------
    >>> np.exp(log_beta(np.array([1, 1]), np.array([1, 2]))).round(12).tolist()
    [0.5, 0.166666666667]
    """
    out = np.empty(len(p))
    order = np.argsort(p + q, kind="stable")
    start = 0
    while start < len(order):  # blocks grow with n: only the few smallest need the long tail of nodes
        nodes = len(_beta_nodes(int(p[order[start]] + q[order[start]])))
        rows = order[start : start + max(1, min(BLOCK // (4 * nodes), 8 + start))]
        out[rows] = _beta_block(p[rows].astype(float), q[rows].astype(float))
        start += len(rows)
    return out


def log_gamma(p: NDArray[np.int64], q: NDArray[np.int64], N: int, k: int) -> Array:
    """log gamma(p, q): a normal of variance 1/(p+q) lies below the other k-p scores and above the other N-k-q ones.

    Parameters
    ----------
    p, q : (m,) int arrays, 1 <= p <= k, 1 <= q <= N - k

    Returns
    -------
    (m,) float64, relative error of gamma about 1e-12.

    Notes
    -----
    The integrand exp(-n t^2/2) Phi(-t)^(k-p) Phi(t)^(N-k-q) is entire and log-concave with curvature between n and N,
    so one trapezoid rule of step well below N^(-1/2) serves all pairs: two logs of Phi per node, then linear algebra.
    """
    step = QUADRATURE_STEP_LINE / math.sqrt(N)
    count = math.ceil(QUADRATURE_REACH / step)
    t = np.arange(-count, count + 1) * step
    basis = np.stack([-t * t / 2, log_ndtr(-t), log_ndtr(t)])
    n = p + q
    out = np.empty(len(p))
    for start in range(0, len(p), max(1, BLOCK // len(t))):
        rows = slice(start, start + max(1, BLOCK // len(t)))
        powers = np.stack([n[rows], k - p[rows], N - k - q[rows]], axis=1).astype(float)
        exponent = powers @ basis
        top = exponent.max(axis=1, keepdims=True)
        exponent -= top
        np.exp(exponent, out=exponent)
        out[rows] = np.log(exponent.sum(axis=1) * step) + top[:, 0]
    return out + 0.5 * np.log(n / (2 * math.pi))


def log_volumes(N: int, k: int, top: int) -> Array:
    """log of the intrinsic volumes v_{N-n+1} of one normal cone of Delta(k, N), for n = 1 .. top.

    Parameters
    ----------
    N, k : int, 1 <= k < N
    top : int, 1 <= top <= N

    Returns
    -------
    (top,) float64: entry n - 1 belongs to codimension n - 1.

    Examples
    --------
    >>> v = np.exp(log_volumes(8, 2, 8))
    >>> round(float(v.sum()), 12), round(float(v[::2].sum()), 12)  # all of them, and every other one
    (1.0, 0.5)
    """
    out = np.full(top, -np.inf)
    out[0] = -math.log(math.comb(N, k))
    p, q = (axis.ravel() for axis in np.meshgrid(np.arange(1, k + 1), np.arange(1, N - k + 1), indexing="ij"))
    keep = p + q <= top
    p, q = p[keep], q[keep]
    if len(p) == 0:
        return out
    inside, outside = log_binomials(k), log_binomials(N - k)
    terms = inside[p] + outside[q] + log_beta(p, q) + log_gamma(p, q, N, k)
    order = np.argsort(p + q, kind="stable")
    n, terms = (p + q)[order], terms[order]
    starts = np.flatnonzero(np.diff(n, prepend=0))
    peak = np.maximum.reduceat(terms, starts)
    sums = np.add.reduceat(np.exp(terms - np.repeat(peak, np.diff(np.append(starts, len(n))))), starts)
    out[n[starts] - 1] = peak + np.log(sums)
    return out


def log_shares(N: int, k: int, top: int) -> Array:
    """log of the expected share of the C(N, k) cells kept in d dimensions, for d = 0 .. top (d = 0 holds -inf).

    The conic kinematic formula: twice the sum of every other intrinsic volume, from codimension d - 1 down.
    """
    volumes = log_volumes(N, k, top)
    out = np.full(top + 1, -np.inf)
    for parity in (0, 1):
        out[1 + parity :: 2] = math.log(2) + np.logaddexp.accumulate(volumes[parity::2])
    return out
