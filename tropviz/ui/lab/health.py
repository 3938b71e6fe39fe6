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
from tropviz.report import numbers
from tropviz.report.page import LINES
from tropviz.report.words import percent, verdict
from tropviz.ui import heavy
from tropviz.ui.counts import CountRow
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


def measured(layer: Layer, sources: tuple[str, ...]) -> Health:
    """Numbers of a captured layer."""
    return Health(numbers(Capture((layer,), sources))["layers"][0], layer, sources)


def routed(gate: Gate, X: Any) -> Health:
    """Numbers of a gate on some inputs."""
    return measured(of_states([gate], [X]).layers[0], ("",))


def remedied(layer: Layer) -> tuple[Remedy, ...]:
    """What would undo the collapse of a captured layer, on its own sample."""
    return remedies(layer.gate.router(), layer.sample.y[:MEASURED].astype(float))


def _asked(owner: Own, key: Any, slot: str, what: str, big: bool, function: Callable[..., Any], *args: Any) -> Any:
    """An answer: at once, or from the pool; None while it is on its way, which the part then shows."""
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
    heavy.show(job, slot, what)
    return None


def health(scene: Scene) -> Health | None:
    """Numbers of the router in view; None where there are no tokens, or while they are made."""
    layer, own = model.captured(scene), model.own_tokens(scene)
    thing, at = model.model_of(scene), model.number(scene)
    if layer is not None:
        if not layer.n:
            return None
        big = len(layer.sample) * layer.gate.N > QUICK
        args = layer, thing.capture.sources  # type: ignore[union-attr]
        found: Health | None = _asked(thing, ("health", at), "health", "Numbers of this layer", big, measured, *args)
        return found
    if own is None or seen.gate_of(scene).kind == "X":
        return None
    gate = model.gates(scene)[at]
    whole = Gate(gate.layer, gate.name, gate.W, gate.k, gate.rule, b=gate.b, beta=gate.beta, side=gate.side)
    key = "health", thing.token, at, gate.k, scene.lab_rule, scene.lab_tensor
    big = own.X.size + len(own.X) * gate.N > QUICK
    found = _asked(own, key, "health", "Numbers of this layer", big, routed, whole, own.X)
    return found


def undone(scene: Scene, found: Health) -> tuple[Remedy, ...] | None:
    """Every remedy on the tokens of the router in view; None while they are measured."""
    owner = model.own_tokens(scene) or model.model_of(scene)
    key = "remedies", model.model_of(scene).token, model.number(scene), found.layer.gate.k, scene.lab_tensor
    big = min(len(found.layer.sample), MEASURED) * found.layer.gate.N > QUICK // 4
    kept: tuple[Remedy, ...] | None = _asked(owner, key, "remedies", "Remedies", big, remedied, found.layer)
    return kept


def glance(found: Health) -> list[str]:
    """Sentences, the worst first."""
    row = found.row
    told = verdict(row)
    if not told:
        told = [
            f"Healthy, as far as {row['tokens']:,} tokens tell: every expert is used, no active set has most of the "
            "tokens, and loads are even."
        ]
    seen_share: Count = row["coverage"]
    low = 100 * float((seen_share.interval or (seen_share.value,))[0])
    told.append(f"Of further tokens at least {low:.1f} % would go to an active set that has been seen.")
    if row["choices_not_recorded"]:
        told.append(
            "The choices are computed from the gate, not recorded by the model: there is nothing to agree with."
        )
    return told


def counts(found: Health) -> list[CountRow | tuple[str, Count, str, str]]:
    """The numbers at one glance."""
    row = found.row
    n = row["tokens"]
    dead = (
        f"never chosen in {n:,} tokens: with 95 % each one's share is below {100 * row['dead_means_share_below']:.3g} %"
    )
    rows: list[CountRow | tuple[str, Count, str, str]] = []
    if row["agreement"] is not None and row["choices_not_recorded"] < n:
        rows.append(("Agreement", row["agreement"], "Recomputed choices that are the captured ones.", "share"))
    if row["elsewhere"] is not None and row["elsewhere"].value > 0:
        rows.append(("Elsewhere by plain top-k", row["elsewhere"], "What the rest of the gate changes.", "share"))
    rows += [
        ("Tokens", Count(n, "exact", "with a full choice"), "All numbers are of these."),
        ("Dead experts", Count(len(row["dead"]), "exact", dead), f"Of {row['N']}."),
        ("Cold experts", Count(len(row["cold"]), "exact", "surely below a tenth of an even load"), f"Of {row['N']}."),
        ("Largest load over the mean", Count(row["load_max_over_mean"], "exact", "of these tokens"), "1 is even."),
        ("Active sets seen", row["sets_seen"], f"Of {row['sets_possible']} that may exist."),
        ("Coverage", row["coverage"], "Tokens whose active set has been seen.", "share"),
        ("In the fullest set", row["fullest_set"], "Tokens in the most frequent active set.", "share"),
    ]
    return rows


