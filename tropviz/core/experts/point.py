"""A layer at a point: which hinges are open there, and the affine map the layer is in that region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.router import as_float64

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Region:
    """The linear region a point lies in.

    Attributes
    ----------
    active : tuple of int
        Active experts.
    pattern : tuple of str
        One word of H letters 0 and 1 per active expert (1: the hinge is open, U x + c > 0), then one for the shared
        expert if there is one.
    margin : float
        Distance to the nearest hinge of this cell, in input units; infinite without hinges.
    """

    active: tuple[int, ...]
    pattern: tuple[str, ...]
    margin: float

    @property
    def name(self) -> str:
        """A name no other region of the layer has: the active set and the pattern.

        >>> Region((0, 3), ("01", "11"), 1.0).name
        '{0, 3} 01·11'
        """
        return "{" + ", ".join(map(str, self.active)) + "} " + "·".join(self.pattern)


@dataclass(frozen=True)
class LocalMap:
    """The affine map x -> A x + a of a layer in one region.

    The gate is the softmax over the scores of the active experts at the point asked for. It is taken constant in the
    cell, although it changes with x: the map is that of a layer with these gate values, exact at the point itself.

    Attributes
    ----------
    A : ndarray (m, d)
    a : ndarray (m,)
    gate : ndarray (k,)
        Weights of the active experts, in their order; their sum is 1.
    """

    A: Floats
    a: Floats
    gate: Floats


def region_at(layer: MoELayer, x: Any) -> Region:
    """The region of a point (d,); a hinge through the point counts as closed.

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> region_at(MoELayer.dense([[1, 0], [0, 1]], [0, 0]), [2, -1])
    Region(active=(0,), pattern=('10',), margin=1.0)
    """
    point = _point(layer, x)
    active = layer.router.active_sets(point[None])[0]
    rows = layer.hinges_of(active[None])[0]
    values = rows[:, :-1] @ point + rows[:, -1]
    size = np.linalg.norm(rows[:, :-1], axis=1)
    distance = np.abs(values[size > 0]) / size[size > 0]
    letters = "".join("1" if v > 0 else "0" for v in values)
    k, H = layer.k, layer.H
    words = [letters[i * H : (i + 1) * H] for i in range(k)] + ([letters[k * H :]] if len(letters) > k * H else [])
    return Region(tuple(int(i) for i in active), tuple(words), float(distance.min(initial=np.inf)))


def local_map(layer: MoELayer, x: Any) -> LocalMap:
    """The affine map of the routed experts in the region of a point (d,); a shared expert's output is not part of it.

    Raises
    ------
    ValueError
        If the layer has no output weights V.

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> layer = MoELayer.dense([[1, 0], [0, 1]], [0, 0], V=[[1, 1]])
    >>> local_map(layer, [2, -1]).A.tolist()
    [[1.0, 0.0]]
    """
    if layer.V is None:
        raise ValueError("The layer has no output weights: give V (N, m, H) to get its local affine map.")
    point = _point(layer, x)
    active = layer.router.active_sets(point[None])[0]
    scores = layer.router.scores(point[None])[0][active]
    gate = np.exp(scores - scores.max())
    gate /= gate.sum()
    A, a = np.zeros((layer.V.shape[1], layer.d)), np.zeros(layer.V.shape[1])
    for weight, i in zip(gate, active, strict=True):
        open_ = layer.U[i] @ point + layer.c[i] > 0
        A += weight * layer.V[i][:, open_] @ layer.U[i][open_]
        a += weight * layer.V[i][:, open_] @ layer.c[i][open_]
    return LocalMap(A, a, gate)


def _point(layer: MoELayer, x: Any) -> Floats:
    point = as_float64(x, "x")
    if point.shape != (layer.d,):
        raise ValueError(f"x has shape {point.shape}: give one point of {layer.d} coordinates.")
    return point
