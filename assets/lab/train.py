"""Train the two-layer model that tropviz ships for its lab, and capture what its routers do with every digit.

Run from the project's root, with the test requirements installed (a quarter of a minute)::

    python -m assets.lab.train

It writes ``config.json``, ``model.safetensors`` and ``capture.npz`` beside this file and prints the accuracy. Seeded,
single-threaded: a second run on the same versions gives the same weights.

The model: 8x8 image -> a residual stream of 24 numbers -> two layers, each x + mixture(RMSNorm(x)) with 2 of 8 experts
-> RMSNorm -> ten classes. Routers have no bias; weights of the chosen experts are the softmax of their logits.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

import tropviz

HERE = Path(__file__).resolve().parent
CONFIG = {
    **{"model_type": "tropviz_digits", "num_hidden_layers": 2, "hidden_size": 24, "moe_intermediate_size": 12},
    **{"num_experts": 8, "num_experts_per_tok": 2},
}
SEED, EPOCHS, BATCH, RATE, DECAY, BALANCE, NOISE, TEST_SIZE = 5, 120, 64, 4e-3, 1e-3, 0.05, 0.05, 597


class Mixture(nn.Module):
    """Gate and experts of one layer."""

    def __init__(self) -> None:
        super().__init__()
        d, H, N = CONFIG["hidden_size"], CONFIG["moe_intermediate_size"], CONFIG["num_experts"]
        self.gate = nn.Linear(d, N, bias=False)
        self.up = nn.Parameter(torch.randn(N, H, d) / d**0.5)
        self.bias = nn.Parameter(torch.zeros(N, H))
        self.down = nn.Parameter(torch.randn(N, d, H) / (2 * H) ** 0.5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Output (n, d), and the balance loss N sum_i f_i P_i of this batch."""
        logits = self.gate(x)
        best, chosen = logits.topk(CONFIG["num_experts_per_tok"], dim=1)
        hinges = torch.relu(torch.einsum("nd,nkhd->nkh", x, self.up[chosen]) + self.bias[chosen])
        out = torch.einsum("nk,nkh,nkdh->nd", best.softmax(dim=1), hinges, self.down[chosen])
        share = torch.bincount(chosen.flatten(), minlength=len(self.up)) / chosen.numel()
        return out, len(self.up) * (share * logits.softmax(dim=1).mean(dim=0)).sum()


class Layer(nn.Module):
    """x + mixture(RMSNorm(x))."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.mlp = nn.RMSNorm(CONFIG["hidden_size"]), Mixture()

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The stream after this layer, and its balance loss."""
        out, loss = self.mlp(self.norm(x))
        return x + out, loss


class Model(nn.Module):
    """Images (n, 64) to class logits (n, 10)."""

    config = CONFIG

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(64, CONFIG["hidden_size"])
        self.layers = nn.ModuleList(Layer() for _ in range(CONFIG["num_hidden_layers"]))
        self.norm, self.head = nn.RMSNorm(CONFIG["hidden_size"]), nn.Linear(CONFIG["hidden_size"], 10)

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Class logits and the sum of the balance losses."""
        x, loss = self.embed(images), torch.zeros(())
        for layer in self.layers:
            x, more = layer(x)
            loss = loss + more
        return self.head(self.norm(x)), loss


def train(images: torch.Tensor, labels: torch.Tensor) -> Model:
    """A trained model."""
    model = Model()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, EPOCHS)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(images)).split(BATCH):
            logits, uneven = model(images[rows] + NOISE * torch.randn(len(rows), 64))
            loss = nn.functional.cross_entropy(logits, labels[rows]) + BALANCE * uneven
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        schedule.step()
    return model.eval()


def main() -> None:
    """Train, save, capture, and say how good it is."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    data = load_digits()
    images, labels = torch.tensor(data.data / 16, dtype=torch.float32), torch.tensor(data.target)
    fit, held_out = train_test_split(range(len(images)), test_size=TEST_SIZE, random_state=SEED, stratify=data.target)
    model = train(images[fit], labels[fit])
    (HERE / "config.json").write_text(json.dumps(CONFIG, indent=1) + "\n", encoding="utf-8")
    save_file({name: value.contiguous() for name, value in model.state_dict().items()}, HERE / "model.safetensors")
    with torch.no_grad(), tropviz.capture(model) as recorder:
        for digit in range(10):
            recorder.source = str(digit)
            model(images[labels == digit])
        recorder.save(HERE / "capture.npz")
        right = model(images[held_out])[0].argmax(dim=1) == labels[held_out]
    print(f"test accuracy: {int(right.sum())} of {len(right)}")


if __name__ == "__main__":
    main()
