"""Reading checkpoints: the traps of names and shapes, files that lie, and how little of a file is touched."""

from __future__ import annotations

import ctypes
import json
import mmap
import pickle
import zipfile

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from tropviz.io import read_checkpoint

MIXTRAL = {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2, "num_hidden_layers": 2}
QWEN = {"model_type": "qwen2_moe", "num_experts": 4, "num_experts_per_tok": 2, "num_hidden_layers": 2}
DEEPSEEK = {
    **{"model_type": "deepseek_v3", "n_routed_experts": 4, "num_experts_per_tok": 2, "num_hidden_layers": 2},
    **{"n_group": 2, "topk_group": 1},
}


def gate(rows=4, d=6, seed=0):
    return torch.randn(rows, d, generator=torch.Generator().manual_seed(seed))


def folder(path, tensors, config=None, name="model.safetensors"):
    save_file({n: t.contiguous() for n, t in tensors.items()}, path / name)
    if config is not None:
        (path / "config.json").write_text(json.dumps(config))
    return path


def mixtral(layer):
    return f"model.layers.{layer}.block_sparse_moe.gate.weight"


def test_routers_come_in_the_order_of_the_model_without_gates_that_are_none(tmp_path):
    names = {f"model.layers.{i}.mlp.gate.weight": gate(seed=i) for i in (10, 9, 2)}
    names |= {"model.layers.2.mlp.shared_expert_gate.weight": gate(1), "mtp.layers.0.mlp.gate.weight": gate()}
    found = read_checkpoint(folder(tmp_path, names, QWEN | {"num_hidden_layers": 10}))
    assert [(g.layer, g.N, g.d, g.k, g.kind) for g in found] == [(2, 4, 6, 2, "A"), (9, 4, 6, 2, "A")]  # 10: a head
    assert np.array_equal(found[0].router().W, gate(seed=2).double().numpy())
    assert [g.layer for g in read_checkpoint(tmp_path, layer=9)] == [9]
    with pytest.raises(ValueError, match=r"layer 3 has no router: choose one of 2, 9\."):
        read_checkpoint(tmp_path, layer=3)


def test_weights_in_bf16_and_weights_that_are_transposed_are_read_exactly(tmp_path):
    config = {"model_type": "llama4", "text_config": {**MIXTRAL, "model_type": "llama4_text"}}
    W = gate(4, 6).bfloat16()
    found = read_checkpoint(folder(tmp_path, {"layers.0.feed_forward.router_DE": W.T}, config))
    assert np.array_equal(found[0].W, W.double().numpy())


def test_a_torch_file_is_read_as_a_safetensors_file_is(tmp_path):
    torch.save({mixtral(0): gate()}, tmp_path / "pytorch_model.bin")
    (tmp_path / "config.json").write_text(json.dumps(MIXTRAL))
    assert np.array_equal(read_checkpoint(tmp_path)[0].W, gate().double().numpy())


def test_of_many_shards_only_those_with_gates_are_opened(tmp_path):
    folder(tmp_path, {mixtral(1): gate()}, MIXTRAL, "b.safetensors")
    index = {"weight_map": {"model.embed_tokens.weight": "a.safetensors", mixtral(1): "b.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    for path in (tmp_path, tmp_path / "model.safetensors.index.json"):  # a.safetensors does not exist
        assert [g.layer for g in read_checkpoint(path)] == [1]


@pytest.mark.parametrize(
    ("shard", "message"),
    [
        ("../b.safetensors", "the index points to ../b.safetensors: shards must lie beside it"),
        ("gone.safetensors", "gone.safetensors: there is no such file"),
        ("b.safetensors", "is not in b.safetensors: download the shard again"),
    ],
)
def test_an_index_that_points_elsewhere_is_refused(tmp_path, shard, message):
    folder(tmp_path, {"x": gate()}, MIXTRAL, "b.safetensors")
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {mixtral(0): shard}}))
    with pytest.raises(ValueError, match=message):
        read_checkpoint(tmp_path)


def test_an_unknown_model_is_a_question_with_candidates(tmp_path):
    names = {"model.layers.0.ff.router.weight": gate(), "model.layers.1.ff.router.weight": gate(seed=1)}
    folder(tmp_path, names, {"model_type": "newcomer"})
    with pytest.raises(ValueError, match=r"'newcomer' is not known: say which tensor .*layers\.0\.ff\.router"):
        read_checkpoint(tmp_path)
    with pytest.raises(ValueError, match="k, the number of active experts, is not known"):
        read_checkpoint(tmp_path, tensor="*.router.weight", rule="plain")
    found = read_checkpoint(tmp_path, tensor="*.router.weight", rule="plain", k=1)
    assert [(g.layer, g.kind, g.k) for g in found] == [(0, "A", 1), (1, "A", 1)]
    with pytest.raises(ValueError, match="the rule 'best' is not known: name a model type"):
        read_checkpoint(tmp_path, tensor="*", rule="best", k=1)


