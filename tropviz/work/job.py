"""A piece of work: what is asked, by whom, within which budget, and what has become of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

MB = 2**20


class Refused(RuntimeError):
    """Nothing was started; one sentence says why and what to do."""


@dataclass(frozen=True)
class Budget:
    """What a piece of work may use.

    Attributes
    ----------
    cpu : float
        Seconds of processor time.
    wall : float
        Seconds on the clock. Much more than `cpu`: work that waits for everybody's sliders is not at fault.
    memory : int
        Bytes beyond what the worker holds before it starts.

    Examples
    --------
    >>> Budget(cpu=5).wall
    600.0
    """

    cpu: float = 60.0
    wall: float = 600.0
    memory: int = 600 * MB


#: What became of a job, in one sentence for a person.
SENTENCES = {
    "time": "This took longer than a computation may take here and was stopped: choose something smaller.",
    "memory": "This needs more memory than a computation may take here: choose something smaller.",
    "died": "The process that computed this was ended from outside: try again, or choose something smaller.",
    "stopped": "Stopped.",
}


@dataclass(eq=False)
class Job:
    """One computation, for all who asked for it.

    Attributes
    ----------
    lane : str
        "quick" or "long".
    call : (callable, tuple)
    budget : Budget
    askers : set of (session, slot)
    state : str
        waiting, running; then done, failed, memory, time, died or stopped.
    value : object
        The result of a job that is done; the sentence of one that failed.
    progress : (float, str)
        Share done, and what is being done.
    parts : list
        Parts of the result that were handed over so far.
    over : threading.Event
        Set when the job has ended in whatever way.
    """

    lane: str
    call: tuple[Callable[..., Any], tuple[Any, ...]]
    budget: Budget = field(default_factory=Budget)
    askers: set[tuple[Hashable, Hashable]] = field(default_factory=set)
    state: str = "waiting"
    value: Any = None
    progress: tuple[float, str] = (0.0, "")
    parts: list[Any] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    born: float = field(default_factory=time.monotonic)

    @property
    def sentence(self) -> str:
        """Why there is no result, for a person; empty while there may be one.

        >>> job = Job("long", (len, ("abc",)))
        >>> job.sentence
        ''
        >>> job.finish("memory")
        >>> job.sentence
        'This needs more memory than a computation may take here: choose something smaller.'
        """
        return str(self.value) if self.state == "failed" else SENTENCES.get(self.state, "")

    def finish(self, state: str, value: Any = None) -> None:
        """It has ended; those who wait are told."""
        self.value, self.state = value, state
        self.over.set()
