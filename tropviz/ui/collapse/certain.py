"""What is certain of a scene on the Angular collapse page, and what a shared expert would do: computed, then said."""

from __future__ import annotations

import math

import numpy as np

from tropviz import collapse
from tropviz.language import numeral, say
from tropviz.ui.collapse.study import Study, seen_now, study
from tropviz.ui.scene import Scene, derived


@derived
def _opposed(scene: Scene) -> collapse.Opposed:
    view = study(scene, 0.0)
    return collapse.opposed(view.router, view.u, view.radius)


def end(view: Study) -> str:
    """Where all of the data is from t* on: in one set, or in two."""
    if not view.two_sided:
        return say("one")
    return (
        say("one set, the same for both clouds")
        if _opposed(view.scene).limit == 1
        else say("two sets, one for each cloud")
    )


@derived
def _carried(scene: Scene) -> float:
    """Share of the data in its fullest set at this offset, if the mean is carried with the strength lambda."""
    view = study(scene)
    hits = collapse.occupied(view.router, view.seen_at(view.now, float(scene.lam)))[1]
    return float(hits[0] / hits.sum())


def remedy(view: Study) -> str:
    """What the shared expert does, or would do, where all is certain."""
    lam = float(view.scene.lam)
    if view.two_sided:
        return say("The mean of the two clouds is 0: a shared expert has nothing to carry.")
    if view.scene.shared:
        if view.certified == 0:
            return say("It is so at every offset, and the shared expert at λ = {lam:g} changes nothing.", lam=lam)
        if lam > 0:
            return say("At λ = {lam:g} the shared expert only delays it.", lam=lam)
        return say("At λ = {lam:g} the shared expert carries nothing.", lam=lam)
    after, before = _carried(view.scene), float(seen_now(view).saturation)
    if after < before:
        return say(
            "The shared expert undoes it: with λ = {lam:g}, {after} is in the fullest set.",
            lam=lam,
            after=percent(after),
        )
    return say(
        "A shared expert does not undo it: with λ = {lam:g}, {after} is in the fullest set.",
        lam=lam,
        after=percent(after),
    )


def percent(share: float) -> str:
    """A share in words that never says all, or nothing, of what is not.

    >>> percent(1.0), percent(0.9999), percent(0.25), percent(0.0001)
    ('100 %', '99.99 %', '25 %', '0.01 %')
    """
    digits = 0
    while digits < 6 and round(100 * share, digits) in (0.0, 100.0) and share not in (0.0, 1.0):
        digits += 1
    return numeral(f"{100 * share:.{digits}f}") + " %"


def shared_by_two(view: Study) -> str:
    """Two opposed clouds with the shared expert on."""
    n = len(view.side)
    ends = say(" They end in {end}.", end=end(view)) if math.isfinite(view.certified) else ""
    if view.share == 0:
        return say("The two clouds have mean 0: there is <b>nothing a shared expert could carry</b>.{ends}", ends=ends)
    return say(
        "The two clouds have almost mean 0 (t / {n:,} of these {n:,} points): there is <b>next to nothing a shared "
        "expert could carry</b>.{ends}",
        n=n,
        ends=ends,
    )


def curve(view: Study, ball: str) -> str:
    """What t* says about the saturation curve."""
    n = len(view.z)
    counts = say("The saturation curve counts the {n:,} points of the sample", n=n)
    if math.isinf(view.certified):
        of = say(" of one cloud") if view.two_sided else ""
        return say(
            "<b>t*</b> is never reached: however far out, a wall runs through the dotted {ball}{of}. "
            "{counts}, which may lie on one side of it.",
            ball=ball,
            of=of,
            counts=counts,
        )
    if not view.two_sided:
        return say(
            "<b>t*</b> is certain: from there on the whole dotted {ball} lies in one cell. {counts}, "
            "so it can reach 100 % earlier, never later.",
            ball=ball,
            counts=counts,
        )
    found = _opposed(view.scene)
    if found.limit == 1:
        return say(
            "<b>t*</b> is certain: from there on both dotted {balls} lie in the same cell. {counts}, "
            "so it can reach 100 % earlier, never later.",
            balls=say("circles") if view.router.d == 2 else say("balls"),
            counts=counts,
        )
    most = percent(float(np.ceil(n / 2) / n))
    near = found.together_until
    first = say(" Up to t = {near:.3g} both lie in one cell: 100 %.", near=near) if near else ""
    return say(
        "<b>t*</b> is certain: from there on each dotted {ball} lies in a cell of its own. "
        "{counts}: from there on {most} of them are in the fullest set.{first}",
        ball=ball,
        counts=counts,
        most=most,
        first=first,
    )
