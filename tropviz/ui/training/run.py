"""Runs in the pool: what a worker does, and what has come back so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from tropviz import work
from tropviz.core.training import Diverged, Outcome, Recipe, Snapshot, outcome, snapshots, train
from tropviz.language import say
from tropviz.ui import heavy
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import board
from tropviz.ui.training import recipes

#: Slots in which this page waits for something.
SLOT, SEEDS_SLOT = "training", "training_seeds"
#: A run within the limits of a recipe takes seconds to a minute.
BUDGET = work.Budget(cpu=240.0)


def ready() -> None:
    """Worker: import what a run needs, which takes longer than its first steps."""
    import tropviz.core.training.model  # noqa: F401


def train_all(asked: Mapping[str, Recipe], own: tuple[Any, Any] | None) -> None:
    """Worker: the runs one after the other; every checkpoint is handed over at once, as is why a run ended early."""
    total = sum(r.steps for r in asked.values())
    done = 0
    for name, made in asked.items():
        try:
            for seen in snapshots(made, own):
                work.part((name, seen))
                work.progress(
                    (done + seen.outcome.step) / total,
                    say("step {step:,} of {steps:,}", step=seen.outcome.step, steps=made.steps),
                )
        except Diverged as problem:
            work.part((name, str(problem)))
        done += made.steps


def train_seeds(pair: tuple[Recipe, Recipe], own: tuple[Any, Any] | None, seeds: int) -> None:
    """Worker: both recipes over many seeds, only what they come to."""
    from dataclasses import replace

    for i in range(seeds):
        for which, made in enumerate(pair):
            try:
                *_, last = train(replace(made, seed=made.seed + i, checkpoints=2), own=own)
                work.part((which, i, outcome(last)))
            except Diverged:
                work.part((which, i, None))
            work.progress((2 * i + which + 1) / (2 * seeds), say("seed {i} of {seeds}", i=i + 1, seeds=seeds))


@dataclass(frozen=True, eq=False)
class Progress:
    """What there is of the runs on screen.

    Attributes
    ----------
    seen : dict of name to list of Snapshot
        "this" and, if one is compared with, "other".
    trouble : dict of name to str
        Why a run ended early.
    job : work.Job or None
        None: nothing was asked yet.
    """

    seen: dict[str, list[Snapshot]]
    trouble: dict[str, str]
    job: work.Job | None

    @property
    def over(self) -> bool:
        """Whether nothing more comes."""
        return self.job is None or self.job.over.is_set()


def wanted(scene: Scene) -> bool:
    """Whether the scene's recipe is the one whose training was asked for."""
    return bool(scene.trained == recipes.mark(recipes.recipe(scene), scene.versus))


#: What there was when a session pressed Stop, by its board: (key, what had been handed over).
_STOPPED: WeakKeyDictionary[Any, tuple[Any, list[Any]]] = WeakKeyDictionary()


def key_of(scene: Scene) -> tuple[Any, ...]:
    """What the pool knows the scene's runs by."""
    return ("training", recipes.recipe(scene), recipes.other(scene))


def stop(key: tuple[Any, ...], job: work.Job) -> None:
    """Callback: end the run and keep what there is."""
    _STOPPED[board()] = (key, list(job.parts))
    heavy.leave(SLOT)


def begin(then: Callable[..., None]) -> Callable[..., None]:
    """Callback: what was stopped is begun anew, then `then`."""

    def callback(*given: Any) -> None:
        _STOPPED.pop(board(), None)
        then(*given)

    return callback


def asked(scene: Scene) -> Progress:
    """The runs of the scene, asked for if they are wanted, as far as they are."""
    if not wanted(scene):
        return Progress({}, {}, None)
    stopped = _STOPPED.get(board())
    if stopped is not None and stopped[0] == key_of(scene):
        return _so_far(stopped[1], None)
    runs = {"this": recipes.recipe(scene)}
    if (second := recipes.other(scene)) is not None:
        runs["other"] = second
    job = heavy.ask(SLOT, key_of(scene), train_all, runs, recipes.own(scene), budget=BUDGET)
    return _so_far(list(job.parts), job)


def _so_far(parts: list[Any], job: work.Job | None) -> Progress:
    seen: dict[str, list[Snapshot]] = {}
    trouble: dict[str, str] = {}
    for name, value in parts:
        if isinstance(value, str):
            trouble[name] = value
        else:
            seen.setdefault(name, []).append(value)
    return Progress(seen, trouble, job)


def over_seeds(scene: Scene) -> tuple[work.Job, list[tuple[Outcome, Outcome]]] | None:
    """Outcomes of both recipes over many seeds, as far as both are there; None: not asked for, or nothing beside."""
    second = recipes.other(scene)
    if not scene.seeds or second is None or not wanted(scene):
        return None
    pair = recipes.recipe(scene), second
    job = heavy.ask(SEEDS_SLOT, ("seeds", *pair), train_seeds, pair, recipes.own(scene), recipes.SEEDS, budget=BUDGET)
    found: dict[int, dict[int, Outcome | None]] = {}
    for which, i, came in list(job.parts):
        found.setdefault(i, {})[which] = came
    both = [(row.get(0), row.get(1)) for _, row in sorted(found.items()) if len(row) == 2]
    return job, [(a, b) for a, b in both if a is not None and b is not None]
