"""One sample carried along a ray: what its routing does at every offset.

Scores are linear in the offset: ``s(t u + z) = (W z + b) + t W u``. So the sample is scored once and the direction
once. Moreover an active set that a point has at two offsets it has at every offset between them, because each
``s_i - s_j`` is linear in t: only points whose set differs at the two ends of a stretch are looked at inside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.collapse.clouds import unit
from tropviz.core.collapse.fullest import fullest_interval
from tropviz.core.collapse.statistics import set_codes
from tropviz.core.largest import largest_of_tensor
from tropviz.core.router import Array, Router, as_float64

Ints = NDArray[np.int64]
#: Scores handled at once: 4 million, 32 MB.
CHUNK = 1 << 22
#: Largest exponent range in which products of exponentials neither overflow nor lose a summand that counts.
EXP_RANGE = 600.0


@dataclass(frozen=True)
class Sweep:
    """Routing of one fixed sample at T offsets.

    Attributes
    ----------
    offsets : (T,) float64
        In increasing order, in the unit of x.
    n, N, k : int
    saturation : (T,) float64
        Share of the points in the most frequent active set.
    saturation_interval : (T, 2) float64
        95 % interval of the share in the fullest set of all data, see :func:`~tropviz.core.collapse.fullest`.
    entropy : (T,) float64
        Bits, over active sets.
    sets_hit : (T,) int64
        Different active sets in the sample.
    load : (T, N) int64
        Points that use each expert; rows sum to n k.
    mean_gate : (T, N) float64
        Mean softmax probability.
    ids : (T, n) int32
        Which active set (a row of ``sets``) each point has at each offset.
    sets : (m, k) int64
        Every active set that occurs anywhere in the sweep.
    """

    offsets: Array
    n: int
    N: int
    k: int
    saturation: Array
    saturation_interval: Array
    entropy: Array
    sets_hit: Ints
    load: Ints
    mean_gate: Array
    ids: NDArray[np.int32]
    sets: Ints

    @property
    def effective_sets(self) -> Array:
        """2^entropy, shape (T,)."""
        return np.exp2(self.entropy)

    @property
    def imbalance(self) -> Array:
        """Coefficient of variation of the experts' loads (population form), shape (T,)."""
        return np.asarray(self.load.std(axis=1) / self.load.mean(axis=1))

    @property
    def switch_loss(self) -> Array:
        """``N sum f_i P_i``, shape (T,)."""
        return np.asarray(self.N * (self.load * self.mean_gate).sum(axis=1) / (self.n * self.k))


