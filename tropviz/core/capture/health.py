"""How healthy one captured router is: loads, sets, where its tokens lie, in numbers that say what they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tropviz.core.capture.geometry import (
    intrinsic_dimension,
    likely_dimension,
    near_rounding,
    plane_share,
    sample_offset,
)
from tropviz.core.capture.layer import Layer
from tropviz.core.collapse import critical_offset
from tropviz.core.collapse.entropy import entropy_bits
from tropviz.core.collapse.fullest import fullest_interval
from tropviz.core.collapse.load import imbalance
from tropviz.core.count import Count
from tropviz.core.slice_law import resilience_dimension
from tropviz.core.wilson import wilson, wilson_of

#: An expert is cold when even the upper end of its load's interval is below this share of an even load.
COLD = 0.1
#: Experts whose rows point within this many degrees of each other, after the mean row is taken off, are near twins.
NEAR_DEGREES = 10.0
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

#: What `position` tells.
POSITION = (
    *("mean_square_share", "mean_square_share_router", "mean_angle_degrees", "certified_offset", "sample_offset"),
    *("one_point", "margins", "dimension", "dimension_likely", "resilience_dimension", "plane_variance"),
)

Numbers = dict[str, Any]


def health(layer: Layer) -> Numbers:
    """Every number of one layer.

    Returns
    -------
    dict
        Counts (sampled ones with a 95 % interval), floats, lists, and None where nothing can be said. Keys are those
        of `agreement`, `loads`, `coverage`, `position` and `twins`.

    Raises
    ------
    ValueError
        For a layer that has seen no token.
    """
    if not layer.n:
        raise ValueError(f"{layer.name} has seen no token: run the model inside the capture.")
    return agreement(layer) | loads(layer) | coverage(layer) | position(layer) | twins(layer)


def agreement(layer: Layer) -> Numbers:
    """Whether the choices recomputed in float64 are the captured ones, and what may explain those that are not.

    ``agreement`` and ``elsewhere`` (tokens that plain top-k of W x + b would send elsewhere) are shares of the sample;
    ``explained_by_rounding`` is the part of the disagreements whose scores at the cut are within bfloat16 rounding.
    """
    sample, gate = layer.sample, layer.gate
    if gate.kind == "X" or not len(sample) or layer.moments is None:
        return {"agreement": None, "explained_by_rounding": None, "elsewhere": None, "near_a_wall_in_bf16": None}
    differs = (sample.ours != sample.chosen).any(axis=1)
    scores = gate.rule.ranked(np.asarray(gate.plain.scores(sample.y)), gate.beta)
    close = near_rounding(scores, gate.k)
    plain = gate.plain.active_sets(sample.y)
    away = (plain != sample.ours).any(axis=1) & ~gate.exact
    explained = float((differs & close).sum() / differs.sum()) if differs.any() else None
    return {
        "agreement": _share(1 - differs.mean(), len(sample), "sample tokens whose recomputed set is the captured one"),
        "explained_by_rounding": explained,
        "elsewhere": _share(away.mean(), len(sample), "sample tokens that plain top-k would send elsewhere"),
        "near_a_wall_in_bf16": _share(close.mean(), len(sample), "sample tokens within bfloat16 rounding of a wall"),
    }


def loads(layer: Layer) -> Numbers:
    """How evenly experts are used; ``dead`` were never chosen, which says that their share is below 3 / n (95 %)."""
    load = layer.load.sum(axis=0)
    share = load / layer.n
    even = layer.gate.k / layer.gate.N
    high = wilson(share, layer.n)[1]
    bits = entropy_bits(load)
    return {
        "load_cv": imbalance(load),
        "load_max_over_mean": float(load.max() / load.mean()),
        "dead": np.flatnonzero(load == 0).tolist(),
        "dead_means_share_below": 3 / layer.n,
        "cold": np.flatnonzero((load > 0) & (high < COLD * even)).tolist(),
        "expert_entropy_relative": bits / math.log2(layer.gate.N) if layer.gate.N > 1 else 1.0,
        "effective_experts": 2.0**bits,
    }


def coverage(layer: Layer) -> Numbers:
    """Active sets seen, and what the stream has not shown yet.

    ``coverage`` is Good and Turing's share of tokens whose set has been seen; ``sets_at_least`` is Chao's estimate of a
    lower bound of the number of sets, not an interval: more tokens raise it. ``fullest_set`` is the share of the tokens
    in the most frequent set, and is not router saturation, which in this field compares checkpoints.

    References
    ----------
    I. J. Good, Biometrika 40 (1953); W. W. Esty, Annals of Statistics 11 (1983); A. Chao, Scandinavian Journal of
    Statistics 11 (1984), bias-corrected form.
    """
    sets, n = layer.sets, layer.n
    once, twice = sets.once, sets.twice
    kind, how = ("exact", "distinct sets seen") if sets.complete else ("expected", f"1 in {1 << sets.level} sets kept")
    chao = math.floor(sets.distinct + once * (once - 1) / (2 * (twice + 1)))
    if sets.complete:
        _, hits = sets.fullest(1)
        top, of = int(hits[0]), n
    else:  # a frequent set may not be among those kept; in the sample it is
        counts = np.unique(layer.sample.chosen, axis=0, return_counts=True)[1]
        top, of = int(counts.max()), len(layer.sample)
    seen = max(0.0, 1 - once / n)
    # Esty's variance with one more of each, and one token more: covers in simulations where few sets are rare, too
    half = (1.96 * math.sqrt((once + 1) * seen + 2 * (twice + 1)) + 1) / n
    low, high = max(0.0, seen - half), min(1.0, seen + half)
    return {
        "sets_seen": Count(sets.distinct, kind, how),
        "sets_possible": Count(math.comb(layer.gate.N, layer.gate.k), "exact", "C(N, k)"),
        "sets_at_least": Count(chao, "lower", "Chao1", "estimates a lower bound: more tokens raise it"),
        "coverage": Count(seen, "sampled", "1 - f1 / n, Good and Turing", "Esty's variance", (low, high)),
        "fullest_set": _fullest(top, of),
    }


def position(layer: Layer) -> Numbers:
    """Where the tokens lie: how far off-centre, how near to walls, in how many dimensions.

    ``certified_offset`` is t* of the ball around the residuals in router coordinates; with ``sample_offset`` or more
    this very sample is in one set. Both are multiples of the present offset: 1 is where the tokens are. ``one_point``:
    all tokens are alike for the router.
    """
    out: Numbers = dict.fromkeys(POSITION)
    moments, sample, gate = layer.moments, layer.sample, layer.gate
    if moments is None or not moments.n or gate.kind == "X":
        return out
    mean, y = moments.total / moments.n, moments.y / moments.n
    yy = moments.yy / moments.n
    size = float(np.linalg.norm(mean))
    out["mean_square_share"] = size**2 / (moments.square / moments.n) if moments.square else 0.0
    out["mean_square_share_router"] = float(y @ y / np.trace(yy)) if np.trace(yy) > 0 else 0.0
    cosine = float(np.linalg.norm(y)) / size if size else 1.0
    out["mean_angle_degrees"] = math.degrees(math.acos(min(1.0, cosine)))
    points = sample.y.astype(np.float64)
    residual = points - y
    out["one_point"] = len(points) > 1 and not (points != points[0]).any()
    out["margins"] = np.quantile(sample.margin, QUANTILES).tolist() if np.isfinite(sample.margin).all() else None
    if gate.exact and np.linalg.norm(y) > 0:
        router, length = gate.router(), float(np.linalg.norm(y))
        out["certified_offset"] = critical_offset(router, y, float(np.linalg.norm(residual, axis=1).max())) / length
        out["sample_offset"] = sample_offset(router, y, residual)
    out["dimension"], out["dimension_likely"] = intrinsic_dimension(points), likely_dimension(points)
    out["resilience_dimension"] = resilience_dimension(gate.N, gate.k) if gate.k < gate.N else None
    out["plane_variance"] = plane_share(yy - np.outer(y, y))
    return out


def twins(layer: Layer) -> Numbers:
    """Experts that are nearly one: rows at a small angle, and how much more often than by chance they act together."""
    gate, load = layer.gate, layer.load.sum(axis=0).astype(np.float64)
    out: list[Any] = []
    if gate.kind != "X" and gate.N > 2:
        rows = gate.W - gate.W.mean(axis=0)
        length = np.linalg.norm(rows, axis=1)
        cosine = rows @ rows.T / np.maximum(np.outer(length, length), np.finfo(float).tiny)
        near = np.argwhere(np.triu(cosine > math.cos(math.radians(NEAR_DEGREES)), 1))
        for i, j in near.tolist():
            by_chance = load[i] * load[j] / layer.n
            lift = float(layer.together[i, j] / by_chance) if by_chance else None
            out.append({"experts": [i, j], "angle": math.degrees(math.acos(min(1.0, cosine[i, j]))), "lift": lift})
    return {"near_twins": sorted(out, key=lambda pair: pair["angle"])[:20]}


def lift(layer: Layer) -> Any:
    """Co-activation over chance, (N, N): tokens with both experts, times n, over the product of their loads.

    1 means independent; the diagonal and pairs with an expert that was never used are NaN.
    """
    load = layer.load.sum(axis=0).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        out = layer.together * layer.n / np.outer(load, load)
    np.fill_diagonal(out, np.nan)
    return out


def _fullest(top: int, n: int) -> Count:
    """Share of the fullest set, with the interval of one that was picked because it is the fullest of n tokens."""
    low, high = (float(end) for end in fullest_interval(top, n))
    note = "95 % interval that allows for picking the fullest set after the fact"
    return Count(top / n, "sampled", "tokens in the most frequent set", note, (low, high))


def _share(value: float, n: int, what: str) -> Count:
    value = float(min(1.0, max(0.0, value)))
    return Count(value, "sampled", what, "95 % Wilson interval", wilson_of(value, n))
