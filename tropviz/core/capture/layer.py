"""What one router was seen to do: statistics of a stream that merge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.capture.reservoir import Reservoir
from tropviz.core.capture.sets import Sets
from tropviz.core.gates import Gate
from tropviz.core.router import Array, Ints

#: Sources told apart; the rest counts as the last one.
SOURCES = 64


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the tokens whose input was seen.

    Attributes
    ----------
    n : int
    total : (d,) float64
        Sum of x.
    square : float
        Sum of |x|^2.
    y : (r,) float64
        Sum of y = Q x.
    yy : (r, r) float64
        Sum of y y^T.
    """

    n: int
    total: Array
    square: float
    y: Array
    yy: Array

    def merge(self, other: Moments) -> Moments:
        """Sums over both."""
        return Moments(
            self.n + other.n,
            self.total + other.total,
            self.square + other.square,
            self.y + other.y,
            self.yy + other.yy,
        )


@dataclass(frozen=True, eq=False)
class Layer:
    """Statistics of one router.

    Attributes
    ----------
    gate : Gate
        In router coordinates, W is (N, r); of class X where nothing but the choices is known.
    name : str
    n : int
        Tokens with a full choice.
    dropped : int
        Tokens that got fewer than k experts (capacity), or more; they count in no other number.
    recomputed : int
        Tokens whose choice was not recorded by the model but computed from its logits or inputs.
    load : (s, N) int64
        Tokens of each source that use each expert.
    tokens : (s,) int64
        Tokens of each source.
    together : (N, N) int64
        Tokens that use both experts; the diagonal is the load.
    sets : Sets
    moments : Moments or None
    sample : Reservoir
    """

    gate: Gate
    name: str
    n: int
    dropped: int
    recomputed: int
    load: Ints
    tokens: Ints
    together: Ints
    sets: Sets
    moments: Moments | None
    sample: Reservoir

    @classmethod
    def empty(cls, gate: Gate, d: int, name: str, sources: int = 1) -> Layer:
        """Nothing seen yet of a gate in router coordinates and inputs of d numbers; d = 0 where none will be seen."""
        N, k, r = gate.N, gate.k, gate.d
        moments = Moments(0, np.zeros(d), 0.0, np.zeros(r), np.zeros((r, r))) if d else None
        load, tokens = np.zeros((sources, N), np.int64), np.zeros(sources, np.int64)
        together = np.zeros((N, N), np.int64)
        sets, sample = Sets.of(np.zeros((0, k))), Reservoir.empty(r, k)
        return cls(gate, name, 0, 0, 0, load, tokens, together, sets, moments, sample)

    def merge(self, other: Layer) -> Layer:
        """What both saw.

        Raises
        ------
        ValueError
            For layers of another shape.
        """
        ours, theirs = (self.gate.N, self.gate.k, self.gate.d), (other.gate.N, other.gate.k, other.gate.d)
        if ours != theirs:
            what = f"{self.name} has (N, k, r) = {ours} here and {theirs} there"
            raise ValueError(f"{what}: merge captures of one model.")
        s = max(len(self.tokens), len(other.tokens))
        return replace(
            self,
            n=self.n + other.n,
            dropped=self.dropped + other.dropped,
            recomputed=self.recomputed + other.recomputed,
            load=_padded(self.load, s) + _padded(other.load, s),
            tokens=_padded(self.tokens, s) + _padded(other.tokens, s),
            together=self.together + other.together,
            sets=self.sets.merge(other.sets),
            moments=self.moments.merge(other.moments) if self.moments and other.moments else None,
            sample=self.sample.merge(other.sample),
        )


def _padded(rows: Ints, s: int) -> Ints:
    return np.concatenate([rows, np.zeros((s - len(rows), *rows.shape[1:]), np.int64)])


