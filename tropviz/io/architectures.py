"""Shapes of published MoE layers, read from ``assets/architectures.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from tropviz.home import asset

FILE = asset("architectures.json")


@dataclass(frozen=True)
class Architecture:
    """One published MoE layer.

    Attributes
    ----------
    name, year, source : str, int, str
    N, k, shared : int
        Routed experts, active ones, always active ones.
    H, d : int
        Hidden units of one routed expert, hidden size of the model.
    groups, kept : int
        Groups the experts are split into and groups that may supply active experts; 1 and 1 for a free choice.
    choice : str
        How the choice differs from plain top-k of linear scores; empty where it does not.
    """

    name: str
    year: int
    N: int
    k: int
    shared: int
    H: int
    d: int
    source: str
    choice: str = ""
    groups: int = 1
    kept: int = 1


@cache
def architectures() -> tuple[Architecture, ...]:
    """Every shipped shape, in order of publication.

    >>> next((a.N, a.k) for a in architectures() if a.name == "DeepSeek-V3")
    (256, 8)
    """
    return tuple(Architecture(**row) for row in json.loads(FILE.read_text(encoding="utf-8"))["models"])
