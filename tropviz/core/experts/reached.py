"""Regions that points lie in: one name a region, for many points at once and in any dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Values of hinges held at a time.
_BLOCK = 2**22


def region_names(layer: MoELayer, X: Any, sets: Ints | None = None) -> NDArray[np.uint8]:
    """A name for the linear region of every point: equal rows, same region.

    Parameters
    ----------
    layer : MoELayer
        Of any dimension.
    X : array-like (n, d)
    sets : ndarray of int (n, k), optional
        ``layer.router.active_sets(X)``, where it is known already.

    Returns
    -------
    ndarray of uint8 (n, w)
        The active set, then which hinges of its experts (and of the shared one) are open, bit by bit; a hinge through
        the point counts as closed.

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> names = region_names(MoELayer.dense([[1, 0], [0, 1]], [0, 0]), [[1, 1], [2, 1], [-1, 1]])
    >>> bool((names[0] == names[1]).all()), bool((names[0] == names[2]).all())
    (True, False)
    """
    points = np.asarray(X, dtype=np.float64)
    sets = layer.router.active_sets(points) if sets is None else sets
    U, c = layer.hinge_rows[..., :-1], layer.hinge_rows[..., -1]
    shared = layer.shared_rows
    step = max(1, _BLOCK // max(1, layer.N * layer.H))
    parts = []
    for start in range(0, len(points), step):
        x, active = points[start : start + step], sets[start : start + step]
        open_ = np.einsum("nd,ehd->neh", x, U, optimize=True) + c > 0
        own = np.take_along_axis(open_, active[:, :, None], axis=1).reshape(len(x), -1)
        always = x @ shared[:, :-1].T + shared[:, -1] > 0
        parts.append(name_rows(active, np.concatenate([own, always], axis=1)))
    return np.concatenate(parts) if parts else np.zeros((0, 0), dtype=np.uint8)


def name_rows(sets: Ints, open_: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Active sets (n, k) and open hinges (n, q) as one row of bytes each.

    >>> name_rows(np.array([[0, 258]]), np.array([[True, False]])).tolist()
    [[0, 0, 1, 2, 128]]
    """
    numbers = sets.astype(">u2").view(np.uint8).reshape(len(sets), -1)
    return np.concatenate([numbers, np.packbits(open_, axis=1)], axis=1)


def regions_reached(layer: MoELayer, X: Any, sets: Ints | None = None) -> Count:
    """How many linear regions some points lie in, to be read beside the active sets they hit; see `region_names`.

    Returns
    -------
    Count of kind 'exact': distinct regions among these points, not those of the data they were drawn from.

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> int(regions_reached(MoELayer.dense([[1, 0], [0, 1]], [0, 0]), [[1, 1], [2, 1], [-1, 1]]))
    2
    """
    names = region_names(layer, X, sets)
    found = len(np.unique(names, axis=0)) if len(names) else 0
    return Count(found, "exact", f"distinct regions among {len(names):,} points")
