"""A message to the browser: a JSON header and aligned buffers."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

_TYPES = {"float32": "f4", "float64": "f8", "int32": "i4", "uint8": "u1"}


def pack(message: Mapping[str, Any]) -> bytes:
    """A nest of dicts and lists with numpy arrays in it, as a JSON header and aligned buffers.

    Parameters
    ----------
    message : mapping
        Arrays must be float32, float64, int32 or uint8; other numbers must be finite (NaN gaps live in arrays only).

    Returns
    -------
    bytes
        u32 header length, u32 zero, header, padding to 8, buffers each padded to 8.

    Raises
    ------
    ValueError
        For a NaN outside an array, or an array of another type.

    Examples
    --------
    >>> len(pack({"x": np.zeros(3, np.float32)})) % 8
    0
    """
    buffers: list[bytes] = []
    offset = 0

    def encode(value: Any) -> Any:
        nonlocal offset
        if isinstance(value, np.ndarray):
            if value.dtype.name not in _TYPES:
                raise ValueError(f"an array of type {value.dtype} cannot be sent: use one of {', '.join(_TYPES)}.")
            raw = np.ascontiguousarray(value).tobytes()
            reference = {"$b": [offset, int(value.size), _TYPES[value.dtype.name]]}
            buffers.append(raw + bytes(-len(raw) % 8))
            offset += len(buffers[-1])
            return reference
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, dict):
            return {k: encode(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return value if value and all(type(v) is str for v in value) else [encode(v) for v in value]
        return value.item() if isinstance(value, np.generic) else value

    header = json.dumps(encode(message), allow_nan=False, separators=(",", ":")).encode()
    return struct.pack("<II", len(header), 0) + header + bytes(-len(header) % 8) + b"".join(buffers)
