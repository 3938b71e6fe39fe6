"""Bytes of any supported format -> named float64 arrays. Nothing here runs code from a file or trusts its sizes."""

from __future__ import annotations

import io
import json
import math
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.io.source import MAX_NUMBERS, Source
from tropviz.io.table import read_table
from tropviz.io.text import quoted, shown

Array = NDArray[np.float64]
#: Name -> function that decodes that array when it is wanted. "" names the only array of a file without names.
Entries = dict[str, Callable[[], Array]]
EXTENSIONS = (".json", ".npz", ".npy", ".csv", ".safetensors", ".pt")
_AXES = 3
#: Entries we read by name: one that is no tensor is refused, not passed over.
_OURS = ("W", "b", "k", "U", "c")


def entries(source: Source) -> Entries:
    """The arrays of a file by name, each decoded and checked only when called for.

    Parameters
    ----------
    source : Source
        What `open_source` returned; its extension says how to read it.

    Returns
    -------
    dict of str to function
        Each function returns a read-only float64 array of finite numbers.

    Raises
    ------
    ValueError
        Unknown extension, a pickle, or damaged content; one sentence. The functions raise likewise.

    Examples
    --------
    >>> found = entries(Source("r.json", b'{"W": [[1, 0], [0, 1]], "k": 1}'))
    >>> found["W"]().tolist(), found["k"]().tolist()
    ([[1.0, 0.0], [0.0, 1.0]], 1.0)
    """
    readers = {
        ".json": _json,
        ".npz": _npz,
        ".npy": _npy,
        ".csv": _csv,
        ".safetensors": _safetensors,
        ".pt": _torch,
    }
    if source.suffix in (".pkl", ".pickle") or (source.suffix in (".npy", ".npz") and source.data[:1] == b"\x80"):
        raise _pickle(source, "this is a pickle")
    if source.suffix not in readers:
        extension = repr(source.suffix) if source.suffix else "missing"
        raise source.refusal(f"the extension is {extension}", f"use one of {', '.join(EXTENSIONS)}")
    return readers[source.suffix](source)


def entry(name: str, index: Iterable[int] = ()) -> str:
    """How messages name a number: ``W[2, 1]``; an array without a name is called ``array``."""
    inside = ", ".join(str(int(i)) for i in index)
    name = shown(name)
    return f"{name or 'array'}[{inside}]" if inside else (name or "the array")


def finite(source: Source, name: str, array: Array) -> Array:
    """The array, read-only, after a check that every number is finite.

    Raises
    ------
    ValueError
        Naming the first NaN or infinity.
    """
    wrong = ~np.isfinite(array)
    if wrong.any():
        where = np.argwhere(wrong)[0]
        raise source.refusal(f"{entry(name, where)} is {array[tuple(where)]}", "replace it by a finite number")
    array.setflags(write=False)
    return array


def _pickle(source: Source, what: str) -> ValueError:
    return source.refusal(what, "pickles can run code and are never opened, save plain arrays with numpy.savez")


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(source: Source) -> Entries:
    try:
        content = json.loads(_text(source), object_pairs_hook=lambda pairs: _no_twins(source, pairs))
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise source.refusal(f"{where}: {problem.msg}", "correct the JSON there") from None
    except RecursionError:
        raise source.refusal("the lists are nested too deeply", f"use at most {_AXES} levels") from None
    except ValueError as problem:
        if str(problem).startswith(f"{source.name}: "):
            raise
        raise source.refusal("a whole number has too many digits", "write it as 1.5e300") from None
    if isinstance(content, list):
        content = {"": content}
    if not isinstance(content, dict):
        raise source.refusal("the content is neither an object nor a list", 'write {"W": [[...], ...], "b": [...]}')
    return {
        name: (lambda name=name, value=value: finite(source, name, _nested(source, name, value)))
        for name, value in content.items()
        if value is not None
    }


def _text(source: Source) -> str:
    try:
        return source.data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = source.data.count(b"\n", 0, problem.start) + 1
        raise source.refusal(f"line {line} is not UTF-8 text", "save the file as UTF-8") from None


