"""Gate: the router of one layer of a real model, its rule, and which geometry that is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from tropviz.core.count import Count
from tropviz.core.gates.coordinates import router_coordinates
from tropviz.core.gates.rule import Rule
from tropviz.core.router import Array, Ints, Router, as_float64
from tropviz.core.wilson import wilson_of

#: Classes of gates, by what their cells are.
KINDS = {
    "A": "exactly an order-k power diagram of W x",
    "A+": "exactly an order-k power diagram of W x + b",
    "P": "polyhedral, but no order-k diagram: a cell is a union of cones",
    "C": "curved: a score and a selection bias; an exact order-k diagram in the space of scores",
    "S": "curved: softmax and a selection bias; every wall depends on all logits",
    "G": "curved: only the best groups compete, and groups are ranked by the sum of their best two",
    "X": "no function of W x",
}


class Gate:
    """The router of one layer.

    Parameters
    ----------
    layer : int
    name : str
        Name of the weight in the model or its file.
    W : (N, d) array-like, or a function that returns it
        Rows that compete; a function is called when the weights are first needed.
    k : int
        Experts active at a token.
    rule : Rule
    b : (N,) array-like, optional
        Bias on the logits.
    beta : (N,) array-like, optional
        Selection bias: added to the scores for the choice only.
    shape : (int, int), optional
        (N, d) of a W that is a function.
    side : str
        Which of several routers of one layer, or of several stacks: "encoder", "decoder", "attention", "vision".
    note : str
        What else acts on the choice, such as a capacity.

    Attributes
    ----------
    N, d : int
    kind : str
        A key of `KINDS`.

    Raises
    ------
    ValueError
        For shapes that do not fit together, or k outside 1 to N.

    Examples
    --------
    >>> gate = Gate(0, "gate", [[1, 0], [0, 1], [-1, -1]], 1, Rule("sigmoid"), beta=[0.0, 0.5, 0.0])
    >>> gate.kind, gate.active_sets([[1.0, 0.0], [1.0, -2.0]]).tolist(), gate.elsewhere([[1.0, 0.0]]).value
    ('C', [[1], [0]], 1.0)
    """

    def __init__(
        self,
        layer: int,
        name: str,
        W: Any,
        k: int,
        rule: Rule | None = None,
        *,
        b: Any = None,
        beta: Any = None,
        shape: tuple[int, int] | None = None,
        side: str = "",
        note: str = "",
    ) -> None:
        self.layer, self.name, self.k, self.side, self.note = int(layer), str(name), int(k), side, note
        self.rule = rule or Rule()
        self._weights: Callable[[], Any] = W if callable(W) else partial(_given, W)  # which can be pickled
        if shape is None:
            shape = self.W.shape
        if len(shape) != 2 or min(shape) < 1:
            raise ValueError(f"{name} has shape {tuple(shape)}: give a matrix with one row per expert.")
        self.N, self.d = shape
        if not 1 <= self.k <= self.N:
            raise ValueError(f"{name}: k is {k}: it must lie between 1 and the number of experts, {self.N}.")
        self.b, self.beta = self._bias(b, "the bias"), self._bias(beta, "the selection bias")

    def __repr__(self) -> str:
        where = f"layer {self.layer}{' ' + self.side if self.side else ''}"
        return f"Gate({where}, N={self.N}, d={self.d}, k={self.k}, {self.kind})"

    def _bias(self, values: Any, what: str) -> Array | None:
        if values is None:
            return None
        out = as_float64(values, f"{what} of {self.name}").reshape(-1)
        if len(out) != self.N:
            raise ValueError(f"{self.name}: {what} has {len(out)} numbers for {self.N} experts: give one each.")
        out.setflags(write=False)
        return out

    @cached_property
    def W(self) -> Array:
        """Weights (N, d), float64, read-only; read when first needed."""
        return as_float64(self._weights(), self.name)

    @cached_property
    def kind(self) -> str:
        """The class of the gate's geometry, a key of `KINDS`."""
        if self.rule.refused:
            return "X"
        biased = self.beta is not None and bool((self.beta != self.beta[0]).any())
        if self.rule.grouped:
            if self.rule.group_score != "best" or biased or self.rule.outside != -np.inf:
                return "G"
            if self.rule.kept < self.k:  # else the k best experts lie in the k best groups: no group is left out
                return "P"
        if biased:
            return "S" if self.rule.score == "softmax" else "C"
        return "A+" if self.b is not None and bool((self.b != self.b[0]).any()) else "A"

    @property
    def exact(self) -> bool:
        """Whether the cells are those of a `Router`, so that every exact count of the project holds."""
        return self.kind in ("A", "A+")

    def router(self) -> Router:
        """The same choice as a `Router`.

        Raises
        ------
        ValueError
            Unless the class is A or A+, with the reason.
        """
        if not self.exact:
            raise ValueError(f"{self.name} is of class {self.kind} ({self._why()}): only A and A+ are routers W x + b.")
        return self.plain

    @cached_property
    def plain(self) -> Router:
        """Plain top-k of W x + b: the gate itself for A and A+, for others what it would be without the rest."""
        return Router(self.W, self.b, self.k)

    def _why(self) -> str:
        return self.rule.refused or KINDS[self.kind]

    def active_sets(self, X: Any) -> Ints:
        """The experts this gate chooses, (n, d) -> (n, k), rows sorted, ties to the lowest index.

        Raises
        ------
        ValueError
            For class X, with the reason, or for points that do not fit.
        """
        if self.kind == "X":
            raise ValueError(f"{self.name} is of class X and cannot be routed from W x: {self._why()}.")
        if self.exact:
            return self.plain.active_sets(X)
        return self._by_score(X, lambda z: self.rule.choose(z, self.k, self.beta), self.k, np.int64)

    def squash(self, X: Any) -> Array:
        """The point of score space a token goes to, (n, d) -> (n, N): each logit through the score, without bias."""
        return self._by_score(X, self.rule.squash, self.N, np.float64)

    def _by_score(self, X: Any, act: Callable[[Array], Any], width: int, dtype: Any) -> Any:
        points = self.plain._points(X)
        out = np.empty((len(points), width), dtype=dtype)
        for lo, chunk in self.plain._chunks(points, self.N):
            out[lo : lo + len(chunk)] = act(self.plain._true_scores(chunk, lo))
        out.setflags(write=False)
        return out

    @cached_property
    def diagram(self) -> Router:
        """Class C in the space of scores: the exact order-k diagram of the N coordinates with additive weights beta.

        ``gate.diagram.active_sets(gate.squash(X))`` are the gate's choices, ``margin`` is the distance to the nearest
        wall there, in units of the score.

        Raises
        ------
        ValueError
            For gates of another class.
        """
        if self.kind != "C":
            raise ValueError(f"{self.name} is of class {self.kind}: only class C is a diagram in the space of scores.")
        return Router(np.eye(self.N), self.beta, self.k)

    def elsewhere(self, X: Any) -> Count:
        """Share of the tokens whose active set plain top-k of W x + b would miss; 95 % Wilson interval."""
        ours, plain = self.active_sets(X), self.plain.active_sets(X)
        if not len(ours):
            raise ValueError("X has no rows: give at least one token.")
        share = float((ours != plain).any(axis=1).mean())
        what = "tokens that plain top-k would send elsewhere"
        return Count(share, "sampled", what, "95 % Wilson interval", wilson_of(share, len(ours)))

    @cached_property
    def coordinates(self) -> Array:
        """Q (r, d): the directions this gate can tell apart, see `router_coordinates`."""
        return router_coordinates(self.W, self.exact or self.rule.shift_invariant)


def _given(W: Any) -> Any:
    return W
