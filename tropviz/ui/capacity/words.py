"""The Capacity page in words, and its first chart."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from tropviz.core.capacity.closed_forms import ratio
from tropviz.core.count import people
from tropviz.figures.capacity import GainMarks, gain_colours, gain_figure
from tropviz.figures.picture import Figure
from tropviz.ui import marks
from tropviz.ui.capacity.view import View

#: The sections of the page: anchor, question.
SECTIONS = (
    ("regions", "How many regions: at most, by design, on average, here?"),
    ("depth", "How much dense depth is that worth?"),
    ("compute", "Which other shapes cost the same?"),
    ("example", "What do 16 experts, 4 active, keep in a plane?"),
    ("space", "Of the whole input space, or of the data in it?"),
    ("granularity", "Are finer experts better?"),
    ("models", "What do published models keep?"),
)


def contents() -> str:
    """The questions of the page, as links."""
    links = "".join(f'<a href="#{anchor}">{escape(question)}</a>' for anchor, question in SECTIONS)
    return f'<nav class="tv-contents" aria-label="On this page">{links}</nav>'


def gain_chart(view: View, found: GainMarks, dark: bool) -> Figure:
    """Gain against dimension."""
    full = int(view.table["full_product_dimension"])
    own = None if view.left is None else view.left.log10
    at = min(view.d, full)
    return gain_figure(view.curves, at, float(view.star), full, dark, found, float(view.gain), own)


def gain_key(view: View, found: GainMarks, dark: bool) -> str:
    """What the lines of the first chart are, as HTML."""
    names = ["this shape", "equal active width", "equal total width too"]
    items = "".join(
        f'<span><b style="color:{colour}">{curve.name}</b> {name}</span>'
        for curve, colour, name in zip(view.curves, gain_colours(dark), names, strict=False)
    )
    full = int(view.table["full_product_dimension"])
    last = int(found.dimensions[-1]) if len(found.dimensions) else 0
    end = f", drawn up to d = {last:,}" if last < full else ""
    signs = (
        (marks.PROMISED, f"dashed: C(N,k); ━ no weights exceed{end}"),
        (marks.DESIGNED, f"╌· reached by chosen weights{end}"),
        (marks.RANDOM, "━ mean over weights"),
        *(((marks.THIS, "counted"),) if view.left is not None else ()),
    )
    dense = '<p class="tv-hint tv-key"><span>··· dense network of equal total width NH</span></p>'
    return f'<p class="tv-hint tv-key">{items}</p>{marks.key(signs)}{dense}'


def gain_alt(view: View) -> str:
    """The first chart in words."""
    parts = [f"{c.name}: promised {10**c.log10_promise:.4g} times" for c in view.curves]
    return (
        "Linear regions as multiples of the dense network's, against the dimension of the slice: the maximum over "
        "weights, what chosen weights reach, and the mean over random weights. "
        f"{'; '.join(parts)}. At d = {view.d} random weights of the first keep {view.table['region_ratio']} on average."
    )


def sentence(view: View) -> str:
    """The line of meaning under the first chart."""
    t = view.table
    dense = int(t["dense_baseline"])
    most, reached = min(int(t["slice_bound"]), int(t["moe_bound"])) // dense, ratio(int(t["designed"]), dense)
    mean = t["region_ratio"].value
    here = "" if view.left is None else f", and <b>{view.left}×</b> in the layer on screen"
    better = " Our designs are not the best there: the maximum is at least the mean." if mean > reached else ""
    return (
        f"<b>{t['routing_multiplier']}×</b> is promised to top-{view.k} of {view.N}: a maximum over weights. In a "
        f"flat slice of dimension {view.d} no weights exceed {people(most)}×, chosen weights are known to reach "
        f"<b>{people(reached)}×</b>, and random ones, {view.kind}, have <b>{t['region_ratio']}×</b> on average{here}."
        f"{better}"
    )


def dimensions_text(view: View) -> str:
    """The two dimensions."""
    t = view.table
    return (
        "Two dimensions, not one. On average over random weights half of the active <i>sets</i> are there from "
        f"d* = <b>{view.star.value:.2f}</b> on, half of the multiplier of the <i>regions</i> only from "
        f"d<sub>gain</sub> = <b>{view.gain.value:,}</b>, about kH/2 + d*: a region "
        f"carries about kH/2 hinges, and its cell must survive in the "
        f"codimension that is left. The whole product is there from d = kH + N − 1 = "
        f"<b>{t['full_product_dimension']}</b>."
    )


def overhead(share: float) -> str:
    """The cost of the router's own rows beside the experts' compute.

    >>> overhead(0.25)
    '25 %'
    """
    return f"{100 * share:.3g} %"


def ambient_text(view: View) -> str:
    """What ambient and effective mean."""
    t, d = view.table, view.d
    most = Fraction(view.N, view.k) ** d  # beyond what a float holds, too
    return (
        f"For “effective capacity” the paper writes its bound twice: with the dimension of the whole input space, here "
        f"d<sub>in</sub> = {view.ambient:,}, and with that of the data in it, here d<sub>eff</sub> = {d}. A dense "
        f"layer of width H falls back to r(H, {d}) = <b>{t['dense_collapse']}</b> regions on such data; the mixture "
        "keeps its binomial in the "
        f"bound, so that their ratio grows like C(N,k) k<sup>d</sup> = <b>{t['effective_ratio']}</b>, d being "
        f"d<sub>eff</sub>. That is a ratio of bounds: at equal active width it is C(N,k) = "
        f"<b>{t['routing_multiplier']}×</b> alone, a maximum over weights, beside a mean over "
        f"random ones of <b>{t['region_ratio']}×</b> on flat "
        f"data. Curved data of the same dimension can meet more: see Resilience. The order of growth "
        f"C(N,k) (kH)<sup>d</sup> holds in large dimensions only: as H grows, mixture over dense is at most "
        f"(N/k)<sup>d</sup> = {people(float(most) if most < 10**15 else int(most), 4)} here."
    )
