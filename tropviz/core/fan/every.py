"""Routers that keep every active set: affinely independent rows of W, as every trained router of a wide model has.

W x takes every value up to a common one, so each of the C(N, k) sets has a cell with interior. The rank that proves it
is decided exactly: the floats are dyadic rationals, and a rank modulo a prime is never above the true one.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.fan.record import Fan
from tropviz.core.fan.reduce import Reduced
from tropviz.core.fan.skeleton import frozen
from tropviz.core.fan.witness import clearance, copies_used
from tropviz.core.router import Router

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

METHOD = "C(N, k): the differences of the rows have rank N - 1, certified modulo a prime"
#: The largest prime below 2^31: a product of two residues stays within 64 bits.
PRIME = 2**31 - 1
#: Another one, for a second opinion.
SECOND_PRIME = 2**31 - 19
#: Cells and numbers of their witnesses up to which such a fan is listed.
LISTED, NUMBERS = 10_000, 2**24
#: Columns beyond N - 1 tried first: rows of real routers are independent in any few of them.
SPARE = 16


def independent(W: Floats, prime: int = PRIME) -> bool:
    """Whether the rows of W are affinely independent, certainly; False also where that could not be certified.

    Examples
    --------
    >>> independent(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1e-300]]))
    True
    >>> independent(np.array([[0.0, 0.0], [0.1, 0.2], [0.2, 0.4]]))
    False
    """
    N, d = W.shape
    if d + 1 < N:
        return False
    if d > N + SPARE:
        some = np.random.default_rng(0).choice(d, size=N + SPARE, replace=False)
        if _full_rank(_residues(W[:, some], prime), prime):
            return True
    return _full_rank(_residues(W, prime), prime)


def _residues(W: Floats, prime: int) -> Ints:
    """Every float64, a whole number times a power of two, modulo the prime."""
    mantissa, exponent = np.frexp(W)
    whole = np.ldexp(mantissa, 53).astype(np.int64) % prime
    powers, place = np.unique(exponent, return_inverse=True)
    factors = np.array([pow(2, (int(e) - 53) % (prime - 1), prime) for e in powers], dtype=np.int64)
    rows = whole * factors[place.reshape(W.shape)] % prime
    return (rows[1:] - rows[0]) % prime


def _full_rank(rows: Ints, prime: int) -> bool:
    """Whether the rows are independent modulo the prime: elimination, one pivot a row."""
    rows = rows.copy()
    for i in range(len(rows)):
        columns = np.flatnonzero(rows[i])
        if not len(columns):
            return False
        pivot = columns[0]
        below = rows[i + 1 :]
        factor = below[:, pivot] * pow(int(rows[i, pivot]), prime - 2, prime) % prime
        below -= factor[:, None] * rows[i] % prime
        below %= prime
    return True


def _independent(router: Router, prime: int = PRIME) -> bool:
    """The same of the exact rows of a router."""
    rows = router.exact
    if rows.given:
        return independent(router.W, prime)
    exact = np.array([[x % prime for x in rows.row(i)[:-1]] for i in range(router.N)], dtype=np.int64)
    return router.d + 1 >= router.N and _full_rank((exact[1:] - exact[0]) % prime, prime)


def every_set(router: Router) -> Fan | None:
    """The fan of a router that keeps every set; None for any other.

    Up to 10,000 cells are listed with neighbours and witnesses, without corners. Of more, only the count exists.
    """
    N, k, d = router.N, router.k, router.d
    if k == N or not _independent(router):
        return None
    m, none = math.comb(N, k), np.zeros(0, dtype=np.int64)
    alike, place, copies = np.arange(N), np.zeros(N, dtype=np.int64), np.ones(N, dtype=np.int64)
    reduced = Reduced(None, alike, place, copies, N - 1, none, none, False, np.zeros(d), np.zeros((0, d)))
    listed = m <= LISTED and m * d <= NUMBERS
    sets = np.array(list(combinations(range(N), k)) if listed else np.zeros((0, k)), dtype=np.int64)
    seen = _points(router, sets)
    if listed and not (clearance(router, reduced, copies_used(reduced, sets), seen) > 1).all():
        return None  # no float64 point proves some cell: the slower way knows exact ones
    nowhere, nothing = frozen(np.zeros((0, d))), (frozen(none), frozen(np.zeros(len(sets) + 1, dtype=np.int64)))
    pairs = frozen(_swaps(sets, N)) if listed else frozen(np.zeros((0, 2), dtype=np.int64))
    lists = (frozen(sets), pairs, nowhere, nowhere, nowhere, nothing, nothing)
    fan = Fan(router, Count(m, "exact", METHOD), *lists, reduced, None, frozen(seen) if listed else None)
    if not listed:
        fan.forget()
    return fan


def failures_of(fan: Fan) -> list[str]:
    """Checks of such a fan that do not use how it was found; see `core.fan.verify`."""
    router, out = fan.router, []
    if not _independent(router, SECOND_PRIME):
        out.append("The rows of W are not affinely independent modulo a second prime.")
    if int(fan.count) != math.comb(router.N, router.k):
        out.append(f"The count is {fan.count}, but C(N, k) is another number.")
    if int(fan.count) > LISTED or "active_sets" not in fan.__dict__:
        return out
    if fan.active_sets.tolist() != [list(row) for row in combinations(range(router.N), router.k)]:
        out.append("The active sets are not all of them in lexicographic order.")
    elif not (clearance(router, fan.reduced, copies_used(fan.reduced, fan.active_sets), fan.witnesses) > 1).all():
        out.append("A witness is not inside its cell.")
    return out


def _points(router: Router, sets: Ints) -> Floats:
    """A point for each set where its members score 1 more than all others, (m, d): least squares."""
    W, b = router._scaled
    goal = np.zeros((len(sets), router.N))
    np.put_along_axis(goal, sets, 1.0, axis=1)
    goal *= np.abs(W).max() + np.abs(b).max()
    goal -= b
    left = goal[:, 1:] - goal[:, :1]
    return np.asarray(np.linalg.lstsq(W[1:] - W[0], left.T, rcond=None)[0].T)


def _swaps(sets: Ints, N: int) -> Ints:
    """Pairs of sets that differ by one swap, i < j: the neighbours, as every wall of every cell is there."""
    number = {row: i for i, row in enumerate(map(tuple, sets.tolist()))}
    pairs = [
        (i, number[tuple(sorted({*row, new} - {old}))])
        for row, i in number.items()
        for old in row
        for new in range(old + 1, N)
        if new not in row
    ]
    out = np.sort(np.array(pairs, dtype=np.int64).reshape(-1, 2), axis=1)
    return out[np.lexsort((out[:, 1], out[:, 0]))]
