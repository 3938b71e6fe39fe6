"""From a path to the tensors of a checkpoint and its config: a folder, an index, or one shard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tropviz.io.checkpoints.tensors import SHARDS, Stored, tensors
from tropviz.io.source import Source
from tropviz.io.text import shown

#: Most bytes of config.json and of an index file: the index of a model with 10^5 tensors is about 10 MB.
_JSON_BYTES = 50_000_000


@dataclass(frozen=True)
class Checkpoint:
    """Names and shapes of a checkpoint.

    Attributes
    ----------
    file : Source
        What was given, for messages.
    config : mapping or None
        config.json, where there is one.
    tensors : dict of str to Stored
    whole : bool
        False for a lone shard: other tensors of the model may be elsewhere.
    """

    file: Source
    config: Mapping[str, Any] | None
    tensors: dict[str, Stored]
    whole: bool


def open_checkpoint(path: Path) -> Checkpoint:
    """Read headers and config.

    Raises
    ------
    ValueError
        Nothing there, a shard is missing, or a header that lies; one sentence.
    """
    file = Source(shown(path.name or str(path)), b"")
    if path.is_dir():
        return _folder(path, file)
    if not path.exists():
        raise file.refusal("there is no such file or folder", "check the path")
    config = _config(path.parent)
    if path.name.endswith(".index.json"):
        return Checkpoint(file, config, _indexed(path, file), True)
    found = tensors(path)
    if path.suffix.lower() == ".gguf":
        from tropviz.io.checkpoints.gguf import config_of

        config = config_of(path, file)
    return Checkpoint(file, config, found, False)


def _folder(path: Path, file: Source) -> Checkpoint:
    config = _config(path)
    for index in ("model.safetensors.index.json", "pytorch_model.bin.index.json"):
        if (path / index).is_file():
            return Checkpoint(file, config, _indexed(path / index, file), True)
    for suffix in SHARDS:
        files = sorted(p for p in path.iterdir() if p.suffix == suffix and p.name not in ("training_args.bin",))
        if files:
            found: dict[str, Stored] = {}
            for one in files:
                found |= tensors(one)
            return Checkpoint(file, config, found, True)
    raise file.refusal("there are no weights in this folder", f"give one with {', '.join(SHARDS)} files")


def _indexed(index: Path, file: Source) -> dict[str, Stored]:
    content = read_json(index)
    names = content.get("weight_map")
    if not isinstance(names, dict) or not all(isinstance(v, str) for v in names.values()):
        raise Source(shown(index.name), b"").refusal("weight_map is missing", "give the index of a sharded model")
    wanted = sorted({shard for name, shard in names.items() if _of_interest(name)})
    found: dict[str, Stored] = {}
    for shard in wanted:
        if Path(shard).name != shard:
            raise file.refusal(f"the index points to {shown(shard)}", "shards must lie beside it")
        found |= tensors(index.parent / shard)
    missing = next((n for n, shard in names.items() if shard in wanted and _of_interest(n) and n not in found), None)
    if missing is not None:
        raise file.refusal(f"{shown(missing)} is not in {shown(names[missing])}", "download the shard again")
    return found


def _of_interest(name: str) -> bool:
    """Whether a tensor may belong to a gate: the shards of all others are not opened."""
    return any(word in name for word in ("gate", "router", "expert_bias", "correction_bias", "moe_statics", "tid2eid"))


def _config(folder: Path) -> Mapping[str, Any] | None:
    path = folder / "config.json"
    return read_json(path) if path.is_file() else None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file of bounded size.

    Raises
    ------
    ValueError
        Too large, not JSON, or no object; one sentence.
    """
    file = Source(shown(path.name), b"")
    try:
        if path.stat().st_size > _JSON_BYTES:
            raise file.refusal("it is larger than any config", "give the model's own file")
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise file.refusal("this is not JSON", "download it again") from None
    except OSError:
        raise file.refusal("it cannot be read", "check its permissions") from None
    if not isinstance(content, dict):
        raise file.refusal("the content is no object", "give the model's own file")
    return content
