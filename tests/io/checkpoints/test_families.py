"""Every family that transformers can build: what we read from its files chooses as its own router does."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("transformers")

import tropviz
from tests.oracles import tiny_models as tiny
from tropviz.core.capture.health import agreement
from tropviz.core.capture.modules import find_gates
from tropviz.core.capture.sets import set_hash
from tropviz.core.gates import FAMILIES
from tropviz.io import read_checkpoint

A = (
    *("mixtral", "minimax", "phimoe", "qwen2_moe", "qwen3_next", "qwen3_5_moe_text"),
    *("olmoe", "flex_olmo", "lara_mini", "qwen3_moe", "mellum", "qwen3_vl_moe_text"),
    *("flint", "cohere2_moe", "granitemoe", "granitemoeshared", "granitemoehybrid", "granitemoe_swa"),
    *("jetmoe", "dbrx", "llama4_text", "jamba", "aria_text", "hunyuan_v1_moe"),
    *("gemma4_text", "switch_transformers"),
)
C = (
    *("minimax_m2", "minimax_m3_vl_text", "hy_v3", "afmoe", "lfm2_moe", "laguna"),
    *("muse_spark_text", "inkling_text", "inkling2_text", "deepseek_v4", "glm4_moe", "glm4_moe_lite"),
    *("glm_moe_dsa", "glm4v_moe_text", "dots1", "solar_open", "mimo_v2_flash", "hy_v4"),
    *("sarvam_mla", "sarvam_moe", "kimi_linear", "exaone_moe", "nemotron_h"),
)
KINDS = {
    **dict.fromkeys(A, "A"),
    **dict.fromkeys(["gpt_oss", "openai_privacy_filter", "kolibri1", "nllb-moe"], "A+"),
    "deepseek_v2": "P",
    **dict.fromkeys(C, "C"),
    **dict.fromkeys(["ernie4_5_moe", "longcat_flash"], "S"),
    **dict.fromkeys(["deepseek_v3", "deepseek_v32", "axk1", "axk2", "beam", "bailing_hybrid", "mistral4"], "G"),
    **dict.fromkeys(["zaya", "doge"], "X"),
}
#: Rows written from the library's source whose models do not build this small, or not alone.
NOT_BUILT = {
    *("diffusion_gemma_text", "qwen3_omni_moe_text", "qwen3_omni_moe_talker_text", "ernie4_5_vl_moe_text"),
    *("mistral_large4", "tropviz_digits"),
}
#: Models that do not run this small; their gates alone do.
DIRECT = ("mistral4", "glm4v_moe_text", "mimo_v2_flash")


def where(name: str) -> tuple[int, str]:
    """Layer and side of a module, by its name."""
    side = next((s for s in ("encoder", "decoder") if f"{s}." in name), "")
    return int(re.search(r"\.(\d+)\.", name)[1]), "attention" if "self_attention" in name else side


def test_every_row_of_the_table_is_checked():
    assert {name for row in FAMILIES for name in row.types} == KINDS.keys() | NOT_BUILT


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_chooses_as_the_models_own_router(kind, tmp_path):
    model = tiny.build(kind)
    tiny.save(model, tmp_path)
    gates = read_checkpoint(tmp_path)
    assert [g.kind for g in gates if g.kind == KINDS[kind]]
    order = {"encoder": 0, "decoder": 1}
    assert [(order.get(g.side, 0), g.layer) for g in gates] == sorted((order.get(g.side, 0), g.layer) for g in gates)
    if KINDS[kind] == "X":
        with pytest.raises(ValueError, match="class X and cannot be routed"):
            gates[0].active_sets(np.zeros((1, tiny.D)))
        return
    with tropviz.capture(model) as recorder:
        truth = {where(c.name): c for c in tiny.run(model, direct=kind in DIRECT)}
    assert truth.keys() == {(g.layer, g.side) for g in gates}
    different = 0
    for gate in gates:
        chosen = truth[gate.layer, gate.side]
        if gate.kind == "X":  # DeepSeek-V4's hash layers
            continue
        kept = (chosen.sets >= 0).all(axis=1)
        assert kept.sum() > 50
        assert np.array_equal(gate.active_sets(chosen.x)[kept], chosen.sets[kept])
        different += int((gate.plain.active_sets(chosen.x)[kept] != chosen.sets[kept]).sum())
    assert (different > 0) == (KINDS[kind] not in ("A", "A+"))
    for layer in recorder.capture.layers:  # what the hooks saw, and the gate read from the model in memory
        chosen = truth[where(layer.name)]
        assert layer.n == (chosen.sets >= 0).all(axis=1).sum()
        assert np.array_equal(np.sort(set_hash(layer.sample.chosen)), np.sort(set_hash(chosen.sets[kept_of(chosen)])))
        if layer.gate.kind != "X":
            assert np.array_equal(layer.sample.ours, layer.sample.chosen)


#: Some of every class whose models run in bfloat16, and whether only the logits are rounded to it.
ROUNDED = {
    **dict.fromkeys(["qwen2_moe", "phimoe", "hunyuan_v1_moe", "switch_transformers"], True),
    **{"gpt_oss": False, "gemma4_text": False, "deepseek_v2": True, "lfm2_moe": True, "ernie4_5_moe": True},
    "deepseek_v3": True,
}


@pytest.mark.parametrize("kind", ROUNDED)
def test_agreement_in_bfloat16_is_what_the_routers_did_and_rounding_explains_the_rest(kind):
    model = tiny.build(kind).bfloat16()
    with tropviz.capture(model) as recorder:
        truth = {where(c.name): c for c in tiny.run(model, tokens=400)}
    for layer in recorder.capture.layers:
        chosen = truth[where(layer.name)]
        kept, told = kept_of(chosen), agreement(layer)
        own = layer.gate.active_sets(chosen.x[kept] @ coordinates(model, layer).T)
        same = (own == chosen.sets[kept]).all(axis=1).mean()
        assert told["agreement"].value == pytest.approx(same, abs=2e-3) and same > 0.98
        if ROUNDED[kind] and told["explained_by_rounding"] is not None:
            assert told["explained_by_rounding"] == 1.0


def coordinates(model, layer):
    """Q of a gate of the model in memory."""
    return next(found.gate for found in find_gates(model) if found.path == layer.name).coordinates


def kept_of(chosen):
    return (chosen.sets >= 0).all(axis=1)
