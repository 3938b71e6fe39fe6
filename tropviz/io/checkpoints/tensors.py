"""Tensors of a file by name, shape and a way to read them: a header is read, numbers only when asked for."""

from __future__ import annotations

import math
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.io.source import MAX_FILE_BYTES, MAX_NUMBERS, Source
from tropviz.io.text import shown

Array = NDArray[np.float64]
#: Most bytes of the directory of a torch file; a model of 10^5 tensors needs a tenth of it.
_DIRECTORY = 100_000_000


@dataclass(frozen=True)
class Stored:
    """A tensor in a file.

    Attributes
    ----------
    file : Source
        For messages; holds no data.
    name : str
    shape : tuple of int
    load : function
        Reads the numbers as float64.
    """

    file: Source
    name: str
    shape: tuple[int, ...]
    load: Callable[[], Array]

    def read(self) -> Array:
        """The numbers, float64; refused when they are too many or cannot be read."""
        if math.prod(self.shape) > MAX_NUMBERS:
            what = f"{shown(self.name, 80)} has {math.prod(self.shape):,} numbers"
            raise self.file.refusal(what, f"a gate has at most {MAX_NUMBERS:,}, name another tensor")
        try:
            values = self.load()
        except Exception as problem:  # the decoders raise their own kinds
            if isinstance(problem, ValueError) and str(problem).startswith(f"{self.file.name}: "):
                raise  # a sentence of ours
            raise self.file.refusal(f"{shown(self.name, 80)} cannot be read", "download the file again") from None
        return values


def tensors(path: Path) -> dict[str, Stored]:
    """What a file holds, by name; no numbers are read.

    Parameters
    ----------
    path : Path
        safetensors, bin, pt, pth or gguf.

    Raises
    ------
    ValueError
        A damaged or lying header, a pickle with code, an unknown extension; one sentence.
    """
    file = Source(shown(path.name), b"")
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise file.refusal(f"the extension is {suffix or 'missing'}", f"use one of {', '.join(READERS)}")
    if not path.is_file():
        raise file.refusal("there is no such file", "check the path, or download the missing shard")
    return READERS[suffix](path, file)


def _safetensors(path: Path, file: Source) -> dict[str, Stored]:
    from safetensors import safe_open

    def load(name: str) -> Array:
        with safe_open(path, framework="pt") as shard:
            return np.asarray(shard.get_tensor(name).double().numpy())

    try:
        with safe_open(path, framework="pt") as shard:  # checks every offset against the size of the file
            shapes = {name: tuple(shard.get_slice(name).get_shape()) for name in shard.keys()}  # noqa: SIM118
    except Exception:
        raise file.refusal("the header does not fit the file", "download it again, it is cut off or damaged") from None
    return {name: Stored(file, name, shape, partial(load, name)) for name, shape in shapes.items()}


def _numbers(tensor: Any) -> NDArray[np.float64]:
    """A tensor of torch as float64."""
    return np.asarray(tensor.detach().double().numpy())


def _torch(path: Path, file: Source) -> dict[str, Stored]:
    import torch

    remedy = "save a state_dict of plain tensors, or safetensors"
    zipped = zipfile.is_zipfile(path)
    if zipped:
        _check_archive(path, file)
    elif path.stat().st_size > MAX_FILE_BYTES:
        raise file.refusal("the old format of torch must be read as a whole", "save it again with torch.save")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            content = torch.load(path, map_location="cpu", weights_only=True, mmap=zipped)
    except Exception:  # with weights_only no code of the file has run
        raise file.refusal("this is not a file of plain tensors", remedy) from None
    for key in ("state_dict", "model", "module"):
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    found = {str(n): t for n, t in content.items() if hasattr(t, "detach")} if isinstance(content, dict) else {}
    if not found:
        raise file.refusal("this is not a file of plain tensors", remedy)
    return {name: Stored(file, name, tuple(value.shape), partial(_numbers, value)) for name, value in found.items()}


def _check_archive(path: Path, file: Source) -> None:
    """A torch file stores its members as they are: one that unpacks to more is a bomb."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except Exception:
        raise file.refusal("the archive is damaged", "download it again") from None
    packed = any(m.compress_type != zipfile.ZIP_STORED or m.file_size != m.compress_size for m in members)
    if packed or sum(m.file_size for m in members) > path.stat().st_size:
        raise file.refusal("the archive unpacks to more than it is", "save it with torch.save, which does not pack")
    if any(m.filename.endswith("data.pkl") and m.file_size > _DIRECTORY for m in members):
        raise file.refusal("its directory is larger than any model's", "save a state_dict of plain tensors")


def gguf_reader(path: Path, file: Source) -> Any:
    """A reader of the `gguf` package, which is optional.

    Raises
    ------
    ValueError
        Without the package, or for a file it cannot read.
    """
    import importlib

    try:
        package = importlib.import_module("gguf")
    except ImportError:
        raise file.refusal("GGUF needs the package gguf", "pip install gguf") from None
    try:
        return package.GGUFReader(str(path))
    except Exception:
        raise file.refusal("the header does not fit the file", "download it again, it is cut off or damaged") from None


def _gguf(path: Path, file: Source) -> dict[str, Stored]:
    import importlib

    reader = gguf_reader(path, file)
    quants = importlib.import_module("gguf.quants")

    def load(tensor: Any, shape: tuple[int, ...]) -> Array:
        return np.asarray(quants.dequantize(tensor.data, tensor.tensor_type), dtype=np.float64).reshape(shape)

    out = {}
    for tensor in reader.tensors:
        shape = tuple(int(n) for n in reversed(tensor.shape))  # ggml counts axes from the fastest
        out[tensor.name] = Stored(file, tensor.name, shape, partial(load, tensor, shape))
    return out


#: Every file type by its extension: a new one is a function like those above and an entry here.
READERS: dict[str, Callable[[Path, Source], dict[str, Stored]]] = {
    ".safetensors": _safetensors,
    ".bin": _torch,
    ".pt": _torch,
    ".pth": _torch,
    ".gguf": _gguf,
}
#: Those of which a folder of shards may consist, the first that is there; a GGUF is a model by itself.
SHARDS = tuple(suffix for suffix in READERS if suffix != ".gguf")
