"""Rule: from router logits to k experts, in the few ways that models in use do it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from tropviz.core.router import Array, Ints


def _sqrtsoftplus(z: Array) -> Array:
    return np.sqrt(np.logaddexp(0.0, z))


#: What is done to the logits before experts are compared. All but softmax act on each logit alone, all are increasing.
SCORES: dict[str, Callable[[Array], Array]] = {
    "identity": lambda z: z,
    "softmax": lambda z: np.asarray(softmax(z, axis=1)),
    "sigmoid": lambda z: np.asarray(expit(z)),
    "sqrtsoftplus": _sqrtsoftplus,
}
GROUP_SCORES = ("best", "two best")


@dataclass(frozen=True)
class Rule:
    """How a gate chooses.

    Experts are ranked by ``score(softcap(scale * z)) + selection bias``; with groups, only the experts of the best
    `kept` groups keep that number, all others get `outside`.

    Attributes
    ----------
    score : {'softmax', 'sigmoid', 'sqrtsoftplus', 'identity'}
    scale : float
        Positive factor of the logits.
    softcap : float
        c of c tanh(z / c); 0 for none.
    groups, kept : int
        Groups of consecutive experts, and how many of them may supply active experts.
    group_score : {'best', 'two best'}
        A group ranks by its best member, or by the sum of its best two.
    outside : float
        What experts of other groups are given, -inf or 0.
    refused : str
        Why the choice is no function of W x; empty where it is.

    Raises
    ------
    ValueError
        For a word or a number that is none of these.

    Examples
    --------
    >>> Rule("sigmoid").choose(np.array([[2.0, 1.0, 0.0]]), 2, np.array([0.0, 0.0, 1.0])).tolist()
    [[0, 2]]
    >>> Rule(groups=2, kept=1, group_score="best").choose(np.array([[3.0, 0.0, 2.0, 2.0]]), 2).tolist()
    [[0, 1]]
    """

    score: str = "softmax"
    scale: float = 1.0
    softcap: float = 0.0
    groups: int = 1
    kept: int = 1
    group_score: str = "two best"
    outside: float = -math.inf
    refused: str = ""

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise ValueError(f"score is {self.score!r}: use one of {', '.join(SCORES)}.")
        if self.group_score not in GROUP_SCORES:
            raise ValueError(f"group_score is {self.group_score!r}: use one of {', '.join(GROUP_SCORES)}.")
        if not (math.isfinite(self.scale) and self.scale > 0):
            raise ValueError(f"scale is {self.scale}: give a positive number, or the order of the experts would turn.")
        if not (math.isfinite(self.softcap) and self.softcap >= 0):
            raise ValueError(f"softcap is {self.softcap}: give a positive number, or 0 for none.")
        if not 1 <= self.kept <= self.groups:
            raise ValueError(f"{self.kept} of {self.groups} groups are kept: keep at least 1 and at most all.")

    @property
    def grouped(self) -> bool:
        """Whether some groups are left out."""
        return self.kept < self.groups

    @property
    def shift_invariant(self) -> bool:
        """Whether adding one number to all logits changes no choice, whatever the biases."""
        return self.score in ("softmax", "identity") and not self.softcap

    def squash(self, z: Array) -> Array:
        """Scores of logits, (n, N) -> (n, N), before any bias."""
        z = z * self.scale
        if self.softcap:
            z = self.softcap * np.tanh(z / self.softcap)
        return SCORES[self.score](z)

    def ranked(self, z: Array, beta: Array | None = None) -> Array:
        """The numbers experts are ranked by, (n, N) -> (n, N)."""
        scores = self.squash(z) if beta is None else self.squash(z) + beta
        return self._limited(scores) if self.grouped else scores

    def choose(self, z: Array, k: int, beta: Array | None = None) -> Ints:
        """Active experts, (n, N) -> (n, k), each row sorted, ties to the lowest index.

        Raises
        ------
        ValueError
            When the choice is no function of the logits, or N cannot be split into the groups.
        """
        if self.refused:
            raise ValueError(f"This gate cannot be routed from W x: {self.refused}.")
        order = np.argsort(-self.ranked(z, beta), axis=1, kind="stable")[:, :k]
        return np.sort(order, axis=1)

    def _limited(self, scores: Array) -> Array:
        n, N = scores.shape
        if N % self.groups:
            raise ValueError(f"{N} experts do not split into {self.groups} equal groups: correct the number of groups.")
        members = scores.reshape(n, self.groups, N // self.groups)
        two = self.group_score == "two best" and members.shape[2] > 1
        best = np.partition(members, -2, axis=2)[:, :, -2:].sum(axis=2) if two else members.max(axis=2)
        kept = np.argsort(-best, axis=1, kind="stable")[:, : self.kept]
        inside = np.zeros((n, self.groups), dtype=bool)
        np.put_along_axis(inside, kept, True, axis=1)
        return np.where(np.repeat(inside, N // self.groups, axis=1), scores, self.outside)
