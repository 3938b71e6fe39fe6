""".pt -> named arrays without torch: the directory is read as a description, and only what is wanted is decoded."""

from __future__ import annotations

import zipfile
from typing import Any

import numpy as np

from tropviz.io.entry import Array, Entries, Entry, Held, check_size, converted, entry, finite
from tropviz.io.json_arrays import json_entry
from tropviz.io.number_types import TYPES, NumberType
from tropviz.io.opcodes import BYTES, NotPlain, Odd, Storage, Tensor, described
from tropviz.io.source import Source
from tropviz.io.zipped import open_zip

_AGAIN = "save a state_dict of plain tensors, or safetensors"
_REAL = "save real numbers, as float32 or bfloat16"
#: The types of `TYPES`, as torch names its storages and as it names the types that have none.
_KINDS = {
    "F64": ("DoubleStorage", "float64"),
    "F32": ("FloatStorage", "float32"),
    "F16": ("HalfStorage", "float16"),
    "BF16": ("BFloat16Storage", "bfloat16"),
    "F8_E5M2": ("", "float8_e5m2"),
    "F8_E4M3": ("", "float8_e4m3fn"),
    "I64": ("LongStorage", "int64"),
    "I32": ("IntStorage", "int32"),
    "I16": ("ShortStorage", "int16"),
    "I8": ("CharStorage", "int8"),
    "U64": ("", "uint64"),
    "U32": ("", "uint32"),
    "U16": ("", "uint16"),
    "U8": ("ByteStorage", "uint8"),
}
_BY_NAME = {name: TYPES[ours] for ours, names in _KINDS.items() for name in names if name}
_OTHERS = {"BoolStorage": "bool", "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128"}


def read_torch(source: Source) -> Entries:
    """The tensors of a file that `torch.save` wrote, by name; a lone tensor has none.

    Raises
    ------
    ValueError
        Damaged, of a torch before 1.6, or anything beyond plain tensors: such a file can run code, and none is run.
    """
    if not source.data.startswith(b"PK"):
        what = "this is not a file of plain tensors as torch has written since version 1.6"
        raise source.refusal(what, "load it and save its state_dict again")
    archive = open_zip(source, "this is not a file of plain tensors", _AGAIN)
    members = {member.filename: member for member in archive.infolist()}
    root = next((name.removesuffix("data.pkl") for name in members if name.endswith("/data.pkl")), None)
    if root is None:
        raise source.refusal("this is not a file of plain tensors", _AGAIN)
    if sum(member.file_size for member in members.values()) > len(source.data):  # torch packs nothing
        raise source.refusal("the archive is compressed, which torch does not do", _AGAIN)
    try:
        if members[f"{root}data.pkl"].file_size > BYTES:
            raise NotPlain("its directory is too long")
        content = described(_raw(source, archive, members[f"{root}data.pkl"]))
    except NotPlain as problem:
        raise source.refusal(f"this is not a file of plain tensors, {problem}", _AGAIN) from None
    if f"{root}byteorder" in members and _raw(source, archive, members[f"{root}byteorder"]) != b"little":
        raise source.refusal("its numbers are stored big end first", "save it on a little-endian machine")
    if isinstance(content, Tensor | Odd):
        content = {"": content}
    if not isinstance(content, dict):
        raise source.refusal("this is not a file of plain tensors", _AGAIN)
    return {
        name: _entry(source, archive, members, root, name, value)
        for name, value in content.items()
        if value is not None
    }


def _raw(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(member)
    except Exception:  # checksum, cut off, encrypted
        raise source.refusal("this is not a file of plain tensors, a part of it is damaged", _AGAIN) from None


def _entry(source: Source, archive: Any, members: dict[str, Any], root: str, name: str, value: Any) -> Entry:
    if isinstance(value, Odd):

        def refuse() -> Array:
            raise source.refusal(f"{entry(name)} is a {value.kind}", "save plain tensors of real numbers")

        return Entry(refuse)
    if not isinstance(value, Tensor):
        return json_entry(source, name, list(value) if isinstance(value, tuple) else value)
    return Entry(
        lambda: _tensor(source, archive, members.get(f"{root}data/{value.storage.key}"), name, value),
        lambda: value.shape,
    )


def _type(source: Source, name: str, storage: Storage) -> NumberType:
    if storage.kind not in _BY_NAME:
        kind = _OTHERS.get(storage.kind, storage.kind)
        raise source.refusal(f"{entry(name)} holds {entry(kind)} entries", _REAL)
    return _BY_NAME[storage.kind]


def _tensor(
    source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo | None, name: str, tensor: Tensor
) -> Array:
    kind = _type(source, name, tensor.storage)
    numbers = check_size(source, name, tensor.shape)
    steps = [(n - 1) * step for n, step in zip(tensor.shape, tensor.strides, strict=True)]
    needed = tensor.offset + sum(steps) + 1 if numbers else 0
    if member is None or needed * kind.width > member.file_size:
        raise source.refusal(f"{entry(name)} is cut off or damaged", _AGAIN)
    held = needed - tensor.offset if numbers else 0
    flat = _span(source, archive, member, kind, tensor.offset, held)
    if flat is None:
        raise source.refusal(f"{entry(name)} is cut off or damaged", _AGAIN)
    strides = tuple(8 * step for step in tensor.strides) if numbers else None
    view = np.lib.stride_tricks.as_strided(flat, tensor.shape, strides) if numbers else flat.reshape(tensor.shape)
    return finite(source, name, np.array(view, order="C", copy=not view.flags.c_contiguous or None))


def _span(
    source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo, kind: NumberType, offset: int, numbers: int
) -> Array | None:
    """`numbers` numbers of a storage from `offset` on."""
    stream = Held(_raw(source, archive, member), offset * kind.width)
    return converted(stream, numbers, kind.width, kind.convert)
