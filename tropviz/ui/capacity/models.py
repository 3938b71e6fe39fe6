"""Published architectures: their shapes as a table, and as something to load."""

from __future__ import annotations

import math
from functools import cache
from html import escape
from typing import Any

from tropviz import Count, capacity
from tropviz.io.architectures import Architecture, architectures
from tropviz.language import current, numeral, phrase, say
from tropviz.ui.capacity.view import star
from tropviz.ui.counts import typeset, written
from tropviz.ui.scene import BY_NAME, Scene, model

#: How the numbers of the table are written.
FORMATS = {
    "N": ",d",
    "H": ",d",
    "Hidden size": ",d",
    "Bits, exact": ".1f",
    "d*: half of the sets": ".1f",
    "d_gain: half of the regions' gain": ",d",
}

#: Numbers that are written by themselves.
NUMBERS = ("C(N,k), exact", "Gain at its own hidden size, mean")
#: What the columns about random weights take for granted.
ASSUMES = phrase(
    "C(N,k) is a maximum over weights. d*, d<sub>gain</sub> and the gain are means over random weights: random central "
    "router and random experts of the model's shape, input that fills its hidden dimension; shared experts, biases and "
    "group limits are left out. They are not of the model's own weights."
)


def loadable() -> list[str]:
    """Names of those with no more experts than a page can show."""
    most = BY_NAME["n"].range({})[1]
    return [a.name for a in architectures() if most >= a.N]


def load(scene: Scene, name: str | None) -> dict[str, Any] | None:
    """What loading a shape changes in the scene, with a note about what it does not."""
    if not name:
        return None
    a = next(a for a in architectures() if a.name == name)
    own = model.has_size(scene)
    router = "affine" if "bias" in a.choice else "linear" if own or scene.router == "affine" else scene.router
    most = int(BY_NAME["h"].range({"router": router})[1])
    changes = {"router": router, "n": a.N, "k": a.k, "cell": "", "expert": -1}
    if most >= a.H:
        return {**changes, "h": a.H, "notes": (f"{name}: N = {a.N}, k = {a.k}, H = {a.H}.",)}
    wide = say("Its experts are {h:,} wide; H stays as it is, {most} is the most.", h=a.H, most=most)
    return {**changes, "notes": (f"{name}: N = {a.N}, k = {a.k}. {wide}",)}


def differs(a: Architecture) -> str:
    """How a published router differs from plain top-k."""
    if a.groups < 2:
        return say(a.choice)
    grouped = Count(capacity.grouped_choices(a.N, a.k, a.groups, a.kept), "exact", "")
    return say("{grouped} of the C(N,k). {choice}", grouped=grouped, choice=say(a.choice))


def model_rows() -> tuple[dict[str, Any], ...]:
    """The table of published shapes, its columns by their English names."""
    return _model_rows(current())


@cache
def _model_rows(_language: str) -> tuple[dict[str, Any], ...]:
    out = []
    for a in architectures():
        sets = capacity.table(a.N, a.k, 1, 1)["routing_multiplier"]
        out.append(
            {
                phrase("Model"): a.name,
                phrase("Year"): a.year,
                "N": a.N,
                "k": a.k,
                phrase("Shared"): a.shared,
                "H": a.H,
                phrase("Hidden size"): a.d,
                phrase("C(N,k), exact"): written(sets),
                phrase("Bits, exact"): math.log2(sets.value),
                phrase("d*: half of the sets"): star(a.N, a.k).value,
                phrase("d_gain: half of the regions' gain"): int(a.gain_dimension),
                phrase("Gain at its own hidden size, mean"): written(a.gain),
                phrase("How it differs from plain top-k"): differs(a),
                phrase("Source"): a.source,
            }
        )
    return tuple(out)


def table_html() -> str:
    """The published shapes; every word of it can be read, also on a phone."""
    rows = model_rows()
    head = "".join(f"<th scope=col>{typeset(escape(say(name)))}</th>" for name in rows[0])
    body = ""
    for row in rows:
        cells = [escape(_cell(name, value)) for name, value in row.items()]
        texts = [isinstance(value, str) and name not in NUMBERS for name, value in row.items()]
        kinds = [' class="tv-text"' if text else "" for text in texts]
        body += f"<tr><th scope=row>{cells[0]}</th>"
        body += "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells[1:], kinds[1:], strict=True)) + "</tr>"
    return (
        f'<div class="tv-wide-table" tabindex="0"><table class="tv-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(name: str, value: Any) -> str:
    text = format(value, FORMATS.get(name, ""))
    return numeral(text) if name in FORMATS else text
