"""Bytes of any supported format -> named float64 arrays. Nothing here runs code from a file or trusts its sizes."""

from __future__ import annotations

from collections.abc import Callable

from tropviz.io.entry import Array, Entries, Entry
from tropviz.io.json_arrays import read_json
from tropviz.io.numpy_arrays import no_pickle, read_npy, read_npz
from tropviz.io.safetensors_arrays import read_safetensors
from tropviz.io.source import Source
from tropviz.io.table import read_table
from tropviz.io.torch_arrays import read_torch

#: What the last column of a table of experts is called where it is the bias.
_BIAS = ("b", "bias")


def entries(source: Source, *, points: bool = False) -> Entries:
    """The arrays of a file by name, each decoded and checked only when called for.

    No more than `Source.most` numbers are ever decoded into one array, and no reader takes more than about ten times
    the file's size of memory. No file is written.

    Parameters
    ----------
    source : Source
        What `open_source` returned; its extension says how to read it.
    points : bool
        A table is one of points: a last column named b is a coordinate like any other.

    Returns
    -------
    dict of str to Entry
        Each, when called, returns a read-only float64 array of finite numbers.

    Raises
    ------
    ValueError
        Unknown extension, a pickle, or damaged content; one sentence. The entries raise likewise.

    Examples
    --------
    >>> found = entries(Source("r.json", b'{"W": [[1, 0], [0, 1]], "k": 1}'))
    >>> found["W"]().tolist(), found["k"]().tolist()
    ([[1.0, 0.0], [0.0, 1.0]], 1.0)
    """
    if source.suffix == ".csv" and points:
        return {"": _made(read_table(source)[1])}
    if source.suffix in (".pkl", ".pickle"):
        raise no_pickle(source, "this is a pickle")
    if source.suffix not in READERS:
        extension = repr(source.suffix) if source.suffix else "missing"
        raise source.refusal(f"the extension is {extension}", f"use one of {', '.join(EXTENSIONS)}")
    return READERS[source.suffix](source)


def _csv(source: Source) -> Entries:
    columns, values = read_table(source)
    bias = [i for i, column in enumerate(columns) if column.lower() in _BIAS]
    if not bias or len(columns) == 1:
        return {"": _made(values)}
    if bias != [len(columns) - 1]:
        where = bias[0] + 1
        raise source.refusal(f"column {where} is named as the bias is and is not the last", "move it to the end")
    return {"W": _made(values[:, :-1]), "b": _made(values[:, -1])}


def _made(values: Array) -> Entry:
    return Entry(lambda: values, lambda: values.shape)


#: Every format by its extension: a new one is a file beside this one and an entry here.
READERS: dict[str, Callable[[Source], Entries]] = {
    ".json": read_json,
    ".npz": read_npz,
    ".npy": read_npy,
    ".csv": _csv,
    ".safetensors": read_safetensors,
    ".pt": read_torch,
}
EXTENSIONS = tuple(READERS)
