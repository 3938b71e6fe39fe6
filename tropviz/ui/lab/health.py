"""How healthy the router is: its numbers, made in the pool where they take long, and what they say in plain words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from tropviz import Count
from tropviz.core.capture import Capture, Layer
from tropviz.core.capture.states import of_states
from tropviz.core.collapse import Remedy, remedies
from tropviz.core.gates import Gate
from tropviz.language import heard, numeral, say
from tropviz.report import numbers
from tropviz.report.page import LINES
from tropviz.report.words import percent, verdict
from tropviz.ui import heavy
from tropviz.ui.counts import CountRow, wide_table, written
from tropviz.ui.lab import model, seen
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.own import Own

#: Tokens times experts up to which numbers are made while the page waits.
QUICK = 50_000
#: Tokens whose remedies are measured.
MEASURED = 2000
_KEPT: WeakKeyDictionary[Own, dict[Any, Any]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Health:
    """Numbers of one router, as a report has them, and the layer they are of."""

    row: dict[str, Any]
    layer: Layer
    sources: tuple[str, ...]


def measured(layer: Layer, sources: tuple[str, ...], width: int | None = None) -> Health:
    """Numbers of a captured layer; `width` is that of its ReLU experts, where they are known."""
    return Health(numbers(Capture((layer,), sources), None, width)["layers"][0], layer, sources)


def routed(gate: Gate, X: Any, width: int | None = None) -> Health:
    """Numbers of a gate on some inputs."""
    return measured(of_states([gate], [X]).layers[0], ("",), width)


def remedied(layer: Layer) -> tuple[Remedy, ...]:
    """What would undo the collapse of a captured layer, on its own sample."""
    return remedies(layer.gate.router(), layer.sample.y[:MEASURED].astype(float))


def _asked(owner: Own, key: Any, slot: str, what: str, big: bool, function: Callable[..., Any], *args: Any) -> Any:
    """An answer: at once, or from the pool; None while it is on its way, which the part then shows.

    Without `what` another part shows it, and this one is drawn again.
    """
    kept = _KEPT.setdefault(owner, {})
    if key in kept:
        heavy.leave(slot)
        return kept[key]
    if not big:
        kept[key] = function(*args)
        return kept[key]
    job = heavy.ask(slot, (slot, owner.token, key), function, *args)
    if job.state == "done":
        kept[key] = job.value
        heavy.leave(slot)
        return kept[key]
    if what:
        heavy.show(job, slot, what)
    elif not job.over.is_set():
        heavy.again()
    return None


def health(scene: Scene, quiet: bool = False) -> Health | None:
    """Numbers of the router in view; None where there are no tokens, or while they are made.

    `quiet`: another part of the page says that they are being made.
    """
    what = "" if quiet else say("Numbers of this layer")
    layer, own = model.captured(scene), model.own_tokens(scene)
    thing, at, brought = model.model_of(scene), model.number(scene), model.hinges(scene)
    width = None if brought is None else int(brought[1].shape[1])
    if layer is not None:
        if not layer.n:
            return None
        big = len(layer.sample) * layer.gate.N > QUICK
        args = layer, thing.capture.sources, width  # type: ignore[union-attr]
        found: Health | None = _asked(thing, ("health", at), "health", what, big, measured, *args)
        return found
    if own is None or seen.gate_of(scene).kind == "X":
        return None
    gate = model.gates(scene)[at]
    whole = Gate(gate.layer, gate.name, gate.W, gate.k, gate.rule, b=gate.b, beta=gate.beta, side=gate.side)
    key = "health", thing.token, at, gate.k, scene.lab_rule, scene.lab_tensor
    big = own.X.size + len(own.X) * gate.N > QUICK
    found = _asked(own, key, "health", what, big, routed, whole, own.X, width)
    return found


def undone(scene: Scene, found: Health) -> tuple[Remedy, ...] | None:
    """Every remedy on the tokens of the router in view; None while they are measured."""
    owner = model.own_tokens(scene) or model.model_of(scene)
    key = "remedies", model.model_of(scene).token, model.number(scene), found.layer.gate.k, scene.lab_tensor
    big = min(len(found.layer.sample), MEASURED) * found.layer.gate.N > QUICK // 4
    kept: tuple[Remedy, ...] | None = _asked(owner, key, "remedies", say("Remedies"), big, remedied, found.layer)
    return kept


def glance(found: Health) -> list[str]:
    """Sentences, the worst first."""
    row = found.row
    told = verdict(row)
    if not told:
        told = [
            say(
                "Healthy, as far as {tokens:,} tokens tell: every expert is used, no active set has most "
                "of the tokens, and loads are even.",
                tokens=row["tokens"],
            )
        ]
    seen_share: Count = row["coverage"]
    low = 100 * float((seen_share.interval or (seen_share.value,))[0])
    told.append(say("Of further tokens at least {low:.1f} % would go to an active set that has been seen.", low=low))
    if row["choices_not_recorded"]:
        told.append(
            say("The choices are computed from the gate, not recorded by the model: there is nothing to agree with.")
        )
    return told


def counts(found: Health) -> list[CountRow | tuple[str, Count, str, str]]:
    """The numbers at one glance."""
    row = found.row
    n = row["tokens"]
    dead = say(
        "never chosen in {n:,} tokens: with 95 % each one's share is below {dead_means_share_below:.3g} %",
        n=n,
        dead_means_share_below=100 * row["dead_means_share_below"],
    )
    rows: list[CountRow | tuple[str, Count, str, str]] = []
    if row["agreement"] is not None and row["choices_not_recorded"] < n:
        rows.append(
            (say("Agreement"), row["agreement"], say("Recomputed choices that are the captured ones."), "share")
        )
    if row["elsewhere"] is not None and row["elsewhere"].value > 0:
        rows.append(
            (say("Elsewhere by plain top-k"), row["elsewhere"], say("What the rest of the gate changes."), "share")
        )
    rows += [
        (say("Tokens"), Count(n, "exact", "with a full choice"), say("All numbers are of these.")),
        (say("Dead experts"), Count(len(row["dead"]), "exact", dead), say("Of {n}.", n=row["N"])),
        (
            say("Cold experts"),
            Count(len(row["cold"]), "exact", "surely below a tenth of an even load"),
            say("Of {n}.", n=row["N"]),
        ),
        (
            say("Largest load over the mean"),
            Count(row["load_max_over_mean"], "exact", "of these tokens"),
            say("1 is even."),
        ),
        (
            say("Active sets seen"),
            row["sets_seen"],
            say("Of {sets_possible} that may exist.", sets_possible=row["sets_possible"]),
        ),
        (say("Coverage"), row["coverage"], say("Tokens whose active set has been seen."), "share"),
        (say("In the fullest set"), row["fullest_set"], say("Tokens in the most frequent active set."), "share"),
    ]
    return rows


def table(found: Health) -> str:
    """Every number of the layer, as HTML."""
    body = "".join(
        f"<tr><th scope='row'>{escape(say(word))}</th><td class='tv-text'>{escape(say(what))}</td>"
        f"<td class='tv-text'>{escape(say(kind))}</td><td>{escape(write(found.row))}</td></tr>"
        for word, what, kind, write in LINES
    )
    return f'<div class="tv-wide-table" tabindex="0"><table class="tv-table"><tbody>{body}</tbody></table></div>'


def remedy_table(rows: tuple[Remedy, ...]) -> str:
    """The remedies side by side, as HTML."""
    body = []
    for row in rows:
        s = row.seen
        cells = (
            numeral(f"{int(s.sets_hit)}"),
            percent(s.saturation),
            written(s.effective_sets),
            numeral(f"{float(s.imbalance.value):.2f}"),
        )
        names = [say("share in the fullest set") if name == "saturation" else say(name) for name in row.worse]
        worse = say("worse: {names}", names=", ".join(names)) if names else ""
        what = f"<small>{escape(heard(row.what))}</small>"
        numbers_ = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        name = escape(heard(row.name))
        body.append(f"<tr><th scope='row'>{name}<br>{what}</th>{numbers_}<td class='tv-text'>{worse}</td></tr>")
    heads = ("", say("active sets used"), say("in the fullest set"), say("effectively"), say("load imbalance (CV)"), "")
    return wide_table(heads, body)


def collapse_text(found: Health) -> str:
    """How far from collapse the tokens are, as HTML."""
    row = found.row
    if row["mean_square_share_router"] is None:
        return say("Only choices are known: where the tokens lie is not.")
    text = say(
        "The mean holds <b>{mean_square_share:.1f} %</b> of the inputs' square, and "
        "<b>{mean_square_share_router:.1f} %</b> of what the router sees of them.",
        mean_square_share=100 * row["mean_square_share"],
        mean_square_share_router=100 * row["mean_square_share_router"],
    )
    if row["certified_offset"] is None:
        return text + say(" t* needs a gate of class A or A+.")
    star, own = row["certified_offset"], row["sample_offset"]
    never = say("whatever the offset, this sample is never in one active set for good")
    one = (
        never
        if own == float("inf")
        else say("at <b>{own:.3g}</b> times the present offset this very sample is in one active set", own=own)
    )
    ball = say("never") if star == float("inf") else say("from <b>{star:.3g}</b> times on", star=star)
    return say(
        "{text} If the mean grows and the rest stays, {one}; for all of the ball round it that is certain {ball}.",
        text=text,
        one=one,
        ball=ball,
    )


@derived
def region_text(scene: Scene) -> str:
    """How many linear regions the experts have in the picture, or why none are counted, as HTML."""
    if model.hinges(scene) is not None and seen.gate_of(scene).exact:
        return say("Its ReLU experts have <b>{regions}</b> linear regions in this window.", regions=seen.regions(scene))
    thing = model.model_of(scene)
    if thing.shard is not None or thing.gates:
        act = str((thing.shard.config or {}).get("hidden_act", "")) if thing.shard is not None else ""
        if "relu" in act.lower():
            why = say("its experts are of ReLU, and have them: give W, k, U and c as one file")
        else:
            kind = say("gated by {act}", act=act) if act else say("gated by a smooth function, as SwiGLU is")
            why = say(
                "experts that are {kind} bend everywhere inside a cell and have no linear pieces",
                kind=escape(kind[:60]),
            )
    elif thing.capture is not None:
        why = say("a capture holds gates, not experts, and only experts of ReLU have linear pieces")
    else:
        why = say("the file has no experts U and c")
    return say("No linear regions are counted here: {why}.", why=why)


def nothing(scene: Scene) -> str:
    """Why there are no numbers, as HTML."""
    if model.captured(scene) is None and model.own_tokens(scene) is None:
        d = model.gates(scene)[model.number(scene)].d
        waiting = scene.own_tokens
        has = (
            ""
            if waiting is None
            else say(
                " {name} has {shape:,} numbers a token and waits.", name=escape(waiting.name), shape=waiting.X.shape[1]
            )
        )
        return say(
            "Health is told from tokens: upload what this gate reads, one row of {d:,} numbers a token.{has}",
            d=d,
            has=has,
        )
    if seen.gate_of(scene).kind == "X" and model.captured(scene) is None:
        return say("What this gate chooses has to be captured.")
    layer = model.captured(scene)
    return say("This layer has seen no token.") if layer is not None and not layer.n else ""
