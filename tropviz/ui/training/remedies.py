"""Every remedy on the scene's layer: trained in the pool, one seed or ten, and what each of them did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from tropviz import work
from tropviz.core.training import KINDS, RUNS, Diverged, Order, Outcome, Paired, Recipe, order, outcome, train
from tropviz.figures.collapse_curves import offset_text
from tropviz.io.samples import digits
from tropviz.language import numeral, say
from tropviz.ui import heavy
from tropviz.ui.counts import wide_table
from tropviz.ui.heavy import Call
from tropviz.ui.scene import BY_NAME, Scene, derived
from tropviz.ui.scene.part import change
from tropviz.ui.training import recipes

SLOT = "training_remedies"
#: Ten runs within the limits of a recipe.
BUDGET = work.Budget(cpu=900.0, wall=3600.0)
#: Rows of the table, by the names of the switches; the first is the layer without a remedy.
ROWS = ("none", *(name for name in recipes.SWITCHES if name != "none"))


def seeds(scene: Scene) -> int:
    """From how many seeds each is trained."""
    return 1 if scene.remedies == "one" else recipes.SEEDS


def recipe(scene: Scene, switch: str, kind: str, seed: int) -> Recipe:
    """The scene's recipe without any remedy but one, on some data."""
    plain: dict[str, Any] = {"balance": 0.0, "bias_rate": 0.0, "centred": False, "shared": False, "router_bias": True}
    made = replace(recipes.recipe(scene), **plain, data=kind, checkpoints=2)
    return replace(made, seed=made.seed + seed, **recipes.SWITCHES[switch])


@derived
def came_to(scene: Scene, switch: str, kind: str, seed: int) -> tuple[Outcome | None]:
    """What one run came to; None in it where it diverged."""
    own = (digits().X, digits().labels) if kind == "digits" else None
    work.progress(seed / seeds(scene), f"{seed + 1} / {seeds(scene)}")
    try:
        *_, last = train(recipe(scene, switch, kind, seed), own=own)
    except Diverged:
        return (None,)
    return (outcome(last),)


def _runs(scene: Scene) -> list[tuple[str, str]]:
    """(switch, data) of all that is wanted, in the order in which it is trained."""
    if scene.remedies == "no":
        return []
    here = [(name, scene.learn) for name in ROWS]
    if scene.remedies != "all":
        return here
    return here + [(name, kind) for kind in KINDS if kind != scene.learn for name in RUNS]


def missing(scene: Scene) -> list[Call]:
    """The runs of the next row that is not complete: one row after another, so that others have their turn between."""
    for name, kind in _runs(scene):
        calls = [(label(name, kind, scene), came_to, (name, kind, i)) for i in range(seeds(scene))]
        if any(came_to.known(scene, *call[2]) is None for call in calls):
            return calls
    return []


def trained(scene: Scene) -> bool:
    """In a part: have everything trained in the pool; True when all of it is there."""
    todo = missing(scene)
    if not todo:
        heavy.leave(SLOT)
        return True
    heavy.derive(scene, SLOT, todo, todo[0][0], change(remedies="no"), BUDGET)
    return False


def label(switch: str, kind: str, scene: Scene) -> str:
    """What a run is called, with its data where that is not the scene's."""
    choices = BY_NAME["versus"].choices or {}
    name = say("no remedy") if switch == "none" else say(choices[switch])
    return name if kind == scene.learn else f"{name}, {data_name(kind)}"


def data_name(kind: str) -> str:
    """What some data is called."""
    return say((BY_NAME["learn"].choices or {})[kind])


def _found(scene: Scene, switch: str, kind: str) -> list[Outcome | None]:
    """What is there of a row, seed by seed."""
    known = (came_to.known(scene, switch, kind, i) for i in range(seeds(scene)))
    return [hit[0][0] for hit in known if hit is not None]


# --- what each did ---


def table(scene: Scene) -> str:
    """A row a remedy, as HTML: figures of one seed, or medians with their range."""
    body = []
    for name in ROWS:
        there = _found(scene, name, scene.learn)
        runs = [o for o in there if o is not None]
        cells = _cells(runs) if runs else ["…" if not there else say("diverged")] + [""] * 5
        small = len(there) - len(runs)
        note = "<br><small>" + say("{n} diverged", n=small) + "</small>" if small and runs else ""
        row = "".join(f"<td>{cell}</td>" for cell in cells)
        body.append(f'<tr><th scope="row">{escape(label(name, scene.learn, scene))}{note}</th>{row}</tr>')
    heads = (
        "",
        say("loss"),
        say("sets used"),
        say("saturation"),
        say("dead experts"),
        say("right"),
        say("t* along the mean"),
    )
    return wide_table(heads, body)


