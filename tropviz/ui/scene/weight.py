"""What an answer weighs: about how many bytes it holds."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tropviz.figures.picture import Once
from tropviz.ui.scene.own import Own
from tropviz.ui.scene.table import Scene

#: What most parts are; whether one has been seen already does not matter.
NUMBERS = frozenset((int, float, bool))
#: Parts of one thing that are weighed one by one.
MANY = 400


def weight(thing: Any, seen: set[int] | None = None) -> int:
    """About how many bytes an answer holds.

    Raises
    ------
    TypeError
        If there is a scene in it: an answer serves other scenes too, of which it would say what is not so.
    """
    kind = type(thing)
    if kind in NUMBERS:
        return sys.getsizeof(thing)
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    if kind is np.ndarray:
        return _array_weight(thing, seen)
    if isinstance(thing, Scene):
        raise TypeError("an answer that is kept may not hold the scene: it serves other scenes too.")
    if thing is None or isinstance(thing, (Own, type)) or callable(thing):
        return 0
    if isinstance(thing, np.ndarray):
        return _array_weight(thing, seen)
    if isinstance(thing, (str, bytes, int, float)):
        return sys.getsizeof(thing)
    if hasattr(thing, "geom_type"):
        return _shape_weight(np.array([thing], dtype=object))
    if hasattr(thing, "nbytes"):  # a tensor
        return int(thing.nbytes)
    parts = _parts(thing)
    some = parts[:: 1 + len(parts) // MANY]  # of thousands of like things some are weighed
    shell = sys.getsizeof(thing) + (len(thing.encoded or b"") if isinstance(thing, Once) else 0)
    return shell + sum(weight(part, seen) for part in some) * len(parts) // max(len(some), 1)


def _parts(thing: Any) -> Sequence[Any]:
    if isinstance(thing, Mapping):
        return (*thing, *thing.values())
    if isinstance(thing, (list, tuple)):
        return thing
    if isinstance(thing, (set, frozenset)):
        return tuple(thing)
    slots = [getattr(thing, name, None) for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    return (*slots, *getattr(thing, "__dict__", {}).values())  # with what cached_property has kept


def _array_weight(array: np.ndarray[Any, Any], seen: set[int]) -> int:
    root = array
    while isinstance(root.base, np.ndarray):  # a view keeps all of it alive
        root = root.base
    if root is not array and id(root) in seen:
        return 0
    seen.add(id(root))
    if array.dtype != object:
        return int(root.nbytes) + 112
    if array.size and all(hasattr(item, "geom_type") for item in array.ravel()):
        return int(root.nbytes) + _shape_weight(array)
    return int(root.nbytes) + sum(weight(item, seen) for item in array.ravel())


def _shape_weight(shapes: np.ndarray[Any, Any]) -> int:
    """Geometries look like empty shells from Python: their coordinates count, 16 bytes each, 24 in space."""
    import shapely

    return int(shapely.get_num_coordinates(shapes).sum()) * 24 + 200 * shapes.size
