"""Tiny models with random weights, built by transformers, and what their own routers chose on one batch of tokens."""

from __future__ import annotations

import json
import os
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import numpy as np
import torch

N, K, D = 8, 2, 32
_SIZES: dict[str, Any] = {
    **dict(hidden_size=D, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=4, head_dim=8),
    **dict(vocab_size=64, intermediate_size=32, moe_intermediate_size=16, shared_expert_intermediate_size=16),
    **dict(max_position_embeddings=64, num_experts=N, num_local_experts=N, n_routed_experts=N, moe_num_experts=N),
    **dict(num_experts_per_tok=K, num_experts_per_token=K, moe_topk=K, moe_k=K, top_k_experts=K),
    **dict(pad_token_id=0, bos_token_id=1, eos_token_id=2, first_k_dense_replace=1),
    **dict(q_lora_rank=16, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8),
    **dict(d_model=D, d_ff=32, d_kv=8, num_heads=4, num_layers=2, n_layers=2, n_heads=4, max_seq_len=64),
    **dict(encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4),
    **dict(encoder_ffn_dim=32, decoder_ffn_dim=32, num_decoder_layers=2, n_shared_experts=1),
}
_MIXED = dict(layer_types=["linear_attention", "full_attention", "linear_attention"])
_GROUPS = dict(n_group=4, topk_group=2)
#: What else a type needs to be small, to run, and to use the part of its gate that is worth checking.
OWN: dict[str, dict[str, Any]] = {
    "granitemoehybrid": dict(
        **dict(mamba_n_heads=8, mamba_d_head=8, mamba_expand=2, mamba_d_state=8),
        layer_types=["attention", "mamba", "attention"],
    ),
    "dbrx": dict(
        ffn_config=dict(ffn_hidden_size=32, moe_num_experts=N, moe_top_k=K),
        attn_config=dict(kv_n_heads=2, clip_qkv=8, rope_theta=1e4),
    ),
    "gemma4_text": dict(
        **dict(enable_moe_block=True, hidden_size_per_layer_input=0, vocab_size_per_layer_input=64),
        **dict(num_kv_shared_layers=0, global_head_dim=8, num_global_key_value_heads=2),
        layer_types=["sliding_attention", "full_attention", "full_attention"],
    ),
    "lfm2_moe": dict(layer_types=["conv", "full_attention", "conv"], num_dense_layers=1, use_expert_bias=True),
    "inkling2_text": dict(unpadded_vocab_size=64, mtp_vocab_size=64),
    "zaya": dict(num_experts_per_tok=1),
    "switch_transformers": dict(encoder_sparse_step=1, decoder_sparse_step=1, expert_capacity=64),
    "nllb-moe": dict(encoder_sparse_step=1, decoder_sparse_step=1, router_bias=True, expert_capacity=64),
    "deepseek_v4": dict(mlp_layer_types=["hash_moe", "moe", "moe"]),
    "longcat_flash": dict(zero_expert_num=4, expert_ffn_hidden_size=16, ffn_hidden_size=32),
    "deepseek_v3": _GROUPS,
    "deepseek_v32": _GROUPS,
    "axk1": _GROUPS,
    "axk2": _GROUPS,
    "beam": dict(**_GROUPS, mlp_layer_types=["dense", "sparse", "sparse"]),
    "mistral4": _GROUPS,
    "bailing_hybrid": dict(num_expert_group=4, topk_group=2, layer_group_size=2),
    "laguna": dict(moe_router_logit_softcapping=1.5),
    "muse_spark_text": dict(output_multiplier=0.7, moe_hidden_size=D),
    "deepseek_v2": dict(topk_method="group_limited_greedy", n_group=4, topk_group=1),
    "jamba": dict(attn_layer_period=2, attn_layer_offset=0, expert_layer_offset=1),
    "mimo_v2_flash": dict(head_dim=24, swa_head_dim=24),
    "doge": dict(is_moe=True, num_experts=16),
    "qwen3_next": _MIXED,
    "qwen3_5_moe_text": _MIXED,
    "kimi_linear": _MIXED,
}


@dataclass(frozen=True)
class Chosen:
    """What one gate saw and chose: x (n, d) float64, sets (n, k) sorted; rows of dropped tokens hold -1."""

    name: str
    x: np.ndarray
    sets: np.ndarray
    dtype: torch.dtype


def build(kind: str, **more: Any) -> Any:
    """A model of this type, seeded, with weights large enough that every term of its gate matters."""
    from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForSeq2SeqLM

    known = AutoConfig.for_model(kind).to_dict()
    config = AutoConfig.for_model(kind, **{k: v for k, v in _SIZES.items() if k in known} | OWN.get(kind, {}) | more)
    torch.manual_seed(0)
    for maker in (AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoModel):
        try:
            model = maker.from_config(config).eval()
            break
        except ValueError as problem:
            last = problem
    else:
        raise last
    stir(model)
    return model


