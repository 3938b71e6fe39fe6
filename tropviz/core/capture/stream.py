"""Batches of tokens, added to the statistics of one router."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tropviz.core.capture.inputs import Inputs
from tropviz.core.capture.layer import Layer, in_coordinates
from tropviz.core.capture.reservoir import SIZE, Reservoir
from tropviz.core.capture.sets import Sets
from tropviz.core.gates import Gate, Rule
from tropviz.core.router import Array, Ints

#: Sources told apart; the rest counts as the last one.
SOURCES = 64
#: Choices, and rows offered to the sample, that wait until they are merged with those before: a merge takes time for
#: all that was kept.
WAITING_SETS, WAITING_ROWS = 2**16, 4096


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
        self.full, self.name = gate, name
        known = inputs and gate.kind != "X"
        self.Q = gate.coordinates if known else np.zeros((0, gate.d))
        if not len(self.Q):  # experts that are all alike: one coordinate that tells nothing
            self.Q = np.zeros((1, gate.d))
        self._inputs = Inputs(gate, self.Q) if known else None
        small = in_coordinates(gate, self.Q) if known else _unknown(gate)
        self._kept = Layer.empty(small, gate.d if known else 0, name)
        self._load = np.zeros((SOURCES, gate.N), np.int64)
        self._tokens = np.zeros(SOURCES, np.int64)
        self._together = np.zeros(gate.N * gate.N, np.int64)
        self._first, self._second = np.triu_indices(gate.k)
        self._sets: list[Ints] = []
        self._rows: list[tuple[Any, ...]] = []
        self._n = self._dropped = self._recomputed = 0
        self.random = np.random.default_rng(seed)

    def add(self, x: Any, chosen: Any = None, source: int = 0, recomputed: bool = False, token: Any = None) -> None:
        """One batch.

        Parameters
        ----------
        x : (n, d) tensor or None
        chosen : (n, k) integers, optional
            A row that names an expert twice, or none (-1), was dropped. Without it the gate's own choice is taken.
        source : int
        recomputed : bool
            The choice is ours, not the model's.
        token : (n,) integers, optional
            Ids in the vocabulary.

        Raises
        ------
        ValueError
            For shapes that do not fit, experts that do not exist, inputs that are not finite.
        """
        ids = np.full(len(x if chosen is None else chosen), -1) if token is None else np.asarray(token).reshape(-1)
        sets, offered, x, whole = self._own(x) if chosen is None else self._given(x, chosen)
        ours = chosen is None or recomputed
        n, N, source = len(sets), self.full.N, min(source, SOURCES - 1)
        self._n, self._recomputed = self._n + n, self._recomputed + n * ours
        self._load[source] += np.bincount(sets.ravel(), minlength=N)
        self._tokens[source] += n
        self._together += np.bincount((sets[:, self._first] * N + sets[:, self._second]).ravel(), minlength=N * N)
        self._sets.append(sets.astype(np.int16))
        self._offer(x, sets, offered, ids if whole is None else ids[whole], source, chosen is None)
        if sum(map(len, self._sets)) >= WAITING_SETS or sum(len(part[0]) for part in self._rows) >= WAITING_ROWS:
            self._settle()

    @property
    def layer(self) -> Layer:
        """What was seen so far."""
        self._settle()
        self._measure()
        used = 1 + int(np.flatnonzero(self._tokens)[-1]) if self._tokens.any() else 1
        upper = self._together.reshape(self.full.N, self.full.N)  # sets are sorted: i <= j
        return replace(
            self._kept,
            n=self._n,
            dropped=self._dropped,
            recomputed=self._recomputed,
            load=self._load[:used].copy(),
            tokens=self._tokens[:used].copy(),
            together=upper + np.triu(upper, 1).T,
            moments=None if self._inputs is None else self._inputs.moments,
        )

    def go_on(self, seen: Layer, random: Any) -> None:
        """Begin with what a stream of the same gate has seen; `random` is its generator's state."""
        self._kept, self._n, self._dropped, self._recomputed = seen, seen.n, seen.dropped, seen.recomputed
        self._load[: len(seen.load)], self._tokens[: len(seen.tokens)] = seen.load, seen.tokens
        self._together[:] = np.triu(seen.together).ravel()
        self.random.bit_generator.state = random
        if seen.moments is None:
            self._inputs = None
        elif self._inputs is not None:
            self._inputs.go_on(seen.moments)

    def _given(self, x: Any, chosen: Any) -> tuple[Ints, Array, Any, NDArray[np.bool_] | None]:
        """Choices of the model, sorted, priorities and inputs without dropped tokens, and which were not dropped."""
        N, k = self.full.N, self.full.k
        sets = np.sort(np.asarray(chosen).reshape(len(chosen), -1).astype(np.int64), axis=1)
        if sets.shape[1] != k or (len(sets) and (sets.max() >= N or sets.min() < -1)):
            ends = f"{sets.min(initial=0)} to {sets.max(initial=0)}"
            what = f"{self.name}: choices have shape {sets.shape} and experts from {ends}"
            raise ValueError(f"{what}: give {k} of the {N} experts for each token.")
        offered = self.random.random(len(sets))  # for dropped tokens too: every layer gives a token the same priority
        whole = (sets[:, 0] >= 0) & (sets[:, 1:] != sets[:, :-1]).all(axis=1)
        if not whole.all():
            self._dropped += int((~whole).sum())
            sets, offered, x = sets[whole], offered[whole], None if x is None else x[_index(whole, x)]
        if x is None:
            self._inputs = None
        elif self._inputs is not None and not self._inputs.add(x):
            self._refuse(x)
        return sets, offered, x, whole

    def _own(self, x: Any) -> tuple[Ints, Array, Any, NDArray[np.bool_] | None]:
        """The same of the gate's own choices."""
        if self._inputs is None or not self._inputs.quick:
            if not np.isfinite(x.double().numpy()).all():
                self._refuse(x)
            return self._given(x, self.full.active_sets(x))
        sets = self._inputs.choose(x)
        if sets is None:
            self._refuse(x)
        return sets, self.random.random(len(sets)), x, None

    def _offer(self, x: Any, sets: Ints, offered: Array, ids: Any, source: int, recomputed: bool) -> None:
        """Rows that the sample may keep wait until it is settled."""
        rows = np.flatnonzero(offered < self._kept.sample.threshold)
        if not len(rows):
            return
        chosen, sources = sets[rows].astype(np.int16), np.full(len(rows), source, np.int16)
        if self._inputs is None:
            y, ours = np.zeros((len(rows), self._kept.gate.d), np.float32), np.full_like(chosen, -1)
        else:
            few = x[rows]
            y = self._inputs.coordinates(few)
            ours = chosen if recomputed else self.full.active_sets(few).astype(np.int16)
        self._rows.append((offered[rows], y, chosen, ours, sources, ids[rows].astype(np.int32)))

    def _settle(self) -> None:
        """Merge what waits with what was kept before."""
        kept = self._kept
        if self._sets:
            waiting = np.concatenate(self._sets)
            kept = replace(kept, sets=kept.sets.merge(Sets.of(waiting, kept.sets.level)))
            self._sets.clear()
        if self._rows:
            offered, y, chosen, ours, sources, ids = (np.concatenate(c) for c in zip(*self._rows, strict=True))
            few = np.argsort(offered, kind="stable")[:SIZE]
            few = few[offered[few] < kept.sample.threshold]
            unknown = np.full(len(few), np.nan, np.float32)
            new = Reservoir(offered[few], y[few], chosen[few], ours[few], unknown, sources[few], ids[few])
            kept = replace(kept, sample=kept.sample.merge(new))
            self._rows.clear()
        self._kept = kept

    def _measure(self) -> None:
        """Margins of the sample's new rows: of those that stayed only, as they take longer than the rest."""
        sample = self._kept.sample
        new = np.flatnonzero(np.isnan(sample.margin))
        if self._inputs is not None and len(new):
            margin = sample.margin.copy()
            margin[new] = self._kept.gate.plain.margin(sample.y[new])
            self._kept = replace(self._kept, sample=replace(sample, margin=margin))

    def _refuse(self, x: Any) -> NoReturn:
        values = x.double().numpy()
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            row, column = bad[0].tolist()
            what = f"{self.name}: the input of token {row} is {values[row, column]} at {column}"
            raise ValueError(f"{what}: run the model in float32 or bfloat16.")
        raise ValueError(f"{self.name}: inputs beyond 1e19 leave the range of float32: scale them down.")


def _index(whole: NDArray[np.bool_], x: Any) -> Any:
    import torch

    return torch.from_numpy(whole) if torch.is_tensor(x) else whole


def _unknown(gate: Gate) -> Gate:
    """A gate of which only N and k are known."""
    rule = Rule(refused=gate.rule.refused or "only the choices were recorded, not the weights")
    zero = np.zeros((gate.N, 1))
    return Gate(gate.layer, gate.name, zero, gate.k, rule, side=gate.side, note=gate.note)
