"""The layer while it learns: torch parameters and one step. Only `loop` uses this; importing it imports torch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tropviz.core.training.data import Dataset
from tropviz.core.training.recipe import Recipe

#: Share of the running mean that a batch's mean replaces.
_MEMORY = 0.05


class Adam:
    """Adam (Kingma and Ba 2015) on all weights at once.

    torch.optim would import torch's compiler, sympy and a thousand modules more: 100 MB, and a second in which nobody
    sees a first step. The weights become views of one vector, so that a step is a few operations whatever there is.

    Examples
    --------
    >>> x = torch.tensor([3.0, -1.0], requires_grad=True)
    >>> adam = Adam([x], 0.1)
    >>> for _ in range(300):
    ...     adam.step(torch.autograd.grad((x**2).sum(), [x]))
    >>> bool((x.abs() < 0.01).all())
    True
    """

    def __init__(self, learned: list[torch.Tensor], rate: float, betas: tuple[float, float] = (0.9, 0.999)) -> None:
        self.learned, self.rate, self.betas, self.taken = learned, rate, betas, 0
        self.flat = torch.cat([tensor.detach().flatten() for tensor in learned])
        self.first, self.second = torch.zeros_like(self.flat), torch.zeros_like(self.flat)
        for tensor, part in zip(learned, self.flat.split([t.numel() for t in learned]), strict=True):
            tensor.data = part.view(tensor.shape)

    @torch.no_grad()
    def step(self, gradients: tuple[torch.Tensor, ...]) -> None:
        """Move every weight by its gradient."""
        gradient = torch.cat([g.flatten() for g in gradients])
        self.taken += 1
        one, two = self.betas
        self.first.lerp_(gradient, 1 - one)
        self.second.mul_(two).addcmul_(gradient, gradient, value=1 - two)
        size = math.sqrt(1 - two**self.taken)
        width = self.second.sqrt().div_(size).add_(1e-8)
        self.flat.addcdiv_(self.first, width, value=-self.rate / (1 - one**self.taken))


class Model:
    """Parameters, optimiser and random numbers of one run; every random number comes from the recipe's seed."""

    def __init__(self, recipe: Recipe, data: Dataset) -> None:
        self.recipe = recipe
        self.random = torch.Generator().manual_seed(recipe.seed)
        self.X = torch.tensor(data.X, dtype=torch.float32)
        self.y = torch.tensor(data.y)
        N, H, d, classes = recipe.N, recipe.H, data.X.shape[1], data.classes
        self.W = self._normal(N, d, size=1 / math.sqrt(d))
        self.b = torch.zeros(N)
        self.U = self._normal(N * H, d, size=1 / math.sqrt(d))
        self.c = self._normal(N * H, size=0.5)
        self.V = self._normal(N * H, classes, size=1 / math.sqrt(H * recipe.k))
        self.A, self.a = torch.zeros(classes, d), torch.zeros(classes)
        self.beta = torch.zeros(N)
        self.mean = self.X.mean(dim=0) * 0
        self.seen = False
        learned = [self.W, self.U, self.c, self.V]
        learned += [self.b] if recipe.router_bias else []
        learned += [self.A, self.a] if recipe.shared else []
        for tensor in learned:
            tensor.requires_grad_()
        self.optimiser = Adam(learned, recipe.rate)

    def _normal(self, *shape: int, size: float) -> torch.Tensor:
        return torch.randn(shape, generator=self.random) * size

    def steps(self, count: int) -> None:
        """Take some steps."""
        for _ in range(count):
            self._step()

    def _step(self) -> None:
        recipe = self.recipe
        rows = torch.randint(len(self.y), (recipe.batch,), generator=self.random)
        x, y = self.X[rows], self.y[rows]
        logits, chosen, scores = self._forward(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        if recipe.balance or recipe.bias_rate:
            load = torch.bincount(chosen.flatten(), minlength=recipe.N) / chosen.numel()
            if recipe.balance:
                loss = loss + recipe.balance * recipe.N * (load * scores.softmax(dim=1).mean(dim=0)).sum()
            if recipe.bias_rate:
                self.beta += recipe.bias_rate * torch.sign(1 / recipe.N - load)
        self.optimiser.step(torch.autograd.grad(loss, self.optimiser.learned))

    def _forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Class logits, the chosen experts (n, k), and the scores that the gates are made of (n, N)."""
        recipe = self.recipe
        if recipe.centred:
            middle = x.mean(dim=0)
            self.mean = torch.lerp(self.mean, middle, _MEMORY) if self.seen else middle
            self.seen = True
        scores = torch.addmm(self.b, x - self.mean if recipe.centred else x, self.W.T)
        with torch.no_grad():
            select = scores + self.beta
            if recipe.noise:
                select = select + recipe.noise * torch.randn(select.shape, generator=self.random)
            chosen = select.topk(recipe.k, dim=1).indices
        gates = torch.zeros_like(scores).scatter(1, chosen, scores.gather(1, chosen).softmax(dim=1))
        hidden = torch.addmm(self.c, x, self.U.T).relu().view(len(x), recipe.N, recipe.H)
        logits = (hidden * gates[:, :, None]).flatten(1) @ self.V
        if recipe.shared:
            logits = logits + torch.addmm(self.a, x, self.A.T)
        return logits, chosen, scores

    def weights(self) -> dict[str, NDArray[np.float64]]:
        """All weights as float64 arrays, exactly the float32 ones: W (N, d), b, beta (N,), U (N, H, d), c (N, H),
        V (N, classes, H), A (classes, d), a (classes,), and the running mean (d,)."""
        N, H = self.recipe.N, self.recipe.H
        flat: dict[str, Any] = {
            name: getattr(self, name).detach().numpy().astype(np.float64)
            for name in ("W", "b", "beta", "U", "c", "V", "A", "a", "mean")
        }
        flat["U"] = flat["U"].reshape(N, H, -1)
        flat["c"] = flat["c"].reshape(N, H)
        flat["V"] = flat["V"].reshape(N, H, -1).transpose(0, 2, 1)
        return flat
