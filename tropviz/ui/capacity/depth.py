"""What a dense network would need for as many regions: its width in one layer, or its layers at the same compute."""

from __future__ import annotations

from html import escape

from tropviz import capacity
from tropviz.core.capacity.depth import Depth
from tropviz.ui import marks
from tropviz.ui.capacity.view import View

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
        return "not defined"
    if high.value != high.value:
        return f"at least {low.value:,}"
    return f"{low.value:,}" if low.value == high.value else f"{low.value:,} to {high.value:,}"


def html(view: View, found: tuple[Depth, ...]) -> str:
    """The table."""
    body = ""
    for row in found:
        mark = _NAMES[row.mark]
        body += (
            f'<tr><th scope=row><b style="color:var(--tv-{mark.colour})">{mark.sign} {mark.name}</b>, {mark.means}</th>'
            f"<td>{escape(str(row.regions))}</td><td>{escape(str(row.width))}</td><td>{layers(row)}</td></tr>"
        )
    paid, stored = view.k * view.H, view.N * view.H
    return (
        '<div class="tv-wide-table" tabindex="0"><table class="tv-table"><thead><tr><th>Regions of the layer</th>'
        "<th>Regions</th><th>Least width of one dense layer with as many</th>"
        f"<th>Least number of dense layers of width kH = {paid:,}</th></tr></thead><tbody>{body}</tbody></table></div>"
        f'<p class="tv-hint">To be read beside what is paid for every input, kH = {paid:,}, and what is stored, '
        f"NH = {stored:,}: a dense layer of that total width has {view.table['dense_total']} regions. A width is an "
        "exact integer. Where two numbers of layers stand, the least lies between them: fewer cannot have as many "
        "regions, and a known folding network of the larger number has.</p>"
    )


def sentence(view: View, found: tuple[Depth, ...]) -> str:
    """The line of meaning under the table."""
    by = {row.mark: row for row in found}
    promised, designed, random = (by[name] for name in ("promised", "designed", "random"))
    text = (
        "The paper's “sparsity is combinatorial depth” in numbers: the maximum over weights is worth "
        f"<b>{layers(promised)}</b> dense layers of the width that is paid for, chosen weights are known to be worth "
        f"<b>{layers(designed)}</b>, random weights on average <b>{layers(random)}</b>"
    )
    return text + (f", this layer <b>{layers(by[OWN])}</b>." if OWN in by else ".")