def test_a_lone_shard_without_config_is_never_guessed(tmp_path):
    names = {"model.layers.0.mlp.gate.weight": gate(), "model.layers.0.mlp.gate.e_score_correction_bias": gate(1, 4)[0]}
    folder(tmp_path, names)
    file = tmp_path / "model.safetensors"
    with pytest.raises(ValueError, match=r"no config\.json is beside it, so neither the rule nor k is known"):
        read_checkpoint(file)
    with pytest.raises(ValueError, match="its n_group is not known"):
        read_checkpoint(file, rule="deepseek_v3", k=2)
    assert read_checkpoint(file, rule="laguna", k=2)[0].kind == "C"
    (tmp_path / "config.json").write_text(json.dumps(DEEPSEEK))
    assert read_checkpoint(file)[0].kind == "G"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (MIXTRAL | {"num_local_experts": 8}, r"config\.json says 8 experts and .* has 4 rows"),
        (MIXTRAL | {"num_local_experts": 100_000}, r"num_local_experts is 100000: give a number from 2 to 65,536"),
        (MIXTRAL | {"num_experts_per_tok": 5}, "num_experts_per_tok is 5: it must lie between 1 and 4"),
        (MIXTRAL | {"num_experts_per_tok": "2"}, "num_experts_per_tok is '2': give a whole number"),
        ({"model_type": "mixtral", "num_local_experts": 4}, "config.json has no num_experts_per_tok"),
        (MIXTRAL | {"model_type": "deepseek_v3"}, "config.json has no n_group"),
    ],
)
def test_a_config_that_contradicts_the_tensors_is_refused(tmp_path, config, message):
    names = {mixtral(0): gate(), "model.layers.0.mlp.gate.weight": gate()}
    with pytest.raises(ValueError, match=message):
        read_checkpoint(folder(tmp_path, names, config))


def test_a_gate_without_its_bias_is_refused(tmp_path):
    folder(tmp_path, {"model.layers.0.mlp.gate.weight": gate()}, DEEPSEEK)
    with pytest.raises(
        ValueError, match="e_score_correction_bias is missing, without it experts would be chosen wrong"
    ):
        read_checkpoint(tmp_path)


# --- files that lie ---------------------------------------------------------------------------------------------------


class Bomb:
    """Unpickling it would make a file."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return open, (str(self.mark), "w")


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_with_code_is_not_run(tmp_path, zipped):
    mark, file = tmp_path / "ran", tmp_path / "pytorch_model.bin"
    if zipped:
        torch.save({mixtral(0): gate(), "x": Bomb(mark)}, file)
    else:
        file.write_bytes(pickle.dumps({"x": Bomb(mark)}))
    with pytest.raises(ValueError, match="not a file of plain tensors"):
        read_checkpoint(tmp_path)
    assert not mark.exists()


def test_a_zip_bomb_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "pytorch_model.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\0" * 10**8)
    with pytest.raises(ValueError, match="the archive unpacks to more than it is"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("harm", ["cut", "long header", "offsets"])
def test_a_header_that_does_not_fit_its_file_is_refused(tmp_path, harm):
    file = folder(tmp_path, {mixtral(0): gate()}, MIXTRAL) / "model.safetensors"
    data = bytearray(file.read_bytes())
    if harm == "cut":
        data = data[:-8]
    elif harm == "long header":
        data[:8] = (2**62).to_bytes(8, "little")
    else:
        data = data.replace(b"[0,96]", b"[0,99]")
    file.write_bytes(data)
    with pytest.raises(ValueError, match=r"model\.safetensors: the header does not fit the file"):
        read_checkpoint(tmp_path)


def touched(path):
    """Bytes of a file that are in the page cache."""
    size = path.stat().st_size
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), size) as view:
        pages = (size + mmap.PAGESIZE - 1) // mmap.PAGESIZE
        held = (ctypes.c_ubyte * pages)()
        start = ctypes.c_char.from_buffer(view)
        done = ctypes.CDLL(None).mincore(ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_size_t(size), held)
        del start
        assert done == 0
        return int((np.frombuffer(held, np.uint8) & 1).sum()) * mmap.PAGESIZE


def test_of_a_shard_of_5_gb_only_the_header_and_the_gates_are_touched(tmp_path):
    big, W = 5 * 10**9, gate(64, 256).numpy()
    header = {
        "model.embed_tokens.weight": {"dtype": "U8", "shape": [big], "data_offsets": [0, big]},
        mixtral(0): {"dtype": "F32", "shape": [64, 256], "data_offsets": [big, big + W.nbytes]},
    }
    text = json.dumps(header).encode()
    file = tmp_path / "model.safetensors"
    with open(file, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        out.seek(8 + len(text) + big)
        out.write(W.tobytes())
    (tmp_path / "config.json").write_text(json.dumps(MIXTRAL | {"num_local_experts": 64}))
    assert np.array_equal(read_checkpoint(tmp_path)[0].W, W.astype(np.float64))
    assert touched(file) < 2_000_000  # the gate has 65,536 bytes; the rest is what the system reads ahead


def test_gguf(tmp_path):
    gguf = pytest.importorskip("gguf")
    writer = gguf.GGUFWriter(tmp_path / "m.gguf", "deepseek2")
    for key, value in {"expert_count": 4, "expert_used_count": 2, "expert_gating_func": 2, "block_count": 2}.items():
        writer.add_uint32(f"deepseek2.{key}", value)
    for layer in (0, 1, 2):  # 2 lies beyond block_count
        writer.add_tensor(f"blk.{layer}.ffn_gate_inp.weight", gate(seed=layer).numpy())
        writer.add_tensor(f"blk.{layer}.exp_probs_b.bias", gate(1, 4)[0].numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found = read_checkpoint(tmp_path / "m.gguf")
    assert [(g.layer, g.N, g.d, g.k, g.kind) for g in found] == [(0, 4, 6, 2, "C"), (1, 4, 6, 2, "C")]
    assert np.array_equal(found[1].W, gate(seed=1).double().numpy())
