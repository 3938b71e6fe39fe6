"""Delta(k,N): the polytope behind top-k routing. Exact, and never listed unless somebody asks for a list."""

from __future__ import annotations

import bisect
import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import JSON_EXACT, decimal_digits, log10_of, people
from tropviz.core.display import Drawable

IntArray = NDArray[np.int64]

#: The largest N: all 4,095 face counts and the volume of Delta(2048,4096) still take about a second.
MAX_N = 4096
#: Most integers one answer of ``normal_cone`` or ``rays`` may hold (160 MB).
MAX_ENTRIES = 20_000_000
#: A monomial or a polynomial is written out in full up to this many terms.
SHOWN_TERMS = 6


@dataclass(frozen=True)
class Facet:
    """The facet ``y[index] == value``; it is itself the hypersimplex Delta(k,N) named by ``k`` and ``N``."""

    index: int
    value: int
    k: int
    N: int

    @property
    def kind(self) -> str:
        """What it is, in words.

        >>> Facet(3, 1, 1, 4).kind
        'y3 = 1: Δ(1,4)'
        """
        return f"y{self.index} = {self.value}: Δ({self.k},{self.N})"


@dataclass(frozen=True)
class Hypersimplex(Drawable):
    """``Delta(k,N) = { y in [0,1]^N : sum y = k }``, one vertex for each way to choose k of N experts.

    Parameters
    ----------
    N : int
        Number of experts, 1 <= N <= 4096.
    k : int
        Number of active experts, 1 <= k <= N. For k = N the polytope is a point.

    Raises
    ------
    ValueError
        If N or k is no integer or out of range.

    Notes
    -----
    A face of dimension j >= 1 keeps j+1 coordinates free and fixes the others at 0 or 1 so that the free ones can
    still sum to something strictly between 0 and j+1: ``f_j = C(N,j+1) sum_a C(N-j-1,a)`` over
    ``k-j <= a <= k-1``. The normalised volume is the Eulerian number A(N-1,k-1) (Laplace; Stanley 1977).

    Examples
    --------
    >>> octahedron = Hypersimplex(4, 2)
    >>> octahedron.f_vector, octahedron.normalised_volume
    ([6, 12, 8], 4)
    >>> Hypersimplex(64, 8).vertex_count
    4426165368
    >>> import tropviz
    >>> tropviz.plot(octahedron).layout.title.text
    'Δ(2,4): 6 vertices, 12 edges (exact)'
    """

    N: int
    k: int

    def __post_init__(self) -> None:
        for name, low, high in (("N", 1, MAX_N), ("k", 1, None)):
            value = getattr(self, name)
            try:
                whole = operator.index(value)
            except TypeError:
                raise ValueError(f"{name} is {value!r}: give an integer.") from None
            high = self.N if high is None else high
            if not low <= whole <= high:
                raise ValueError(f"{name} is {whole}: choose {name} from {low} to {high}.")
            object.__setattr__(self, name, whole)

    # ---- counts -----------------------------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        """Dimension: N-1, or 0 where the polytope is a point (k = N)."""
        return self.N - 1 if self.k < self.N else 0

    @property
    def vertex_count(self) -> int:
        """C(N,k), one vertex per active set."""
        return math.comb(self.N, self.k)

    @property
    def edge_count(self) -> int:
        """C(N,k) k (N-k) / 2: an edge swaps one expert for another (the Johnson graph)."""
        return self.vertex_count * self.k * (self.N - self.k) // 2

    @property
    def facet_count(self) -> int:
        """2N for 2 <= k <= N-2; N for k = 1 and k = N-1; 0 for the point k = N."""
        return self.N * ((self.k < self.N - 1) + (1 < self.k < self.N or (self.k, self.N) == (1, 2)))

    @property
    def f_vector(self) -> list[int]:
        """[f_0, ..., f_{N-2}]: how many faces of each dimension, the polytope itself left out. Exact.

        For the point k = N this is [1, 0, ..., 0], and empty for N = 1, whose only face is the polytope itself.
        Costs O(N) big-integer steps: the two ends of the sum move along Pascal's rule.

        >>> Hypersimplex(5, 2).f_vector
        [10, 30, 30, 10]
        """
        N, k = self.N, min(self.k, self.N - self.k)  # y -> 1 - y turns Delta(k,N) into Delta(N-k,N)
        if k == 0:
            return [1, *[0] * (N - 2)][: N - 1]
        out = [self.vertex_count]
        # upper: P(n, k-1) and lower: P(n, m) with m = k-1-j; P(n, m) = C(n,0) + ... + C(n,m), n = N-1-j.
        n, m = N - 1, k - 1
        upper = lower = sum(math.comb(n, a) for a in range(k))
        c_upper, c_lower, choose = math.comb(n, k - 1), math.comb(n, m), N
        for j in range(1, N - 1):
            # P(n-1, k-1) = (P(n, k-1) + C(n-1, k-1)) / 2 and P(n-1, m-1) = (P(n, m) - C(n-1, m)) / 2
            c_upper = c_upper * (n - (k - 1)) // n if n >= k else 0
            upper = (upper + c_upper) // 2
            if m >= 0:
                lower = (lower - c_lower * (n - m) // n) // 2
                c_lower = c_lower * m // n  # C(n-1, m-1)
            n, m = n - 1, m - 1
            choose = choose * (N - j) // (j + 1)  # C(N, j+1)
            out.append(choose * (upper - lower))
        return out

    @property
    def normalised_volume(self) -> int:
        """(N-1)-dimensional volume in units of the smallest lattice simplex: the Eulerian number A(N-1,k-1), exact.

        It is 0 for k = N > 1, where the polytope is a point.

        >>> Hypersimplex(6, 3).normalised_volume
        66
        """
        return eulerian(self.N - 1, self.k - 1)

    @property
    def euclidean_volume(self) -> float:
        """(N-1)-dimensional Euclidean volume: sqrt(N) / (N-1)! times the normalised one.

        >>> round(Hypersimplex(4, 2).euclidean_volume, 12) == round(4 / 3, 12)
        True
        """
        return math.sqrt(self.N) * (self.normalised_volume / math.factorial(self.N - 1))

    # ---- faces, one by one ------------------------------------------------------------------------------------

    def vertices(self, limit: int | None = None) -> Iterator[tuple[int, ...]]:
        """The active sets in lexicographic order, one at a time, the first ``limit`` of them.

        >>> list(Hypersimplex(4, 2).vertices(limit=3))
        [(0, 1), (0, 2), (0, 3)]
        """
        return itertools.islice(itertools.combinations(range(self.N), self.k), limit)

    def neighbours(self, S: Iterable[int]) -> Iterator[tuple[int, ...]]:
        """The k(N-k) vertices joined to S by an edge, each with one expert swapped.

        >>> list(Hypersimplex(4, 2).neighbours((0, 1)))
        [(1, 2), (1, 3), (0, 2), (0, 3)]
        """
        inside = self.check_set(S)
        outside = self._complement(inside)
        for i, j in itertools.product(inside, outside):
            yield tuple(sorted({*inside, j} - {i}))

    def edges(self, limit: int | None = None) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The edges (S, T), S before T, in lexicographic order, one at a time.

        >>> len(list(Hypersimplex(4, 2).edges()))
        12
        """
        return itertools.islice(((S, T) for S in self.vertices() for T in self._later_neighbours(S)), limit)

    def _later_neighbours(self, S: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        # Swapping i for j > i makes S later; the later i stands, the more of S is kept, the earlier the result.
        outside = self._complement(S)
        for i in reversed(S):
            rest = [m for m in S if m != i]
            for j in outside[bisect.bisect(outside, i) :]:
                yield tuple(sorted([*rest, j]))

    def facets(self) -> Iterator[Facet]:
        """The facets, one at a time: all ``y_i = 0`` first, then all ``y_i = 1``, where they are facets.

        >>> [f.kind for f in Hypersimplex(3, 1).facets()]
        ['y0 = 0: Δ(1,2)', 'y1 = 0: Δ(1,2)', 'y2 = 0: Δ(1,2)']
        """
        if self.k < self.N and (self.k < self.N - 1 or self.N == 2):
            yield from (Facet(i, 0, self.k, self.N - 1) for i in range(self.N))
        if 1 < self.k < self.N:
            yield from (Facet(i, 1, self.k - 1, self.N - 1) for i in range(self.N))

    # ---- the normal fan ---------------------------------------------------------------------------------------

    @property
    def rays(self) -> IntArray:
        """(r, N) rays of the normal fan modulo the line (1, ..., 1), the outer facet normals: -e_i, then e_i.

        >>> Hypersimplex(3, 1).rays.tolist()
        [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]
        """
        self._affordable(self.facet_count, "rays")
        out = np.zeros((self.facet_count, self.N), dtype=np.int64)
        for row, facet in enumerate(self.facets()):
            out[row, facet.index] = 1 if facet.value else -1
        out.setflags(write=False)
        return out

    def wall_pairs(self, S: Iterable[int]) -> Iterator[tuple[int, int]]:
        """The k(N-k) walls of the normal cone of S as pairs (i, j): ``s_i >= s_j``, i in S, j not in S."""
        inside = self.check_set(S)
        return itertools.product(inside, self._complement(inside))

    def normal_cone(self, S: Iterable[int]) -> tuple[IntArray, IntArray]:
        """All scores s whose top-k set is S: ``{ s : walls @ s >= 0 }``.

        Parameters
        ----------
        S : iterable of int
            A vertex, as its k distinct expert numbers.

        Returns
        -------
        generators : (g, N) int64, read-only
            The cone is their non-negative span plus the line through (1, ..., 1), its lineality: adding the same
            number to every score changes no choice. They are e_i (i in S) and -e_j (j not in S), N of them; for
            k = 1 the e_i and for k = N-1 the -e_j are redundant and left out (for N = 2 one generator stays).
            For k = N the cone is everything, spanned by all the e_i.
        walls : (k (N-k), N) int64, read-only
            Rows e_i - e_j, i in S and j not in S; each is a facet of the cone.

        Raises
        ------
        ValueError
            If S is no set of k experts, or the answer would hold more than 20 million integers.

        Examples
        --------
        >>> generators, walls = Hypersimplex(4, 2).normal_cone((0, 1))
        >>> generators.tolist()
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, -1]]
        >>> walls.tolist()
        [[1, 0, -1, 0], [1, 0, 0, -1], [0, 1, -1, 0], [0, 1, 0, -1]]
        """
        inside = self.check_set(S)
        self._affordable(self.k * (self.N - self.k), "walls")
        identity = np.eye(self.N, dtype=np.int64)
        up, down = identity[list(inside)], -identity[self._complement(inside)]
        if self.N == 1:
            generators = up[:0]  # e_0 spans the lineality itself
        elif self.k == 1:
            generators = down
        elif self.k >= self.N - 1:
            generators = up
        else:
            generators = np.concatenate([up, down])
        walls = (up[:, None, :] + down[None, :, :]).reshape(-1, self.N)
        for array in (generators, walls):
            array.setflags(write=False)
        return generators, walls

    def check_set(self, S: Iterable[int]) -> tuple[int, ...]:
        """S as a sorted tuple of k distinct experts, or a ValueError that says what is wrong with it."""
        try:
            chosen = tuple(sorted(operator.index(i) for i in S))
        except TypeError:
            raise ValueError(f"S is {S!r}: give {self.k} expert numbers, such as {tuple(range(self.k))}.") from None
        if len(chosen) != self.k or len(set(chosen)) != self.k:
            raise ValueError(f"S has {len(set(chosen))} distinct experts: give exactly k = {self.k}.")
        if chosen[0] < 0 or chosen[-1] >= self.N:
            wrong = chosen[0] if chosen[0] < 0 else chosen[-1]
            raise ValueError(f"S names expert {wrong}: number the experts from 0 to {self.N - 1}.")
        return chosen

    def _complement(self, inside: tuple[int, ...]) -> list[int]:
        members = set(inside)
        return [j for j in range(self.N) if j not in members]

    def _affordable(self, rows: int, what: str) -> None:
        if rows * self.N > MAX_ENTRIES:
            raise ValueError(
                f"{what} would be a table of {rows:,} × {self.N:,} integers: "
                f"go through wall_pairs(S) or facets() one at a time instead."
            )

    # ---- the tropical polynomial ------------------------------------------------------------------------------

    def polynomial(self, terms: int = SHOWN_TERMS) -> str:
        """The tropical elementary symmetric polynomial e_k as text, at most ``terms`` monomials of it.

        >>> Hypersimplex(3, 2).polynomial()
        'max(s0+s1, s0+s2, s1+s2)'
        >>> Hypersimplex(8, 2).polynomial(3)
        'max(s0+s1, s0+s2, …, s6+s7), 28 terms'
        """
        terms = max(terms, 2)
        total = self.vertex_count
        if total <= terms:
            return f"max({', '.join(monomial(S) for S in self.vertices())})"
        first = [monomial(S) for S in self.vertices(terms - 1)]
        last = monomial(range(self.N - self.k, self.N))
        return f"max({', '.join(first)}, …, {last}), {people(total)} terms"


def summary(polytope: Hypersimplex) -> dict[str, Any]:
    """Every number about Delta(k,N), all exact, JSON-ready: an integer above 2^53 is a string, its log10 beside it.

    >>> summary(Hypersimplex(4, 2))["facet_kinds"][0]
    {'count': 4, 'equation': 'y_i = 0', 'type': [2, 3]}
    >>> summary(Hypersimplex(64, 32))["vertices"], summary(Hypersimplex(64, 32))["vertices_log10"]
    ('1832624140942590534', 18.263...)
    """
    out: dict[str, Any] = {"N": polytope.N, "k": polytope.k, "kind": "exact", "dimension": polytope.dim}
    for name, value in (
        ("vertices", polytope.vertex_count),
        ("edges", polytope.edge_count),
        ("facets", polytope.facet_count),
        ("normalised_volume", polytope.normalised_volume),
    ):
        out[name] = _json_int(value)
        if value > JSON_EXACT:
            out[f"{name}_log10"] = log10_of(value)
    f = polytope.f_vector
    out["f_vector"] = [_json_int(n) for n in f]
    if any(n > JSON_EXACT for n in f):
        out["f_vector_log10"] = [log10_of(n) for n in f]
    # the first facet of each kind stands for all N of it
    first = {facet.value: facet for facet in reversed(list(polytope.facets()))}
    out["facet_kinds"] = [
        {"count": polytope.N, "equation": f"y_i = {value}", "type": [first[value].k, first[value].N]}
        for value in sorted(first)
    ]
    return {**out, "polynomial": polytope.polynomial()}


def _json_int(value: int) -> int | str:
    return value if value <= JSON_EXACT else decimal_digits(value)


def monomial(S: Iterable[Any], mark: str = "s") -> str:
    """The tropical monomial of an active set: the sum of its scores, shortened in the middle when long.

    >>> monomial((0, 3)), monomial(range(9))
    ('s0+s3', 's0+s1+…+s8')
    """
    names = [f"{mark}{i}" for i in S]
    if len(names) > SHOWN_TERMS:
        names = [*names[:2], "…", names[-1]]
    return "+".join(names)


def eulerian(n: int, m: int) -> int:
    """Permutations of n things with exactly m descents, exact; 0 outside 0 <= m < n, and A(0,0) = 1.

    ``A(n,m) = sum_i (-1)^i C(n+1,i) (m+1-i)^n``, taken from the shorter side (A(n,m) = A(n,n-1-m)).

    >>> [eulerian(4, m) for m in range(4)]
    [1, 11, 11, 1]
    """
    if n == 0:
        return int(m == 0)
    if not 0 <= m < n:
        return 0
    m = min(m, n - 1 - m)
    total, choose = 0, 1
    for i in range(m + 1):
        term = choose * (m + 1 - i) ** n
        total += -term if i % 2 else term
        choose = choose * (n + 1 - i) // (i + 1)
    return total
