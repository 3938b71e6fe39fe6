"""Shapes of published MoE layers, read from ``assets/architectures.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from tropviz.core.count import Count
from tropviz.core.slice_law import gain_dimension, model_gain
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

    @property
    def gain(self) -> Count:
        """Expected region multiplier at the model's own hidden size; its assumption says what that takes for granted.

        >>> {a.name: str(a.gain) for a in architectures()}["gpt-oss-120b"]
        '≈ 291.1'
        """
        return model_gain(self.N, self.k, self.H, self.d)

    @property
    def gain_dimension(self) -> float:
        """Dimension from which on half of C(N, k) is there for the regions, as against the cells alone.

        >>> {a.name: a.gain_dimension > a.d for a in architectures()}["Mixtral 8x7B"]
        True
        """
        return gain_dimension(self.N, self.k, self.H)


@cache
def architectures() -> tuple[Architecture, ...]:
    """Every shipped shape, in order of publication.

    >>> next((a.N, a.k) for a in architectures() if a.name == "DeepSeek-V3")
    (256, 8)
    """
    return tuple(Architecture(**row) for row in json.loads(FILE.read_text(encoding="utf-8"))["models"])
