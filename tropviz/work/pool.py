"""The pool: who waits for what, whose turn it is, and the threads that keep the workers busy."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tropviz.work.job import MB, Budget, Job, Refused
from tropviz.work.process import PRESSED, Worker
from tropviz.work.setting import whole

LANES = ("quick", "long")
#: Seconds between two looks for sessions that have gone.
SWEEP = 0.25
#: A session that was served longer ago than this is as good as new.
FORGET = 600.0


@dataclass(frozen=True)
class Limits:
    """How much the pool does at once, from the environment of the server.

    Attributes
    ----------
    long, quick : int
        Workers of each lane (TROPVIZ_LONG_WORKERS, TROPVIZ_QUICK_WORKERS).
    person, all : int
        Computations that one session, and all together, may have open (TROPVIZ_WAITING_PERSON, TROPVIZ_WAITING_ALL).
    memory : int
        Bytes that one computation may use (TROPVIZ_WORK_MB, in megabytes).
    idle : int
        1: long work runs while nothing else wants the core, and slowly where others want every core all the time; 0:
        like everything else (TROPVIZ_LONG_IDLE).
    """

    long: int = 1
    quick: int = 1
    person: int = 4
    all: int = 60
    memory: int = 600 * MB
    idle: int = 1

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """The limits that some environment sets; ValueError in one sentence.

        >>> Limits.of({"TROPVIZ_LONG_WORKERS": "3", "TROPVIZ_WORK_MB": "100"})
        Limits(long=3, quick=1, person=4, all=60, memory=104857600, idle=1)
        >>> Limits.of({"TROPVIZ_LONG_WORKERS": "many"})
        Traceback (most recent call last):
        ValueError: TROPVIZ_LONG_WORKERS is 'many': give a whole number of at least 1.
        """

        number = partial(whole, environment=environment)
        usual = max(1, (os.cpu_count() or 2) - 1) if environment is os.environ else cls.long
        return cls(
            number("TROPVIZ_LONG_WORKERS", usual),
            number("TROPVIZ_QUICK_WORKERS", cls.quick),
            number("TROPVIZ_WAITING_PERSON", cls.person),
            number("TROPVIZ_WAITING_ALL", cls.all),
            number("TROPVIZ_WORK_MB", cls.memory // MB) * MB,
            number("TROPVIZ_LONG_IDLE", cls.idle, 0),
        )


class Pool:
    """Bounded heavy work for many sessions.

    Workers of the lane "quick" never take long work; those of the lane "long" run when no slider needs the core. Their
    threads and processes start with the first work.

    Parameters
    ----------
    limits : Limits
    alive : callable
        Whether a session is still there; work that only closed sessions wait for is stopped.
    modules : sequence of str
        What each worker imports before its first work.

    Examples
    --------
    >>> pool = Pool()
    >>> job = pool.ask("ada", "numbers", ("sum", 10), sum, range(10))
    >>> job.over.wait(60), job.state, job.value
    (True, 'done', 45)
    >>> pool.close()
    """

    def __init__(
        self,
        limits: Limits | None = None,
        alive: Callable[[Any], bool] = lambda session: True,
        modules: Sequence[str] = (),
    ) -> None:
        self.limits, self.alive, self.modules = limits or Limits(), alive, tuple(modules)
        self.lock = threading.Condition()
        self.jobs: dict[Hashable, Job] = {}
        self.slots: dict[tuple[Hashable, Hashable], Job] = {}
        self.served: dict[Hashable, float] = {}
        self._started = self._closed = False

    # --- for pages ----------------------------------------------------------------------------------------------------

    def ask(
        self,
        session: Hashable,
        slot: Hashable,
        key: Hashable,
        fn: Callable[..., Any],
        *args: Any,
        lane: str = "long",
        budget: Budget | None = None,
    ) -> Job:
        """The one job of this key; what this slot asked for before is no longer waited for by it.

        Parameters
        ----------
        session, slot : hashable
            Who asks, and for which part of the page: a slot waits for one thing at a time.
        key : hashable
            What is computed: same key, same result.
        fn, args
            A function of a module, and arguments that can be pickled.
        lane : "quick" or "long"
        budget : Budget
            Its memory is cut to the pool's own limit.

        Returns
        -------
        Job
            Ask again for its state: asking is cheap, and a job that was stopped for all starts anew.

        Raises
        ------
        Refused
            If this session or all together have too much open.
        """
        if lane not in LANES:
            raise ValueError(f"The lane is {lane!r}: choose one of {', '.join(LANES)}.")
        budget = budget or Budget()
        budget = Budget(budget.cpu, budget.wall, min(budget.memory, self.limits.memory))
        with self.lock:
            job = self.jobs.get(key)
            if self.slots.get((session, slot)) is not job:
                self._leave(session, slot)
            if job is None or job.state == "stopped":
                self._refuse(session)
                job = self.jobs[key] = Job(lane, (fn, args), budget)
            self.slots[session, slot] = job
            job.askers.add((session, slot))
            self._start()
            self.lock.notify_all()
        return job

    def leave(self, session: Hashable, slot: Hashable) -> None:
        """Stop, or the value has been taken over: this slot waits for nothing any more."""
        with self.lock:
            self._leave(session, slot)

    def place(self, job: Job) -> int:
        """How many are served up to and with this one: 1 is next; 0 if it is not waiting."""
        with self.lock:
            waiting = self._queue(job.lane)
            return waiting.index(job) + 1 if job in waiting else 0

    def open(self) -> int:
        """Jobs that wait or run."""
        with self.lock:
            return sum(not job.over.is_set() for job in self.jobs.values())

    def close(self) -> None:
        """End all work and all workers; nothing can be asked any more."""
        with self.lock:
            self._closed = True
            for job in self.jobs.values():
                job.askers.clear()
            self.slots.clear()
            self.lock.notify_all()
            threads = getattr(self, "_threads", [])
        for thread in threads:
            thread.join(10)
        atexit.unregister(self.close)

    def sweep(self) -> None:
        """Drop what closed sessions asked for, and jobs that nobody holds."""
        gone = {session for session, _ in list(self.slots) if not self.alive(session)}
        with self.lock:
            for session, slot in list(self.slots):
                if session in gone:
                    self._leave(session, slot)
            now = time.monotonic()
            self.served = {session: at for session, at in self.served.items() if now - at < FORGET}

    # --- under the lock -----------------------------------------------------------------------------------------------

    def _leave(self, session: Hashable, slot: Hashable) -> None:
        job = self.slots.pop((session, slot), None)
        if job is None:
            return
        job.askers.discard((session, slot))
        if not job.askers and job.state != "running":  # a running one is ended by its thread
            self._drop(job)

    def _drop(self, job: Job) -> None:
        """Forget a job that nobody holds, with its result."""
        for key in [key for key, held in self.jobs.items() if held is job]:
            del self.jobs[key]
        if not job.over.is_set():
            job.finish("stopped")

    def _refuse(self, session: Hashable) -> None:
        if self._closed:
            raise Refused("The server is closing: nothing new is computed.")
        waiting = [job for job in self.jobs.values() if not job.over.is_set()]
        if sum(any(who == session for who, _ in job.askers) for job in waiting) >= self.limits.person:
            raise Refused("You have too much being computed already: stop something, or wait a moment.")
        if len(waiting) >= self.limits.all:
            raise Refused("Too many people have something being computed: wait a moment and try again.")

    def _queue(self, lane: str) -> list[Job]:
        """What waits in a lane, in the order in which it is served: round robin by session, then by age."""
        turn = dict(self.served)
        waiting = [job for job in self.jobs.values() if job.state == "waiting" and job.lane == lane and job.askers]
        queue: list[Job] = []
        later = time.monotonic()
        while waiting:
            job = min(waiting, key=lambda j: (min(turn.get(s, 0.0) for s, _ in j.askers), j.born))
            waiting.remove(job)
            queue.append(job)
            later += 1.0
            turn |= {session: later for session, _ in job.askers}
        return queue

    def _start(self) -> None:
        if self._started:
            return
        self._started = True
        lanes = ["long"] * self.limits.long + ["quick"] * self.limits.quick
        self._threads = [
            threading.Thread(target=self._serve, args=(lane,), daemon=True, name=f"work-{lane}") for lane in lanes
        ]
        self._threads.append(threading.Thread(target=self._watch, daemon=True, name="work-watch"))
        for thread in self._threads:
            thread.start()
        atexit.register(self.close)

    # --- threads ------------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._closed:
            self.sweep()
            with self.lock:
                self.lock.wait_for(lambda: self._closed, SWEEP)

    def _take(self, lane: str) -> Job | None:
        """The next job of a lane, waited for; None when the pool closes."""
        with self.lock:
            while not self._closed:
                if queue := self._queue(lane):
                    job = queue[0]
                    job.state = "running"
                    self.served |= {session: time.monotonic() for session, _ in job.askers}
                    return job
                self.lock.wait()
        return None

    def _serve(self, lane: str) -> None:
        worker: Worker | None = None
        while (job := self._take(lane)) is not None:
            if worker is None or not worker.alive:  # the first, or one that was killed while idle
                worker = Worker(lane == "long" and self.limits.idle > 0, self.modules)
            heard = _listening(job)
            state, value = worker.run(job.call, job.budget, *heard)
            if pressed := state == "starved":
                worker = Worker(False, self.modules, PRESSED)
                state, value = worker.run(job.call, job.budget, *_listening(job, heard[0].parts))
            with self.lock:
                job.finish(state, value)
                if not job.askers:
                    self._drop(job)
            if worker.alive and (pressed or worker.fat):
                worker.end()
            if not worker.alive and not self._closed:  # at once: its imports are not the next one's
                worker = Worker(lane == "long" and self.limits.idle > 0, self.modules)
            del job, value
        if worker is not None:
            worker.end()


class _Ear:
    """Where what a running job says goes. Work that is begun anew hands over the same parts again: `known` of them are
    there already."""

    def __init__(self, job: Job, known: int = 0) -> None:
        self.job, self.known, self.parts = job, known, 0

    def __call__(self, kind: str, value: Any) -> None:
        if kind != "part":
            self.job.progress = value
            return
        self.parts += 1
        if self.parts > self.known:
            self.job.parts.append(value)


def _listening(job: Job, known: int = 0) -> tuple[_Ear, Callable[[], bool]]:
    """Where what a running job says goes, and whether somebody still waits for it."""
    return _Ear(job, known), lambda: bool(job.askers)
