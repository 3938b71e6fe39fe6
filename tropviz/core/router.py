"""Router: scores, active sets, tropical polynomial and margin of top-k routing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import ExactRows, Given, Image, exactly, merge
from tropviz.core.largest import largest, largest_of_tensor
from tropviz.core.quick import Quick, full_precision
from tropviz.core.tolerance import SAFE_EXPONENT

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Numbers held at once by a chunk of scores: 8 MB, so that matmul and top-k of a chunk share the cache.
CHUNK = 2**20
#: A chunk of points may hold this many times as many numbers as its scores: 16 MB in float64.
WIDER = 2
#: Below this many scores numpy answers before torch would have been imported (1 s) or woken its threads.
SMALL = 2**15


def torch_is_there() -> bool:
    """Whether torch has been imported to its end: another thread may be at it, and using it now would be waiting."""
    spec = getattr(sys.modules.get("torch"), "__spec__", None)
    return spec is not None and not getattr(spec, "_initializing", False)


def as_float64(values: Any, name: str) -> Array:
    """Array-like or tensor of any real type to a read-only float64 array; NaN and infinity are refused by entry.

    Raises
    ------
    ValueError
        Naming the entry and the remedy.
    """
    out = _to_numpy(values, name, copy=True)
    if not np.isfinite(out).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(out))[0])
        raise ValueError(f"{name}[{', '.join(map(str, where))}] is {out[where]}: replace it by a finite number.")
    out.setflags(write=False)
    return out


def as_number(value: Any, name: str) -> float:
    """A real number as a float; its range is the caller's business.

    Raises
    ------
    ValueError
        If it is not a number.
    """
    try:
        if isinstance(value, str | bytes):  # "1" is a text, whatever float makes of it
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise ValueError(f"{name} is {value!r}: give a number.") from problem


def _as_given(values: Any) -> Any:
    """Floats of an array or tensor as they are, in no new memory; anything else as float64."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if values.is_floating_point():
            return values
    elif isinstance(values, np.ndarray) and values.dtype in (np.float16, np.float32, np.float64):
        return values
    return _to_numpy(values, "X", copy=False)


def _native(chunk: NDArray[Any]) -> NDArray[Any]:
    """A chunk that torch can look into: in the machine's byte order, and writeable (or it warns)."""
    if chunk.flags.writeable and chunk.dtype.isnative:
        return chunk
    return chunk.astype(chunk.dtype.newbyteorder("="), copy=True)


def _to_numpy(values: Any, name: str, copy: bool) -> Array:
    """As float64, in a fresh array when `copy`."""
    if hasattr(values, "detach"):  # a tensor, bfloat16 included, which numpy cannot read
        values = values.detach().cpu().double().numpy()
    try:
        if np.iscomplexobj(values):
            raise TypeError
        return np.array(values, dtype=np.float64) if copy else np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise ValueError(f"{name} is not a rectangular array of numbers: give rows of equal length.") from problem