def _no_twins(source: Source, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise source.refusal(f"the key {quoted(twin)} occurs twice", "keep one of them")
    return out


def _nested(source: Source, name: str, value: Any) -> Array:
    """Nested lists of numbers as an array; types and lengths are checked entry by entry."""
    shape: list[int] = []
    first = value
    while isinstance(first, list):
        shape.append(len(first))
        if len(shape) > _AXES:
            raise source.refusal(f"{entry(name)} has more than {_AXES} levels of lists", "nest fewer lists")
        first = first[0] if first else 0.0
    flat: list[float] = []
    _collect(source, name, value, tuple(shape), (), flat)
    return np.array(flat, dtype=np.float64).reshape(shape)


def _collect(
    source: Source, name: str, value: Any, shape: tuple[int, ...], index: tuple[int, ...], out: list[float]
) -> None:
    if not shape:
        out.append(_number(source, entry(name, index), value))
        return
    if not isinstance(value, list):
        raise source.refusal(f"{entry(name, index)} is not a list", "give rows of equal length")
    if len(value) != shape[0]:
        twin = entry(name, [0] * len(index))
        what = f"{entry(name, index)} has {len(value)} entries and {twin} has {shape[0]}"
        raise source.refusal(what, "give rows of equal length")
    if len(shape) == 1 and all(type(v) is float for v in value):
        out.extend(value)
        return
    for i, inner in enumerate(value):
        _collect(source, name, inner, shape[1:], (*index, i), out)


def _number(source: Source, where: str, value: Any) -> float:
    if type(value) in (int, float):  # bool is an int to Python, not to us
        try:
            return float(value)
        except OverflowError:
            raise source.refusal(f"{where} is beyond 1.8e308", "scale the numbers down") from None
    kinds = {str: "a text", bool: "true or false", list: "a list", dict: "an object", type(None): "null"}
    raise source.refusal(f"{where} is {kinds.get(type(value), 'no number')}", "write a number there")


# --- numpy ------------------------------------------------------------------------------------------------------------


def _npz(source: Source) -> Entries:
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        members = archive.infolist()
    except Exception:  # whatever a damaged archive makes zipfile raise
        raise source.refusal("this is not a readable npz archive", "save it again with numpy.savez") from None
    for name, times in Counter(m.filename for m in members).items():
        if times > 1:
            raise source.refusal(f"the key {quoted(_key(name))} occurs twice", "keep one of them")
    return {
        _key(member.filename): (lambda member=member: _member(source, archive, member))
        for member in members
        if member.filename.endswith(".npy")
    }


def _key(filename: str) -> str:
    """``W.npy`` is W; what `numpy.savez` calls arr_0 has no name."""
    name = filename.removesuffix(".npy")
    return "" if name == "arr_0" else name


def _member(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    name = _key(member.filename)
    if member.file_size > MAX_NUMBERS * 16:  # the declared size; zipfile never unpacks more than it
        raise _too_many(source, name)
    try:
        data = archive.read(member)
    except Exception:  # checksum, encryption, compression method: one answer
        raise source.refusal(f"{entry(name)} is damaged", "save the file again with numpy.savez") from None
    return _npy_array(source, name, data)


def _npy(source: Source) -> Entries:
    return {"": lambda: _npy_array(source, "", source.data)}


def _npy_array(source: Source, name: str, data: bytes) -> Array:
    """Decode one .npy stream by its header, after checking the header against the bytes that are there."""
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = header(stream)
    except Exception:  # numpy raises many kinds for a damaged header
        raise source.refusal(f"{entry(name)} is not in numpy's format", "save it again with numpy.save") from None
    if dtype.hasobject:
        raise _pickle(source, f"{entry(name)} holds Python objects, which is a pickle")
    numbers = math.prod(shape)
    if numbers > MAX_NUMBERS:
        raise _too_many(source, name)
    if len(shape) > _AXES:
        raise source.refusal(f"{entry(name)} has {len(shape)} axes", f"give at most {_AXES}")
    if numbers * dtype.itemsize != len(data) - stream.tell() or any(n < 0 for n in shape):
        raise source.refusal(f"{entry(name)} is cut off or damaged", "save it again with numpy.save")
    _real(source, name, dtype)
    raw = np.frombuffer(data, dtype=dtype, count=numbers, offset=stream.tell())
    return _finish(source, name, raw.reshape(shape, order="F" if fortran else "C"))


def _real(source: Source, name: str, dtype: np.dtype[Any]) -> None:
    kinds = {"b": "true or false", "c": "complex numbers", "S": "text", "U": "text", "M": "dates", "m": "times"}
    if dtype.kind not in "fiu":
        what = kinds.get(dtype.kind, "entries that are no plain numbers (bfloat16 perhaps)")
        raise source.refusal(f"{entry(name)} holds {what}", "save real numbers, as float32 or float64")


def _finish(source: Source, name: str, raw: NDArray[Any]) -> Array:
    with np.errstate(over="ignore"):  # long doubles beyond float64 become infinite and are refused by name
        return finite(source, name, np.array(raw, dtype=np.float64))


def _too_many(source: Source, name: str) -> ValueError:
    return source.refusal(f"{entry(name)} has more than {MAX_NUMBERS:,} numbers", "save fewer rows")


# --- text tables and tensors ------------------------------------------------------------------------------------------


def _csv(source: Source) -> Entries:
    columns, values = read_table(source, _text(source))
    if columns and columns[-1].lower() in ("b", "bias"):  # a router's bias as the last, named column
        return {"W": lambda: values[:, :-1], "b": lambda: values[:, -1]}
    return {"": lambda: values}


def _safetensors(source: Source) -> Entries:
    from safetensors.torch import load

    return _tensors(source, lambda: load(source.data), "this is not a readable safetensors file")


def _torch(source: Source) -> Entries:
    import torch

    def load() -> Any:
        return torch.load(io.BytesIO(source.data), map_location="cpu", weights_only=True)

    return _tensors(source, load, "this is not a file of plain tensors")


def _tensors(source: Source, load: Callable[[], Any], damaged: str) -> Entries:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch's notes on kinds of tensors that are refused below by name
            content = load()
    except Exception:  # the decoders raise their own kinds; with weights_only no code of the file has run
        raise source.refusal(damaged, "save a state_dict of plain tensors, or safetensors") from None
    if hasattr(content, "detach"):
        content = {"": content}
    if not isinstance(content, dict):
        raise source.refusal(damaged, "save a state_dict of plain tensors, or safetensors")
    return {
        str(name): (lambda name=str(name), value=value: _tensor(source, name, value))
        for name, value in content.items()
        if hasattr(value, "detach") or type(value) in (int, float, bool) or (name in _OURS and value is not None)
    }


def _tensor(source: Source, name: str, value: Any) -> Array:
    remedy = "save real numbers, as float32 or bfloat16"
    if not hasattr(value, "detach"):
        return finite(source, name, _nested(source, name, value))
    if value.is_meta:
        raise source.refusal(f"{entry(name)} is on the device meta and has no numbers", "save it after loading them")
    if value.is_nested or value.is_quantized:
        kind = "nested" if value.is_nested else "quantised"
        raise source.refusal(f"{entry(name)} is a {kind} tensor", remedy)
    if value.numel() > MAX_NUMBERS:
        raise _too_many(source, name)
    if value.dim() > _AXES:
        raise source.refusal(f"{entry(name)} has {value.dim()} axes", f"give at most {_AXES}")
    kind = str(value.dtype).removeprefix("torch.")
    if value.layout.__str__() != "torch.strided" or not kind.startswith(("float", "bfloat", "int", "uint")):
        raise source.refusal(f"{entry(name)} holds {kind} entries", remedy)
    try:
        raw = value.detach().double().numpy()
    except (RuntimeError, TypeError):  # a kind of tensor that torch itself cannot turn into numbers
        raise source.refusal(f"{entry(name)} holds {kind} entries", remedy) from None
    return _finish(source, name, raw)
