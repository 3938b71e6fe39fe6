"""Claimed, proved, measured: every measured number is computed again, by the code that stands beside it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tropviz
from tropviz.core import experts, manifold, planar, presets
from tropviz.core.experts import gates
from tropviz.home import asset
from tropviz.io.claims import Measured, claims
from tropviz.ui.shell import PAGES


def namespace() -> dict[str, Any]:
    """What the code may use: the public API, and three layers with names."""
    from tropviz import MoELayer, Router

    data = np.load(asset("digits", "digits.npz"))

    def stacked(seed: int) -> MoELayer:
        V = np.random.default_rng(seed).normal(size=(16, 2, 8)) / math.sqrt(8)
        router = Router(*presets.random_affine(16, 2, seed=seed), k=4)
        return MoELayer(router, *presets.random_experts(16, 8, 2, seed=seed), V=V)

    public = {name: getattr(tropviz, name) for name in tropviz.__all__ if name != "plot"}
    return public | {
        "math": math,
        "np": np,
        "presets": presets,
        "manifold": manifold,
        "planar": planar,
        "gates": gates,
        "digits": MoELayer(Router(data["W"], data["b"], int(data["k"])), data["U"], data["c"], V=data["V"]),
        "digits_data": data["X"],
        "stack": experts.Stack([stacked(1), stacked(2)]),
    }


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return namespace()


@pytest.mark.parametrize("measured", [m for claim in claims() for m in claim.measured], ids=lambda m: m.sentence[:60])
def test_measured_numbers_are_what_the_code_gives(measured: Measured, names: dict[str, Any]):
    found = eval(measured.code, names)
    value = getattr(found, "value", found)
    if isinstance(measured.value, int):
        assert value == measured.value
    else:
        assert float(value) == pytest.approx(measured.value, rel=1e-5)
    assert measured.sentence != measured.text and measured.sentence == replace(measured, value=value).sentence


def test_every_claim_is_on_a_page_and_says_what_is_proved():
    pages = {url for *_, url, _ in PAGES}
    shown = {claim.page for claim in claims()}
    assert {"fan", "hypersimplex", "collapse", "capacity", "resilience"} <= shown <= pages
    for claim in claims():
        assert claim.claimed.endswith(".") and claim.proved.endswith(".") and claim.measured
    assert len({(claim.page, claim.name) for claim in claims()}) == len(claims())