class Router:
    """Top-k routing by the scores s(x) = W x + b.

    Parameters
    ----------
    W : (N, d) array-like or tensor
        One row per expert, N >= 1, d >= 1; any real type, kept as float64.
    b : (N,) array-like or tensor, optional
        Bias on the scores; zero by default (a central router).
    k : int
        Experts active at a point, 1 <= k <= N.

    Attributes
    ----------
    W, b : read-only float64 arrays
    N, d, k : int
    central : bool
        True when every bias is zero.

    Raises
    ------
    ValueError
        One sentence naming the entry and the remedy.

    Notes
    -----
    Identical experts are merged before scoring, so that their scores are equal whatever the order of summation; ties go
    to the lowest index. Points are taken in chunks of about a million scores.

    Examples
    --------
    >>> router = Router([[1, 0], [0, 1], [-1, -1]], k=2)
    >>> router.active_sets([[2.0, 1.0], [-3.0, -4.0]]).tolist()
    [[0, 1], [0, 2]]
    >>> router.tropical([[2.0, 1.0]]).tolist(), router.margin([[2.0, 1.0]]).round(3).tolist()
    ([3.0], [1.789])
    >>> import tropviz
    >>> tropviz.plot(router, data=[[2.0, 1.0], [-3.0, -4.0]]).layout.title.text
    'top-2 of 3: 3 cells (exact)'
    """

    W: Array
    b: Array
    N: int
    d: int
    k: int
    central: bool

    def __init__(self, W: Any, b: Any = None, k: Any = 2) -> None:
        self.W = as_float64(W, "W")
        if self.W.ndim != 2:
            raise ValueError(f"W has {self.W.ndim} axes: give a matrix with one row per expert.")
        self.N, self.d = self.W.shape
        if not self.N or not self.d:
            raise ValueError(f"W has shape {self.W.shape}: give at least one expert (row) and one input (column).")
        self.b = as_float64(np.zeros(self.N) if b is None else b, "b")
        if self.b.shape != (self.N,):
            raise ValueError(f"b has shape {self.b.shape}: give one number for each of the {self.N} rows of W.")
        if isinstance(k, (bool, np.bool_)) or not isinstance(k, Integral):
            raise ValueError(f"k is {k!r}: give a whole number from 1 to {self.N}.")
        self.k = int(k)
        if not 1 <= self.k <= self.N:
            raise ValueError(f"k is {k}: it must lie between 1 and the number of experts, {self.N}.")
        self.central = bool(not self.b.any())
        self._image: Image | None = None

    @cached_property
    def exact(self) -> ExactRows:
        """The rows (w, b) as exact numbers: the floats given, or what `image` rounded to them."""
        return self._image or Given(np.column_stack([self.W, self.b]))

    def image(self, *parts: Array, biased: bool = False) -> Router:
        """The router with every row (w, b) multiplied by a matrix M, (r + 1, d + 1), the exact sum of the parts.

        `biased`: M is (1, d + 1) and makes new biases for the same weights.

        W and b are the products rounded once; `exact` remembers them as they are, so copies stay copies and ties stay
        ties.

        Examples
        --------
        >>> half = Router([[1, 3], [1, 3]], k=1).image(np.array([[0.1, 0.2, 0.0], [0.0, 0.0, 1.0]]))
        >>> half.W.tolist(), len(half.exact.classes[0])
        ([[0.7000000000000001], [0.7000000000000001]], 1)
        """
        if self._image is None and len(parts) == 1 and exactly(self.exact.high, parts[0]):
            rows = self.exact.high @ parts[0].T
            return Router(self.W if biased else rows[:, :-1], rows[:, -1], self.k)
        image = Image(self.exact, parts, biased)
        out = Router(image.high[:, :-1], image.high[:, -1], self.k)
        out._image = image
        return out

    def same_as(self, other: Router) -> bool:
        """Whether all numbers agree, those behind the floats included."""
        if self is other:
            return True
        equal = self.k == other.k and np.array_equal(self.W, other.W) and np.array_equal(self.b, other.b)
        if not equal or (self.exact.given and other.exact.given):
            return equal
        one, two = self.exact, other.exact
        shift = one.exponent - two.exponent
        return all(
            [x << max(shift, 0) for x in one.row(i)] == [x << max(-shift, 0) for x in two.row(i)] for i in range(self.N)
        )

    def __getstate__(self) -> dict[str, Any]:
        """What was given; torch's copies of it and the like are made again."""
        return {name: self.__dict__[name] for name in ("W", "b", "N", "d", "k", "central", "_image")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for array in (self.W, self.b):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return f"Router(N={self.N}, d={self.d}, k={self.k}, {'central' if self.central else 'affine'})"

    def scores(self, X: Any) -> Array:
        """Scores W x + b of every expert, (n, d) -> (n, N)."""
        points = self._points(X)
        out = np.empty((len(points), self.N))
        for lo, chunk in self._chunks(points, self.N):
            out[lo : lo + len(chunk)] = self._true_scores(chunk, lo)
        out.setflags(write=False)
        return out

    def active_sets(self, X: Any) -> Ints:
        """The k experts with the largest scores, ties to the lowest index: (n, d) -> (n, k), rows sorted."""
        points = self._points(X)
        out = np.empty((len(points), self.k), dtype=np.int64)
        for lo, raw in self._raw_chunks(points, self.N):
            out[lo : lo + len(raw)] = self._select(raw, lo)
        out.setflags(write=False)
        return out

    def tropical(self, X: Any) -> Array:
        """The tropical polynomial e_k: the sum of the k largest scores, (n, d) -> (n,)."""
        points = self._points(X)
        out = np.empty(len(points))
        for lo, chunk in self._chunks(points, self.N):
            scores = self._true_scores(chunk, lo)
            cut = self.N - self.k
            out[lo : lo + len(chunk)] = np.partition(scores, cut, axis=1)[:, cut:].sum(axis=1) if cut else scores.sum(1)
        out.setflags(write=False)
        return out

    def margin(self, X: Any) -> Array:
        """Euclidean distance from each point to the boundary of its cell, (n, d) -> (n,); infinite without one.

        The least of (s_i - s_j) / |w_i - w_j| over active i and inactive j. Pairs with w_i = w_j have no boundary.
        """
        points = self._points(X)
        out = np.full(len(points), np.inf)
        for lo, chunk in self._chunks(points, self.N * self.k):
            sets = self._select(chunk, lo)
            if self.k == self.N:
                continue
            scores = self._expand(chunk @ self._scaled[0].T + self._scaled[1])
            gaps = np.take_along_axis(scores, sets, axis=1)[:, :, None] - scores[:, None, :]
            with np.errstate(divide="ignore", invalid="ignore"):
                gaps /= self._distances[sets]
            gaps[self._distances[sets] == 0] = np.inf
            np.put_along_axis(gaps, np.broadcast_to(sets[:, None, :], (len(sets), self.k, self.k)), np.inf, axis=2)
            out[lo : lo + len(chunk)] = gaps.min(axis=(1, 2))
        out = np.maximum(out, 0.0)
        out.setflags(write=False)
        return out

    # --- inside ----------------------------------------------------------------------------------------------------

    def _points(self, X: Any) -> Any:
        """Points (n, d) as they are, array or tensor; converted, and searched for NaN and infinity, chunk by chunk."""
        points = _as_given(X)
        if points.ndim != 2 or points.shape[1] != self.d:
            raise ValueError(f"X has shape {tuple(points.shape)}: give one row of {self.d} numbers for each point.")
        return points

    def _raw_chunks(self, points: Any, width: int) -> Iterator[tuple[int, Any]]:
        """Slices of the points with at most CHUNK numbers of `width` per point, and few more numbers of their own."""
        step = max(1, CHUNK // max(width, self.d // WIDER))
        for lo in range(0, len(points), step):
            yield lo, points[lo : lo + step]

    def _chunks(self, points: Any, width: int) -> Iterator[tuple[int, Array]]:
        """The same in float64."""
        for lo, raw in self._raw_chunks(points, width):
            yield lo, _to_numpy(raw, "X", copy=False)

    def _refuse(self, chunk: Array, lo: int, largest: Array | None = None) -> None:
        """Name the first entry that is not finite. A row's largest score is finite only if all its entries are."""
        if np.isfinite(chunk if largest is None else largest).all():
            return
        bad = np.argwhere(~np.isfinite(chunk))
        if len(bad):
            row, column = (int(i) for i in bad[0])
            raise ValueError(f"X[{lo + row}, {column}] is {chunk[row, column]}: replace it by a finite number.")
        assert largest is not None
        row = lo + int(np.nonzero(~np.isfinite(largest))[0][0])
        raise ValueError(f"The scores of X[{row}] exceed the range of float64: divide X by a constant.")

    @cached_property
    def _classes(self) -> tuple[Array, Ints, Ints, Ints]:
        return merge(np.column_stack([self.W, self.b]))

    @cached_property
    def _distinct(self) -> Array:
        return np.ascontiguousarray(self._classes[0][:, :-1])

    @cached_property
    def _bias(self) -> Array:
        return np.ascontiguousarray(self._classes[0][:, -1])

    @cached_property
    def _level(self) -> Array:
        """Distinct rows (w, b) less what all of them have in common, which no comparison of scores needs.

        Only in columns where the difference is exact, all entries having one sign and sizes within a factor of two
        (Sterbenz): a large common part would drown the rest in the rounding of the scores. The rows of a slice are
        rounded already.
        """
        rows = self._classes[0]
        if self._image is not None:
            return rows
        size = np.abs(rows)
        alike = (np.sign(rows) == np.sign(rows[0])).all(axis=0) & (size.max(axis=0) / 2 <= size.min(axis=0))
        return np.asarray(rows - np.where(alike, rows[0], 0.0))

    @cached_property
    def _scaled(self) -> tuple[Array, Array]:
        """The same times a power of two that keeps very large or small scores within range: weights and biases.

        No farther than that: beside an expert masked by the lowest float, the weights of the others keep their digits.
        """
        top = int(np.frexp(np.abs(self._level).max())[1])
        power = int(np.clip(top, -SAFE_EXPONENT, SAFE_EXPONENT)) - top
        rows = np.ldexp(self._level, power)
        return np.ascontiguousarray(rows[:, :-1]), np.ascontiguousarray(rows[:, -1])

    @cached_property
    def _distances(self) -> Array:
        """|w_i - w_j| of the scaled rows, (N, N)."""
        rows = self._scaled[0][self._classes[1]]
        out = np.empty((self.N, self.N))
        for i, row in enumerate(rows):
            gap = np.abs(rows - row)
            largest = gap.max(axis=1)
            safe = np.where(largest > 0, largest, 1.0)
            out[i] = largest * np.sqrt(np.square(gap / safe[:, None]).sum(axis=1))
        return out

    def _true_scores(self, chunk: Array, lo: int) -> Array:
        """Scores of one chunk in the router's own unit; those beyond float64 are refused."""
        with np.errstate(invalid="ignore", over="ignore"):
            scores = self._expand(chunk @ self._distinct.T + self._bias)
        self._refuse(chunk, lo, np.abs(scores).max(axis=1))
        return scores

    def _expand(self, scores: Array) -> Array:
        """Scores of distinct experts to scores of all."""
        return scores if len(self._bias) == self.N else scores[:, self._classes[1]]

    def _select(self, raw: Any, lo: int) -> Ints:
        """Active sets of one chunk."""
        size = len(raw) * max(self.N, self.d // WIDER)
        if self.k < self.N and size > SMALL and (size > 8 * SMALL or torch_is_there()):
            return self._select_torch(raw, lo)
        chunk = _to_numpy(raw, "X", copy=False)
        if self.k == self.N:
            self._refuse(chunk, lo)
            return np.broadcast_to(np.arange(self.N), (len(chunk), self.N))
        with np.errstate(invalid="ignore", over="ignore"):
            scores = self._expand(chunk @ self._scaled[0].T + self._scaled[1])
        self._refuse(chunk, lo, scores.max(axis=1))
        return np.sort(largest(scores, self.k), axis=1)

    def _select_torch(self, raw: Any, lo: int) -> Ints:
        """Active sets by torch: float32, and float64 for the rows that float32 leaves in doubt."""
        import torch

        points = raw if torch.is_tensor(raw) else torch.from_numpy(_native(raw))
        if not (self._quick.able and full_precision()):
            return self._select_slowly(points, lo)
        chosen: Ints
        chosen, doubtful = self._quick.active_sets(points.float(), self.k)
        if len(doubtful):
            try:
                chosen[doubtful] = self._select_slowly(points[torch.from_numpy(doubtful)], lo)
            except ValueError:  # name the entry by its place among all points
                return self._select_slowly(points, lo)
        return chosen

    def _select_slowly(self, points: Any, lo: int) -> Ints:
        """Active sets in float64."""
        import torch

        weights, bias = self._tensors
        points = points.double()
        scores = torch.addmm(bias, points, weights)
        if len(self._bias) != self.N:
            scores = scores[:, torch.from_numpy(self._classes[1])]
        members, best = largest_of_tensor(scores, self.k)
        self._refuse(points.numpy(), lo, best.numpy())
        chosen: Ints = members.numpy()
        chosen.sort(axis=1)
        return chosen

    @cached_property
    def _quick(self) -> Quick:
        return Quick(self._level[:, :-1], self._level[:, -1], self._classes[1] if len(self._bias) != self.N else None)

    @cached_property
    def _tensors(self) -> tuple[Any, Any]:
        import torch

        weights, bias = self._scaled
        return torch.from_numpy(weights.T.copy()), torch.from_numpy(bias.copy())
