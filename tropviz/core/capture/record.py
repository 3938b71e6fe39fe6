"""Capture: what all routers of a model were seen to do; saved, loaded and merged."""

from __future__ import annotations

import json
import math
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from tropviz.core.capture.layer import MOST_EXPERTS, Layer, Moments
from tropviz.core.capture.reservoir import Reservoir
from tropviz.core.capture.sets import Sets
from tropviz.core.capture.stream import Stream
from tropviz.core.gates import Gate, Rule

FORMAT = 1
#: Most bytes of a capture, unpacked: 0.2 GB are usual for 32 layers.
LARGEST = 4_000_000_000
#: Most pairs of experts of all layers of recorded choices: 1 GB.
MOST_PAIRS = 2**27
_RULE = [field.name for field in fields(Rule)]


@dataclass(frozen=True, eq=False)
class Capture:
    """Statistics of every router, in the order of the model.

    Attributes
    ----------
    layers : tuple of Layer
    sources : tuple of str
        Names of the sources, in the order of ``Layer.load``.
    """

    layers: tuple[Layer, ...]
    sources: tuple[str, ...] = ("",)

    def merge(self, other: Capture) -> Capture:
        """What both saw; associative, and commutative but for the order of sources.

        Raises
        ------
        ValueError
            For captures of different routers.
        """
        names = [(one.name, one.gate.N, one.gate.k) for one in self.layers]
        if names != [(one.name, one.gate.N, one.gate.k) for one in other.layers]:
            raise ValueError("The captures are of different routers: merge captures of one model.")
        sources = self.sources + tuple(s for s in other.sources if s not in self.sources)
        place = np.array([sources.index(s) for s in other.sources])
        moved = (_moved(layer, place, len(sources)) for layer in other.layers)
        return Capture(tuple(a.merge(b) for a, b in zip(self.layers, moved, strict=True)), sources)

    def save(self, path: str | os.PathLike[str], note: Any = None) -> None:
        """Write as npz: plain arrays, and a JSON text that describes them; `note` is any JSON that goes with it.

        A file of that name is replaced when the new one is whole.
        """
        arrays: dict[str, Any] = {}
        about = {"format": FORMAT, "sources": self.sources, "layers": [_describe(one) for one in self.layers]}
        for number, layer in enumerate(self.layers):
            arrays |= {f"{number}.{name}": values for name, values in _arrays(layer).items()}
        file = Path(path)
        new = file.with_name(f"{file.name}.new")
        try:
            with open(new, "wb") as out:
                np.savez(out, about=np.array(json.dumps(about | {"note": note})), **arrays)
            os.replace(new, file)
        finally:
            new.unlink(missing_ok=True)


def note_of(path: str | os.PathLike[str]) -> Any:
    """The note that a capture was saved with."""
    with np.load(path, allow_pickle=False) as file:
        return json.loads(str(file["about"])).get("note")


def merge(*captures: Capture) -> Capture:
    """What several captures saw together.

    Raises
    ------
    ValueError
        For none, or captures of different routers.
    """
    if not captures:
        raise ValueError("There is nothing to merge: give at least one capture.")
    return reduce(Capture.merge, captures)


def load(path: str | os.PathLike[str] | BinaryIO, name: str | None = None, most: int | None = None) -> Capture:
    """Read what `Capture.save` wrote; nothing in the file is executed.

    Parameters
    ----------
    path : path, or a binary file
    name : str, optional
        For messages; the path's own by default.
    most : int, optional
        Bytes that it may unpack to; `LARGEST` by default.

    Raises
    ------
    ValueError
        For any other file; one sentence.
    """
    most = LARGEST if most is None else most
    if name is None:
        name = Path(path).name[:80] if isinstance(path, str | os.PathLike) else "the file"
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > most:
                raise ValueError(f"{name}: it unpacks to more than {most:,} bytes: capture fewer layers.")
            honest = all(_holds_what_it_says(archive, member) for member in archive.infolist())
        if not honest:
            raise zipfile.BadZipFile
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError) as problem:
        what = "there is no such file" if isinstance(problem, FileNotFoundError) else "this is no capture"
        raise ValueError(f"{name}: {what}: give what tropviz.capture saved.") from None
    try:
        if not isinstance(path, str | os.PathLike):
            path.seek(0)
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            if about["format"] != FORMAT:
                raise KeyError
            parts = enumerate(about["layers"])
            layers = tuple(_layer(one, {f: file[f"{i}.{f}"] for f in one["arrays"]}) for i, one in parts)
            return Capture(layers, tuple(map(str, about["sources"])))
    except (KeyError, TypeError, IndexError, OSError, ValueError, zipfile.BadZipFile, EOFError):
        raise ValueError(f"{name}: this is no capture, or it is damaged: give what tropviz.capture saved.") from None


