"""safetensors -> named arrays, by the safetensors library; its header is bounded before the library builds it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tropviz.io.entry import Array, Entries, Entry, Held, check_size, converted, entry, finite
from tropviz.io.number_types import TYPES
from tropviz.io.source import MAX_ENTRIES, Source

_DAMAGED, _AGAIN = "this is not a readable safetensors file", "save a state_dict of plain tensors"
#: Longest header, in bytes: a thousand for each of the entries.
_HEADER = 1000 * MAX_ENTRIES


def read_safetensors(source: Source) -> Entries:
    """The tensors of a file by name, each converted when it is wanted.

    Raises
    ------
    ValueError
        Damaged, or a header of too many names.
    """
    from safetensors import SafetensorError, deserialize

    size = int.from_bytes(source.data[:8], "little")
    if len(source.data) < 8 or size > len(source.data) - 8:
        raise source.refusal(_DAMAGED, _AGAIN)
    # Each entry needs a bracket of its own that cannot be written in another way.
    if size > _HEADER or source.data.count(b"{", 8, 8 + size) > MAX_ENTRIES + 2:
        raise source.refusal(f"the header names more than {MAX_ENTRIES:,} tensors", "save fewer tensors")
    try:
        found: list[tuple[str, Mapping[str, Any]]] = deserialize(source.data)
    except (SafetensorError, ValueError, OverflowError):
        raise source.refusal(_DAMAGED, _AGAIN) from None
    return {name: Entry(partial(_array, source, name, tensor), partial(_shape, tensor)) for name, tensor in found}


def _shape(tensor: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(n) for n in tensor["shape"])


def _array(source: Source, name: str, tensor: Mapping[str, Any]) -> Array:
    shape = _shape(tensor)
    numbers = check_size(source, name, shape)
    kind = TYPES.get(tensor["dtype"])
    if kind is None:
        what = f"{entry(name)} holds {tensor['dtype']} entries"
        raise source.refusal(what, "save real numbers, as float32 or bfloat16")
    flat = converted(Held(tensor["data"]), numbers, kind.width, kind.convert)
    if flat is None:
        raise source.refusal(_DAMAGED, _AGAIN)
    return finite(source, name, flat.reshape(shape))
