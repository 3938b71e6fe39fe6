"""The choice a gate made, read off what it returned or what its experts were given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def choice_in(values: Any, n: int, N: int, k: int) -> Any:
    """Indices of the chosen experts among values, (n, k) int64 tensor; None when no value tells.

    Indices themselves, (n, k); masks or weights that are zero for all but the chosen, (n, N).
    """
    import torch

    tensors = [t.detach() for t in flat(values) if torch.is_tensor(t) and t.ndim >= 2]
    for t in tensors:
        if t.dtype in (torch.int64, torch.int32) and t.shape[-1] == k and t.numel() == n * k and k < N:
            return t.reshape(n, k).long().cpu()
    for t in reversed(tensors):
        if t.shape[-1] == N and t.numel() == n * N:
            used = t.reshape(n, N) > 0
            if t.dtype != torch.bool and not (t >= 0).all():
                continue
            if int(used.sum(1).max()) == k:
                order = torch.where(used, torch.arange(N, device=t.device), -1)
                return torch.sort(order, dim=1).values[:, N - k :].cpu()
    return None


def logits_in(values: Any, n: int, N: int) -> Any:
    """Logits among values, (n, N) float64; None when there are none."""
    import torch

    for t in flat(values):
        if torch.is_tensor(t) and t.is_floating_point() and t.ndim >= 2 and t.shape[-1] == N and t.numel() == n * N:
            return t.detach().reshape(n, N).double().cpu()
    return None


def flat(values: Any) -> Iterable[Any]:
    """Values of nested tuples, lists and dicts."""
    if isinstance(values, dict):
        values = list(values.values())
    if isinstance(values, (tuple, list)):
        for value in values:
            yield from flat(value)
    else:
        yield values