class _Lookups:
    """Active sets of (point, offset) pairs, each looked up once and known by its serial number from then on."""

    def __init__(self, base: Any, slope: Any, sign: Any, offsets: Any, k: int) -> None:
        import torch

        self.base, self.slope, self.sign, self.offsets, self.k = base, slope, sign, offsets, k
        self.codes = torch.from_numpy(set_codes(base.shape[1]))
        self.count = 0
        self._hashes: list[Any] = []
        self._members: list[Any] = []

    def look(self, at: Any, points: Any) -> tuple[Any, Any]:
        """(serial numbers, hashes) of the points at the offsets numbered ``at``."""
        import torch

        hashes = torch.empty(len(points), dtype=torch.int64)
        step = max(1, CHUNK // self.base.shape[1])
        for low in range(0, len(points), step):
            p = points[low : low + step]
            lift = self.offsets[at[low : low + step]] * self.sign[p]
            members = largest_of_tensor(torch.addcmul(self.base[p], lift[:, None], self.slope[None, :]), self.k)[0]
            hashes[low : low + step] = self.codes[members].sum(dim=1)
            self._members.append(members)
        self._hashes.append(hashes)
        serial = torch.arange(self.count, self.count + len(points), dtype=torch.int32)
        self.count += len(points)
        return serial, hashes

    def named(self) -> tuple[Any, Ints]:
        """Small number of each serial number, and the members (sorted) behind each small number."""
        import torch

        _, name = torch.unique(torch.cat(self._hashes), return_inverse=True)
        first = torch.empty(int(name.max()) + 1, dtype=torch.int64)
        first[name.flip(0)] = torch.arange(len(name) - 1, -1, -1)
        return name.to(torch.int32), np.sort(torch.cat(self._members)[first].numpy(), axis=1)


def _route(lookups: _Lookups, T: int, n: int) -> Any:
    """Serial numbers (T, n): which lookup says what each point has at each offset."""
    import torch

    serial = torch.empty((T, n), dtype=torch.int32)
    points = torch.arange(n)
    low, high = torch.zeros(n, dtype=torch.int64), torch.full((n,), T - 1)
    serial[0], hash_low = lookups.look(low, points)
    serial[T - 1], hash_high = lookups.look(high, points) if T > 1 else (serial[0], hash_low)
    # stretches whose ends are known: a point is done as soon as both ends agree
    while len(points):
        same = hash_low == hash_high
        _fill(serial, low[same], high[same], points[same])
        alive = ~same & (high - low > 1)
        low, high, points = low[alive], high[alive], points[alive]
        hash_low, hash_high = hash_low[alive], hash_high[alive]
        if not len(points):
            break
        middle = (low + high) // 2
        serial[middle, points], hash_middle = lookups.look(middle, points)
        low, high, points = torch.cat([low, middle]), torch.cat([middle, high]), torch.cat([points, points])
        hash_low, hash_high = torch.cat([hash_low, hash_middle]), torch.cat([hash_middle, hash_high])
    return serial


def _fill(serial: Any, low: Any, high: Any, points: Any) -> None:
    """Write what is known at ``low`` into every offset strictly between low and high."""
    import torch

    length = high - low - 1
    total = int(length.sum())
    if total <= 0:
        return
    row = torch.repeat_interleave(torch.arange(len(points)), length)
    at = (low + 1 - (torch.cumsum(length, 0) - length))[row] + torch.arange(total)
    serial[at, points[row]] = serial[low, points][row]


def _mean_gates(base: Any, slope: Any, sign: Any, offsets: Any) -> Any:
    """Mean softmax (T, N) at every offset.

    ``exp(s + t v) = exp(s) exp(t v)``: two matrix products do all offsets, as long as the exponents stay in range.
    """
    import torch

    n, N = base.shape
    out = torch.zeros((len(offsets), N), dtype=torch.float64)
    top = base.max(dim=1, keepdim=True).values
    for side in torch.unique(sign).tolist():  # one, or two for a two-sided cloud
        mine = sign == side
        part = base[mine] - top[mine]
        lift = side * offsets[:, None] * slope[None, :]
        lift = lift - lift.max(dim=1, keepdim=True).values
        narrow = -lift.min(dim=1).values - float(part.min()) < EXP_RANGE
        if bool(narrow.any()):
            points, rays = torch.exp(part), torch.exp(lift[narrow])
            out[narrow] += rays * ((1.0 / (points @ rays.T)).T @ points)
        for t in (~narrow).nonzero()[:, 0].tolist():
            out[t] += torch.softmax(part + lift[t], dim=1).sum(dim=0)
    return out / n


def _tally(ids: Any, sets: Ints, N: int) -> tuple[Ints, Array, Ints, Ints]:
    """Points in the fullest set, entropy in bits, sets hit and expert loads, one row an offset."""
    T, n = ids.shape
    fullest, entropy = np.empty(T, dtype=np.int64), np.empty(T)
    hit, load = np.empty(T, dtype=np.int64), np.empty((T, N), dtype=np.int64)
    bits = np.zeros(n + 1)
    bits[1:] = np.arange(1, n + 1) * np.log2(np.arange(1, n + 1))
    for t in range(T):
        counts = np.bincount(ids[t], minlength=len(sets))
        present = np.flatnonzero(counts)
        counts = counts[present]
        fullest[t] = counts.max()
        entropy[t] = max(0.0, math.log2(n) - bits[counts].sum() / n)
        hit[t] = len(present)
        members = sets[present]
        load[t] = np.bincount(members.ravel(), weights=np.repeat(counts, members.shape[1]), minlength=N)
    return fullest, entropy, hit, load


def sweep(
    router: Router,
    z: Any,
    direction: Any,
    offsets: Any,
    *,
    rectifier: float = 0.0,
    sides: Any = None,
    start: float = 0.0,
) -> Sweep:
    """Carry the sample z along the direction and count at every offset.

    Parameters
    ----------
    router : Router
    z : array-like or tensor, shape (n, d)
        The centred sample (see :mod:`tropviz.core.collapse.clouds`).
    direction : array-like, shape (d,)
        Any nonzero vector; it is normalised.
    offsets : array-like, shape (T,)
        In increasing order, each at least 0.
    rectifier : float
        lambda: the router sees ``x - lambda mu``, mu the mean ``t u`` of the data. 1 takes the offset away.
    sides : array-like, shape (n,), optional
        +1 or -1: the side each point is carried to (``clouds.sides``). The mean of a two-sided cloud is
        ``t u mean(sides)``.
    start : float
        Offset at which the sample lies as it is given: own data goes in uncentred, and at this offset it is routed as
        it is, to the last bit. Not for a two-sided cloud.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        For a zero direction, an empty sample, offsets that fall or are negative, a start of a two-sided cloud.

    Notes
    -----
    O(n d N + c n (N + k log N)) with c = 2 + (changes of a point's set) log2(T / changes) instead of T.

    Examples
    --------
    >>> out = sweep(Router([[1, 0], [-1, 0]], k=1), [[1, 0], [-1, 0], [0.5, 0]], [1, 0], [0, 0.75, 2])
    >>> out.saturation.round(3).tolist(), out.sets_hit.tolist()
    ([0.667, 0.667, 1.0], [2, 2, 1])
    """
    import torch

    z = as_float64(z, "z")
    if z.ndim != 2 or not len(z) or z.shape[1] != router.d:
        raise ValueError(f"z has shape {z.shape}: give at least one row of {router.d} numbers.")
    u, t = unit(direction, router.d), as_float64(offsets, "offsets")
    if t.ndim != 1 or not len(t) or t[0] < 0 or (np.diff(t) < 0).any():
        raise ValueError("offsets must be a list of numbers of at least 0 in increasing order.")
    if not math.isfinite(rectifier):
        raise ValueError(f"rectifier is {rectifier}: give a finite number, usually from 0 to 1.")
    side = as_float64(np.ones(len(z)) if sides is None else sides, "sides")
    if side.shape != (len(z),) or (np.abs(side) != 1).any():
        raise ValueError(f"sides must be {len(z)} numbers, each 1 or -1.")
    if not math.isfinite(start) or (start and side.min() < 0):
        raise ValueError(f"start is {start}: give a finite number, and 0 for a two-sided cloud.")
    with torch.inference_mode():
        base = torch.from_numpy(np.array(router.scores(z)))
        slope = torch.from_numpy(np.array(router.W @ u))
        # what the router sees: x - lambda mu = (side - lambda mean(side)) t u + z
        sign, times = torch.from_numpy(side - rectifier * side.mean()), torch.from_numpy(t.copy())
        if start:  # x = z + (t - start) u, less lambda t u
            sign, times = torch.ones_like(sign), times * (1.0 - rectifier) - start
        lookups = _Lookups(base, slope, sign, times, router.k)
        serial = _route(lookups, len(t), len(z))
        name, sets = lookups.named()
        ids = torch.take(name, serial.long()).numpy()
        gates = _mean_gates(base, slope, sign, times).numpy()
    fullest, entropy, hit, load = _tally(ids, sets, router.N)
    saturation = fullest / len(z)
    interval = np.stack(fullest_interval(fullest, len(z)), axis=1)
    arrays = (t, saturation, interval, entropy, hit, load, gates, ids, sets)
    for a in arrays:
        a.setflags(write=False)
    return Sweep(t, len(z), router.N, router.k, *arrays[1:])
