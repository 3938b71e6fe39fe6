"""read_checkpoint: every router of a model, in its order, from names, shapes and config.json."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tropviz.core.gates import Family, Gate, Rule, Unknown, family_of, settings
from tropviz.core.router import Array
from tropviz.io.checkpoints import gguf
from tropviz.io.checkpoints.shards import Checkpoint, open_checkpoint
from tropviz.io.checkpoints.tensors import Stored
from tropviz.io.text import quoted, shown

_NAME = re.compile(
    r"^(?P<stem>.*?)(?:^|(?<=\.))(?:layers|blocks|block|blk)\.(?P<layer>\d+)\.(?:layer\.\d+\.)?(?P<tail>.+)$"
)
#: Stems of further prediction heads, which have gates and are no layers.
_EXTRA_HEADS = re.compile(r"(^|\.)(mtp|nextn|eagle)")
#: What routers tend to be called.
LOOKS = re.compile(r"(gate|router|classifier|wg|gate_inp)(\.weight)?$")
_HASHED = "the token id decides (a table from tokens to experts), W only weighs"
_STACKS = ("encoder", "decoder")
_WIDTHS = ("hidden_size", "d_model")
_LAYERS = ("num_hidden_layers", "n_layers", "num_layers")
PLAIN = "plain"


def read_checkpoint(
    path: str | os.PathLike[str],
    *,
    layer: int | None = None,
    tensor: str | None = None,
    rule: str | None = None,
    k: int | None = None,
) -> list[Gate]:
    """Every router of a checkpoint.

    Parameters
    ----------
    path : str or path
        A folder, an index file, or one shard: safetensors, bin or pt (weights only), gguf. Of any size: only headers,
        biases and config.json are read, a gate's weights when its `W` is first used.
    layer : int, optional
        Only the routers of this layer.
    tensor : str, optional
        Only the weights of this name, in which ``*`` stands for anything; needed for models that are not known.
    rule : str, optional
        Choose like this model type, or ``"plain"`` for top-k of W x alone, instead of what config.json says.
    k : int, optional
        Active experts, where no config says so.

    Returns
    -------
    list of Gate
        In the order of the model.

    Raises
    ------
    ValueError
        One sentence: what is missing or contradictory, or, for a model that is not known, the candidates.

    Examples
    --------
    >>> read_checkpoint("nowhere")
    Traceback (most recent call last):
    ...
    ValueError: nowhere: there is no such file or folder: check the path.
    """
    return gates_of(open_checkpoint(Path(path)), layer=layer, tensor=tensor, rule=rule, k=k)


def gates_of(
    found: Checkpoint,
    *,
    layer: int | None = None,
    tensor: str | None = None,
    rule: str | None = None,
    k: int | None = None,
) -> list[Gate]:
    """Every router of a checkpoint that is open; parameters and errors are those of `read_checkpoint`."""
    row, config = _family(found, tensor, rule, k)
    try:
        gates = _plain(found, tensor or "*", k) if row is None else _gates(found, row, config, tensor, k)
    except ValueError as problem:
        text = str(problem)
        kind = Unknown if isinstance(problem, Unknown) else ValueError
        raise kind(text if text.startswith(found.file.name) else f"{found.file.name}: {text}") from None
    chosen = [gate for gate in gates if layer is None or gate.layer == layer]
    if not chosen:
        layers = sorted({gate.layer for gate in gates})
        if layers:
            what = f"layer {layer} has no router"
            raise found.file.refusal(what, f"choose one of {shown(', '.join(map(str, layers)), 120)}")
        wanted = shown(tensor or (row.weight[0] if row else "*"))
        raise _asked(found, f"no router is called {wanted} here", "give the shard that has it")
    return chosen


def _family(
    found: Checkpoint, tensor: str | None, rule: str | None, k: int | None
) -> tuple[Family | None, Mapping[str, Any]]:
    """The row to read by and the config it reads; no row for plain top-k of a named tensor."""
    config = found.config or {}
    if config.get("model_type") == gguf.MODEL_TYPE and rule is None:
        return gguf.FAMILY, config
    if rule is not None:
        if rule == PLAIN:
            return None, config
        row, _, _ = family_of({"model_type": rule})
        if row is None:
            raise found.file.refusal(f"the rule {quoted(rule)} is not known", f"name a model type, or {PLAIN!r}")
        part = family_of(config)[2]
        return row, part if part.get(row.experts[0]) is not None else _assumed(found, row, k)
    row, name, part = family_of(config)
    if row is not None:
        return row, part
    if found.config is None:
        what = "no config.json is beside it, so neither the rule nor k is known"
        raise _asked(found, what, "put it there, or give tensor, rule and k")
    what = f"config.json: the model type {quoted(name)} is not known"
    raise _asked(found, what, "say which tensor is a router, by which rule it chooses, and k")


def _assumed(found: Checkpoint, row: Family, k: int | None) -> Mapping[str, Any]:
    """A config for a lone file whose rule was named: N from the rows, k as given."""
    rows = [t.shape for n, t in found.tensors.items() if any(n.endswith(w) for w in row.weight) and len(t.shape) == 2]
    if not rows or k is None or row.groups:
        what = f"its {row.groups[0]}" if row.groups and k is not None else "k, the number of active experts,"
        raise _asked(found, f"{what} is not known without config.json", "put it beside the file")
    return {row.experts[0]: rows[0][0], row.active[0]: k}


def _asked(found: Checkpoint, what: str, remedy: str) -> Unknown:
    return Unknown(str(found.file.refusal(what, remedy + _looks(found))))


def _looks(found: Checkpoint) -> str:
    """Tensors that look like routers, for a question."""
    few = [
        f"{shown(name, 60)} {tensor.shape}"
        for name, tensor in found.tensors.items()
        if LOOKS.search(name) and len(tensor.shape) == 2 and 2 <= tensor.shape[0] <= 4096
    ]
    if not few:
        return ""
    more = f" and {len(few) - 4} more" if len(few) > 4 else ""
    return f" (what looks like one: {', '.join(few[:4])}{more})"


def _plain(found: Checkpoint, pattern: str, k: int | None) -> list[Gate]:
    """Plain top-k of the tensors of one name."""
    if k is None:
        raise Unknown("k, the number of active experts, is not known: give it.")
    out = []
    for name, tensor in found.tensors.items():
        if fnmatch.fnmatchcase(name, pattern) and len(tensor.shape) == 2 and (pattern != "*" or LOOKS.search(name)):
            match = _NAME.match(name)
            shape = (tensor.shape[0], tensor.shape[1])
            out.append(Gate(int(match["layer"]) if match else 0, name, tensor.read, k, Rule("identity"), shape=shape))
    return sorted(out, key=lambda gate: gate.layer)


def _gates(found: Checkpoint, row: Family, config: Mapping[str, Any], pattern: str | None, k: int | None) -> list[Gate]:
    depth = next((int(config[key]) for key in _LAYERS if isinstance(config.get(key), int)), None)
    out = []
    for name, tensor in found.tensors.items():
        match = _NAME.match(name)
        if not match or match["tail"] not in row.weight or _EXTRA_HEADS.search(match["stem"]):
            continue
        if pattern is not None and not fnmatch.fnmatchcase(name, pattern):
            continue
        place = int(match["layer"])
        side = _side(match["stem"], match["tail"])
        if depth is not None and place >= depth and side not in _STACKS:
            continue  # a head that predicts further tokens
        head = name[: len(name) - len(match["tail"])]
        out.append(_gate(found, row, config, tensor, place, side, head, k))
    order = {"encoder": 0, "decoder": 1}
    return sorted(out, key=lambda g: (order.get(g.side, 0), g.layer, g.side != "attention"))


def _side(stem: str, tail: str) -> str:
    if tail.startswith("self_attention"):
        return "attention"
    if tail.endswith("weight_1"):
        return "vision"
    return next((s for s in _STACKS if re.search(rf"(^|\.){s}\.", stem)), "")


def _gate(
    found: Checkpoint,
    row: Family,
    config: Mapping[str, Any],
    tensor: Stored,
    layer: int,
    side: str,
    head: str,
    k: int | None,
) -> Gate:
    """One router with its biases."""
    place = 1 if side == "vision" else 0  # such configs list one number a modality
    said = settings(row, config, place if isinstance(config.get(row.experts[0]), list) and side else layer, k=k)
    name, tail = tensor.name, tensor.name[len(head) :]
    if len(tensor.shape) != 2:
        raise ValueError(f"{shown(name, 80)} has shape {tensor.shape}: give a matrix with one row per expert.")
    turned = tail in row.transposed
    rows, d = tensor.shape[::-1] if turned else tensor.shape
    shape = (said.N, d)
    if said.rule.refused:
        return Gate(layer, name, _no_weights(name, said.rule), said.k, said.rule, shape=shape, side=side)
    if rows != said.N + said.extra:
        what = f"config.json says {said.N + said.extra} experts and {shown(name, 80)} has {rows} rows"
        raise ValueError(f"{what}: give the config of this file.")
    if (width := _width(config)) is not None and width != d:
        what = f"config.json says {width} inputs and {shown(name, 80)} has {d} columns"
        raise ValueError(f"{what}: give the config of this file.")
    rule = said.rule
    if row.hashed and any(n.startswith(head) and n.endswith(row.hashed) for n in found.tensors):
        rule = Rule(rule.score, refused=_HASHED)
    scale = _scale(found, row, head, d)
    biases = {}
    for role, tails in (("b", row.bias), ("beta", row.selection)):
        stored = next((found.tensors[head + t] for t in tails if head + t in found.tensors), None)
        if stored is not None:
            biases[role] = _bias(stored, said.N, said.extra, side)
        elif tails and not row.optional and not rule.refused:
            what = f"{shown(head + tails[0], 80)} is missing, without it experts would be chosen wrongly"
            raise ValueError(f"{what}: give the file or the shard that has it.")

    def weights() -> Array:
        values = tensor.read()
        values = (values.T if turned else values)[: said.N]
        return values if scale is None else values * scale

    return Gate(layer, name, weights, said.k, rule, shape=shape, side=side, note=row.note, **biases)


def _width(config: Mapping[str, Any]) -> int | None:
    """What the config says a layer reads."""
    return next((config[key] for key in _WIDTHS if isinstance(config.get(key), int)), None)


def _no_weights(name: str, rule: Rule) -> Any:
    def refuse() -> Array:
        raise ValueError(f"{name} has no W of its own: {rule.refused}.")

    return refuse


def _bias(stored: Stored, N: int, extra: int, side: str) -> Array:
    values = stored.read()
    if values.ndim == 2 and len(values) == 2:  # one row for the text's experts, one for the images'
        values = values[1 if side == "vision" else 0]
    values = values.reshape(-1)
    return values[:N] if len(values) == N + extra else values


def _scale(found: Checkpoint, row: Family, head: str, d: int) -> Array | None:
    if not row.input_scale:
        return None
    stored = found.tensors.get(head + row.input_scale)
    if stored is None:
        raise ValueError(f"{shown(head + row.input_scale, 80)} is missing: without it experts would be chosen wrongly.")
    values = stored.read()
    if values.shape != (d,) or not np.isfinite(values).all():
        raise ValueError(f"{shown(stored.name)} has shape {values.shape}: it must be {d} finite numbers.")
    return values
