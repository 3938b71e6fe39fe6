"""What the gate of each model type does, one row a family: names of tensors, keys of the config, the rule.

Rows were checked against the routers of transformers 5.24.0 (tests/io/checkpoints). Where released files use other
names than it saves, both are listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

#: Keys under which models of several parts keep the config of their language model.
NESTED = ("text_config", "llm_config", "language_config", "thinker_config", "talker_config")
_BETA = "e_score_correction_bias"


@dataclass(frozen=True)
class Family:
    """Gates that work alike.

    Attributes
    ----------
    types : tuple of str
        Values of ``model_type``.
    weight : tuple of str
        What W may be called, after ``layers.L.``; `transposed` ones are (d, N).
    experts, active : tuple of str
        Config keys of N and k, the first that is there counts; ``a+b`` is a sum; a number stands for itself.
    bias, selection : tuple of str
        What the bias on the logits, and the selection bias, may be called; `optional` when a file may have none.
    score, group_score, outside : str, str, float
        As in `Rule`.
    score_key, scale_key, softcap_key : str
        Config keys of the score, of a factor and of a cap of the logits.
    groups, kept : tuple of str
        Config keys of the number of groups and of those kept.
    grouped_if : (str, str)
        Groups count only where this key has this value.
    extra : tuple of str
        Config keys that count further rows of W, which never compete.
    input_scale : str
        Name of a (d,) tensor that scales the input: the cells are those of W diag(scale).
    hashed : str
        Name of a table from token to experts; a layer that has it does not route by W x.
    refused, note : str
        Why the family is class X; what else acts on the choice.
    """

    types: tuple[str, ...]
    weight: tuple[str, ...]
    experts: tuple[str, ...]
    active: tuple[str, ...]
    bias: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    optional: bool = False
    score: str = "softmax"
    score_key: str = ""
    scale_key: str = ""
    softcap_key: str = ""
    groups: tuple[str, ...] = ()
    kept: tuple[str, ...] = ("topk_group",)
    grouped_if: tuple[str, str] = ("", "")
    group_score: str = "two best"
    outside: float = float("-inf")
    extra: tuple[str, ...] = ()
    transposed: tuple[str, ...] = ()
    input_scale: str = ""
    hashed: str = ""
    refused: str = ""
    note: str = ""


_LOCAL, _ROUTED = ("num_local_experts", "num_experts"), ("n_routed_experts", "num_local_experts")
_COUNTED = ("num_experts", "num_local_experts")
_K = ("num_experts_per_tok",)
_MLP = ("mlp.gate.weight",)
_SPARSE = "block_sparse_moe."
_CAPACITY = "before capacity: tokens over expert_capacity in one sequence are dropped"

FAMILIES: tuple[Family, ...] = (
    # A: the order of the logits, nothing else
    Family(("mixtral", "minimax"), (_SPARSE + "gate.weight",), _LOCAL, _K),
    Family(("phimoe",), (_SPARSE + "gate.weight",), _LOCAL, _K),
    Family(
        (
            *("qwen2_moe", "qwen3_next", "qwen3_5_moe_text", "olmoe", "flex_olmo", "lara_mini", "qwen3_moe", "mellum"),
            *("qwen3_vl_moe_text", "qwen3_omni_moe_text", "qwen3_omni_moe_talker_text", "cohere2_moe"),
        ),
        _MLP,
        _COUNTED,
        _K,
    ),
    Family(("tropviz_digits",), _MLP, _COUNTED, _K),  # the model in assets/lab
    Family(("flint",), _MLP, _COUNTED, _K, score="sigmoid"),
    Family(
        ("granitemoe", "granitemoeshared", "granitemoehybrid", "granitemoe_swa"),
        (_SPARSE + "router.layer.weight", _SPARSE + "router.weight"),
        _LOCAL,
        _K,
    ),
    Family(("jetmoe",), ("mlp.router.layer.weight", "self_attention.experts.router.layer.weight"), _LOCAL, _K),
    Family(("dbrx",), ("ffn.router.layer.weight",), ("ffn_config.moe_num_experts",), ("ffn_config.moe_top_k",)),
    Family(
        ("llama4_text",),
        ("feed_forward.router.weight", "feed_forward.router_DE"),
        _LOCAL,
        _K,
        score="sigmoid",
        transposed=("feed_forward.router_DE",),
    ),
    Family(("jamba",), ("feed_forward.router.weight",), _COUNTED, _K),
    Family(("aria_text",), ("mlp.router.weight",), ("moe_num_experts",), ("moe_topk",)),
    Family(("hunyuan_v1_moe",), ("mlp.gate.wg.weight",), ("num_experts",), ("moe_topk",)),
    Family(
        ("gemma4_text", "diffusion_gemma_text"),
        ("router.proj.weight",),
        ("num_experts",),
        ("top_k_experts",),
        input_scale="router.scale",
    ),
    Family(("switch_transformers",), ("mlp.router.classifier.weight",), ("num_experts",), ("1",), note=_CAPACITY),
    # A+: a bias on the logits
    Family(
        ("gpt_oss", "openai_privacy_filter"),
        ("mlp.router.weight", "mlp.gate.weight"),
        ("num_local_experts", "num_experts"),
        ("num_experts_per_tok", "experts_per_token"),
        bias=("mlp.router.bias", "mlp.gate.bias"),
    ),
    Family(
        ("kolibri1",),
        _MLP,
        _LOCAL,
        _K,
        bias=("moe.router.expert_bias", "mlp.gate." + _BETA),
        score="sigmoid",
    ),
    Family(
        ("nllb-moe",),
        ("ffn.router.classifier.weight",),
        ("num_experts",),
        ("2",),
        bias=("ffn.router.classifier.bias",),
        optional=True,
        note=_CAPACITY,
    ),
    # P, or A where the config has no groups
    Family(
        ("deepseek_v2",),
        _MLP,
        _ROUTED,
        _K,
        groups=("n_group",),
        grouped_if=("topk_method", "group_limited_greedy"),
        group_score="best",
    ),
    # C: a score and a selection bias, or G where the config has groups
    Family(
        ("minimax_m2", "minimax_m3_vl_text"),
        (_SPARSE + "gate.weight", "mlp.gate.weight"),
        _LOCAL,
        _K,
        selection=(_SPARSE + _BETA, "mlp.gate." + _BETA, "mlp." + _BETA),
        score="sigmoid",
    ),
    Family(
        ("hy_v3", "afmoe"),
        ("mlp.router.gate.weight",),
        _COUNTED,
        _K,
        selection=("mlp.expert_bias",),
        score="sigmoid",
    ),
    Family(
        ("lfm2_moe",),
        ("feed_forward.gate.weight",),
        _COUNTED,
        _K,
        selection=("feed_forward.expert_bias",),
        optional=True,
        score="sigmoid",
    ),
    Family(
        ("laguna",),
        _MLP,
        _COUNTED,
        _K,
        selection=("mlp.experts." + _BETA, "mlp.gate." + _BETA),
        score="sigmoid",
        softcap_key="moe_router_logit_softcapping",
    ),
    Family(
        ("muse_spark_text",),
        _MLP,
        _LOCAL,
        _K,
        selection=("mlp.gate." + _BETA,),
        score="sigmoid",
        scale_key="output_multiplier",
    ),
    Family(
        ("inkling_text",),
        _MLP,
        _ROUTED,
        _K,
        selection=("mlp.gate." + _BETA,),
        score="sigmoid",
        extra=("n_shared_experts",),
    ),
    Family(
        ("inkling2_text",),
        _MLP,
        _ROUTED,
        _K,
        selection=("mlp.gate.bias", "mlp.gate." + _BETA),
        score="sigmoid",
        score_key="scoring_func",
    ),
    Family(
        ("deepseek_v4",),
        ("ffn.gate.weight", "mlp.gate.weight"),
        _ROUTED,
        _K,
        selection=("ffn.gate.bias", "mlp.gate." + _BETA),
        score="sqrtsoftplus",
        score_key="scoring_func",
        hashed="gate.tid2eid",
    ),
    Family(
        (
            *("glm4_moe", "glm4_moe_lite", "glm_moe_dsa", "glm4v_moe_text", "dots1", "solar_open", "mimo_v2_flash"),
            *("hy_v4", "sarvam_mla", "sarvam_moe", "exaone_moe", "kimi_linear", "nemotron_h", "bailing_hybrid"),
            *("beam", "axk1", "deepseek_v3", "deepseek_v32"),
        ),
        ("mlp.gate.weight", "ffn.gate.weight", _SPARSE + "gate.weight", "mixer.gate.weight"),
        ("n_routed_experts", "num_experts", "num_local_experts"),
        ("num_experts_per_tok", "num_experts_per_token"),
        selection=tuple(
            stem + name
            for stem in ("mlp.gate.", "mlp.", "ffn.gate.", _SPARSE + "gate.", "mixer.gate.")
            for name in (_BETA, "expert_bias", "bias")
        ),
        score="sigmoid",
        groups=("n_group", "num_expert_group"),
    ),
    # S: softmax and a selection bias
    Family(
        ("ernie4_5_moe", "ernie4_5_vl_moe_text"),
        ("mlp.gate.weight", "mlp.gate.weight_1"),
        ("moe_num_experts",),
        ("moe_k",),
        selection=("mlp.moe_statics." + _BETA, "mlp.gate.moe_statics." + _BETA),
    ),
    Family(
        ("longcat_flash",),
        ("mlp.router.classifier.weight",),
        ("n_routed_experts+zero_expert_num",),
        ("moe_topk",),
        selection=("mlp.router." + _BETA,),
    ),
    # G: groups with a score of two members
    Family(
        ("axk2",),
        _MLP,
        _ROUTED,
        _K,
        selection=("mlp.gate." + _BETA,),
        score="sigmoid",
        groups=("n_group",),
        outside=0.0,
    ),
    Family(("mistral4", "mistral_large4"), _MLP, _ROUTED, _K, groups=("n_group",), outside=0.0),
    # X: no function of W x
    Family(
        ("zaya",),
        ("mlp.gate.down_proj.weight",),
        ("num_experts",),
        _K,
        refused="the router is a small network with a state handed on from the layer before, there is no W",
    ),
    Family(
        ("doge",),
        ("mlp.router_gate.weight",),
        ("num_experts",),
        _K,
        refused="the logits are product keys of two halves, which a full forward mixes over tokens",
    ),
)


@cache
def _rows() -> dict[str, Family]:
    return {name: row for row in FAMILIES for name in row.types}


def family_of(config: Mapping[str, Any]) -> tuple[Family | None, str, Mapping[str, Any]]:
    """The row of a config, its model type, and the part of the config that has the gate's keys.

    A model of several parts is looked through for a part whose ``model_type`` is known.

    Examples
    --------
    >>> row, name, _ = family_of({"model_type": "llama4", "text_config": {"model_type": "llama4_text"}})
    >>> row.score, name
    ('sigmoid', 'llama4_text')
    """
    known = _rows()
    name = str(config.get("model_type", ""))
    if name in known:
        return known[name], name, config
    for key in NESTED:
        part = config.get(key)
        if isinstance(part, Mapping):
            row, inner, found = family_of(part)
            if row is not None:
                return row, inner, found
    return None, name, config
