"""`derived`: an answer kept under what it was seen to read of the scene."""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import wraps
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np

from tropviz.ui.scene.own import Own
from tropviz.ui.scene.table import Scene

Key = tuple[Hashable, ...]
T = TypeVar("T")


def limit_of(setting: str | None) -> int:
    """Bytes that all answers of the process may hold: the environment's ``TROPVIZ_CACHE_BYTES``, else 256 MB.

    Raises
    ------
    ValueError
        If it is not a whole number of at least 0.

    Examples
    --------
    >>> limit_of(None), limit_of("5e6")
    (256000000, 5000000)
    """
    try:
        limit = float(setting or 256e6)
    except ValueError:
        limit = -1.0
    if not 0 <= limit < float("inf"):
        raise ValueError(f"TROPVIZ_CACHE_BYTES is {setting!r}: give a number of bytes, such as 256000000.")
    return int(limit)


# --- what an answer weighs ---

#: Parts of one thing that are weighed one by one.
MANY = 400


def weight(thing: Any, seen: set[int] | None = None) -> int:
    """About how many bytes an answer holds.

    Raises
    ------
    TypeError
        If there is a scene in it: an answer serves other scenes too, of which it would say what is not so.
    """
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
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
    return sys.getsizeof(thing) + sum(weight(part, seen) for part in some) * len(parts) // max(len(some), 1)


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


# --- where answers are kept ---


class _Kept:
    """One answer: `value` (of a thing of one's own: None, it is kept on that), its bytes, and how often it served."""

    __slots__ = ("fields", "holder", "served", "size", "value")

    def __init__(self, value: Any, size: int, fields: int, holder: weakref.ref[Own] | None) -> None:
        self.value, self.size, self.fields, self.holder, self.served = value, size, fields, holder, 0


class Store:
    """Answers of all sessions, the least recently used dropped first, bounded in bytes.

    An answer that read something a session brought is kept on that thing (`Own.answers`); here stand only its bytes.
    """

    def __init__(self, limit: int) -> None:
        self.limit, self.lock = limit, threading.RLock()
        self.items: OrderedDict[Key, _Kept] = OrderedDict()
        self.flights: dict[Key, _Flight] = {}
        self._bytes, self._gone, self._owned = 0, deque[int](), dict[int, set[Key]]()

    @property
    def size(self) -> int:
        """Bytes that are held now."""
        with self.lock:
            self._forget_gone()
            return self._bytes

    def get(self, key: Key) -> tuple[Any] | None:
        """The answer, in a tuple; None if there is none."""
        try:
            kept = self.items[key]
            self.items.move_to_end(key)
            own = kept.holder and kept.holder()
            value = own.answers[key] if own else kept.value
        except KeyError:  # not there, or dropped by another session meanwhile
            return None
        kept.served += 1
        # an answer grows by what its cached properties keep: at once where that shows, deeper down now and then
        if kept.fields != len(getattr(value, "__dict__", ())) or kept.served & (kept.served - 1) == 0:
            self._put(key, value, own or None, kept.served)
        return (value,)

    def put(self, key: Key, value: Any, own: Own | None = None) -> None:
        """Keep an answer; one that is larger than all there may be is not kept."""
        self._put(key, value, own, 0)

    def _put(self, key: Key, value: Any, own: Own | None, served: int) -> None:
        size, fields = weight(value) + 200, len(getattr(value, "__dict__", ()))
        with self.lock:
            self._forget_gone()
            self._drop(key)
            if size > self.limit:
                return
            holder = None
            if own is not None:
                own.answers[key] = value
                if own.token not in self._owned:
                    self._owned[own.token] = set()
                    weakref.finalize(own, self._gone.append, own.token)  # a lock may be held where this is called
                self._owned[own.token].add(key)
                holder = weakref.ref(own)
            self.items[key] = kept = _Kept(None if own else value, size, fields, holder)
            kept.served = served
            self._bytes += size
            while self._bytes > self.limit:
                self._drop(next(iter(self.items)))

    def _drop(self, key: Key) -> None:
        kept = self.items.pop(key, None)
        if kept is None:
            return
        self._bytes -= kept.size
        if kept.holder is not None and (own := kept.holder()) is not None:
            own.answers.pop(key, None)
            self._owned.get(own.token, set()).discard(key)

    def _forget_gone(self) -> None:
        while self._gone:
            for key in self._owned.pop(self._gone.popleft(), ()):
                self._drop(key)

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            for key in list(self.items):
                self._drop(key)


class _Flight:
    """An answer that is being computed: others who ask for it wait."""

    def __init__(self) -> None:
        self.landed = threading.Event()
        self.found: tuple[tuple[str, ...], Key, Any] | None = None


#: For the whole process.
STORE = Store(limit_of(os.environ.get("TROPVIZ_CACHE_BYTES")))


# --- derived ---


