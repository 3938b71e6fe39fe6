"""Where answers are kept: one store for the process, bounded in bytes."""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Any

from tropviz.ui.scene.own import Own
from tropviz.ui.scene.weight import weight

Key = tuple[Hashable, ...]


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


#: How often an answer has served when it is weighed again: within a step or two, and then ever more rarely.
WEIGHED_AGAIN = frozenset(4**n for n in range(1, 30))


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
        self.flights: dict[Key, Any] = {}  # answers that are being computed (`tropviz.ui.scene.derived`)
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
        if kept.fields != len(getattr(value, "__dict__", ())) or kept.served in WEIGHED_AGAIN:
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


#: For the whole process.
STORE = Store(limit_of(os.environ.get("TROPVIZ_CACHE_BYTES")))
