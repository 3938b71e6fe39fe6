"""Small settings of the running process that make one step of a slider feel immediate."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import os
import socket
import sys
import threading
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

import streamlit as st

#: The collector looks after so many new objects, not after 700: a message alone makes some thousand short-lived ones,
#: and thirty visitors had a seventh of the processor's time spent on looking for cycles among them. Closed sessions,
#: which are cycles, are collected on their own (`tropviz.ui.server.forget`).
YOUNG = (50_000, 20, 20)


def _no_nagle() -> int:
    """Switch TCP_NODELAY on for every listening stream socket (accepted ones inherit it); returns how many."""
    tuned = 0
    for thing in _sockets():
        with thing, contextlib.suppress(OSError):  # closed meanwhile
            if thing.type == socket.SOCK_STREAM and thing.family in (socket.AF_INET, socket.AF_INET6):
                thing.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                tuned += 1
    return tuned


def _sockets() -> Iterator[socket.socket]:
    """Every socket of the process, as a duplicate: found by its number, as the collector does not list frozen ones."""
    numbers = [int(name) for name in os.listdir("/dev/fd")] if os.path.isdir("/dev/fd") else range(3, 4096)
    for number in numbers:
        try:
            copy = os.dup(number)
        except OSError:  # closed meanwhile
            continue
        try:
            found = socket.socket(fileno=copy)
        except OSError:  # no socket
            os.close(copy)
            continue
        yield found


class _PatientTorch(MetaPathFinder):
    """Gives the torch module a `Tensor` before its own code has run.

    While one thread imports torch, ``sys.modules`` already holds the half-made module, and scipy in another thread
    asks it for ``Tensor`` to tell tensors from arrays. Nothing is a tensor yet, so an empty class is the right answer;
    torch then puts its own there.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "torch":
            return None
        with contextlib.suppress(ValueError):  # gone already
            sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name)
        if spec is not None and spec.loader is not None:
            module = ModuleType(name)
            vars(module)["Tensor"] = type("Tensor", (), {})
            vars(spec.loader)["create_module"] = lambda _: module
        return spec


def _warm() -> None:
    """Import what later steps need (torch takes about a second), then freeze it out of the garbage collector.

    Torch gets one thread for good: most steps are too small for several, the server has as many visitors as cores, and
    a number that is changed for one computation and put back is changed under every other.
    """
    if "torch" not in sys.modules:
        sys.meta_path.insert(0, _PatientTorch())
    for name in ("shapely", "scipy.spatial", "torch"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with contextlib.suppress(KeyError):
        sys.modules["torch"].set_num_threads(1)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)


@functools.cache
def warm() -> threading.Thread:
    """Start the warm-up, once in the life of the process; best before any visit: what a visitor has by then is frozen
    as well, and never collected."""
    thread = threading.Thread(target=_warm, daemon=True, name="warm-up")
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def tune() -> int:
    """Once per process: no 40 ms Nagle stall, torch imported in the background, long-lived objects frozen.

    Together with ``runner.postScriptGC = false`` an empty rerun falls from about 100 ms to about 10 ms.

    Returns
    -------
    int
        Number of sockets tuned.
    """
    tuned = _no_nagle()
    warm()
    return tuned
