"""GGUF (llama.cpp): keys of the header as a config, and the names its gates have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tropviz.core.gates.families import Family
from tropviz.io.checkpoints.tensors import gguf_reader
from tropviz.io.source import Source

#: expert_gating_func: softmax over all, sigmoid, softmax over the chosen (the order of the logits again).
_SCORES = {0: "softmax", 1: "softmax", 2: "sigmoid", 3: "softmax"}
MODEL_TYPE = "gguf"
#: Every architecture of llama.cpp uses the same names; the header says the rest.
FAMILY = Family(
    (MODEL_TYPE,),
    ("ffn_gate_inp.weight",),
    ("expert_count",),
    ("expert_used_count",),
    bias=("ffn_gate_inp.bias",),
    selection=("exp_probs_b.bias", "exp_probs_b"),
    optional=True,
    score_key="expert_gating",
    groups=("expert_group_count",),
    kept=("expert_group_used_count",),
    hashed="ffn_gate_tid2eid.weight",
)


def config_of(path: Path, file: Source) -> Mapping[str, Any]:
    """The keys of the header that describe experts.

    Raises
    ------
    ValueError
        For a header without experts, or with a gating function that is not known.
    """
    reader = gguf_reader(path, file)

    def value(key: str) -> Any:
        field = reader.get_field(key)
        return None if field is None else field.contents()

    stem = str(value("general.architecture"))
    keys = ("expert_count", "expert_used_count", "expert_group_count", "expert_group_used_count", "expert_gating_func")
    out = {key: value(f"{stem}.{key}") for key in (*keys, "block_count", "nextn_predict_layers")}
    if not out["expert_count"]:
        raise file.refusal("the header has no experts (expert_count)", "give a mixture-of-experts model")
    gating = int(out.pop("expert_gating_func") or 0)
    if gating not in _SCORES:
        raise file.refusal(f"expert_gating_func is {gating}", f"known are {', '.join(map(str, _SCORES))}")
    out["expert_gating"], out["model_type"] = _SCORES[gating], MODEL_TYPE
    layers = int(out.pop("block_count") or 0) - int(out.pop("nextn_predict_layers") or 0)
    if layers > 0:
        out["num_hidden_layers"] = layers
    out["expert_group_count"] = out["expert_group_count"] or 1
    return {key: v for key, v in out.items() if v is not None}
