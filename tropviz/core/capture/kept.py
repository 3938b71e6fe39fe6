"""Work that can be stopped: what was seen so far, on disk, and where to go on."""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tropviz.core.capture.record import Capture, load, note_of
from tropviz.core.capture.stream import Stream
from tropviz.core.gates import Gate

#: Seconds between two copies on disk.
EVERY = 60.0
#: Bytes of the weights and of the first rows that tell one work from another.
_LOOK = 2**16


class Kept:
    """A file with the streams of one work.

    Parameters
    ----------
    path : path
    gates : sequence of Gate
    rows : sequence of (n, d) arrays
    seed : tuple of int
    """

    def __init__(self, path: Any, gates: Sequence[Gate], rows: Sequence[Any], seed: tuple[int, ...]) -> None:
        self._path, self._last = Path(path), time.monotonic()
        told = (
            [g.name, g.N, g.d, g.k, g.kind, _mark(g.W), len(r), _mark(r[:8])] for g, r in zip(gates, rows, strict=True)
        )
        self._work = [list(seed), *told]

    def resume(self, streams: Sequence[Stream]) -> tuple[int, int]:
        """Give the streams what they had seen; the gate and row to go on with, (0, 0) where there is no file.

        Raises
        ------
        ValueError
            For a file of other work.
        """
        if not self._path.exists():
            return 0, 0
        seen = load(self._path)
        note = note_of(self._path)
        if not isinstance(note, dict) or note.get("work") != self._work:
            raise ValueError(f"{self._path.name} holds other work: give another name, or remove it.")
        for stream, layer, random in zip(streams, seen.layers, note["random"], strict=True):
            stream.go_on(layer, random)
        return int(note["gate"]), int(note["row"])

    def write(self, streams: Sequence[Stream], gate: int, row: int) -> None:
        """What was seen before this row of this gate; a copy that is cut short leaves the last one as it was."""
        random = [stream.random.bit_generator.state for stream in streams]
        note = {"work": self._work, "gate": gate, "row": row, "random": random}
        Capture(tuple(stream.layer for stream in streams)).save(self._path, note)
        self._last = time.monotonic()

    def now_and_then(self, streams: Sequence[Stream], gate: int, row: int) -> None:
        """The same once in `EVERY` seconds."""
        if time.monotonic() - self._last > EVERY:
            self.write(streams, gate, row)

    def done(self) -> None:
        """The work is done: nothing is left to go on with."""
        self._path.unlink(missing_ok=True)


def _mark(values: Any) -> int:
    values = values.detach().cpu().double().numpy() if hasattr(values, "detach") else values
    return zlib.crc32(np.ascontiguousarray(values).tobytes()[:_LOOK])
