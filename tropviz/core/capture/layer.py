"""What one router was seen to do: statistics of a stream that merge."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tropviz.core.capture.reservoir import Reservoir
from tropviz.core.capture.sets import Sets
from tropviz.core.gates import Gate
from tropviz.core.router import Array, Ints

#: Most experts of a router whose pairs are counted: 134 MB a layer.
MOST_EXPERTS = 4096


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
        """Nothing seen yet of a gate in router coordinates and inputs of d numbers; d = 0 where none will be seen.

        Raises
        ------
        ValueError
            For more than `MOST_EXPERTS`.
        """
        N, k, r = gate.N, gate.k, gate.d
        if N > MOST_EXPERTS:
            raise ValueError(f"{name} has {N:,} experts: pairs are counted of at most {MOST_EXPERTS:,}.")
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


def in_coordinates(gate: Gate, Q: Array) -> Gate:
    """The same gate on y = Q x, with Q the gate's own `coordinates`."""
    return Gate(
        gate.layer, gate.name, gate.W @ Q.T, gate.k, gate.rule, b=gate.b, beta=gate.beta, side=gate.side, note=gate.note
    )
