"""Captures without hooks: of inputs that were saved, or of router logits that a model returned."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tropviz.core.capture.kept import Kept
from tropviz.core.capture.record import Capture
from tropviz.core.capture.stream import Stream
from tropviz.core.gates import Gate, Rule

#: Numbers of a chunk of inputs: 16 MB in float32.
CHUNK = 2**22


def of_states(
    gates: Sequence[Gate],
    states: Sequence[Any],
    mask: Any = None,
    *,
    seed: int = 0,
    shard: int = 0,
    progress: Callable[[float], None] | None = None,
    start: Capture | None = None,
    keep: str | os.PathLike[str] | None = None,
) -> Capture:
    """Route saved inputs of gates, chunk by chunk; memory maps are not loaded as a whole.

    Parameters
    ----------
    gates : sequence of Gate
    states : sequence of (n, d) or (batch, sequence, d) arrays or tensors
        What each gate reads (after the norm before it, not the stream between blocks).
    mask : (n,) or (batch, sequence) array, optional
        Tokens that are zero are left out.
    seed, shard : int
    progress : function, optional
        Called with the share done; what it raises stops the work.
    start : Capture, optional
        Of the same gates: go on from it, as after another shard.
    keep : path, optional
        A file for what was seen so far: written once a minute and when `progress` stops the work, taken up by the next
        call with the same arguments, removed at the end. Sets, loads and sample are then those of one run; sums of
        floats differ by their rounding.

    Raises
    ------
    ValueError
        For shapes that do not fit, a mask that leaves out every token, inputs that are not finite, or a
        file to keep that holds other work.

    Examples
    --------
    >>> gate = Gate(0, "gate", [[1, 0], [0, 1], [-1, -1]], 2)
    >>> of_states([gate], [np.array([[[2.0, 1.0], [0.0, 0.0]]])], mask=[[1, 0]]).layers[0].load.tolist()
    [[1, 1, 0]]
    """
    if len(gates) != len(states) or not gates:
        raise ValueError(f"There are {len(gates)} gates and {len(states)} arrays: give one array for each gate.")
    rows = [_flat(given, gate.d, gate.name) for gate, given in zip(gates, states, strict=True)]
    kept = [_mask(mask, len(part)) for part in rows]
    streams = [Stream(gate, gate.name, (seed, shard)) for gate in gates]
    file = None if keep is None else Kept(keep, gates, rows, (seed, shard))
    first, row = (0, 0) if file is None else file.resume(streams)
    for number in range(first, len(gates)):
        step, n = max(1, CHUNK // gates[number].d), len(rows[number])
        for lo, x in _chunks(rows[number], row, step, kept[number]):
            if len(x):
                streams[number].add(x)
            if file is not None:
                file.now_and_then(streams, number, lo + step)
            if progress is not None:
                try:
                    progress((number + min(1.0, (lo + step) / n)) / len(gates))
                except BaseException:
                    if file is not None:
                        file.write(streams, number, lo + step)
                    raise
        row = 0
    if file is not None:
        file.done()
    done = Capture(tuple(stream.layer for stream in streams))
    return done if start is None else start.merge(done)


def _chunks(rows: Any, start: int, step: int, kept: Any) -> Iterator[tuple[int, Any]]:
    """Chunks from a row on, as tensors; what torch cannot look into is copied to one place, again and again."""
    import torch

    place: Any = None
    for lo in range(start, len(rows), step):
        part = rows[lo : lo + step]
        if torch.is_tensor(part):
            x = part.detach().cpu()
        elif part.flags.writeable and part.dtype.isnative and part.dtype.itemsize <= 8 and min(part.strides) > 0:
            x = torch.from_numpy(part)
        else:
            if place is None:
                kind = np.dtype(np.float64) if part.dtype.itemsize > 8 else part.dtype  # torch knows no wider ones
                place = np.empty((step, part.shape[1]), kind.newbyteorder("="))
            np.copyto(place[: len(part)], part)
            x = torch.from_numpy(place[: len(part)])
        yield lo, x if kept is None else x[torch.from_numpy(kept[lo : lo + step])]


def of_logits(logits: Sequence[Any], k: int, mask: Any = None, *, seed: int = 0, rule: Rule | None = None) -> Capture:
    """Choices of router logits, as models return them with ``output_router_logits``.

    Parameters
    ----------
    logits : sequence of (n, N) or (batch, sequence, N) arrays or tensors
        One a layer; None where a layer is dense.
    k : int
    mask : (n,) or (batch, sequence) array, optional
    seed : int
    rule : Rule, optional
        Plain top-k by default.

    Raises
    ------
    ValueError
        For shapes that do not fit, k outside 1 to N, NaN, or a mask that leaves out every token.

    Examples
    --------
    >>> of_logits([np.array([[1.0, 2.0, 0.0], [3.0, 2.0, 1.0]])], 2).layers[0].together[0].tolist()
    [2, 2, 0]
    """
    layers, unknown = [], Rule(refused="only the logits were recorded, not the weights")
    for number, given in enumerate(logits):
        if given is None:
            continue
        values = np.asarray(given.detach().cpu().double().numpy() if hasattr(given, "detach") else given)
        rows = values.reshape(-1, values.shape[-1]) if values.ndim > 1 else values
        if rows.ndim != 2 or not 1 <= k <= rows.shape[1]:
            raise ValueError(f"logits of layer {number} have shape {values.shape}: give (tokens, N) with N at least k.")
        if np.isnan(rows).any():
            raise ValueError(f"logits of layer {number} hold NaN: run the model in float32 or bfloat16.")
        kept = _mask(mask, len(rows))
        rows = rows if kept is None else rows[kept]
        gate = Gate(number, f"layer {number}", np.zeros((rows.shape[1], 1)), k, unknown)
        stream = Stream(gate, gate.name, (seed, 0), inputs=False)
        stream.add(None, (rule or Rule("identity")).choose(rows, k), recomputed=True)
        layers.append(stream.layer)
    if not layers:
        raise ValueError("There are no logits: run the model with output_router_logits=True.")
    return Capture(tuple(layers))


def _flat(given: Any, d: int, name: str) -> Any:
    shape = tuple(getattr(given, "shape", np.shape(given)))
    if len(shape) not in (2, 3) or shape[-1] != d or 0 in shape:
        raise ValueError(f"the inputs of {name} have shape {shape}: give (tokens, {d}) or (batch, sequence, {d}).")
    given = given if hasattr(given, "shape") else np.asarray(given)
    return given if len(shape) == 2 else given.reshape(-1, d)


def _mask(mask: Any, n: int) -> Any:
    if mask is None:
        return None
    kept = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask).reshape(-1) != 0
    if len(kept) != n:
        raise ValueError(f"mask has {len(kept)} entries for {n} tokens: give one for each, (batch, sequence).")
    if not kept.any():
        raise ValueError("mask leaves out every token: give one that keeps some.")
    return kept
