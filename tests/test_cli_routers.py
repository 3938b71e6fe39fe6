"""``tropviz routers``: JSON for a checkpoint, one sentence for what is none."""

from __future__ import annotations

import json
import subprocess
import sys

import torch
from safetensors.torch import save_file


def run(*arguments):
    call = [sys.executable, "-m", "tropviz", "routers", *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_routers_of_a_folder(tmp_path):
    save_file({"model.layers.1.mlp.gate.weight": torch.randn(6, 4)}, tmp_path / "model.safetensors")
    config = {"model_type": "olmoe", "num_experts": 6, "num_experts_per_tok": 2}
    (tmp_path / "config.json").write_text(json.dumps(config))
    code, out, err = run(tmp_path)
    (row,) = json.loads(out)["routers"]
    assert code == 0 and not err
    assert (row["layer"], row["N"], row["d"], row["k"], row["class"]) == (1, 6, 4, 2, "A")
    code, out, err = run(tmp_path, "--layer", 0)
    assert (code, out) == (2, "") and err.endswith("layer 0 has no router: choose one of 1.\n")
