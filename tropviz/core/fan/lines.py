"""Nearly all corners at once in homogeneous dimension 3: whole lines of ties instead of edge after edge.

Where two experts tie is a line (half fan) or a great circle (whole fan). All others cross it in an order that one sort
gives, and counting how many are above tells which crossings are corners. Every corner lies on three such lines, so
those found name the lines still to look at. All of it is float64 and only proposes: every proposal is classified
without rounding, and the walk that follows finds what is missing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.sides import Experts, Floats, Ints, crossed
from tropviz.core.sorting import distinct

#: Random points per expert; the experts ranked next to the threshold there name the first lines.
SAMPLES = 3
#: How many ranks on either side of the threshold do.
WIDTH = 2
#: Bytes of one table of crossings: few enough to stay in the cache.
BLOCK = 2**18
#: Rounds of lines named by corners; the walk finds the few corners missing after that.
ROUNDS = 3
#: Where experts that never cross a line are put: after all others.
LATE = 1e30
#: Experts up to which half the digits will do: what is left of a crossing beside its name still tells most apart.
FEW = 256


def swept_corners(e: Experts) -> tuple[Ints, Floats | None]:
    """Proposed corners of experts in R^3: bases (n, 3), each once; for a whole fan, vectors (n, 3) too."""
    lines = first_lines(e)
    met = np.zeros(e.C * e.C, dtype=bool)
    names = np.zeros(0, dtype=np.int64)
    real: type[Any] = np.float32 if e.C <= FEW else np.float64
    step = max(1, BLOCK // (e.C * np.dtype(real).itemsize))
    scratch = np.empty((2, step, e.C), dtype=real)  # fresh pages cost more than what is computed in them
    for _ in range(ROUNDS):
        met[lines] = True
        parts = [cross_lines(e, lines[lo : lo + step], scratch) for lo in range(0, len(lines), step)]
        names = distinct(np.concatenate([names, *parts]))
        bases = bases_of(e, names)
        seen = np.zeros_like(met)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            seen[bases[:, i] * e.C + bases[:, j]] = True
        lines = np.flatnonzero(seen & ~met)
        if not len(lines):
            break
    return bases, None if e.half else normals(e, bases) * np.where(names & 1, 1.0, -1.0)[:, None]


def normals(e: Experts, bases: Ints) -> Floats:
    """A vector on which three experts tie, (n, 3) -> (n, 3)."""
    first = e.rows[bases[:, 0]]
    return crossed(e.rows[bases[:, 1]] - first, e.rows[bases[:, 2]] - first)


@lru_cache(maxsize=32)
def samples(count: int, half: bool) -> Floats:
    """Fixed random points of R^3, as columns."""
    points = np.random.default_rng(2).normal(size=(count, 3))
    if half:
        points[:, -1] = np.abs(points[:, -1])
    points.setflags(write=False)
    return points


def ranked(scores: Floats) -> Ints:
    """Experts of each row from the highest score to the lowest, but for the last bits of the scores; spoils these."""
    bits = scores.shape[1].bit_length()
    np.negative(scores, out=scores)
    code = scores.view(np.int64)
    code &= -1 << bits
    code |= np.arange(scores.shape[1])
    scores.sort(axis=1)
    code &= (1 << bits) - 1
    return code


def first_lines(e: Experts) -> Ints:
    """Pairs (p < q, as p C + q) of experts ranked next to the threshold at random points."""
    order = ranked(samples(SAMPLES * e.C, e.half) @ e.centred.T)
    if e.single:
        near = order[:, max(e.k - WIDTH, 0) : e.k + WIDTH]
    else:
        last = (np.cumsum(e.copies[order], axis=1) < e.k).sum(axis=1)
        width = min(2 * WIDTH, e.C)
        start = np.clip(last + 1 - WIDTH, 0, e.C - width)
        near = np.take_along_axis(order, start[:, None] + np.arange(width), axis=1)
    near = np.sort(near, axis=1)
    i, j = np.triu_indices(near.shape[1], 1)
    seen = np.zeros(e.C * e.C, dtype=bool)
    seen[near[:, i] * e.C + near[:, j]] = True
    return np.flatnonzero(seen)


def cross_lines(e: Experts, lines: Ints, scratch: Floats) -> Ints:
    """Names of the proposed corners on the lines of ties of some pairs of experts.

    The points of a line are at + t along, t real; of a great circle, these and their opposites. The order of the
    crossings is found by sorting numbers t whose last bits are replaced by who crosses and which way.
    """
    p, q = np.divmod(lines, e.C)
    gap = e.rows[p] - e.rows[q]
    along = np.zeros_like(gap)
    along[:, 0], along[:, 1] = -gap[:, 1], gap[:, 0]
    flat = ~along.any(axis=1)  # two experts that differ in their bias only tie nowhere, or on the equator
    if flat.any():
        if e.half:
            p, q, gap, along = p[~flat], q[~flat], gap[~flat], along[~flat]
        else:
            along[flat, 0] = 1.0
    row = np.arange(len(p))
    at = crossed(gap, along)  # last coordinate positive: gap_x^2 + gap_y^2
    height, fall = less_own(e, at, p, scratch[0]), less_own(e, -along, p, scratch[1])
    fall[row, p] = fall[row, q] = 0.0
    rises, never = fall < 0, fall == 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        when = np.divide(height, fall, out=height)
    bits, whole = e.C.bit_length() + 1, np.int64 if when.itemsize == 8 else np.int32
    code: NDArray[Any] = when.view(whole)
    code &= -1 << bits
    code |= np.arange(0, 2 * e.C, 2, dtype=whole)
    code |= rises
    last = np.full(len(p), LATE, dtype=when.dtype).view(whole) & -1 << bits
    last |= 2 * p.astype(whole)  # named p, which no corner lists twice
    np.copyto(code, last[:, None], where=never)
    when.sort(axis=1)
    code &= (1 << bits) - 1
    small = np.int16 if bits < 15 else np.int64
    short: NDArray[Any] = code.astype(small)
    who, up = short >> 1, short & 1
    if e.single:
        # Above at each crossing, the crossing expert not counted. Those that never cross are marked as falling.
        above: NDArray[Any] = np.cumsum(2 * up - 1, axis=1, dtype=small)
        start = e.C - ((above[:, -1] + e.C) >> 1)
        start -= 2 if np.count_nonzero(never) == 2 * len(p) else np.count_nonzero(never, axis=1).astype(small)
        above += start[:, None] - up
        tied = 3
    else:
        weight = e.copies[who]
        above = np.cumsum((2 * up - 1) * weight, axis=1) - up * weight + (~(rises | never) @ e.copies)[:, None]
        tied = (e.copies[p] + e.copies[q])[:, None] + weight
    line, third = crossers((above < e.k) & (above + tied > e.k), who, p)
    names = triples(e, p[line], q[line], third)
    if e.half:
        return names
    above = int(e.copies.sum()) - tied - above  # the same seen from the other side
    line_2, third = crossers((above < e.k) & (above + tied > e.k), who, p)
    other = triples(e, p[line_2], q[line_2], third)
    return np.concatenate([names + oriented(e, names, at[line]), other + 1 - oriented(e, other, at[line_2])])


def less_own(e: Experts, directions: Floats, own: Ints, scratch: Floats) -> Floats:
    """Scores of all experts at each direction less that of one of them, in one product; a view of `scratch`."""
    both, rows = np.empty((len(own), 4), dtype=scratch.dtype), np.full((4, e.C), -1.0, dtype=scratch.dtype)
    both[:, :3], both[:, 3] = directions, np.einsum("nd,nd->n", directions, e.centred[own])
    rows[:3] = e.centred.T
    return np.matmul(both, rows, out=scratch[: len(own)])


def crossers(where: NDArray[np.bool_], who: Ints, p: Ints) -> tuple[Ints, Ints]:
    """The line and the expert of each crossing that is marked, without the ends of lines."""
    found = np.flatnonzero(where)
    line, third = found // where.shape[1], who.reshape(-1)[found]
    real = third != p[line]
    return line[real], third[real].astype(np.int64)


def triples(e: Experts, p: Ints, q: Ints, third: Ints) -> Ints:
    """Even names of the sets {p, q, third}, p < q."""
    low, high = np.minimum(p, third), np.maximum(q, third)
    return ((low * e.C + (p + q + third - low - high)) * e.C + high) * 2


def bases_of(e: Experts, names: Ints) -> Ints:
    """Three experts p < q < r from the name ((p C + q) C + r) 2 + orientation."""
    pair, third = np.divmod(names >> 1, e.C)
    return np.stack([*np.divmod(pair, e.C), third], axis=1)


def oriented(e: Experts, names: Ints, towards: Floats) -> Ints:
    """1 where the vector on which the named experts tie points along the given one, else 0."""
    return (np.einsum("nd,nd->n", normals(e, bases_of(e, names)), towards) > 0).astype(np.int64)
