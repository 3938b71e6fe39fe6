"""One named array of a file: its shape, known before it is decoded, and how it is decoded when it is wanted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from tropviz.io.source import MAX_NUMBERS, Source
from tropviz.io.text import shown

Array = NDArray[np.float64]
#: Axes of the largest array we use: U (N, H, d).
AXES = 3
#: Numbers converted at once.
_BLOCK = 2**18


@dataclass(frozen=True, eq=False)
class Entry:
    """An array that has not been decoded yet; call it to decode and check it.

    Attributes
    ----------
    decode : callable
        Returns the array, read-only float64 and finite; ValueError in one sentence.
    find_shape : callable, optional
        Its shape from the header alone. None: it is no array (text, an object), and `decode` says so.
    inner : tuple of str
        The first names in it, where it is an object and no array.
    """

    decode: Callable[[], Array]
    find_shape: Callable[[], tuple[int, ...]] | None = None
    inner: tuple[str, ...] = ()

    def __call__(self) -> Array:
        return self.decode()

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape, without decoding; None where the entry is no readable array."""
        try:
            return self.find_shape() if self.find_shape else None
        except ValueError:
            return None


#: Bytes, or a view of them.
Buffer = bytes | memoryview
#: Name -> entry. "" names the only array of a file without names.
Entries = dict[str, Entry]


def entry(name: str, index: Iterable[int] = ()) -> str:
    """How messages name a number: ``W[2, 1]``; an array without a name is called ``array``."""
    inside = ", ".join(str(int(i)) for i in index)
    name = shown(name)
    return f"{name or 'array'}[{inside}]" if inside else (name or "the array")


def check_size(source: Source, name: str, shape: tuple[int, ...]) -> int:
    """How many numbers an array of this shape has; refused where a file of this size may not bring so many.

    >>> check_size(Source("r.npy", b""), "W", (3, 2))
    6
    >>> check_size(Source("r.npy", b""), "W", (10**9, 10**9))
    Traceback (most recent call last):
    ...
    ValueError: r.npy: W is said to have 1,000,000,000,000,000,000 numbers, the most here is 1,048,576: save fewer rows.
    """
    numbers = max((math.prod(shape), *shape))
    if numbers > source.most:
        said = f"{numbers:,}" if numbers < 10**20 else "more than 10^20"
        packed = source.suffix == ".npz" and source.most < MAX_NUMBERS
        remedy = "save it uncompressed, with numpy.savez" if packed else "save fewer rows"
        raise source.refusal(f"{entry(name)} is said to have {said} numbers, the most here is {source.most:,}", remedy)
    if len(shape) > AXES:
        raise source.refusal(f"{entry(name)} has {len(shape)} axes", f"give at most {AXES}")
    return math.prod(shape)


def finite(source: Source, name: str, array: Array) -> Array:
    """The array, read-only, after a check that every number is finite.

    Raises
    ------
    ValueError
        Naming the first NaN or infinity.
    """
    rows = array if array.ndim else array.reshape(1)
    step = max(1, _BLOCK // max(1, rows[:1].size))
    for start in range(0, len(rows), step):  # a mask of the whole array would be an eighth of it
        right = np.isfinite(rows[start : start + step])
        if not right.all():
            where = np.argwhere(~right)[0]
            where[0] += start
            index = where.tolist() if array.ndim else []
            raise source.refusal(f"{entry(name, index)} is {rows[tuple(where)]}", "replace it by a finite number")
    array.setflags(write=False)
    return array


class Held:
    """Bytes in memory as a stream that hands out views, never copies."""

    def __init__(self, data: bytes | bytearray, start: int = 0) -> None:
        self.view, self.at = memoryview(data), start

    def read(self, n: int) -> memoryview:
        """The next `n` bytes, fewer at the end."""
        self.at += n
        return self.view[self.at - n : self.at]


def converted(
    stream: BinaryIO | Held, numbers: int, width: int, convert: Callable[[Buffer], NDArray[np.generic]]
) -> Array | None:
    """Numbers of `width` bytes each as float64, (numbers,), block by block; None where the stream ends too early.

    Only the result and one block are ever in memory.
    """
    out = np.empty(numbers, dtype=np.float64)
    for start in range(0, numbers, _BLOCK):
        part = out[start : start + _BLOCK]
        raw = stream.read(len(part) * width)
        if len(raw) < len(part) * width:
            return None
        with np.errstate(over="ignore", invalid="ignore"):  # infinities and NaN are refused by name later
            part[:] = convert(raw)
    return out
