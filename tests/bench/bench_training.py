"""Training with its recording against a bare torch loop of the same layer, and the fans of all checkpoints."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from tests.bench.harness import Row, least
from tropviz import RoutingFan
from tropviz.core.training import Recipe, train
from tropviz.core.training.loop import data_of

RECIPE = Recipe(offset=6.0, balance=0.01)


def bare() -> None:
    """The same layer, loss and optimiser as one would write them down, without recording anything."""
    data = data_of(RECIPE)
    X, y, N, k, H = torch.tensor(data.X, dtype=torch.float32), torch.tensor(data.y), RECIPE.N, RECIPE.k, RECIPE.H
    W, b, c = torch.randn(N, 2), torch.zeros(N), torch.zeros(N * H)
    U, V = torch.randn(N * H, 2), torch.randn(N * H, 2)
    weights = [p.requires_grad_() for p in (W, b, U, c, V)]
    adam = torch.optim.Adam(weights, lr=RECIPE.rate, fused=True)
    for _ in range(RECIPE.steps):
        rows = torch.randint(len(y), (RECIPE.batch,))
        x = X[rows]
        scores = x @ W.T + b
        top, chosen = scores.topk(k, dim=1)
        gates = torch.zeros_like(scores).scatter(1, chosen, top.softmax(dim=1))
        hidden = (x @ U.T + c).relu().view(-1, N, H) * gates[:, :, None]
        loss = torch.nn.functional.cross_entropy(hidden.flatten(1) @ V, y[rows])
        load = torch.bincount(chosen.flatten(), minlength=N) / chosen.numel()
        loss = loss + RECIPE.balance * N * (load * scores.softmax(dim=1).mean(dim=0)).sum()
        adam.zero_grad()
        loss.backward()
        adam.step()


def rows() -> Iterable[Row]:
    torch.set_num_threads(1)
    run: list = []

    def work() -> None:
        run[:] = train(RECIPE)

    ratio = least(work, bare, repeat=3)
    yield Row("training 1,500 steps of 256, N=8, k=2, H=8, 100 checkpoints : bare torch loop", ratio, "<= 1.3")
    ratio = least(lambda: [RoutingFan(layer.router) for layer in run], bare, repeat=3)
    yield Row("fans of all its checkpoints : bare torch loop", ratio, "<= 0.3", f"{len(run)} checkpoints")
