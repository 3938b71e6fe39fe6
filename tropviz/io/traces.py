"""Captures from files: what tropviz.capture saved, recorded choices as npy, traces as CSV."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tropviz.core.capture.record import Capture, load, of_choices
from tropviz.io.source import open_source
from tropviz.io.table import read_table

SUFFIXES = (".npz", ".npy", ".csv")


def read_capture(path: str | os.PathLike[str], experts: int | None = None) -> Capture:
    """A capture, or choices that a serving engine recorded.

    Parameters
    ----------
    path : path
        ``.npz`` as `tropviz.capture` saves it; ``.npy`` with whole numbers (tokens, layers, k), memory-mapped; ``.csv``
        with the columns token, layer, expert, or layer, expert (then only loads are known, sets are of one expert).
    experts : int, optional
        N; by default one more than the largest expert seen.

    Raises
    ------
    ValueError
        One sentence: another extension, another shape, a token with several numbers of experts.
    """
    file = Path(path)
    if file.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{file.name}: the extension is {file.suffix or 'missing'}: use one of {', '.join(SUFFIXES)}.")
    if file.suffix.lower() == ".npz":
        return load(file)
    try:
        return of_choices(_npy(file), experts) if file.suffix.lower() == ".npy" else _csv(file, experts)
    except ValueError as problem:
        text = str(problem)
        raise ValueError(text if text.startswith(file.name) else f"{file.name}: {text}") from None


def read_states(path: str | os.PathLike[str]) -> np.ndarray:
    """Inputs of a gate, (n, d) or (batch, sequence, d), as a memory map of a ``.npy`` file.

    Raises
    ------
    ValueError
        One sentence: no such file, another format, entries that are no numbers.
    """
    file = Path(path)
    try:
        found = _npy(file)
        if found.dtype.kind not in "fiu" or not found.size:
            raise ValueError(f"it holds {found.dtype} of shape {found.shape}: save numbers, one row a token.")
    except ValueError as problem:
        raise ValueError(f"{file.name}: {problem}") from None
    return found


def _npy(file: Path) -> np.ndarray:
    try:
        return np.load(file, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise ValueError("there is no such file: check the path.") from None
    except (OSError, ValueError, EOFError):
        raise ValueError("this is no array of numbers, or it is cut off: save it with numpy.save.") from None


def _csv(file: Path, experts: int | None) -> Capture:
    source = open_source(file)
    columns, values = read_table(source)
    names = [name.strip().lower() for name in columns]
    if not {"layer", "expert"} <= set(names):
        raise source.refusal("the columns layer and expert are missing", "name them in the first line")
    if (values != np.floor(values)).any() or values.min() < 0:
        raise source.refusal("an entry is no whole number", "number tokens, layers and experts from 0")
    rows = values.astype(np.int64)
    layer, expert = rows[:, names.index("layer")], rows[:, names.index("expert")]
    if "token" not in names:
        return _uneven([expert[layer == one] for one in np.unique(layer)], np.unique(layer), experts)
    token = rows[:, names.index("token")]
    order = np.lexsort((expert, layer, token))
    groups, counts = np.unique(np.stack([token, layer])[:, order], axis=1, return_counts=True)
    layers = np.unique(layer)
    tokens = np.unique(token)
    if len(np.unique(counts)) > 1 or groups.shape[1] != len(tokens) * len(layers):
        raise source.refusal("some token has more experts than another in some layer", "give k rows a token and layer")
    choices = expert[order].reshape(len(tokens), len(layers), int(counts[0]))
    return of_choices(choices, experts, names=[f"layer {i}" for i in layers])


def _uneven(loads: list[np.ndarray], layers: np.ndarray, experts: int | None) -> Capture:
    """Layers with loads only: each row counts as a token with one expert."""
    N = experts or 1 + max(int(rows.max()) for rows in loads)
    parts = [of_choices(rows[:, None, None], N, names=[f"layer {i}"]) for rows, i in zip(loads, layers, strict=True)]
    return Capture(tuple(layer for part in parts for layer in part.layers))
