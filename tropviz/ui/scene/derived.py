"""`derived`: an answer kept under what it was seen to read of the scene."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import update_wrapper
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from tropviz.language import noting, speaking
from tropviz.ui.scene.own import Own
from tropviz.ui.scene.store import STORE, Key
from tropviz.ui.scene.table import Scene

T = TypeVar("T")


class Shape(NamedTuple):
    """Names that a function read in one of its runs, and how their values are picked out of a scene's."""

    names: tuple[str, ...]
    pick: Callable[[Mapping[str, Any]], tuple[Any, ...]]

    @classmethod
    def of(cls, names: tuple[str, ...]) -> Shape:
        """Values of some names, as part of a key; of what a session brought, only its number."""
        if any(name.startswith("own_") for name in names):
            return cls(names, lambda values: tuple(getattr(v, "token", v) for v in map(values.__getitem__, names)))
        if len(names) == 1:
            return cls(names, lambda values: (values[names[0]],))
        return cls(names, itemgetter(*names) if names else lambda _: ())


class _Flight:
    """An answer that is being computed: others who ask for it wait."""

    def __init__(self) -> None:
        self.landed = threading.Event()
        self.found: tuple[Shape, Key, Any] | None = None


class Derived(Generic[T]):
    """A function of the scene whose answers are kept under the properties they read; made by :func:`derived`."""

    def __init__(self, make: Callable[..., T]) -> None:
        self.make = make
        self.shapes: list[Shape] = []  # the one that served last first
        self.union: list[str] = []  # of all shapes: scenes that agree on it wait for one another
        update_wrapper(self, make)

    def __reduce__(self) -> str:
        """A function of a module is pickled by its name."""
        return str(self.make.__qualname__)

    def __call__(self, scene: Scene, *args: Any) -> T:
        """The answer."""
        values = scene._values
        while (hit := self._look(values, args)) is None and (hit := self._fly(values, args)) is None:
            continue
        scene.note(hit[0].names)
        return hit[1]

    def known(self, scene: Scene, *args: Any) -> tuple[T] | None:
        """The answer, in a tuple, if it is there already; None if it would have to be computed."""
        hit = self._look(scene._values, args)
        if hit is None:
            return None
        scene.note(hit[0].names)
        return (hit[1],)

    def made(self, values: Mapping[str, Any], *args: Any) -> tuple[tuple[str, ...], T]:
        """Compute the answer, in another process say: the names that were read, and the answer."""
        noted: set[str] = set()
        with noting(noted), speaking(values.get("lang", "en")):
            value = self.make(Scene(values, noted), *args)
        return tuple(sorted(noted)), value

    def take_over(self, scene: Scene, args: tuple[Any, ...], names: tuple[str, ...], value: T) -> None:
        """Keep an answer that was `made` elsewhere, of a scene with the same values."""
        self._keep(scene._values, args, names, value)

    def _look(self, values: Mapping[str, Any], args: tuple[Any, ...]) -> tuple[Shape, T] | None:
        for shape in tuple(self.shapes):
            if (found := STORE.get((self.make, shape.names, shape.pick(values), args))) is not None:
                if self.shapes[0] is not shape:
                    self.shapes[:] = [shape, *(s for s in self.shapes if s is not shape)]
                return shape, found[0]
        return None

    def _keep(
        self, values: Mapping[str, Any], args: tuple[Any, ...], names: tuple[str, ...], value: T
    ) -> tuple[Shape, Key]:
        shape = Shape.of(names)
        key = (self.make, names, shape.pick(values), args)
        own = next((v for v in map(values.__getitem__, names) if isinstance(v, Own)), None)
        with STORE.lock:
            STORE.put(key, value, own)
            if all(names != known.names for known in self.shapes):
                self.shapes.insert(0, shape)
                self.union[:] = sorted({*self.union, *names})
        return shape, key

    def _fly(self, values: Mapping[str, Any], args: tuple[Any, ...]) -> tuple[Shape, T] | None:
        """Compute the answer, or wait for another who does; None if it has to be looked for again."""
        asked = Shape.of(tuple(self.union) or tuple(sorted(values)))
        ticket = (self.make, asked.names, asked.pick(values), args)
        with STORE.lock:
            if (other := STORE.flights.get(ticket)) is None:
                mine = STORE.flights[ticket] = _Flight()
        if other is not None:
            other.landed.wait()
            if other.found is not None:
                shape, key, value = other.found
                if key == (self.make, shape.names, shape.pick(values), args):  # even if it was too large to be kept
                    return shape, value
            return None
        try:
            if (hit := self._look(values, args)) is not None:  # the one before has landed meanwhile
                return hit
            names, value = self.made(values, *args)
            shape, key = self._keep(values, args, names, value)
            mine.found = shape, key, value
            return shape, value
        finally:
            del STORE.flights[ticket]
            mine.landed.set()


def derived(make: Callable[..., T]) -> Derived[T]:
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
    return Derived(make)
