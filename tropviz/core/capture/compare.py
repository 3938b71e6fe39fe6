"""Two captures of the same tokens: checkpoints, quantisations; or of different ones: prompts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tropviz.core.capture.layer import Layer
from tropviz.core.capture.record import Capture
from tropviz.core.capture.reservoir import Reservoir
from tropviz.core.collapse.load import MISSED
from tropviz.core.count import Count


def aligned(one: Reservoir, other: Reservoir) -> tuple[Any, Any]:
    """Rows of both samples that are the same token: the same seed and shard give a token the same priority."""
    _, here, there = np.intersect1d(one.priority, other.priority, return_indices=True)
    return here, there


def divergence(p: Any, q: Any) -> float:
    """Jensen-Shannon divergence of two loads, in bits: 0 for equal shares, 1 for none in common.

    >>> divergence([1, 1], [2, 2]), divergence([1, 0], [0, 3])
    (0.0, 1.0)
    """
    p, q = (np.asarray(v, dtype=np.float64) / np.sum(v) for v in (p, q))
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [np.where(v > 0, v * np.log2(v / middle), 0.0).sum() for v in (p, q)]
    return float(min(1.0, max(0.0, sum(parts) / 2)))


def compare(one: Capture, other: Capture) -> list[dict[str, Any]]:
    """Layer by layer.

    Returns
    -------
    list of dict
        ``jsd`` of the loads; where the same tokens are in both samples also ``jaccard``, the mean of |A and B| / |A or
        B|, ``saturation``, the mean of |A and B| / k, which is router saturation when `other` is the last checkpoint of
        the run that `one` is of, and ``same_set``; None where no token is shared. Their intervals allow for what is too
        rare to be among the tokens: samples that agree in all of them may differ elsewhere.

    Raises
    ------
    ValueError
        For captures of models of different shape.

    References
    ----------
    Muennighoff et al., OLMoE (2024), section 5.1, for router saturation.
    """
    shapes = [[(layer.gate.N, layer.gate.k) for layer in capture.layers] for capture in (one, other)]
    if shapes[0] != shapes[1]:
        raise ValueError("The captures are of models of different shape: compare the same layers, N and k.")
    return [_layer(a, b) for a, b in zip(one.layers, other.layers, strict=True)]


def _layer(a: Layer, b: Layer) -> dict[str, Any]:
    out: dict[str, Any] = {"layer": a.gate.layer, "side": a.gate.side, "tokens_shared": 0}
    out |= dict.fromkeys(("jaccard", "saturation", "same_set"))
    out["jsd"] = divergence(a.load.sum(axis=0), b.load.sum(axis=0)) if a.n and b.n else None
    here, there = aligned(a.sample, b.sample)
    if not len(here):
        return out
    first, second = a.sample.chosen[here], b.sample.chosen[there]
    common = (first[:, :, None] == second[:, None, :]).sum(axis=(1, 2))
    k, n = a.gate.k, len(here)
    for name, values in (("jaccard", common / (2 * k - common)), ("saturation", common / k), ("same_set", common == k)):
        out[name] = _mean(values)
    return out | {"tokens_shared": n}


def _mean(values: Any) -> Count:
    """Mean of shares, one a token, with a 95 % interval that also covers where hardly any token differs."""
    n, mean = len(values), float(values.mean())
    half = 1.96 * float(values.std()) / math.sqrt(n) + MISSED / n
    interval = (max(0.0, mean - half), min(1.0, mean + half))
    return Count(mean, "sampled", f"mean over {n:,} shared tokens", "normal approximation", interval)


def flow(a: Layer, b: Layer) -> Any:
    """How tokens go from the experts of one layer to those of the next, (N, N): tokens of the sample with both.

    None where the samples share no token.
    """
    here, there = aligned(a.sample, b.sample)
    if not len(here):
        return None
    first, second = a.sample.chosen[here].astype(np.int64), b.sample.chosen[there].astype(np.int64)
    pairs = first[:, :, None] * b.gate.N + second[:, None, :]
    return np.bincount(pairs.ravel(), minlength=a.gate.N * b.gate.N).reshape(a.gate.N, b.gate.N)


def specialisation(layer: Layer, resamples: int = 200, seed: int = 0) -> dict[str, Any] | None:
    """Do sources go to different experts? Mutual information of source and expert, against permuted sources.

    Returns
    -------
    dict or None
        ``bits``, ``by_chance`` (mean of the permutations), ``p`` (share of them that reach it); None for one source.
    """
    sample = layer.sample
    sources = np.unique(sample.source)
    if len(sources) < 2:
        return None
    random = np.random.default_rng(seed)
    code = np.searchsorted(sources, sample.source)
    found = _information(code, sample.chosen, len(sources), layer.gate.N)
    drawn = [
        _information(random.permutation(code), sample.chosen, len(sources), layer.gate.N) for _ in range(resamples)
    ]
    beyond = (1 + sum(value >= found for value in drawn)) / (1 + resamples)
    return {"bits": found, "by_chance": float(np.mean(drawn)), "p": float(beyond)}


def _information(code: Any, chosen: Any, sources: int, N: int) -> float:
    pairs = (code[:, None] * N + chosen).ravel().astype(np.int64)
    joint = np.bincount(pairs, minlength=sources * N).reshape(sources, N) / len(pairs)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.where(joint > 0, joint * np.log2(joint / apart), 0.0).sum())
