"""npy and npz -> named arrays: headers first, then only what is wanted, block by block. No pickle is ever opened."""

from __future__ import annotations

import io
import re
import zipfile
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from tropviz.io.entry import Array, Entries, Entry, check_size, converted, entry, finite
from tropviz.io.source import Source
from tropviz.io.zipped import open_zip

_Header = tuple[tuple[int, ...], bool, "np.dtype[Any]"]
_AGAIN = "save it again with numpy.save"
#: The longest header of plain numbers; numpy itself refuses longer ones.
_HEADER = 10_000
#: Everything a header of plain or named numbers is made of. Linear: no two alternatives begin alike.
_WORDS = re.compile(rb"(?:[\s{}\[\](),:]|'[^'\\\n]*'|\"[^\"\\\n]*\"|True|False|-?\d+L?(?![\w.]))*")
#: Python 2 wrote lengths as 3L.
_LONG = re.compile(rb"(?<=\d)L(?=[\s,)])")


def read_npy(source: Source) -> Entries:
    """The array of an npy file, without a name."""
    pickled(source)
    return {
        "": Entry(
            lambda: _array(source, "", io.BytesIO(source.data), len(source.data)),
            lambda: _header(source, "", io.BytesIO(source.data))[0],
        )
    }


def read_npz(source: Source) -> Entries:
    """The arrays of an npz file by name; ``arr_0``, as `numpy.savez` calls what has none, has none."""
    pickled(source)
    archive = open_zip(source, "this is not a readable npz archive", "save it again with numpy.savez")
    return {
        _key(member.filename): Entry(
            partial(_member, source, archive, member),
            partial(_peek, source, archive, member),
        )
        for member in archive.infolist()
        if member.filename.endswith(".npy")
    }


def pickled(source: Source) -> None:
    """Refuse a pickle under another name."""
    if source.data[:1] == b"\x80":
        raise no_pickle(source, "this is a pickle")


def no_pickle(source: Source, what: str) -> ValueError:
    """The refusal of a pickle."""
    return source.refusal(what, "pickles can run code and are never opened, save plain arrays with numpy.savez")


def _key(filename: str) -> str:
    name = filename.removesuffix(".npy")
    return "" if name == "arr_0" else name


def _member(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    name = _key(member.filename)
    try:
        with archive.open(member) as stream:  # zipfile never unpacks more than the declared size
            return _array(source, name, stream, member.file_size)
    except ValueError as problem:
        if str(problem).startswith(f"{source.name}: "):
            raise
        raise _damaged(source, name) from None
    except Exception:  # checksum, encryption, cut off: one answer
        raise _damaged(source, name) from None


def _peek(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[int, ...]:
    name = _key(member.filename)
    try:
        with archive.open(member) as stream:
            return _header(source, name, stream)[0]
    except Exception:
        raise _damaged(source, name) from None


def _damaged(source: Source, name: str) -> ValueError:
    return source.refusal(f"{entry(name)} is damaged", "save the file again with numpy.savez")


def _header(source: Source, name: str, stream: Any) -> _Header:
    """Shape, order and type of the array that begins here; reads as far as the header goes."""
    strange = source.refusal(f"{entry(name)} is not in numpy's format", _AGAIN)
    start = stream.read(8)
    if start[:6] != b"\x93NUMPY" or start[6:] not in (b"\1\0", b"\2\0", b"\3\0"):
        raise strange
    width = 2 if start[6] == 1 else 4
    length = stream.read(width)
    size = int.from_bytes(length, "little")
    text = stream.read(size) if len(length) == width and size <= _HEADER else b""
    if len(text) < size or size > _HEADER or not _WORDS.fullmatch(text):
        raise strange
    text = _LONG.sub(b" ", text)  # numpy reads these too, but warns on standard error
    again = io.BytesIO(length + text)
    try:
        if start[6] == 1:
            return np.lib.format.read_array_header_1_0(again)
        return np.lib.format.read_array_header_2_0(again)
    except Exception:  # numpy raises many kinds for a damaged header
        raise strange from None


def _array(source: Source, name: str, stream: BinaryIO | Any, size: int) -> Array:
    """Decode one npy stream of `size` bytes, after checking its header against them."""
    shape, fortran, dtype = _header(source, name, stream)
    if dtype.hasobject:
        raise no_pickle(source, f"{entry(name)} holds Python objects, which is a pickle")
    if any(n < 0 for n in shape):
        raise source.refusal(f"{entry(name)} is cut off or damaged", _AGAIN)
    numbers = check_size(source, name, shape)
    _real(source, name, dtype)
    if numbers * dtype.itemsize != size - stream.tell():
        raise source.refusal(f"{entry(name)} is cut off or damaged", _AGAIN)
    flat = converted(stream, numbers, dtype.itemsize, lambda raw: np.frombuffer(raw, dtype=dtype))
    if flat is None or stream.read(1):
        raise source.refusal(f"{entry(name)} is cut off or damaged", _AGAIN)
    return finite(source, name, flat.reshape(shape, order="F" if fortran else "C"))


def _real(source: Source, name: str, dtype: np.dtype[Any]) -> None:
    if dtype.names:
        what = f"{entry(name)} holds rows of named columns"
        raise source.refusal(what, "save numpy.lib.recfunctions.structured_to_unstructured of it")
    kinds = {"b": "true or false", "c": "complex numbers", "S": "text", "U": "text", "M": "dates", "m": "times"}
    if dtype.kind not in "fiu":
        what = kinds.get(dtype.kind, "entries that are no plain numbers (bfloat16 perhaps)")
        raise source.refusal(f"{entry(name)} holds {what}", "save real numbers, as float32 or float64")