def stir(model: Any) -> None:
    """Random gates and biases: what a library starts with is too small to tell rules apart."""
    with torch.no_grad():
        for name, value in [*model.named_parameters(), *model.named_buffers()]:
            if name.endswith("tid2eid"):
                value.copy_(torch.stack([torch.randperm(N)[: value.shape[1]] for _ in range(len(value))]))
            elif re.search(r"(correction_bias|expert_bias|router\.bias|classifier\.bias)$", name):
                value.normal_(0.0, 0.1)
            elif re.search(r"(gate|router|classifier|proj|wg|layer)\.weight$", name) and value.ndim == 2:
                if value.shape[0] in (N, N + 1, N + 2, N + 4) and value.shape[1] == D:
                    value.normal_(0.0, 0.3)
            elif name.endswith("router.scale"):
                value.uniform_(0.5, 2.0)


def gates(model: Any) -> dict[str, Any]:
    """The gate modules of a model, by name, found by what they are called."""
    out = {}
    for name, module in model.named_modules():
        if re.search(r"(layers|blocks|block)\.\d+\.(.*\.)?(gate|router|router_gate)$", name) and hasattr(
            module, "forward"
        ):
            kind = type(module).__name__
            if re.search("Router|TopK|Topk|Gate|Gating", kind) and "Residual" not in kind:
                out[name] = module
    return out


def run(model: Any, tokens: int = 60, direct: bool = False) -> list[Chosen]:
    """One batch through the model, or random inputs to each gate alone: what went into it and what came out."""
    seen: dict[str, list[Any]] = {}
    hooks = []
    for name, module in gates(model).items():

        def before(_module: Any, args: Any, kwargs: Any, name: str = name) -> None:
            x = args[0] if args else kwargs["hidden_states"]
            seen.setdefault(name, []).append([x.detach().clone(), None, None])

        def after(_module: Any, _args: Any, out: Any, name: str = name) -> None:
            seen[name][-1][1] = out

        hooks += [module.register_forward_pre_hook(before, with_kwargs=True), module.register_forward_hook(after)]
        parent = model.get_submodule(name.rpartition(".")[0])
        if hasattr(parent, "experts"):

            def into(_module: Any, args: Any, kwargs: Any, name: str = name) -> None:
                seen[name][-1][2] = [*args, *kwargs.values()]

            hooks.append(parent.experts.register_forward_pre_hook(into, with_kwargs=True))
    ids = torch.randint(3, 60, (2, tokens), generator=torch.Generator().manual_seed(1))
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if direct:
            dtype = next(model.parameters()).dtype
            for module in gates(model).values():
                module(torch.randn(2 * tokens, D, generator=torch.Generator().manual_seed(2)).to(dtype))
        elif model.config.is_encoder_decoder:
            model(input_ids=ids, decoder_input_ids=ids)
        else:
            model(input_ids=ids)
    for hook in hooks:
        hook.remove()
    return [_chosen(name, *records[0]) for name, records in seen.items()]


def _chosen(name: str, x: torch.Tensor, out: Any, into: Any) -> Chosen:
    flat = x.reshape(-1, x.shape[-1])
    n = len(flat)
    many = list(out) if isinstance(out, (tuple, list)) else [out]
    whole = [t for t in (into or []) if torch.is_tensor(t) and not t.is_floating_point() and t.ndim == 2]
    whole += [t for t in many if torch.is_tensor(t) and t.dtype == torch.int64 and t.ndim == 2 and len(t) == n]
    if many[0].dtype == torch.int64 and many[0].shape[-1] == N:  # masks: of the first choice, and of both
        mask = many[0] if many[1].shape[-1] == 1 else many[1] > 0
        mask = mask.reshape(n, N).bool()
        sets = torch.sort(torch.where(mask, torch.arange(N), -1), dim=1).values[:, -int(mask.sum(1).max()) :]
    elif whole:
        sets = whole[0]
    elif type(out).__name__ != "tuple" and len(many) == 1:
        sets = many[0].topk(K, dim=-1).indices
    else:
        logits = next(t for t in reversed(many) if t.is_floating_point() and t.reshape(-1, t.shape[-1]).shape[0] == n)
        positive = logits.reshape(n, -1) > 0
        sets = positive.nonzero()[:, 1].reshape(n, -1) if (positive.sum(1) == K).all() else logits.topk(K).indices
    order = np.sort(sets.reshape(n, -1).numpy(), axis=1)
    return Chosen(name, flat.double().numpy(), order, x.dtype)


def save(model: Any, folder: Path) -> dict[str, Any]:
    """As the library saves; returns config.json."""
    model.save_pretrained(folder)
    return json.loads((folder / "config.json").read_text())
