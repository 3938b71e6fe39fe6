"""The live check: at random points of the window, is the largest monomial that of the top-k set?"""

from __future__ import annotations

import numpy as np

from tropviz import Count
from tropviz.core.hypersimplex.monomials import SAMPLE, Agreement, check_argmax
from tropviz.core.wilson import wilson_of
from tropviz.language import people, say
from tropviz.ui import effort, heavy
from tropviz.ui.scene import Scene, derived, model

#: Points of the check.
TESTED = 1000
#: Seconds for one score of one monomial at all of them.
SECONDS = 3e-7


@derived
def checked(scene: Scene) -> Agreement:
    """The scene's check; every number of checks has points of its own."""
    router, fan = model.scene_router(scene), model.scene_fan(scene)
    rng = np.random.default_rng((scene.seed, scene.checks))
    points = scene.window * rng.uniform(-1, 1, size=(TESTED, router.d))
    return check_argmax(router, points, fan.active_sets)


def check(scene: Scene) -> Agreement:
    """In a part: the check, made in the pool where it takes long."""
    seconds = effort.fan_seconds(scene) + SECONDS * (effort.cells(scene) + SAMPLE) * scene.n
    heavy.need(scene, say("Live check"), (("cells", model.scene_fan, ()), ("monomials", checked, ())), seconds)
    return checked(scene)


def check_row(found: Agreement) -> tuple[str, Count, str, str]:
    """The check as a count: a sample, whatever it finds."""
    share = found.agreed / found.tested
    how = (
        say("all {total:,} monomials evaluated at every point", total=found.total)
        if found.complete
        else say(
            "{monomials:,} of {total} monomials evaluated at every point, all cells' among them",
            monomials=found.monomials,
            total=people(found.total),
        )
    )
    ties = say("{ties} ties within rounding counted as agreed", ties=found.ties) if found.ties else ""
    return (
        say(
            "Largest monomial = top-k set: agreed at {agreed:,} of {tested:,} random points",
            agreed=found.agreed,
            tested=found.tested,
        ),
        Count(share, "sampled", how, ties, wilson_of(share, found.tested)),
        say("Routing is the question which monomial of e_k attains the maximum."),
        "share",
    )


def verdict(found: Agreement) -> str:
    """The check in a sentence."""
    some = (
        say("all {total:,}", total=found.total)
        if found.complete
        else say("{monomials:,} of {total}", monomials=found.monomials, total=people(found.total))
    )
    return say(
        "agreed / tested: <b>{agreed:,} / {tested:,}</b> ({some} monomials evaluated one by one "
        "at each random point of the window)",
        agreed=found.agreed,
        tested=found.tested,
        some=some,
    )
