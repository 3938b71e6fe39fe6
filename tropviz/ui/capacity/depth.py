"""What a dense network would need for as many regions: its width in one layer, or its layers at the same compute."""

from __future__ import annotations

from html import escape

from tropviz import capacity
from tropviz.core.capacity.depth import Depth
from tropviz.language import say
from tropviz.ui import marks
from tropviz.ui.capacity.view import View
from tropviz.ui.counts import written

#: Name of the count of the layer on screen among the marks.
OWN = "this"
_NAMES = {"promised": marks.PROMISED, "designed": marks.DESIGNED, "random": marks.RANDOM, OWN: marks.THIS}


def rows(view: View) -> tuple[Depth, ...]:
    """One row a mark."""
    counted = {OWN: view.own.whole} if view.own is not None and view.own.whole is not None else {}
    return capacity.depths(view.N, view.k, view.H, view.d, view.affine, **counted)


def layers(row: Depth) -> str:
    """The least number of dense layers, as far as it is known.

    >>> from tropviz import Count
    >>> from tropviz.core.capacity.depth import depth_of
    >>> layers(depth_of("promised", Count(962780, "upper", ""), 32, 2))
    '3'
    """
    low, high = row.layers_needed, row.layers_enough
    if low.value != low.value:
        return say("not defined")
    if high.value != high.value:
        return say("at least {low:,}", low=low.value)
    if low.value == high.value:
        return say("{low:,}", low=low.value)
    return say("{low:,} to {high:,}", low=low.value, high=high.value)


def html(view: View, found: tuple[Depth, ...]) -> str:
    """The table."""
    body = ""
    for row in found:
        mark = _NAMES[row.mark]
        body += (
            f'<tr><th scope=row><b style="color:var(--tv-{mark.colour})">{mark.sign} {say(mark.name)}</b>, '
            f"{say(mark.means)}</th>"
            f"<td>{escape(written(row.regions))}</td><td>{escape(written(row.width))}</td><td>{layers(row)}</td></tr>"
        )
    paid, stored = view.k * view.H, view.N * view.H
    heads = (
        say("Regions of the layer"),
        say("Regions"),
        say("Least width of one dense layer with as many"),
        say("Least number of dense layers of width kH = {paid:,}", paid=paid),
    )
    head = "".join(f"<th>{text}</th>" for text in heads)
    note = say(
        "To be read beside what is paid for every input, kH = {paid:,}, and what is stored, NH = {stored:,}: a dense "
        "layer of that total width has {regions} regions. A width is an exact integer. Where two numbers of layers "
        "stand, the least lies between them: fewer cannot have as many regions, and a known folding network of the "
        "larger number has.",
        paid=paid,
        stored=stored,
        regions=view.table["dense_total"],
    )
    return (
        f'<div class="tv-wide-table" tabindex="0"><table class="tv-table"><thead><tr>{head}</tr></thead>'
        f'<tbody>{body}</tbody></table></div><p class="tv-hint">{note}</p>'
    )


def sentence(view: View, found: tuple[Depth, ...]) -> str:
    """The line of meaning under the table."""
    by = {row.mark: row for row in found}
    promised, designed, random = (by[name] for name in ("promised", "designed", "random"))
    text = say(
        "The paper's “sparsity is combinatorial depth” in numbers: the maximum over weights is "
        "worth <b>{layers}</b> dense layers of the width that is paid for, chosen weights are "
        "known to be worth <b>{layers_2}</b>, random weights on average <b>{layers_3}</b>",
        layers=layers(promised),
        layers_2=layers(designed),
        layers_3=layers(random),
    )
    return text + (say(", this layer <b>{layers}</b>.", layers=layers(by[OWN])) if OWN in by else ".")