def _holds_what_it_says(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    """Whether a member is as long as its header says: numpy makes room for all of it before it reads."""
    with archive.open(member) as stream:
        try:
            version = np.lib.format.read_magic(stream)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, _, kind = read(stream)
        except (ValueError, EOFError):
            return False
        return not kind.hasobject and math.prod(shape) * kind.itemsize == member.file_size - stream.tell()


def of_choices(choices: Any, N: int | None = None, *, names: Sequence[str] | None = None, seed: int = 0) -> Capture:
    """A capture of recorded choices, as serving engines give them.

    Parameters
    ----------
    choices : (tokens, layers, k) integers
        An array, a memory map included; taken in chunks.
    N : int, optional
        Number of experts; by default one more than the largest seen.
    names : sequence of str, optional
        Of the layers.
    seed : int

    Raises
    ------
    ValueError
        For another shape, no tokens, or no whole numbers.

    Examples
    --------
    >>> seen = of_choices(np.array([[[0, 1]], [[1, 2]], [[0, 1]]], dtype=np.int16))
    >>> seen.layers[0].load.tolist(), seen.layers[0].sets.distinct
    ([[2, 3, 1]], 2)
    """
    choices = choices if hasattr(choices, "shape") else np.asarray(choices)
    if len(choices.shape) != 3 or not all(choices.shape) or choices.dtype.kind not in "iu":
        raise ValueError(f"choices have shape {tuple(choices.shape)}: give whole numbers (tokens, layers, k).")
    tokens, layers, k = choices.shape
    step = max(1, 2**20 // (layers * k))
    starts = range(0, tokens, step)
    if N is None:
        N = 1 + max(int(np.max(choices[lo : lo + step])) for lo in starts)
    if not k <= N <= MOST_EXPERTS or layers * N * N > MOST_PAIRS:
        what = f"choices name {N:,} experts in {layers} layers, {k} of them active"
        raise ValueError(f"{what}: give at least k, at most {MOST_EXPERTS:,}, and at most {MOST_PAIRS:,} pairs in all.")
    unknown = Rule(refused="only the choices were recorded, not the weights")
    named = names or [f"layer {i}" for i in range(layers)]
    gates = [Gate(i, named[i], np.zeros((N, 1)), k, unknown) for i in range(layers)]
    streams = [Stream(gate, gate.name, (seed, 0), inputs=False) for gate in gates]
    for lo in starts:
        chunk = np.asarray(choices[lo : lo + step])
        for i, stream in enumerate(streams):
            stream.add(None, chunk[:, i])
    return Capture(tuple(stream.layer for stream in streams))


def _moved(layer: Layer, place: Any, sources: int) -> Layer:
    """The same with its sources numbered anew."""
    count = len(layer.tokens)
    load, tokens = np.zeros((sources, layer.gate.N), np.int64), np.zeros(sources, np.int64)
    load[place[:count]], tokens[place[:count]] = layer.load, layer.tokens
    sample = replace(layer.sample, source=place.astype(np.int16)[layer.sample.source])
    return replace(layer, load=load, tokens=tokens, sample=sample)


def _describe(layer: Layer) -> dict[str, Any]:
    gate = layer.gate
    rule = {name: getattr(gate.rule, name) for name in _RULE} | {"outside": str(gate.rule.outside)}
    return {
        **{"layer": gate.layer, "side": gate.side, "note": gate.note, "name": layer.name, "k": gate.k, "rule": rule},
        **{"n": layer.n, "dropped": layer.dropped, "recomputed": layer.recomputed, "level": layer.sets.level},
        **{"moments": [layer.moments.n, layer.moments.square] if layer.moments else None},
        "arrays": list(_arrays(layer)),
    }


def _arrays(layer: Layer) -> dict[str, Any]:
    out: dict[str, Any] = {"W": layer.gate.W, "load": layer.load, "tokens": layer.tokens, "together": layer.together}
    out |= {key: value for key, value in (("b", layer.gate.b), ("beta", layer.gate.beta)) if value is not None}
    out |= {"codes": layer.sets.codes, "members": layer.sets.members, "hits": layer.sets.hits}
    if layer.moments:
        out |= {"total": layer.moments.total, "y": layer.moments.y, "yy": layer.moments.yy}
    names = [field.name for field in fields(Reservoir)]
    return out | {f"sample_{n}": values for n, values in zip(names, layer.sample.columns(), strict=True)}


def _layer(about: dict[str, Any], arrays: dict[str, Any]) -> Layer:
    rule = Rule(**(about["rule"] | {"outside": float(about["rule"]["outside"])}))
    gate = Gate(
        about["layer"],
        about["name"],
        arrays["W"],
        about["k"],
        rule,
        b=arrays.get("b"),
        beta=arrays.get("beta"),
        side=about["side"],
        note=about["note"],
    )
    moments = None
    if about["moments"]:
        n, square = about["moments"]
        moments = Moments(n, arrays["total"], square, arrays["y"], arrays["yy"])
    arrays.setdefault("sample_token", np.full(len(arrays["sample_source"]), -1, np.int32))  # older files have none
    sample = Reservoir(*(arrays[f"sample_{field.name}"] for field in fields(Reservoir)))
    layer = Layer(
        gate,
        about["name"],
        about["n"],
        about["dropped"],
        about["recomputed"],
        arrays["load"],
        arrays["tokens"],
        arrays["together"],
        Sets(arrays["codes"], arrays["members"], arrays["hits"], about["level"]),
        moments,
        sample,
    )
    N, k = gate.N, gate.k
    fits = layer.together.shape == (N, N) and layer.load.shape == (len(layer.tokens), N)
    numbers: list[Any] = [gate.W, layer.sample.y, *(v for v in (gate.b, gate.beta) if v is not None)]
    fits &= all(np.isfinite(v).all() for v in numbers) and len({len(c) for c in layer.sample.columns()}) == 1
    chosen = layer.sample.chosen
    fits &= chosen.shape == layer.sample.ours.shape == (len(layer.sample), k)
    fits &= not chosen.size or (int(chosen.min()) >= -1 and int(chosen.max()) < N)
    if not fits or layer.sets.members.shape != (len(layer.sets.codes), k) or sample.y.shape != (len(sample), gate.d):
        raise ValueError("shapes do not fit")
    return layer
