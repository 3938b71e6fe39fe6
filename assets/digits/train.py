"""Train the digits router that tropviz ships: a small top-2 mixture of experts on scikit-learn's handwritten digits.

Run from the project's root, with the test requirements installed (about a minute on one core)::

    python assets/digits/train.py

It writes ``digits.npz`` beside this file and prints the accuracy. Seeded and single-threaded, so a second run on
the same versions gives the same file.

The model: 8x8 image -> hidden state h (16 numbers, tanh of an affine map) -> router scores W h + b -> the 2 best of 8
experts, weighted by the softmax of their scores -> the sum of V relu(U h + c) -> ten classes. The router has a trained
bias. The loss is cross-entropy plus 0.1 times the usual balance loss N * sum_i f_i P_i.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

SEED, EXPERTS, ACTIVE, HIDDEN, WIDTH = 3, 8, 2, 16, 6
EPOCHS, BATCH, RATE, DECAY, BALANCE, NOISE = 150, 64, 4e-3, 1e-3, 0.1, 0.05
TEST_SIZE = 597


class Classifier(nn.Module):
    """Encoder, router and experts; every name of the router and experts is the one the file uses."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(64, HIDDEN)
        self.W = nn.Parameter(torch.randn(EXPERTS, HIDDEN) / HIDDEN**0.5)
        self.b = nn.Parameter(torch.zeros(EXPERTS))
        self.U = nn.Parameter(torch.randn(EXPERTS, WIDTH, HIDDEN) / HIDDEN**0.5)
        self.c = nn.Parameter(torch.zeros(EXPERTS, WIDTH))
        self.V = nn.Parameter(torch.randn(EXPERTS, 10, WIDTH) / WIDTH**0.5)

    def hidden(self, images: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.encoder(images))

    def route(self, h: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Class logits, the chosen experts (n, k), and the router's softmax over all experts (n, N)."""
        scores = h @ self.W.T + self.b
        best, chosen = scores.topk(ACTIVE, dim=1)
        hinges = torch.relu(torch.einsum("nd,nkhd->nkh", h, self.U[chosen]) + self.c[chosen])
        logits = torch.einsum("nk,nkh,nkoh->no", best.softmax(dim=1), hinges, self.V[chosen])
        return logits, chosen, scores.softmax(dim=1)


def balance(chosen: torch.Tensor, probability: torch.Tensor) -> torch.Tensor:
    """N * sum_i f_i P_i: 1 when experts share the load evenly."""
    share = torch.bincount(chosen.flatten(), minlength=EXPERTS) / chosen.numel()
    return EXPERTS * (share * probability.mean(dim=0)).sum()


def train(images: torch.Tensor, labels: torch.Tensor) -> Classifier:
    model = Classifier()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, EPOCHS)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(images)).split(BATCH):
            noisy = images[rows] + NOISE * torch.randn(len(rows), 64)
            logits, chosen, probability = model.route(model.hidden(noisy))
            loss = nn.functional.cross_entropy(logits, labels[rows]) + BALANCE * balance(chosen, probability)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        schedule.step()
    return model


def main() -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    data = load_digits()
    images = torch.tensor(data.data / 16, dtype=torch.float32)
    labels = torch.tensor(data.target)
    rows = np.arange(len(images))
    fit, held_out = train_test_split(rows, test_size=TEST_SIZE, random_state=SEED, stratify=data.target)
    model = train(images[fit], labels[fit])
    with torch.no_grad():
        h = model.hidden(images)
        logits, chosen, _ = model.route(h)
    right = (logits.argmax(dim=1) == labels).numpy()
    load = np.bincount(chosen.flatten().numpy(), minlength=EXPERTS) / len(images)
    print(f"accuracy: train {right[fit].mean():.4f}, test {right[held_out].mean():.4f}")
    sets = len(np.unique(chosen.sort().values, axis=0))
    print(f"share of digits per expert: {load.round(3)}; active sets in use: {sets}")
    tensors = {name: getattr(model, name).detach().numpy() for name in ("W", "b", "U", "c", "V")}
    test = np.zeros(len(images), dtype=np.uint8)
    test[held_out] = 1
    np.savez_compressed(
        Path(__file__).with_name("digits.npz"),
        **tensors,
        k=np.int64(ACTIVE),
        X=h.numpy(),
        labels=labels.numpy().astype(np.uint8),
        test=test,
    )


if __name__ == "__main__":
    main()
