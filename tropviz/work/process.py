"""The server's side of one worker: start it, hand it work, watch its budget, end it."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from tropviz.work.job import MB, Budget

#: Seconds between two looks at a running worker.
LOOK = 0.05
#: An idle worker that waited for a core for this share of so many seconds is starved: on a machine that others fill,
#: SCHED_IDLE is a thousandth of a core, and a training of seconds takes an hour. It is begun anew at nice PRESSED, with
#: a third of what a slider has. (That for all long work is no way: sliders wait for it, 0.4 s at worst.)
STARVED, PATIENT, PRESSED = 0.9, 4.0, 5
#: A worker that holds more than this after its work makes room for a new one: of its own, without the pages of shared
#: libraries, which torch alone has 115 MB of (a worker that has trained holds 210).
FAT = 300 * MB
_CODE = "from tropviz.work.worker import serve; serve({})"
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Worker:
    """A process that does one piece of work after another.

    Parameters
    ----------
    idle : bool
        It runs only when nothing else wants the core (SCHED_IDLE; `nice` alone is not enough, where there is no such
        class it has to be).
    modules : sequence of str
        Imported before the first work arrives.
    nice : int
        By how much it stands back where it is not idle.
    """

    def __init__(self, idle: bool = False, modules: Sequence[str] = (), nice: int = 0) -> None:
        self.idle = idle
        here, there = socket.socketpair()
        command = [sys.executable, "-c", _CODE.format(there.fileno())]
        environment = os.environ | _ONE_THREAD | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        self.process = subprocess.Popen(
            command, pass_fds=[there.fileno()], env=environment, stdin=subprocess.DEVNULL, close_fds=True
        )
        there.close()
        self.pipe = Connection(here.detach())
        if idle:  # before its imports
            with suppress(OSError):
                if hasattr(os, "SCHED_IDLE"):
                    os.sched_setscheduler(self.process.pid, os.SCHED_IDLE, os.sched_param(0))
                else:
                    os.setpriority(os.PRIO_PROCESS, self.process.pid, 19)
        elif nice:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, nice)
        with suppress(OSError):  # it died at once: the first work finds out
            self.pipe.send((list(sys.path), tuple(modules)))

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None

    def run(
        self,
        call: tuple[Callable[..., Any], tuple[Any, ...]],
        budget: Budget,
        hear: Callable[[str, Any], None],
        wanted: Callable[[], bool],
    ) -> tuple[str, Any]:
        """Have a piece of work done.

        Parameters
        ----------
        call : (callable, args)
        budget : Budget
        hear : callable
            Gets ("progress", (share, text)) and ("part", value).
        wanted : callable
            False: nobody waits any more, stop.

        Returns
        -------
        state, value
            As a job's, or "starved": others left it no core. After "time", "stopped", "died" and "starved" the worker
            is gone.
        """
        try:
            data = pickle.dumps((*call, budget.memory))
        except Exception as problem:
            return "failed", f"The work cannot be handed over: {problem}"
        try:
            self.pipe.send_bytes(data)
            state, value = self._watched(budget, hear, wanted)
        except (EOFError, OSError):
            state, value = "died", None
        if state in ("time", "stopped", "died", "starved"):
            self.end()
        return state, value

    def _watched(self, budget: Budget, hear: Callable[[str, Any], None], wanted: Callable[[], bool]) -> tuple[str, Any]:
        until, used = time.monotonic() + budget.wall, self._cpu()
        looked, waited = time.monotonic(), self._waited()
        while True:
            if self.pipe.poll(LOOK):
                try:
                    kind, value = self.pipe.recv()
                except (EOFError, OSError):
                    raise
                except Exception as problem:  # what it sent cannot be read here
                    return "failed", f"{type(problem).__name__}: {problem}"
                if kind in ("progress", "part"):
                    hear(kind, value)
                elif kind == "ready":
                    used = self._cpu()  # its imports are not the work's
                else:
                    return kind, value
            if not wanted():
                return "stopped", None
            if time.monotonic() > until or self._cpu() - used > budget.cpu:
                return "time", None
            if self.idle and (passed := time.monotonic() - looked) > PATIENT:
                if self._waited() - waited > STARVED * passed:
                    return "starved", None
                looked, waited = time.monotonic(), self._waited()

    def _waited(self) -> float:
        """Seconds for which it was ready and got no core; 0 where the system does not say."""
        try:
            with open(f"/proc/{self.process.pid}/schedstat", encoding="ascii") as stat:
                return int(stat.read().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def _cpu(self) -> float:
        """Seconds of processor time the process has used; 0 where the system does not say."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))

    @property
    def fat(self) -> bool:
        """Whether it keeps so much memory that a new one is better."""
        try:
            with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
                resident, shared = map(int, statm.read().split()[1:3])
        except OSError:
            return False
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE") > FAT

    def end(self) -> None:
        """Kill it; what it was doing is lost."""
        self.process.kill()
        self.process.wait()
        self.pipe.close()
