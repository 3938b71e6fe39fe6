"""Routers of an uploaded shard: the bounded readers of `tropviz.io` decode it, never torch."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

from tropviz.core.gates import Gate
from tropviz.io.arrays import entries
from tropviz.io.checkpoints.read import LOOKS, gates_of
from tropviz.io.checkpoints.shards import Checkpoint
from tropviz.io.checkpoints.tensors import Stored
from tropviz.io.entry import Array, Entries
from tropviz.io.source import Source, open_source
from tropviz.io.text import shown

#: Largest config.json: those of released models have a few kilobytes.
CONFIG_BYTES = 1_000_000
#: Most rows of a matrix that may be a router's.
_ROWS = 4096
#: Shapes of tensors by name.
Shapes = Mapping[str, tuple[int, ...]]


def read_config(content: bytes, name: str = "config.json") -> dict[str, Any]:
    """The config of a model.

    Raises
    ------
    ValueError
        Too large, not JSON, or no object; one sentence.

    Examples
    --------
    >>> read_config(b'{"model_type": "mixtral"}')
    {'model_type': 'mixtral'}
    """
    file = Source(shown(name), b"")
    if len(content) > CONFIG_BYTES:
        raise file.refusal("it is larger than any config", "give the model's own file")
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise file.refusal("this is not JSON", "download it again") from None
    if not isinstance(found, dict):
        raise file.refusal("the content is no object", "give the model's own file")
    return found


def open_shard(
    content: bytes, name: str, config: Mapping[str, Any] | None = None, shapes: Shapes | None = None
) -> Checkpoint:
    """An uploaded safetensors or pt file as a checkpoint, of which nothing has been decoded yet.

    Parameters
    ----------
    content : bytes
    name : str
        Its extension tells the format.
    config : mapping, optional
        What `read_config` returned.
    shapes : mapping of str to tuple, optional
        Of its tensors, where they are known: its directory is not read either then, until a tensor is.

    Raises
    ------
    ValueError
        Too large, damaged, or another format; one sentence.
    """
    source = open_source(content, name)
    if source.suffix not in (".safetensors", ".pt"):
        raise source.refusal(f"the extension is {source.suffix or 'missing'}", "give a shard as safetensors or pt")
    file = Source(source.name, b"")
    inside = _Inside(source)
    if shapes is None:
        shapes = {n: shape for n, entry in inside.entries.items() if (shape := entry.shape)}
    if not shapes:
        raise file.refusal("no tensors are in it", "give a shard of the model")
    found = {n: Stored(file, n, shape, partial(inside.read, n)) for n, shape in shapes.items()}
    return Checkpoint(file, config, found, False)


class _Inside:
    """What is in a file, found when it is first wanted. To another process it goes as its bytes."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return _Inside, (self.source,)

    @cached_property
    def entries(self) -> Entries:
        """Its arrays by name."""
        return entries(self.source)

    def read(self, name: str) -> Array:
        """The numbers of one."""
        return self.entries[name]()


def read_uploaded(
    found: Checkpoint, *, tensor: str | None = None, rule: str | None = None, k: int | None = None
) -> list[Gate]:
    """Every router of an uploaded shard; parameters and errors are those of `read_checkpoint`.

    Examples
    --------
    >>> import numpy as np
    >>> from safetensors.numpy import save
    >>> shard = open_shard(save({"layers.0.mlp.gate.weight": np.eye(4, 3)}), "one.safetensors")
    >>> read_uploaded(shard, tensor="layers.0.mlp.gate.weight", rule="plain", k=2)
    [Gate(layer 0, N=4, d=3, k=2, A)]
    """
    return gates_of(found, tensor=tensor, rule=rule, k=k)


def candidates(found: Checkpoint) -> list[str]:
    """Matrices that may be routers, those that are called like one first, then by the number of their rows.

    Examples
    --------
    >>> import numpy as np
    >>> from safetensors.numpy import save
    >>> shard = open_shard(save({"a": np.eye(9, 20), "b.gate.weight": np.eye(8, 20)}), "two.safetensors")
    >>> candidates(shard)
    ['b.gate.weight', 'a']
    """
    fitting = [t for t in found.tensors.values() if len(t.shape) == 2 and 2 <= t.shape[0] <= _ROWS and t.shape[1] > 1]
    return [t.name for t in sorted(fitting, key=lambda t: (not LOOKS.search(t.name), t.shape[0], math.prod(t.shape)))]