def table(found: Health) -> str:
    """Every number of the layer, as HTML."""
    body = "".join(
        f"<tr><th scope='row'>{escape(word)}</th><td class='tv-text'>{escape(what)}</td>"
        f"<td>{escape(write(found.row))}</td></tr>"
        for word, what, write in LINES
    )
    return f'<table class="tv-table"><tbody>{body}</tbody></table>'


def remedy_table(rows: tuple[Remedy, ...]) -> str:
    """The remedies side by side, as HTML."""
    body = []
    for row in rows:
        s = row.seen
        cells = (str(int(s.sets_hit)), percent(s.saturation), str(s.effective_sets), f"{float(s.imbalance.value):.2f}")
        worse = f"worse: {', '.join(row.worse)}" if row.worse else ""
        worse = worse.replace("saturation", "share in the fullest set")
        what = f"<small>{escape(row.what)}</small>"
        numbers_ = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        body.append(
            f"<tr><th scope='row'>{escape(row.name)}<br>{what}</th>{numbers_}<td class='tv-text'>{worse}</td></tr>"
        )
    heads = ("", "active sets used", "in the fullest set", "effectively", "load imbalance (CV)", "")
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return f'<table class="tv-table"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def collapse_text(found: Health) -> str:
    """How far from collapse the tokens are, as HTML."""
    row = found.row
    if row["mean_square_share_router"] is None:
        return "Only choices are known: where the tokens lie is not."
    text = (
        f"The mean holds <b>{100 * row['mean_square_share']:.1f} %</b> of the inputs' square, and "
        f"<b>{100 * row['mean_square_share_router']:.1f} %</b> of what the router sees of them."
    )
    if row["certified_offset"] is None:
        return text + " t* needs a gate of class A or A+."
    star, own = row["certified_offset"], row["sample_offset"]
    never = "whatever the offset, this sample is never in one active set for good"
    one = never if own == float("inf") else f"at <b>{own:.3g}</b> times the present offset this very sample is in one"
    ball = "never" if star == float("inf") else f"from <b>{star:.3g}</b> times on"
    return f"{text} If the mean grows and the rest stays, {one}; for all of the ball round it that is certain {ball}."


@derived
def region_text(scene: Scene) -> str:
    """How many linear regions the experts have in the picture, or why none are counted, as HTML."""
    if model.hinges(scene) is not None and seen.gate_of(scene).exact:
        return f"Its ReLU experts have <b>{seen.regions(scene)}</b> linear regions in this window."
    thing = model.model_of(scene)
    if thing.shard is not None or thing.gates:
        act = str((thing.shard.config or {}).get("hidden_act", "")) if thing.shard is not None else ""
        if "relu" in act.lower():
            why = "its experts are of ReLU, and have them: give W, k, U and c as one file"
        else:
            kind = f"gated by {act}" if act else "gated by a smooth function, as SwiGLU is"
            why = f"experts that are {escape(kind[:60])} bend everywhere inside a cell and have no linear pieces"
    elif thing.capture is not None:
        why = "a capture holds gates, not experts, and only experts of ReLU have linear pieces"
    else:
        why = "the file has no experts U and c"
    return f"No linear regions are counted here: {why}."


def nothing(scene: Scene) -> str:
    """Why there are no numbers, as HTML."""
    if model.captured(scene) is None and model.own_tokens(scene) is None:
        d = model.gates(scene)[model.number(scene)].d
        waiting = scene.own_tokens
        has = (
            "" if waiting is None else f" {escape(waiting.name)} has {waiting.X.shape[1]:,} numbers a token and waits."
        )
        return f"Health is told from tokens: upload what this gate reads, one row of {d:,} numbers a token.{has}"
    if seen.gate_of(scene).kind == "X" and model.captured(scene) is None:
        return "What this gate chooses has to be captured."
    layer = model.captured(scene)
    return "This layer has seen no token." if layer is not None and not layer.n else ""
