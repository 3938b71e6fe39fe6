"""A message to the browser: a JSON header and aligned buffers."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from tropviz.figures.picture import Once

#: By the type itself: its name takes numpy longer than all the rest of a small array.
_TYPES = {np.dtype(name): name for name in ("f4", "f8", "i4", "u1")}


def pack(message: Mapping[str, Any]) -> bytes:
    """A nest of dicts and lists with numpy arrays in it, as a JSON header and aligned buffers.

    Parameters
    ----------
    message : mapping
        Arrays must be float32, float64, int32 or uint8; other numbers must be finite (NaN gaps live in arrays only).

    Returns
    -------
    bytes
        u32 header length, u32 zero, header, padding to 8, buffers each padded to 8. In the header ``{"$b": [offset,
        numbers, type]}`` stands for an array, ``{"$m": [offset, bytes]}`` for a message within the message (`Once`).

    Raises
    ------
    ValueError
        For a NaN outside an array, or an array of another type.

    Examples
    --------
    >>> len(pack({"x": np.zeros(3, np.float32)})) % 8
    0
    """
    return b"".join(_packed(message))


def _packed(message: Any) -> list[bytes]:
    buffers: list[bytes] = []
    offset = 0

    def laid(raw: bytes) -> int:
        nonlocal offset
        start = offset
        buffers.append(raw + bytes(-len(raw) % 8))
        offset += len(buffers[-1])
        return start

    def encode(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            if (code := _TYPES.get(value.dtype)) is None:
                names = ", ".join(known.name for known in _TYPES)
                raise ValueError(f"an array of type {value.dtype} cannot be sent: use one of {names}.")
            return {"$b": [laid(value.tobytes()), value.size, code]}
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, dict):
            return {k: encode(v) for k, v in value.items()}
        if isinstance(value, Once):
            if value.encoded is None:
                value.encoded = b"".join(_packed(list(value)))
            return {"$m": [laid(value.encoded), len(value.encoded)]}
        if isinstance(value, (list, tuple)):
            return value if value and all(type(v) is str for v in value) else [encode(v) for v in value]
        return value.item() if isinstance(value, np.generic) else value

    header = json.dumps(encode(message), allow_nan=False, separators=(",", ":")).encode()
    return [struct.pack("<II", len(header), 0), header, bytes(-len(header) % 8), *buffers]