def _cells(runs: Sequence[Outcome]) -> list[str]:
    def cell(values: Sequence[float], form: Callable[[float], str]) -> str:
        middle = form(float(np.median(values)))
        if len(values) == 1:
            return middle
        return f"{middle}<br><small>{form(min(values))} – {form(max(values))}</small>"

    def per_cent(value: float) -> str:
        return numeral(f"{100 * value:.0f} %")

    stars = [o.collapse_offset for o in runs]
    return [
        cell([o.loss for o in runs], lambda v: numeral(f"{v:.3f}")),
        cell([int(o.sets) for o in runs], lambda v: numeral(f"{v:g}")),
        cell([float(o.fullest) for o in runs], per_cent),
        cell([o.dead for o in runs], lambda v: numeral(f"{v:g}")),
        cell([o.accuracy for o in runs], per_cent),
        say("no offset") if np.isnan(stars).any() else cell(stars, offset_text),
    ]


# --- the order ---


def claim_texts() -> dict[str, str]:
    """The claims of the order, in words."""
    return {
        "collapse": say("Off centre, the data uses fewer sets than at the origin"),
        "balance": say("Balancing brings sets back"),
        "centred": say("Centring brings the loss down"),
        "both_centred": say("Both together: a lower loss than centring alone"),
        "both_balance": say("Both together: a lower loss than balancing alone"),
    }


def order_of(scene: Scene, kind: str) -> Order | None:
    """The order on some data over the seeds that are there."""
    return order({name: _found(scene, name, kind) for name in RUNS})


def order_html(scene: Scene) -> str:
    """How often the order held on this data, claim by claim, or on all data; empty before there is anything to say."""
    if scene.remedies not in ("ten", "all"):
        return ""
    if not scene.offset:
        return f'<p class="tv-hint">{say("This data is at the origin: move it off centre to see what that does.")}</p>'
    found = order_of(scene, scene.learn)
    if found is None:
        return ""
    rows = (
        f'<tr><th scope="row">{escape(text)}</th><td>{_held(found.claims[name])}</td>'
        f"<td>{_gap(found.claims[name], name)}</td></tr>"
        for name, text in claim_texts().items()
    )
    heads = ("", say("held in"), say("mean difference, 95 % interval"))
    body = wide_table(heads, rows)
    told = f'<p class="tv-meaning">{verdict(found, data_name(scene.learn))}</p>'
    return told + body + (_everywhere(scene) if scene.remedies == "all" else "")


def verdict(found: Order, data: str) -> str:
    """Whether the order held, in one sentence made from the runs, as HTML."""
    often = say(
        "{data}: in <b>{whole} of {seeds}</b> seeds the whole order held.",
        data=escape(data),
        whole=found.whole,
        seeds=found.seeds,
    )
    if not found.fails:
        return often + " " + say("Each of its parts holds on average: no interval reaches zero.")
    texts = claim_texts()
    parts = "; ".join(escape(texts[name]).lower() for name in found.fails)
    return often + " " + say("Not shown by these seeds, as the interval reaches zero: {parts}.", parts=parts)


def _held(found: Paired) -> str:
    return say("{held} of {seeds}", held=found.held, seeds=found.seeds)


def _gap(found: Paired, claim: str) -> str:
    digits_shown = 1 if claim in ("collapse", "balance") else 3
    what = say("sets") if digits_shown == 1 else say("of loss")
    if not np.isfinite(found.low):
        return numeral(f"{found.mean:.{digits_shown}f}") + f" {what}"
    ends = " … ".join(numeral(f"{end:.{digits_shown}f}") for end in (found.low, found.high))
    return numeral(f"{found.mean:.{digits_shown}f}") + f" {what} [{ends}]"


def _everywhere(scene: Scene) -> str:
    """The order on every kind of data, as HTML."""
    texts = claim_texts()
    rows: list[str] = []
    holds: list[str] = []
    fails: list[str] = []
    for kind in KINDS:
        found = order_of(scene, kind)
        done = found is not None and all(len(_found(scene, name, kind)) == seeds(scene) for name in RUNS)
        cells = "".join(f"<td>{_mark(found, name) if done else '…'}</td>" for name in texts)
        rows.append(f'<tr><th scope="row">{escape(data_name(kind))}</th>{cells}</tr>')
        if done and found is not None:
            (fails if found.fails else holds).append(data_name(kind))
    told = []
    if holds:
        told.append(say("Every part of the order holds on: {names}.", names=escape(", ".join(holds))))
    if fails:
        told.append(say("Not every part does on: {names}.", names=escape(", ".join(fails))))
    note = say("✓: the 95 % interval of the mean difference over the seeds is wholly on the claim's side.")
    table = wide_table(("", *texts.values()), rows)
    return f'<p class="tv-meaning">{" ".join(told)}</p>{table}<p class="tv-hint">{note}</p>'


def _mark(found: Order | None, claim: str) -> str:
    if found is None:
        return ""
    one: Any = found.claims[claim]
    return f"{'✓ ' if one.holds else ''}{_held(one)}"
