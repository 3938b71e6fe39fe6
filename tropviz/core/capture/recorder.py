"""Recorder: hooks on the gates of a model, for as long as a ``with`` block runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tropviz.core.capture.choice import choice_in, logits_in
from tropviz.core.capture.modules import Found, find_gates
from tropviz.core.capture.record import Capture
from tropviz.core.capture.stream import Stream


class Recorder:
    """What the gates of a model see and choose while the block runs; see `tropviz.capture`.

    Attributes
    ----------
    source : str
        Where the tokens that follow come from, such as a domain; may be changed between two calls of the model.
    mask : tensor or None
        Of the next calls, (batch, sequence): tokens that are zero (padding) are left out.
    tokens : tensor or None
        Ids in the vocabulary of the next calls, (batch, sequence), for tokens x experts in the report.
    capture : Capture
        What was seen so far.
    """

    def __init__(self, model: Any, gates: Mapping[str, Any] | None = None, *, seed: int = 0, shard: int = 0) -> None:
        self._found = find_gates(model, gates)
        seeds = ((seed, shard) for _ in self._found)  # one for all layers: their samples hold the same tokens
        self._streams = [Stream(one.gate, one.path, s) for one, s in zip(self._found, seeds, strict=True)]
        self._pending: list[Any] = [None] * len(self._found)
        self._hooks: list[Any] = []
        self._sources: dict[str, int] = {}
        self.source = ""
        self.mask: Any = None
        self.tokens: Any = None

    def __enter__(self) -> Recorder:
        for number, one in enumerate(self._found):
            self._hooks.append(one.module.register_forward_hook(self._after(number, one), with_kwargs=True))
            if one.experts is not None:
                self._hooks.append(one.experts.register_forward_pre_hook(self._into(number, one), with_kwargs=True))
        return self

    def __exit__(self, *_: Any) -> None:
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
        for number in range(len(self._found)):
            self._flush(number)

    @property
    def capture(self) -> Capture:
        """What was seen so far."""
        for number in range(len(self._found)):
            self._flush(number)
        return Capture(tuple(stream.layer for stream in self._streams), tuple(self._sources) or ("",))

    def save(self, path: Any) -> None:
        """Write what was seen so far as npz."""
        self.capture.save(path)

    def _after(self, number: int, one: Found) -> Any:
        def hook(_module: Any, args: Any, kwargs: Any, out: Any) -> None:
            self._flush(number)
            x = args[0] if args else next(iter(kwargs.values()))
            x = x.detach().reshape(-1, x.shape[-1])
            if x.shape[1] != one.gate.d and one.gate.kind != "X":
                what = f"{one.path} takes {x.shape[1]} numbers a token and its W has {one.gate.d} columns"
                raise ValueError(f"{what}: give the Gate it is.")
            chosen = choice_in(out, len(x), one.gate.N, one.gate.k)
            self._pending[number] = (x.cpu(), out, self._kept(len(x)), self._number(), self._ids(len(x)))
            if chosen is not None:
                self._add(number, chosen, False)

        return hook

    def _into(self, number: int, one: Found) -> Any:
        def hook(_module: Any, args: Any, kwargs: Any) -> None:
            if self._pending[number] is not None:
                n = len(self._pending[number][0])
                chosen = choice_in([args[1:], kwargs], n, one.gate.N, one.gate.k)
                if chosen is not None:
                    self._add(number, chosen, False)

        return hook

    def _flush(self, number: int) -> None:
        """A batch whose choice nobody told: from its logits, or from its inputs."""
        if self._pending[number] is None:
            return
        x, out, *_ = self._pending[number]
        gate = self._found[number].gate
        logits = logits_in(out, len(x), gate.N)
        if gate.kind == "X":
            raise ValueError(f"{gate.name} does not tell its choice, which is no function of W x: {gate.rule.refused}.")
        chosen = gate.active_sets(x) if logits is None else gate.rule.choose(logits.numpy(), gate.k, gate.beta)
        self._add(number, chosen, True)

    def _add(self, number: int, chosen: Any, recomputed: bool) -> None:
        x, _, kept, source, ids = self._pending[number]
        self._pending[number] = None
        chosen = np.asarray(chosen)
        if kept is not None:
            x, chosen, ids = x[kept], chosen[kept.numpy()], None if ids is None else ids[kept.numpy()]
        if len(x):
            self._streams[number].add(x, chosen, source, recomputed, ids)

    def _kept(self, n: int) -> Any:
        import torch

        if self.mask is None:
            return None
        mask = torch.as_tensor(self.mask).reshape(-1).bool().cpu()
        if len(mask) != n:
            raise ValueError(f"mask has {len(mask)} entries and the model saw {n} tokens: give (batch, sequence).")
        if not mask.any():
            raise ValueError("mask leaves out every token: give one that keeps some.")
        return mask

    def _ids(self, n: int) -> Any:
        if self.tokens is None:
            return None
        found = self.tokens.detach().cpu().numpy() if hasattr(self.tokens, "detach") else np.asarray(self.tokens)
        if found.size != n or found.dtype.kind not in "iu":
            raise ValueError(
                f"tokens are {found.size} {found.dtype} and the model saw {n}: give their ids, whole numbers."
            )
        return found.reshape(-1)

    def _number(self) -> int:
        return self._sources.setdefault(str(self.source), len(self._sources))
