"""Many visitors at once against one: ``python -m tests.bench.load [--clients 30] [--seconds 180] [--heavy]``.

A server is started on the loopback interface. First one client walks over all pages and moves sliders, alone; then so
many clients do the same at the same time, on the same machine and in the same run. Printed are the ratios of the median
and of the 95th percentile of every step, failures, the largest answer, and what the server's memory does. ``--heavy``
instead puts one person beside five light ones who asks for the heaviest scenes there are.

Clients and server share the cores, so the ratios are upper bounds.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from tests.bench.serve import PAGES, Client, server

#: What the heavy person asks for.
HEAVY = (("", "n=256&k=8&d=3"), ("", "n=64&k=32&d=3"), ("resilience", "n=256&k=128"), ("hypersimplex", "n=256&k=128"))
#: Most clients and seconds: a bench, not a weapon.
MOST_CLIENTS, MOST_SECONDS = 100, 900


#: Seconds between two steps of one visitor, who goes to another page after three of them.
WAIT = (0.2, 1.0)


@dataclass
class Record:
    """What the clients of one round saw: seconds of every step by page, failures, the largest answer."""

    steps: dict[str, list[float]] = field(default_factory=lambda: {page: [] for page in PAGES})
    failures: list[str] = field(default_factory=list)
    largest: int = 0
    paused: float = 0.0  # seconds in which visitors wanted nothing, all together
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, page: str, seconds: float, size: int) -> None:
        """One step."""
        with self.lock:
            self.steps[page].append(seconds)
            self.largest = max(self.largest, size)

    def asked(self, clients: int) -> float:
        """Steps a second that so many visitors would make if none of them had to wait."""
        return clients * len(self.times()) / self.paused

    def times(self, but: str = "") -> list[float]:
        """All steps, without those of one page."""
        return [t for page, times in self.steps.items() if not but or page != but for t in times]


def visit(port: int, record: Record, until: float, seed: int) -> None:
    """One visitor: opens a page, moves its sliders a few times, waits as people do, goes to the next."""
    draw, walk = random.Random(seed), list[str]()
    while time.monotonic() < until:
        walk = walk or draw.sample(PAGES, len(PAGES))
        page = walk.pop()
        try:
            start = time.perf_counter()
            client = Client(port, page, f"seed={draw.randrange(5)}")
            record.add(page, time.perf_counter() - start, client.bytes)
            sliders = [s for name, s in client.sliders.items() if name in ("Experts N", "Active experts k", "Window")]
            for value in draw.sample(range(3, 9), 3):
                if time.monotonic() > until:
                    break
                if sliders:
                    widget, fragment = sliders[0]
                    record.add(page, *client.run({widget: value}, fragment))
                time.sleep(pause := draw.uniform(*WAIT))
                with record.lock:
                    record.paused += pause
            client.socket.close()
        except Exception as problem:
            with record.lock:
                record.failures.append(f"{page or 'fan'}: {type(problem).__name__}: {problem}"[:200])


def burden(port: int, until: float) -> None:
    """One person who asks for what is heavy, again and again."""
    number = 0
    while time.monotonic() < until:
        page, query = HEAVY[number % len(HEAVY)]
        number += 1
        try:
            client = Client(port, page, f"{query}&seed={number}")
            while client.told.get("more") and time.monotonic() < until:  # what is made in the pool is waited for
                client.event("rest", canvas="", of="")
            client.socket.close()
        except Exception as problem:
            print(f"heavy: {page}?{query}: {type(problem).__name__}", file=sys.stderr)


def round_of(port: int, clients: int, seconds: float, heavy: bool = False) -> Record:
    """So many visitors for so long."""
    record, until = Record(), time.monotonic() + seconds
    threads = [threading.Thread(target=visit, args=(port, record, until, i), daemon=True) for i in range(clients)]
    if heavy:
        threads.append(threading.Thread(target=burden, args=(port, until), daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 180)
    return record


def family(port: int) -> list[str]:
    """The server's process and its workers."""
    found = subprocess.run(["pgrep", "-f", f"server.port {port}"], capture_output=True, text=True).stdout.split()
    children = [Path(f"/proc/{pid}/task/{pid}/children") for pid in found]
    return [*found, *(child for path in children if path.exists() for child in path.read_text().split())]


def status(pid: str, name: str) -> int:
    """A number of a process's status."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next((line for line in lines if line.startswith(name)), "0 0").split()[1])


def held(port: int) -> int:
    """Megabytes that the server and its workers hold."""
    return sum(status(pid, "VmRSS") for pid in family(port)) // 1024


def threads_of(port: int) -> int:
    """Threads of the server and its workers."""
    return sum(status(pid, "Threads") for pid in family(port))


def cpu(port: int) -> float:
    """Seconds of processor that the server's own process has used."""
    fields = Path(f"/proc/{family(port)[0]}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def percentile(times: list[float], share: float) -> float:
    """A percentile of some seconds."""
    return statistics.quantiles(times, n=100)[round(100 * share) - 1] if len(times) > 1 else times[0]


def ratio(alone: list[float], many: list[float]) -> str:
    """Median and 95th percentile of many against one."""
    pairs = [(percentile(alone, p), percentile(many, p)) for p in (0.5, 0.95)]
    return ", ".join(f"p{p}: {1000 * b:.0f} ms, {b / a:.1f} x" for p, (a, b) in zip((50, 95), pairs, strict=True))


@click.command()
@click.option("--clients", type=click.IntRange(1, MOST_CLIENTS), default=30, show_default=True)
@click.option("--seconds", type=click.IntRange(5, MOST_SECONDS), default=180, show_default=True)
@click.option("--heavy", is_flag=True, help="Five light visitors beside one heavy one, against the five alone.")
def main(clients: int, seconds: int, heavy: bool) -> None:
    """Run both rounds and print their ratios; exit code 1 if any step failed."""
    with server("app.py") as port:
        round_of(port, 1, 10)  # imports, caches
        few, many = (5, 5) if heavy else (1, clients)
        alone = round_of(port, few, max(20, seconds // 2))
        before, used = (held(port), threads_of(port)), cpu(port)
        crowd = round_of(port, many, seconds, heavy)
        used, steps, asked = cpu(port) - used, len(crowd.times()), crowd.asked(many)
        print(f"{few} against {many}{' and a heavy one' if heavy else ''}, {seconds} s, {steps} steps")
        print(f"served              {steps / seconds:.1f} steps a second, of {asked:.0f} if nobody had to wait")
        print(f"processor           {1000 * used / steps:.1f} ms a step, {100 * used / seconds:.0f} % of a core")
        print(f"every step          {ratio(alone.times(), crowd.times())}")
        print(f"without Resilience  {ratio(alone.times('resilience'), crowd.times('resilience'))}")
        for page in PAGES:
            if alone.steps[page] and crowd.steps[page]:
                print(f"{page or 'fan':18}  {ratio(alone.steps[page], crowd.steps[page])}")
        print(f"largest answer      {crowd.largest / 1e6:.2f} MB")
        print(f"memory              {before[0]} MB before, {held(port)} MB after")
        print(f"threads             {before[1]} before, {threads_of(port)} after")
        time.sleep(45)
        print(f"                    {held(port)} MB when all tabs have been closed for 45 s")
        for line in sorted({*alone.failures, *crowd.failures}):
            print(f"FAILED {line}")
        sys.exit(bool(alone.failures or crowd.failures))


if __name__ == "__main__":
    main()
