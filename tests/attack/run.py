"""The attack: every input ends in an array or in one sentence, soon, within its memory, and no code of it runs."""

from __future__ import annotations

import random
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.attack.mutate import damaged
from tests.attack.seeds import RAN, honest, lying
from tropviz.io import read_any, read_layer, read_points, read_router
from tropviz.io.arrays import EXTENSIONS
from tropviz.io.read import LayerFile, RouterFile

READERS: tuple[Callable[..., object], ...] = (read_router, read_layer, read_any, read_points)
ENDINGS = (*EXTENSIONS, ".pkl", "")
#: Seconds of processor time for one small input, and MB that all of them together may add.
SECONDS, MEGABYTES = 1.0, 200
#: The longest sentence.
LONGEST = 400


@dataclass
class Result:
    """What an attack has found."""

    inputs: int = 0
    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    megabytes: float = 0.0
    by_format: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Nothing got through."""
        return not self.failures


def attack(inputs: int, seed: int, say: Callable[[str], object] = lambda line: None) -> Result:
    """Damage files and read them, the same ones for the same seed.

    Parameters
    ----------
    inputs : int
        How many.
    seed : int
        For the damage.
    say : callable
        Told a line now and then.
    """
    files = honest() | lying()
    names, dice, result = sorted(files), random.Random(seed), Result()
    for name, data in files.items():
        _one(result, name, data)
    before = _most()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning on standard error is a second sentence
        while result.inputs < inputs and len(result.failures) < 20:
            name = dice.choice(names)
            data = damaged(files[name], files[dice.choice(names)], dice)
            if dice.random() < 0.1:
                name = Path(name).stem + dice.choice(ENDINGS)
            _one(result, name, data)
            result.megabytes = _most() - before
            if result.megabytes > MEGABYTES:
                result.failures.append(f"{name}: memory grew by {result.megabytes:.0f} MB")
                break
            if result.inputs % 10_000 == 0:
                say(f"{result.inputs:,} inputs")
    say(
        f"seed {seed}: {result.inputs:,} inputs {dict(sorted(result.by_format.items()))}, {result.read:,} read, "
        f"{result.refused:,} refused in one sentence, slowest {result.slowest:.2f} s, +{result.megabytes:.0f} MB, "
        f"{len(result.failures)} failures"
    )
    for failure in result.failures:
        say(failure)
    return result


def _one(result: Result, name: str, data: bytes) -> None:
    reader = READERS[result.inputs % len(READERS)]
    result.inputs += 1
    result.by_format[Path(name).suffix or "none"] += 1
    start = time.process_time()
    try:
        found = reader(data, name)
    except ValueError as refusal:
        result.refused += 1
        problem = _no_sentence(str(refusal), name)
    except BaseException as other:  # whatever it is, it is what we look for
        problem = f"{type(other).__name__}: {other}"
        if isinstance(other, KeyboardInterrupt):
            raise
    else:
        result.read += 1
        problem = _no_arrays(found)
    seconds = time.process_time() - start
    result.slowest = max(result.slowest, seconds)
    if seconds > SECONDS:
        problem = f"took {seconds:.1f} s"
    if RAN:
        problem = RAN.pop()
    if problem:
        result.failures.append(f"{reader.__name__} {name}, {len(data)} bytes {data[:80]!r}: {problem}")


def _no_sentence(text: str, name: str) -> str:
    """What is wrong with a refusal; empty if nothing."""
    wanted = text.startswith(f"{name}: ") and text.endswith(".") and text.count(": ") >= 2 and len(text) <= LONGEST
    return "" if wanted and text.isprintable() else f"no sentence: {text[:600]!r}"


def _no_arrays(found: object) -> str:
    """What is wrong with an answer; empty if nothing."""
    parts = [found] if isinstance(found, np.ndarray) else []
    if isinstance(found, RouterFile | LayerFile):
        parts = [a for a in (found.W, found.b, getattr(found, "U", None), getattr(found, "c", None)) if a is not None]
    good = parts and all(a.dtype == np.float64 and np.isfinite(a).all() and not a.flags.writeable for a in parts)
    return "" if good else "an answer that is no finite read-only float64 array"


def _most() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
