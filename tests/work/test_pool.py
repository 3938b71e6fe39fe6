"""The pool: sharing, order, budgets, stopping. No test sleeps: work and test meet at named pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.work import jobs
from tropviz.work import Budget, Limits, Pool, Refused, part, process, progress
from tropviz.work.job import MB

WAIT = 60


@pytest.fixture(scope="module")
def pool():
    pool = Pool(Limits(long=1, quick=1, person=50, all=60, memory=120 * MB))
    yield pool
    pool.close()


@pytest.fixture
def gate(tmp_path):
    """A piece of work that has begun, and the word that lets it end."""

    class Gate:
        folder = str(tmp_path)

        def add(self, name: str = "a") -> tuple[str, str]:
            for end in ("begun", "go"):
                os.mkfifo(tmp_path / f"{name}.{end}")
            return self.folder, name

        def begun(self, name: str = "a") -> int:
            return int((tmp_path / f"{name}.begun").read_text())

        def go(self, name: str = "a") -> None:
            (tmp_path / f"{name}.go").write_text("done")

    return Gate()


@pytest.fixture
def still(monkeypatch):
    """A pool whose workers never start: what waits, stays."""
    monkeypatch.setattr(Pool, "_start", lambda self: None)
    return lambda **more: Pool(Limits(**more))


def ended(job) -> str:
    assert job.over.wait(WAIT)
    return job.state


def test_ten_sessions_that_ask_the_same_are_one_computation(pool, gate):
    where = gate.add()
    asked = [pool.ask(session, "counts", "same", jobs.meet, *where) for session in range(10)]
    assert len({id(job) for job in asked}) == 1
    gate.begun()
    for session in range(9):  # nine leave: the tenth still waits
        pool.leave(session, "counts")
    gate.go()
    assert ended(asked[0]) == "done" and asked[0].value == "done"
    assert pool.ask("late", "counts", "same", jobs.meet, *where) is asked[0]  # while one holds it
    pool.leave(9, "counts")
    pool.leave("late", "counts")
    assert "same" not in pool.jobs  # nobody holds its result any more


def test_a_new_request_of_a_part_ends_the_old_one_and_the_next_is_served(pool, gate):
    old = pool.ask("ada", "fan", "old", jobs.meet, *gate.add())
    killed = gate.begun()
    new = pool.ask("ada", "fan", "new", jobs.pid)
    assert ended(old) == "stopped" and ended(new) == "done" and new.value != killed
    pool.leave("ada", "fan")


def test_quick_work_does_not_wait_for_long_work(pool, gate):
    long = pool.ask("ada", "fan", "long", jobs.meet, *gate.add())
    gate.begun()
    quick = pool.ask("bob", "fan", "quick", jobs.pid, lane="quick")
    assert ended(quick) == "done" and long.state == "running"
    gate.go()
    assert ended(long) == "done"
    pool.leave("ada", "fan"), pool.leave("bob", "fan")


@pytest.mark.parametrize("budget", [Budget(cpu=0.1), Budget(wall=0.1)], ids=["processor", "clock"])
def test_work_beyond_its_time_is_ended_in_a_sentence(pool, budget):
    job = pool.ask("ada", "time", "spin", jobs.spin, budget=budget, lane="quick")
    assert ended(job) == "time" and "longer than a computation may take" in job.sentence
    assert pool.ask("bob", "time", "spin", jobs.spin, budget=budget) is job  # no second attempt unasked
    pool.leave("ada", "time"), pool.leave("bob", "time")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_work_beyond_its_memory_is_a_sentence_and_the_worker_goes_on(pool):
    worker = pool.ask("ada", 0, "who", jobs.pid, lane="quick")
    job = pool.ask("ada", 1, "fill", jobs.fill, 400, budget=Budget(memory=4000 * MB), lane="quick")  # the pool's 120
    again = pool.ask("ada", 2, "again", jobs.pid, lane="quick")
    assert ended(job) == "memory" and "more memory" in job.sentence
    assert ended(again) == "done" and again.value == worker.value
    small = pool.ask("ada", 3, "small", jobs.fill, 60, lane="quick")
    assert ended(small) == "done"
    for slot in range(4):
        pool.leave("ada", slot)


def test_a_killed_worker_is_a_sentence_and_the_next_is_served(pool):
    job, after = (pool.ask("ada", fn.__name__, fn.__name__, fn, lane="quick") for fn in (jobs.die, jobs.pid))
    assert ended(job) == "died" and "ended from outside" in job.sentence
    assert ended(after) == "done"
    os.kill(after.value, signal.SIGKILL)  # while it waits for work
    later = pool.ask("ada", "later", "later", jobs.pid, lane="quick")
    assert ended(later) in ("done", "died")  # the kill may arrive a moment after the work
    for slot in ("die", "pid", "later"):
        pool.leave("ada", slot)


@pytest.mark.parametrize(
    ("fn", "sentence"),
    [
        (jobs.refuse, "N is 3: give at least 4."),
        (jobs.unfit, "The result cannot be handed over"),
        (lambda: 0, "The work cannot be handed over"),
    ],
)
def test_what_fails_says_so(pool, fn, sentence):
    job = pool.ask("ada", "fail", fn, fn, lane="quick")
    assert ended(job) == "failed" and sentence in job.sentence
    pool.leave("ada", "fail")


def test_parts_arrive_in_order_and_none_is_lost(pool):
    job = pool.ask("ada", "steps", "steps", jobs.steps, 500, lane="quick")
    assert ended(job) == "done" and job.parts == list(range(500))
    assert job.progress[1].startswith("step ")
    pool.leave("ada", "steps")
    assert progress(0.5) is None and part(1) is None  # outside a worker: nothing


def test_who_was_served_longest_ago_is_next_and_everybody_sees_the_place(still):
    pool = still(person=9)
    ada = [pool.ask("ada", slot, ("ada", slot), jobs.pid) for slot in range(3)]
    bob = [pool.ask("bob", slot, ("bob", slot), jobs.pid) for slot in range(2)]
    assert [pool.place(job) for job in (*ada, *bob)] == [1, 3, 5, 2, 4]
    assert pool._take("long") is ada[0] and pool.place(ada[0]) == 0
    assert [pool.place(job) for job in (bob[0], ada[1])] == [1, 2]
    assert pool._take("long") is bob[0] and pool._take("long") is ada[1]
    shared = pool.ask("eve", 0, ("ada", 2), jobs.pid)  # a newcomer waits for what Ada has waited for
    assert shared is ada[2] and pool._take("long") is shared


def test_one_person_and_all_together_have_a_limit(still):
    pool = still(person=2, all=3)
    for slot in range(2):
        pool.ask("ada", slot, slot, jobs.pid)
    with pytest.raises(Refused, match="You have too much"):
        pool.ask("ada", 2, 2, jobs.pid)
    assert pool.ask("ada", 1, "other", jobs.pid).state == "waiting"  # in the place of the old one
    pool.ask("bob", 0, "bob", jobs.pid)
    with pytest.raises(Refused, match="Too many people"):
        pool.ask("eve", 0, "eve", jobs.pid)
    assert pool.ask("eve", 0, "bob", jobs.pid).askers == {("bob", 0), ("eve", 0)}  # what is there already is free
    assert pool.open() == 3


def test_a_closed_tab_takes_its_work_along(still):
    pool = still()
    here = {"ada", "bob"}
    pool.alive = here.__contains__
    mine, ours = pool.ask("ada", 0, "mine", jobs.pid), pool.ask("ada", 1, "ours", jobs.pid)
    pool.ask("bob", 0, "ours", jobs.pid)
    here.remove("ada")
    pool.sweep()
    assert mine.state == "stopped" and ours.state == "waiting" and ours.askers == {("bob", 0)}
    assert set(pool.jobs) == {"ours"}


def test_a_closed_pool_ends_what_runs_and_refuses(gate):
    pool = Pool()
    job = pool.ask("ada", 0, "meet", jobs.meet, *gate.add())
    worker = gate.begun()
    pool.close()
    assert ended(job) == "stopped" and not Path(f"/proc/{worker}").exists()
    with pytest.raises(Refused, match="closing"):
        pool.ask("ada", 0, "again", jobs.pid)
    with pytest.raises(ValueError, match="lane"):
        pool.ask("ada", 0, "again", jobs.pid, lane="slow")


def test_a_worker_does_not_outlive_a_server_that_was_killed(gate):
    folder, name = gate.add()
    code = (
        "from tests.work import jobs; from tropviz.work import Pool\n"
        f"Pool().ask(0, 0, 0, jobs.meet, {folder!r}, {name!r}).over.wait()"
    )
    server = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    worker = gate.begun()
    server.kill()
    server.wait()
    until = time.monotonic() + WAIT
    while _runs(worker) and time.monotonic() < until:
        os.sched_yield()
    assert not _runs(worker)


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie that nobody waits for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="the class is Linux's")
def test_long_work_that_others_leave_no_core_is_begun_anew_and_hands_over_nothing_twice(monkeypatch):
    asked: list = []
    starved = lambda worker: time.monotonic() if asked and len(asked[0].parts) >= 3 else 0.0  # noqa: E731
    monkeypatch.setattr(process.Worker, "_waited", starved)
    monkeypatch.setattr(process, "PATIENT", 0.05)
    pool = Pool(Limits(idle=1))
    try:
        asked.append(pool.ask("ada", "run", "run", jobs.patient, 3))
        assert ended(asked[0]) == "done" and asked[0].parts == [0, 1, 2, 3]
        assert asked[0].value >= process.PRESSED
        pool.leave("ada", "run")
    finally:
        pool.close()


def test_a_worker_that_has_trained_is_kept_and_one_that_holds_much_is_not():
    pool = Pool(Limits(long=1, quick=1, memory=1000 * MB))
    try:

        def asked(fn, *args):
            job = pool.ask("ada", 1, (fn, args, time.monotonic()), fn, *args, lane="quick")
            assert ended(job) == "done", job.sentence
            return job.value

        first = asked(jobs.learn)
        assert asked(jobs.pid) == first  # though torch and its libraries are in it
        assert asked(jobs.keep, 400) == first
        assert asked(jobs.pid) != first
    finally:
        pool.close()
