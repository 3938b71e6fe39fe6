"""How numbers are stored in tensor files: one row a type, and bytes of it -> float64 without torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.io.entry import Buffer


@dataclass(frozen=True)
class NumberType:
    """A type of number.

    Attributes
    ----------
    width : int
        Bytes of one.
    convert : callable
        Little-endian bytes -> array of a type that numpy turns into float64 without loss.
    """

    width: int
    convert: Callable[[Buffer], NDArray[Any]]


def _plain(code: str) -> NumberType:
    dtype = np.dtype(code)
    return NumberType(dtype.itemsize, lambda raw: np.frombuffer(raw, dtype=dtype))


def _bfloat16(raw: Buffer) -> NDArray[np.float32]:
    """The upper half of a float32."""
    return (np.frombuffer(raw, dtype="<u2").astype("<u4") << 16).view("<f4")


def _e5m2(raw: Buffer) -> NDArray[np.float16]:
    """The upper half of a float16."""
    return (np.frombuffer(raw, dtype="u1").astype("<u2") << 8).view("<f2")


def _e4m3() -> NDArray[np.float64]:
    """All 256 numbers of float8_e4m3fn (Micikevicius et al. 2022): no infinity, NaN where all seven bits are set."""
    bits = np.arange(256)
    exponent, fraction = (bits >> 3) & 15, bits & 7
    size = np.where(exponent > 0, (8 + fraction) * 2.0 ** (exponent - 10.0), fraction * 2.0**-9)
    size[exponent * 8 + fraction == 127] = np.nan
    return np.where(bits >= 128, -size, size)


_E4M3 = _e4m3()

#: By the name that safetensors uses.
TYPES = {
    "F64": _plain("<f8"),
    "F32": _plain("<f4"),
    "F16": _plain("<f2"),
    "BF16": NumberType(2, _bfloat16),
    "F8_E5M2": NumberType(1, _e5m2),
    "F8_E4M3": NumberType(1, lambda raw: _E4M3[np.frombuffer(raw, dtype="u1")]),
    "I64": _plain("<i8"),
    "I32": _plain("<i4"),
    "I16": _plain("<i2"),
    "I8": _plain("i1"),
    "U64": _plain("<u8"),
    "U32": _plain("<u4"),
    "U16": _plain("<u2"),
    "U8": _plain("u1"),
}
