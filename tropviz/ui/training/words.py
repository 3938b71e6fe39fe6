"""What a run came to, in words and in a table: every sentence is made from the runs on screen."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tropviz import Count
from tropviz.core.training import Outcome
from tropviz.core.wilson import wilson
from tropviz.figures.collapse_curves import offset_text
from tropviz.language import numeral, plural, say
from tropviz.ui.counts import CountRow, wide_table
from tropviz.ui.scene import Scene
from tropviz.ui.training import recipes
from tropviz.ui.training.run import Progress


def lead(scene: Scene, found: Progress) -> str:
    """The line under the pictures, as HTML."""
    if found.job is None and not found.seen:
        return say("The layer before its first step. <b>Train</b> lets it learn, here, from these points.")
    if "this" not in found.seen:
        return say("The first step is on its way.")
    first, last = found.seen["this"][0].outcome, found.seen["this"][-1].outcome
    text = say(
        "After {step:,} steps the loss went from {loss:.2f} to <b>{loss_2:.3f}</b>, and the data "
        "uses <b>{sets}</b> (before: {sets_2})",
        step=last.step,
        loss=first.loss,
        loss_2=last.loss,
        sets=_sets(last),
        sets_2=int(first.sets),
    )
    if last.dead:
        text += say("; {dead} of {dead_2} experts get no data at all", dead=last.dead, dead_2=last.alive + last.dead)
    text += "."
    if (other := found.seen.get("other")) and found.over:
        text += " " + compared(last, other[-1].outcome, recipes.other_name(scene))
    return text


def _sets(found: Outcome) -> str:
    n = int(found.sets)
    return plural("{n} active set", "{n} active sets", n)


def compared(this: Outcome, other: Outcome, name: str) -> str:
    """How two outcomes differ, as they are.

    >>> from tropviz import Count
    >>> one = Outcome(10, 0.5, 0.7, Count(2, "exact", ""), Count(0.9, "exact", ""), 3, 5, 1.0)
    >>> two = Outcome(10, 0.1, 0.9, Count(9, "exact", ""), Count(0.3, "exact", ""), 8, 0, 1.0)
    >>> compared(one, two, "with: balance loss")
    'The second run (with: balance loss) uses 9 active sets, with a loss of 0.100: more sets, a lower loss.'
    """
    sets, before = int(other.sets), int(this.sets)
    more = say("more sets") if sets > before else say("fewer sets") if sets < before else say("as many sets")
    gap = other.loss - this.loss
    loss = say("the same loss") if abs(gap) < 5e-4 else say("a lower loss") if gap < 0 else say("a higher loss")
    return say(
        "The second run ({name}) uses {sets}, with a loss of {loss:.3f}: {more}, {loss_2}.",
        name=escape(name),
        sets=_sets(other),
        loss=other.loss,
        more=more,
        loss_2=loss,
    )


def over_seeds(pairs: Sequence[tuple[Outcome, Outcome]], name: str, seeds: int) -> str:
    """How often the second run beat the first, over the seeds that are there, with a 95 % interval (Wilson)."""
    n = len(pairs)
    if not n:
        return say("The first seed is being trained.")
    out = []
    for what, better in (
        (say("uses more active sets"), sum(int(b.sets) > int(a.sets) for a, b in pairs)),
        (say("ends with a lower loss"), sum(b.loss < a.loss for a, b in pairs)),
    ):
        low, high = (100 * float(end) for end in wilson(better / n, n))
        out.append(
            say(
                "{what} in <b>{better} of {n}</b> seeds (95 % interval {low:.0f} to {high:.0f} %)",
                what=what,
                better=better,
                n=n,
                low=low,
                high=high,
            )
        )
    rest = say(" {n} of {seeds} seeds so far.", n=n, seeds=seeds) if n < seeds else ""
    return say(
        "{name}, the run {out} and {out_2}.{rest}",
        name=escape(name[0].upper() + name[1:]),
        out=out[0],
        out_2=out[1],
        rest=rest,
    )


def counts(found: Progress) -> list[CountRow]:
    """The figures of the last checkpoint of this run."""
    seen = found.seen["this"][-1]
    last = seen.outcome
    n = last.alive + last.dead
    rows: list[CountRow] = [
        (say("Active sets used"), last.sets, say("Different active sets among the points of this run.")),
        (
            say("Effectively"),
            Count(seen.effective, "exact", "2 to the entropy over active sets"),
            say("As many even sets."),
        ),
        (
            say("In the fullest set"),
            last.fullest,
            say("Share of the points in their most frequent active set."),
            "share",
        ),  # type: ignore[list-item]
        (
            say("Experts alive"),
            Count(last.alive, "exact", f"of {n}, used by at least one point"),
            say("The others are dead."),
        ),
        (say("Cells in the plane"), seen.cells, say("Cells of this router.")),
    ]
    if seen.regions is not None:
        rows.append((say("Linear regions"), seen.regions, say("Of this layer, in the plane.")))
    return rows


def table(scene: Scene, found: Progress) -> str:
    """What each run came to, side by side, as HTML."""
    names = {"this": say("this run"), "other": recipes.other_name(scene)}
    body = []
    for key, run in found.seen.items():
        o = run[-1].outcome
        trouble = found.trouble.get(key)
        cells = (
            numeral(f"{o.step:,}"),
            numeral(f"{o.loss:.3f}"),
            numeral(f"{100 * o.accuracy:.1f} %"),
            str(int(o.sets)),
            numeral(f"{100 * float(o.fullest):.0f} %"),
            str(o.dead),
            say("no offset") if o.collapse_offset != o.collapse_offset else offset_text(o.collapse_offset),
        )
        why = f"<br><small>{escape(trouble)}</small>" if trouble else ""
        body.append(f"<tr><th scope='row'>{escape(names[key])}{why}</th>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    heads = (
        "",
        "step",
        "loss",
        "right",
        say("sets used"),
        say("in the fullest"),
        say("dead experts"),
        say("t* along the mean"),
    )
    return wide_table(heads, body)