def _picker(names: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """Values of some names, as part of a key; of what a session brought, only its number."""
    if any(name.startswith("own_") for name in names):
        return lambda values: tuple(v.token if isinstance(v, Own) else v for v in map(values.__getitem__, names))
    if len(names) == 1:
        return lambda values: (values[names[0]],)
    return itemgetter(*names) if names else lambda _: ()


_Shape = tuple[tuple[str, ...], Callable[[Mapping[str, Any]], tuple[Any, ...]]]


def derived(make: Callable[..., T]) -> Callable[..., T]:
    """Keep ``make(scene, *args)`` under the properties it reads of the scene, itself or through other such functions.

    Everything it uses must come from the scene or from its arguments, which must be hashable; what it returns is shared
    and must not hold the scene. However many ask at once, it is computed once. Several threads may read the one scene.

    Notes
    -----
    A function that branches has several sets of names it reads. An answer found under one of them is right: a function
    that reads the same values takes the same branches.

    Examples
    --------
    >>> calls = []
    >>> @derived
    ... def area(scene):
    ...     calls.append(scene.window)
    ...     return (2 * scene.window) ** 2
    >>> scene = Scene.default()
    >>> area(scene), area(scene.replace(n=20)[0]), len(calls)
    (36.0, 36.0, 1)
    """
    shapes: list[_Shape] = []  # the one that served last first
    union: list[str] = []  # of all shapes: scenes that agree on it wait for one another

    def look(values: Mapping[str, Any], args: tuple[Any, ...]) -> tuple[tuple[str, ...], Any] | None:
        for shape in tuple(shapes):
            names, pick = shape
            if (found := STORE.get((make, names, pick(values), args))) is not None:
                if shapes[0] is not shape:
                    shapes[:] = [shape, *(s for s in shapes if s is not shape)]
                return names, found[0]
        return None

    def run(values: Mapping[str, Any], args: tuple[Any, ...]) -> tuple[tuple[str, ...], T]:
        noted: set[str] = set()
        value = make(Scene(values, noted), *args)
        return tuple(sorted(noted)), value

    def keep(values: Mapping[str, Any], args: tuple[Any, ...], names: tuple[str, ...], value: T) -> Key:
        pick = _picker(names)
        key = (make, names, pick(values), args)
        own = next((values[n] for n in names if n.startswith("own_") and values[n] is not None), None)
        with STORE.lock:
            STORE.put(key, value, own)
            if all(names != known for known, _ in shapes):
                shapes.insert(0, (names, pick))
                union[:] = sorted({*union, *names})
        return key

    def compute(values: Mapping[str, Any], args: tuple[Any, ...], flight: _Flight) -> tuple[tuple[str, ...], T]:
        names, value = run(values, args)
        flight.found = names, keep(values, args, names, value), value
        return names, value

    def answer(values: Mapping[str, Any], args: tuple[Any, ...]) -> tuple[tuple[str, ...], T]:
        while (hit := look(values, args)) is None:
            asked = tuple(union) or tuple(sorted(values))
            ticket = (make, asked, _picker(asked)(values), args)
            with STORE.lock:
                if (other := STORE.flights.get(ticket)) is None:
                    mine = STORE.flights[ticket] = _Flight()
            if other is not None:
                other.landed.wait()
                if other.found is not None:
                    names, key, value = other.found
                    if key == (make, names, _picker(names)(values), args):  # even if it was too large to be kept
                        return names, value
                continue
            try:
                # the one before may have landed between the look and the lock
                return look(values, args) or compute(values, args, mine)
            finally:
                del STORE.flights[ticket]
                mine.landed.set()
        return hit

    @wraps(make)
    def call(scene: Scene, *args: Any) -> T:
        names, value = answer(scene._values, args)
        scene.note(names)
        return value

    _LOOKS[call], _RUNS[call], _KEEPS[call] = look, run, keep
    return call


#: How the answer of a derived function is looked for, made, and kept.
_LOOKS: dict[Callable[..., Any], Callable[..., tuple[tuple[str, ...], Any] | None]] = {}
_RUNS: dict[Callable[..., Any], Callable[..., tuple[tuple[str, ...], Any]]] = {}
_KEEPS: dict[Callable[..., Any], Callable[..., Key]] = {}


def made(function: Callable[..., T], values: Mapping[str, Any], *args: Any) -> tuple[tuple[str, ...], T]:
    """Compute the answer of a derived function, in another process say: the names it read, and the answer."""
    return _RUNS[function](values, args)


def take_over(
    scene: Scene, function: Callable[..., T], args: tuple[Any, ...], names: tuple[str, ...], value: T
) -> None:
    """Keep an answer that was :func:`made` elsewhere, of a scene with the same values."""
    _KEEPS[function](scene._values, args, names, value)


def known(scene: Scene, function: Callable[..., T], *args: Any) -> tuple[T] | None:
    """The answer of a derived function, in a tuple, if it is there already; None if it would have to be computed."""
    hit = _LOOKS[function](scene._values, args)
    if hit is None:
        return None
    scene.note(hit[0])
    return (hit[1],)
