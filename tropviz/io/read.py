"""Routers, layers and data points from files or uploads, in float64, or one sentence that says what to change."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.router import Router
from tropviz.io.arrays import entries
from tropviz.io.entry import Entries, entry
from tropviz.io.source import Source, open_source
from tropviz.io.text import shown

Array = NDArray[np.float64]
#: Names that are near misses of ours, in lower case. Ignoring them would give a wrong picture without a word.
_NEAR = {
    "w": "W",
    "weight": "W",
    "weights": "W",
    "b": "b",
    "bias": "b",
    "biases": "b",
    "k": "k",
    "topk": "k",
    "top_k": "k",
    "u": "U",
    "c": "c",
}
#: What the weights and biases of hinges are called: never a router without a word.
_HINGES = frozenset("UVc")
#: What a model's own file says about the choice and a router file cannot: plain top-k would be another choice.
_GATE_KEYS = (
    *("e_score_correction_bias", "expert_bias", "tid2eid", "n_group", "num_expert_group", "topk_group", "topk_method"),
    *("scoring_func", "num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k", "top_k_experts"),
)
_POINTS = ("X", "x", "points", "data", "hidden", "hidden_states")


@dataclass(frozen=True, eq=False)
class RouterFile:
    """A router as a file has it.

    Parameters
    ----------
    name : str
        File name, for messages and titles.
    W : (N, d) float64, read-only
        Weights, N >= 2.
    b : (N,) float64, read-only, or None
        Bias on the logits.
    k : int or None
        Active experts, 1 to N - 1, where the file says.
    cut_out : bool
        The matrix has another name than W: a model's tensor.
    unread : tuple of str
        Entries of the file that say nothing here.
    """

    name: str
    W: Array
    b: Array | None
    k: int | None
    cut_out: bool = False
    unread: tuple[str, ...] = ()

    def router(self, k: int | None = None) -> Router:
        """The router with `k` active experts; without `k`, as many as the file says, else 2 (1 of 2).

        Raises
        ------
        ValueError
            Nothing says k of a matrix that was cut out of a model.
        """
        return Router(self.W, self.b, k=_active(self, k))


@dataclass(frozen=True, eq=False)
class LayerFile:
    """An MoE layer, or a dense network of one hidden layer, as a file has it.

    Parameters
    ----------
    name : str
        File name, for messages and titles.
    W : (N, d) float64, read-only, or None
        Router weights; None for a dense network.
    b : (N,) float64, read-only, or None
        Router bias.
    k : int or None
        Active experts.
    U : (N, H, d) float64, read-only; dense: (H, d)
        Hinge directions.
    c : (N, H) float64, read-only; dense: (H,)
        Hinge offsets.
    V : (N, m, H) float64, read-only, or None; dense: (m, H)
        Output weights, if the file has some of that shape.
    unread : tuple of str
        Entries of the file that say nothing here.
    """

    name: str
    W: Array | None
    b: Array | None
    k: int | None
    U: Array
    c: Array
    V: Array | None = None
    unread: tuple[str, ...] = ()

    @property
    def dense(self) -> bool:
        """Whether the file holds a dense network: no router."""
        return self.W is None

    def layer(self, k: int | None = None) -> Any:
        """The `MoELayer` of the file (one expert when it is dense)."""
        from tropviz import MoELayer

        if self.W is None:
            return MoELayer.dense(self.U, self.c, self.V)
        return MoELayer(Router(self.W, self.b, k=_active(self, k)), self.U, self.c, self.V)


def read_router(source: str | os.PathLike[str] | bytes, name: str | None = None) -> RouterFile:
    """A router from json, npz, npy, csv, safetensors or pt.

    The file has ``W`` (N, d), and may have ``b`` (N,) and ``k``. A file that holds one matrix and nothing else needs
    no name for it, or has any but U, V and c: its rows are the experts. A CSV has one expert a line; a last column
    named ``b`` is the bias.

    Parameters
    ----------
    source : path or bytes
        Uploaded bytes need `name`.
    name : str, optional
        File name for messages; its extension tells the format.

    Returns
    -------
    RouterFile

    Raises
    ------
    ValueError
        One sentence naming the file, the entry and the remedy.

    Examples
    --------
    >>> found = read_router(b'{"W": [[1, 0], [0, 1], [-1, -1]], "k": 2}', "three.json")
    >>> found.router().N, found.k, found.b
    (3, 2, None)
    >>> read_router(b'{"W": [[1, 0], [0, NaN]]}', "two.json")
    Traceback (most recent call last):
    ...
    ValueError: two.json: W[1, 1] is nan: replace it by a finite number.
    """
    file = open_source(source, name)
    return _router(file, _named(file))


def _router(file: Source, found: Entries) -> RouterFile:
    key = "W" if "W" in found else _stand_in(file, found)
    W = _take(file, found, key)
    b, k = _gate(file, found, W)
    return RouterFile(file.name, W, b, k, key not in ("W", ""), _unread(found, key, "b", "k", "U", "c"))


def read_layer(source: str | os.PathLike[str] | bytes, name: str | None = None) -> LayerFile:
    """An MoE layer (``W``, ``b``, ``k``, ``U``, ``c``) or a dense network (``U``, ``c``).

    From json, npz, safetensors or pt. Parameters and errors are those of `read_router`.

    Returns
    -------
    LayerFile

    Examples
    --------
    >>> read_layer(b'{"U": [[1, 0], [0, 1]], "c": [0, 1]}', "dense.json").dense
    True
    """
    file = open_source(source, name)
    return _layer(file, _named(file))


def _layer(file: Source, found: Entries) -> LayerFile:
    for wanted in ("U", "c"):
        if wanted not in found:
            what = f"{wanted} is missing (found {_names(found)})"
            raise file.refusal(what, _inside(found) or "give U and c, the weights and biases of the hinges")
    U, c = _take(file, found, "U"), _take(file, found, "c")
    if "W" not in found:
        _expect(file, "U", U, (None, None), "(H, d), or add W for an MoE layer")
        _expect(file, "c", c, (len(U),), "one number per row of U")
        V = _outputs(file, found, (None, len(c)))
        return LayerFile(file.name, None, None, None, U, c, V, _unread(found, "U", "c", *_used(V)))
    W = _take(file, found, "W")
    b, k = _gate(file, found, W)
    _expect(file, "U", U, (len(W), None, W.shape[1]), f"(N, H, d) = ({len(W)}, H, {W.shape[1]}), as W says")
    _expect(file, "c", c, U.shape[:2], f"(N, H) = {U.shape[:2]}, as U says")
    V = _outputs(file, found, (len(W), None, U.shape[1]))
    return LayerFile(file.name, W, b, k, U, c, V, _unread(found, "W", "b", "k", "U", "c", *_used(V)))


def read_any(source: str | os.PathLike[str] | bytes, name: str | None = None) -> RouterFile | LayerFile:
    """A router, with its experts (``U``, ``c``) where the file has them. Parameters and errors are `read_router`'s.

    Examples
    --------
    >>> read_any(b'{"W": [[1], [-1]], "U": [[[1]], [[2]]], "c": [[0], [1]]}', "moe.json").U.shape
    (2, 1, 1)
    >>> read_any(b'{"U": [[1, 0]], "c": [0]}', "dense.json")
    Traceback (most recent call last):
    ...
    ValueError: dense.json: W is missing, so nothing is routed: add W, one row per expert.
    """
    file = open_source(source, name)
    found = _named(file)
    if "U" not in found and "c" not in found:
        return _router(file, found)
    if "W" not in found:
        raise file.refusal("W is missing, so nothing is routed", "add W, one row per expert")
    return _layer(file, found)


def read_points(source: str | os.PathLike[str] | bytes, name: str | None = None, *, d: int | None = None) -> Array:
    """Data points, one a row, from csv, npy, npz, json, safetensors or pt.

    Parameters
    ----------
    source, name
        As in `read_router`. With names in the file: X, points, data, hidden_states, or its only matrix.
    d : int, optional
        The dimension the points must have.

    Returns
    -------
    X : (n, d) float64, read-only

    Raises
    ------
    ValueError
        One sentence naming the file, the entry and the remedy.

    Examples
    --------
    >>> read_points(b"x,y\\n1,2\\n3,4\\n", "cloud.csv").shape
    (2, 2)
    """
    file = open_source(source, name)
    found = entries(file, points=True)
    key = next((n for n in _POINTS if n in found), None)
    X = _only(file, found, 2, "X") if key is None else _take(file, found, key)
    _expect(file, entry(key or ""), X, (None, d), f"(n, {d or 'd'}), one point a row")
    return X


def _named(file: Source) -> Entries:
    """The entries of a file; one that is all but called as one of ours is refused, not passed over."""
    found = entries(file)
    for name in found:
        ours = _NEAR.get(name.lower(), name)
        if ours not in found:
            raise file.refusal(f"the key {name!r} is not read", f"name it {ours!r}")
    odd = next((name for name in found if name.rpartition(".")[2] in _GATE_KEYS), None)
    if odd is not None:
        remedy = "give the folder of the model with its config.json to `tropviz routers`, or W, b and k alone"
        raise file.refusal(f"{shown(odd, 80)} is not read from a lone file and the choice depends on it", remedy)
    return found


def _unread(found: Entries, *used: str) -> tuple[str, ...]:
    """The entries that were not used, as a sentence may show them."""
    return tuple(shown(name) or "one without a name" for name in found if name not in used)


def _outputs(file: Source, found: Entries, wanted: tuple[int | None, ...]) -> Array | None:
    """Output weights that fit the hinges; others are named as not used, for no count needs them."""
    shape = found["V"].shape if "V" in found else None
    return _take(file, found, "V") if shape and 0 not in shape and _fits(shape, wanted) else None


def _used(V: Array | None) -> tuple[str, ...]:
    return () if V is None else ("V",)


def _take(file: Source, found: Entries, name: str) -> Array:
    array = found[name]()
    if array.size == 0:
        raise file.refusal(f"{entry(name)} is empty, its shape is {array.shape}", "give at least one number")
    return array


def _stand_in(file: Source, found: Entries) -> str:
    """The name of the entry that may stand for W: the only one, unless it is called as hinges are."""
    if len(found) == 1 and not found.keys() & _HINGES and not _inside(found):
        return next(iter(found))
    dense = found.keys() & {"U", "c"}
    remedy = "add W, one row per expert, or give a dense file to `regions`" if dense else "name the router's matrix W"
    remedy = _inside(found) or remedy
    raise file.refusal(f"W is missing (found {_names(found)})", remedy)


def _names(found: Entries) -> str:
    """Some of the names in a file, for a sentence."""
    return shown(", ".join(shown(name) or "one without a name" for name in sorted(found)[:5]), 120) or "nothing"


def _inside(found: Entries) -> str:
    """The remedy where names lie in another name (``{"state_dict": {"W": ...}}``); empty where they do not."""
    outer = next((name for name, entry in found.items() if entry.inner), None)
    if outer is None:
        return ""
    return f"save what is inside {shown(outer, 20)!r} alone, it holds {shown(', '.join(found[outer].inner[:3]))}"


def _only(file: Source, found: Entries, axes: int, ours: str) -> Array:
    """The array without a name, or the only one with so many axes."""
    if "" in found:
        return _take(file, found, "")
    fitting = [name for name, entry in found.items() if len(entry.shape or ()) == axes and 0 not in (entry.shape or ())]
    if len(fitting) == 1:
        return _take(file, found, fitting[0])
    what = f"{ours} is missing" if not fitting else f"{len(fitting)} matrices are there and none is named {ours}"
    raise file.refusal(f"{what} (found {_names(found)})", _inside(found) or f"name the matrix {ours}")


def _gate(file: Source, found: Entries, W: Array) -> tuple[Array | None, int | None]:
    """b and k that fit W, after a check of W itself."""
    _expect(file, "W", W, (None, None), "(N, d), one row per expert")
    if len(W) < 2:
        raise file.refusal("W has 1 row, so there is nothing to route", "give at least 2 experts, one a row")
    b = _take(file, found, "b") if "b" in found else None
    if b is not None:
        _expect(file, "b", b, (len(W),), f"({len(W)},), one number per row of W")
    if "k" not in found:
        return b, None
    k = _take(file, found, "k")
    if k.size != 1 or not float(k.item()).is_integer():
        raise file.refusal("k is not a whole number", f"give one from 1 to {len(W) - 1}")
    if not 1 <= k.item() < len(W):
        raise file.refusal(f"k is {k.item():.0f} and there are {len(W)} experts", f"give k from 1 to {len(W) - 1}")
    return b, int(k.item())


def _expect(file: Source, name: str, array: Array, shape: tuple[int | None, ...], wanted: str) -> None:
    """Refuse an array whose shape does not match; None stands for any length."""
    if not _fits(array.shape, shape):
        raise file.refusal(f"{name} has the shape {array.shape}", f"it must be {wanted}")


def _fits(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    """Whether a shape is the wanted one; None stands for any length."""
    return len(shape) == len(wanted) and all(want in (None, n) for want, n in zip(wanted, shape, strict=True))


def _active(file: RouterFile | LayerFile, k: int | None) -> int:
    assert file.W is not None
    k = file.k if k is None else k
    if k is None and isinstance(file, RouterFile) and file.cut_out:
        what = f"{file.name}: this matrix was cut out of a model, which alone says how many experts are active"
        raise ValueError(f"{what}: give k.")
    return min(2, len(file.W) - 1) if k is None else k
