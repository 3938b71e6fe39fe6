"""Small files of every format, for the tests of the readers and the attack on them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def npy(array: Any, **options: Any) -> bytes:
    """An array as numpy.save writes it."""
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def npy_header(shape: Any, descr: str = "<f8") -> bytes:
    """The beginning of an npy file that claims `shape`, whatever follows."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def npz(**arrays: Any) -> bytes:
    """Arrays as numpy.savez_compressed writes them."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def zipped(members: Mapping[str, bytes] | Iterable[tuple[str, bytes]], packed: bool = True) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, data in dict(members).items():
            archive.writestr(name, data)
    return out.getvalue()


def pt(content: Any) -> bytes:
    """Something as torch.save writes it."""
    import torch

    out = io.BytesIO()
    torch.save(content, out)
    return out.getvalue()


def safetensors(header: Any, data: bytes = b"") -> bytes:
    """A safetensors file with this header, whatever it says."""
    text = json.dumps(header).encode() if not isinstance(header, bytes) else header
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def as_json(**content: Any) -> bytes:
    """Named values as JSON."""
    return json.dumps(content).encode()