class Stream:
    """Adds batches to a `Layer`.

    Parameters
    ----------
    gate : Gate
        In the model's coordinates; class X where there are no weights.
    name : str
    seed : tuple of int
        Of the priorities of the sample: one a shard and layer, so that shards are independent.
    inputs : bool
        Whether inputs will be given; without them only choices are counted.
    """

    def __init__(self, gate: Gate, name: str, seed: tuple[int, ...] = (0,), inputs: bool = True) -> None:
        import torch

        self.full = gate
        known = inputs and gate.kind != "X"
        self.Q = gate.coordinates if known else np.zeros((0, gate.d))
        if not len(self.Q):  # experts that are all alike: one coordinate that tells nothing
            self.Q = np.zeros((1, gate.d))
        self._Q32 = torch.from_numpy(np.ascontiguousarray(self.Q.T.astype(np.float32))) if known else None
        small = in_coordinates(gate, self.Q) if known else _unknown(gate)
        self.layer = Layer.empty(small, gate.d if known else 0, name)
        self._random = np.random.default_rng(seed)

    def add(self, x: Any, chosen: Any, source: int = 0, recomputed: bool = False) -> None:
        """One batch.

        Parameters
        ----------
        x : (n, d) tensor or None
        chosen : (n, k) integers
            A row that names an expert twice, or none (-1), was dropped.
        source : int
        recomputed : bool
            The choice is ours, not the model's.

        Raises
        ------
        ValueError
            For shapes that do not fit, experts that do not exist, inputs that are not finite.
        """
        old, N, k = self.layer, self.full.N, self.full.k
        sets = np.sort(np.asarray(chosen).reshape(len(chosen), -1).astype(np.int64), axis=1)
        if sets.shape[1] != k or (len(sets) and (sets.max() >= N or sets.min() < -1)):
            what = f"{old.name}: choices have shape {sets.shape} and experts up to {sets.max(initial=0)}"
            raise ValueError(f"{what}: give {k} of the {N} experts for each token.")
        offered = self._random.random(len(sets))  # for dropped tokens too: every layer gives a token the same priority
        whole = (sets[:, 0] >= 0) & (sets[:, 1:] != sets[:, :-1]).all(axis=1)
        if not whole.all():
            sets, offered, x = sets[whole], offered[whole], None if x is None else x[_index(whole, x)]
        source = min(source, SOURCES - 1)
        load = np.zeros((source + 1, N), np.int64)
        load[source] = np.bincount(sets.ravel(), minlength=N)
        tokens = np.zeros(source + 1, np.int64)
        tokens[source] = len(sets)
        pairs = (sets[:, :, None] * N + sets[:, None, :]).ravel()
        together = np.bincount(pairs, minlength=N * N).reshape(N, N)
        moments, sample = self._seen(x, sets, source, offered)
        new = Layer(
            old.gate,
            old.name,
            len(sets),
            int((~whole).sum()),
            len(sets) if recomputed else 0,
            load,
            tokens,
            together,
            Sets.of(sets),
            moments,
            sample,
        )
        self.layer = old.merge(new)

    def _seen(self, x: Any, sets: Ints, source: int, offered: Array) -> tuple[Moments | None, Reservoir]:
        """Sums of the inputs, and the rows that the sample may keep."""
        import torch

        old, n = self.layer, len(sets)
        rows = np.flatnonzero(offered < old.sample.threshold)
        chosen, sources = sets[rows].astype(np.int16), np.full(len(rows), source, np.int16)
        if x is None or old.moments is None or self._Q32 is None:
            y, nan = np.zeros((len(rows), old.gate.d), np.float32), np.full(len(rows), np.nan, np.float32)
            return None, Reservoir(offered[rows], y, chosen, np.full_like(chosen, -1), nan, sources).merge(
                Reservoir.empty(old.gate.d, old.gate.k)
            )
        x32 = x.float()
        y32 = x32 @ self._Q32
        total, square = (x32.new_ones(n) @ x32).double().numpy(), float(torch.dot(x32.reshape(-1), x32.reshape(-1)))
        if not np.isfinite(square):
            self._refuse(x)
        moments = Moments(n, total, square, y32.sum(0).double().numpy(), (y32.T @ y32).double().numpy())
        few = x[rows].double().numpy()
        ours = self.full.active_sets(few).astype(np.int16) if len(rows) else chosen
        exact = few @ self.Q.T
        margin = old.gate.plain.margin(exact).astype(np.float32) if len(rows) else np.zeros(0, np.float32)
        kept = Reservoir(offered[rows], exact.astype(np.float32), chosen, ours, margin, sources)
        return moments, kept.merge(Reservoir.empty(old.gate.d, old.gate.k))

    def _refuse(self, x: Any) -> None:
        values = x.double().numpy()
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            row, column = bad[0].tolist()
            what = f"{self.layer.name}: the input of token {row} is {values[row, column]} at {column}"
            raise ValueError(f"{what}: run the model in float32 or bfloat16.")
        raise ValueError(f"{self.layer.name}: inputs beyond 1e19 leave the range of float32: scale them down.")


def _index(whole: NDArray[np.bool_], x: Any) -> Any:
    import torch

    return torch.from_numpy(whole) if torch.is_tensor(x) else whole


def in_coordinates(gate: Gate, Q: Array) -> Gate:
    """The same gate on y = Q x, with Q the gate's own `coordinates`."""
    return Gate(
        gate.layer, gate.name, gate.W @ Q.T, gate.k, gate.rule, b=gate.b, beta=gate.beta, side=gate.side, note=gate.note
    )


def _unknown(gate: Gate) -> Gate:
    """A gate of which only N and k are known."""
    from tropviz.core.gates import Rule

    rule = Rule(refused=gate.rule.refused or "only the choices were recorded, not the weights")
    zero = np.zeros((gate.N, 1))
    return Gate(gate.layer, gate.name, zero, gate.k, rule, side=gate.side, note=gate.note)
