"""Which experts lie above, on and below the threshold at a corner: a float64 filter, then exact integers.

Homogeneous coordinates are used throughout the fan: a point of R^D stands for its ray. A *corner* is the ray on which
D affinely independent experts (its *basis*) have equal scores; the side of any other expert is the sign of a
determinant. Float64 decides it when the value exceeds a rounding bound; Python integers decide the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan import exact
from tropviz.core.tolerance import ILL_CONDITIONED, TINY, UNIT_ROUNDOFF

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Signs = NDArray[np.int8]
#: Dimensions up to which a product of row lengths stays within the range of float64 without rescaling.
SHORT = 4
#: Numbers held at once: few enough to stay in the cache.
CACHED = 2**15


def null_vectors(matrices: Floats) -> Floats:
    """Signed minors: (n, D-1, D) -> (n, D), each orthogonal to its D-1 rows.

    >>> null_vectors(np.array([[[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]]))
    array([[ 1., -1.,  1.]])
    """
    dim = matrices.shape[2]
    if dim == 2:
        return np.stack([matrices[:, 0, 1], -matrices[:, 0, 0]], axis=1)
    if dim == 3:
        return crossed(matrices[:, 0], matrices[:, 1])
    minors: dict[tuple[int, ...], Floats] = {(c,): matrices[:, 0, c] for c in range(dim)}
    for size in range(2, dim):
        row = matrices[:, size - 1]
        new = {}
        for cols in combinations(range(dim), size):
            total = np.zeros(len(matrices))
            for p, c in enumerate(cols):
                term = row[:, c] * minors[cols[:p] + cols[p + 1 :]]
                total += term if (size - 1 + p) % 2 == 0 else -term
            new[cols] = total
        minors = new
    full = tuple(range(dim))
    signs = np.where(np.arange(dim) % 2 == 0, 1.0, -1.0)
    return np.stack([minors[full[:c] + full[c + 1 :]] for c in range(dim)], axis=1) * signs


def crossed(a: Floats, b: Floats) -> Floats:
    """Cross products (n, 3) of rows."""
    out = np.empty(a.shape)
    for c, (p, q) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[:, c] = a[:, p] * b[:, q] - a[:, q] * b[:, p]
    return out


@lru_cache(maxsize=64)
def hashes(count: int) -> NDArray[np.uint64]:
    """Fixed random numbers (3, count): they only name sets of experts, no result depends on them."""
    return np.random.default_rng(0x7A0B).integers(0, 2**64, (3, count), dtype=np.uint64)


class Corners(NamedTuple):
    """Classified rays: unit vectors (n, D), sides (n, C) in {-1, 0, 1}, ok (n,), bounds on relative errors (n,)."""

    points: Floats
    sides: Signs
    ok: NDArray[np.bool_]
    errors: Floats

    @property
    def sharp(self) -> NDArray[np.bool_]:
        """Which are well-conditioned."""
        return self.errors < ILL_CONDITIONED

    def take(self, rows: Ints | NDArray[np.bool_]) -> Corners:
        """The chosen rows."""
        return Corners(self.points[rows], self.sides[rows], self.ok[rows], self.errors[rows])

    @staticmethod
    def none(e: Experts) -> Corners:
        """An empty table."""
        return Corners(np.zeros((0, e.D)), np.zeros((0, e.C), dtype=np.int8), np.zeros(0, dtype=bool), np.zeros(0))

    @staticmethod
    def join(parts: Sequence[Corners]) -> Corners:
        """One table from several."""
        return parts[0] if len(parts) == 1 else Corners(*map(np.concatenate, zip(*parts, strict=True)))


class Experts:
    """Distinct experts as homogeneous rows, with how many copies each has.

    Parameters
    ----------
    rows : (C, D) float64
        Distinct rows, scaled by powers of two so that every column's largest entry is near 1 (exactly: no rounding).
    copies : (C,) int
        How many identical experts each row stands for.
    k : int
        How many experts are active, 0 < k < sum of copies.
    half : bool
        True: only rays with a positive last coordinate count (an affine router); False: all of R^D (a central one).
    integers : callable, optional
        Gives the rows as integers up to one common factor; by default they are read off the floats.
    low : (C, D) float64, optional
        What is to be added to the rows where these are rounded.
    blur : float
        Bound on what rows + low leave out of an entry.
    """

    def __init__(
        self,
        rows: Floats,
        copies: Ints,
        k: int,
        half: bool,
        integers: Callable[[], list[exact.Row]] | None = None,
        low: Floats | None = None,
        blur: float = 0.0,
    ) -> None:
        self._integers, self.low, self.blur = integers, low, blur
        self.rows, self.copies, self.k, self.half = rows, copies, k, half
        self.C, self.D = rows.shape
        self.single = bool((copies == 1).all())
        self.hash_above, self.hash_tied, self.hash_cell = hashes(self.C)
        #: Signs that integers had to decide so far.
        self.settled = 0
        self.growth = 4.0 * self.D**1.5 * UNIT_ROUNDOFF

    def __reduce__(self) -> tuple[type[Experts], tuple[Any, ...]]:
        """What it was made of; the rest is worked out again."""
        return Experts, (self.rows, self.copies, self.k, self.half, self._integers, self.low, self.blur)

    def some(self, chosen: Ints, k: int, half: bool, columns: Sequence[int] | None = None) -> Experts:
        """Some of the experts, perhaps in some of the coordinates, at another threshold."""
        kept = range(self.D) if columns is None else columns
        rows = np.ascontiguousarray(self.rows[chosen][:, kept])
        low = None if self.low is None else self.low[chosen][:, kept]
        return Experts(rows, self.copies[chosen], k, half, partial(self._picked, chosen, kept), low, self.blur)

    def _picked(self, chosen: Ints, columns: Sequence[int]) -> list[exact.Row]:
        """Entries of the integer rows."""
        return exact.columns([self.integers[i] for i in chosen.tolist()], columns)

    @cached_property
    def centred(self) -> Floats:
        """The rows less the first one: scores of differences keep their digits under a common shift."""
        return self.less(np.arange(self.C), np.zeros(1, dtype=np.int64))

    def less(self, i: Ints, j: Ints) -> Floats:
        """Rows i less rows j, every entry within two roundings and twice `blur`."""
        gap = self.rows[i] - self.rows[j]
        return gap if self.low is None else gap + (self.low[i] - self.low[j])

    @cached_property
    def unsure(self) -> float:
        """Bound on what `blur` can make of a score difference at a unit vector."""
        return 8 * float(self.D) ** 0.5 * self.blur

    def active(self, sides: Signs) -> Ints:
        """How many of the tied experts are active: k less the experts above, (n, C) -> (n,)."""
        above = sides == 1
        return self.k - (np.count_nonzero(above, axis=1) if self.single else above @ self.copies)

    @cached_property
    def norms(self) -> Floats:
        """Length of each centred row."""
        return np.linalg.norm(self.centred, axis=1)

    @cached_property
    def exact_floats(self) -> bool:
        """True when every determinant of the rows is exact in float64, so that no rounding bound is needed."""
        if self.low is not None:
            return False
        # TwoDiff: the rounding error of rows - rows[0] must vanish.
        back = self.centred - self.rows
        lost = (self.rows - (self.centred - back)) - (self.rows[0] + back)
        scaled = self.centred * 2.0**20
        if lost.any() or (scaled != np.rint(scaled)).any() or np.abs(scaled).max() > 2.0**40:
            return False
        top = np.abs(scaled).max()
        # Only the bits between the largest and the smallest one set count.
        union = int(np.bitwise_or.reduce(np.abs(scaled).astype(np.int64).ravel())) or 1
        bits = np.log2(max(top, 1.0) / (union & -union)) + 1
        return bool(self.D * (bits + 1) + np.log2(float(self.D)) * self.D < 52)

    @cached_property
    def integers(self) -> list[exact.Row]:
        """The rows as Python integers, all columns scaled alike."""
        return self._integers() if self._integers else exact.to_integers(self.rows)

    def exact_null(self, basis: Ints, infinite: bool = False) -> exact.Row:
        """Exact integer vector on which the basis is tied (at infinity: with last coordinate 0)."""
        first = self.integers[basis[0]]
        rows = [exact.minus(self.integers[i], first) for i in basis[1:]]
        if infinite:
            rows.append([0] * (self.D - 1) + [1])
        return exact.null_vector(rows)

    def normals(self, bases: Ints, infinite: bool) -> tuple[Floats, Floats, Floats]:
        """Vectors (n, D) on which each basis is tied, their lengths, and bounds on their relative errors."""
        matrices = self.less(bases[:, 1:], bases[:, :1])
        size = np.abs(matrices).sum(axis=2) + 2 * self.D * self.blur / UNIT_ROUNDOFF
        if infinite:
            equator = np.zeros((len(bases), 1, self.D))
            equator[:, 0, -1] = 1.0
            matrices, size = np.concatenate([matrices, equator], axis=1), np.column_stack([size, np.ones(len(bases))])
        if self.D > SHORT and not self.exact_floats:  # products of many short rows could underflow
            power = -np.frexp(np.abs(matrices).max(axis=2, initial=0.0))[1]
            matrices, size = np.ldexp(matrices, power[:, :, None]), np.ldexp(size, power)
        normal = null_vectors(matrices)
        length = np.sqrt(np.einsum("nd,nd->n", normal, normal))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            error = self.growth * size.prod(axis=1) / length
        error[~(length > TINY**4)] = np.inf  # its square, or a product before it, may have lost its digits
        return normal, length, error

    def surely_below(self, bases: Ints, points: Floats, error: Floats, who: Ints) -> NDArray[np.bool_]:
        """True for each of the experts `who` that is below the tie, beyond all rounding, at every one of the corners.

        Parameters
        ----------
        bases, points, error : (n, D) int, (n, D) float, (n,)
            Tied experts, the unit vector `classify` gave and the bound on its error.
        """
        first = bases[:, 0]
        level = np.einsum("nd,nd->n", points, self.centred[first])
        level -= (error + self.growth) * (self.norms.max() + self.norms[first]) + self.unsure
        rows, out = self.centred[who], np.ones(len(who), dtype=bool)
        step = max(1, CACHED // max(1, len(who)))
        with np.errstate(invalid="ignore"):
            for lo in range(0, len(points), step):
                out &= (rows @ points[lo : lo + step].T < level[lo : lo + step]).all(axis=1)
        return out

    def signs(self, points: Floats, first: Ints, bound: Floats) -> Signs:
        """Sign of every score less that of expert `first`, 0 within the bound: (n, D), (n,), (n,) -> (n, C)."""
        out = np.empty((len(points), self.C), dtype=np.int8)
        step = max(1, CACHED // self.C)
        for lo in range(0, len(points), step):
            part = slice(lo, lo + step)
            value = points[part] @ self.centred.T
            value -= value[np.arange(len(value)), first[part]][:, None]
            limit = bound[part, None]
            np.subtract((value > limit).view(np.int8), (value < -limit).view(np.int8), out=out[part])
        return out

    def classify(self, bases: Ints, towards: Floats | None, infinite: bool = False) -> Corners:
        """Sides of all experts at the rays where each basis is tied, oriented like `towards`.

        Parameters
        ----------
        bases : (n, D) int, or (n, D-1) with `infinite`
            Tied experts, affinely independent.
        towards : (n, D) float, optional
            Any vector having a positive inner product with the wanted one of the two opposite rays; without it the
            one with a positive last coordinate, if any.
        infinite : bool
            Add the condition that the last coordinate vanishes.
        """
        normal, length, error = self.normals(bases, infinite)
        along = normal[:, -1] if towards is None else np.einsum("nd,nd->n", normal, towards)
        normal[along < 0] *= -1.0
        points = normal / np.where(length > 0, length, 1.0)[:, None]
        first = bases[:, 0]
        rows = np.arange(len(bases))
        if self.exact_floats:
            sides = self.signs(normal, first, np.zeros(len(bases)))
            ok = length > 0
            return Corners(points, sides, ok & (normal[:, -1] > 0) if self.half and not infinite else ok, error)
        slack = error + self.growth
        with np.errstate(invalid="ignore"):
            sides = self.signs(points, first, slack * (self.norms.max() + self.norms[first]) + self.unsure)
        sides[rows[:, None], bases] = 0
        clear = np.count_nonzero(sides) == sides.size - bases.size and bool((error < ILL_CONDITIONED).all())
        ok = np.ones(len(bases), dtype=bool)
        if self.half and not infinite:
            ok = points[:, -1] > slack
            clear &= bool((np.abs(points[:, -1]) > slack).all())
        if not clear:
            self._decide(bases, towards, infinite, points, sides, ok, slack)
        return Corners(points, sides, ok, error)

    def _decide(
        self,
        bases: Ints,
        towards: Floats | None,
        infinite: bool,
        points: Floats,
        sides: Signs,
        ok: NDArray[np.bool_],
        slack: Floats,
    ) -> None:
        """Settle the undecided sides in place: once more in float64 with a sharper bound, then in integers."""
        points[~np.isfinite(points)] = 0.0
        vague = sides == 0
        vague[np.arange(len(bases))[:, None], bases] = False
        where, who = np.nonzero(vague)
        if len(where):
            gap = self.less(who, bases[where, 0])
            value = np.einsum("nd,nd->n", gap, points[where])
            with np.errstate(invalid="ignore"):
                clear = np.abs(value) > slack[where] * np.linalg.norm(gap, axis=1) + self.unsure
            sides[where[clear], who[clear]] = np.sign(value[clear]).astype(np.int8)
            where, who = where[~clear], who[~clear]
        finite = self.half and not infinite
        todo = set(where.tolist()) | set(np.flatnonzero(~(slack <= ILL_CONDITIONED)).tolist())
        if finite:
            todo |= set(np.flatnonzero(~(np.abs(points[:, -1]) > slack)).tolist())
        if not todo:
            return
        asked: dict[int, list[int]] = {n: [] for n in todo}
        for n, i in zip(where.tolist(), who.tolist(), strict=True):
            asked[n].append(i)
        for n, experts in asked.items():
            vector = self.exact_null(bases[n], infinite)
            if not any(vector):
                ok[n] = False
                continue
            unit = exact.to_unit(vector)
            if (vector[-1] if towards is None else unit @ towards[n]) < 0:
                vector, unit = [-x for x in vector], -unit
            first = self.integers[bases[n, 0]]
            self.settled += len(experts)
            if not slack[n] <= ILL_CONDITIONED or unit @ points[n] <= 0:  # the float vector points elsewhere: all again
                experts = [i for i in range(self.C) if i not in bases[n]]
            points[n] = unit
            for i in experts:
                sides[n, i] = exact.sign(exact.dot(vector, exact.minus(self.integers[i], first)))
            if finite:
                ok[n] = vector[-1] > 0
