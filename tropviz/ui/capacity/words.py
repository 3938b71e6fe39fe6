"""The Capacity page in words, and its first chart."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from tropviz.core.capacity.closed_forms import ratio
from tropviz.figures.capacity import GainMarks, gain_colours, gain_figure
from tropviz.figures.picture import Figure
from tropviz.language import numeral, people, phrase, say
from tropviz.ui import marks
from tropviz.ui.capacity.view import View

#: The sections of the page: anchor, question.
SECTIONS = (
    ("regions", phrase("How many regions: at most, by design, on average, here?")),
    ("depth", phrase("How much dense depth is that worth?")),
    ("compute", phrase("Which other shapes cost the same?")),
    ("example", phrase("What do 16 experts, 4 active, keep in a plane?")),
    ("space", phrase("Of the whole input space, or of the data in it?")),
    ("granularity", phrase("Are finer experts better?")),
    ("models", phrase("What do published models keep?")),
)


def contents() -> str:
    """The questions of the page, as links."""
    links = "".join(f'<a href="#{anchor}">{escape(say(question))}</a>' for anchor, question in SECTIONS)
    return f'<nav class="tv-contents" aria-label="{say("On this page")}">{links}</nav>'


def gain_chart(view: View, found: GainMarks, dark: bool) -> Figure:
    """Gain against dimension."""
    full = int(view.table["full_product_dimension"])
    own = None if view.left is None else view.left.log10
    at = min(view.d, full)
    return gain_figure(view.curves, at, float(view.star), full, dark, found, float(view.gain), own)


def gain_key(view: View, found: GainMarks, dark: bool) -> str:
    """What the lines of the first chart are, as HTML."""
    names = [say("this shape"), say("equal active width"), say("equal total width too")]
    items = "".join(
        f'<span><b style="color:{colour}">{curve.name}</b> {name}</span>'
        for curve, colour, name in zip(view.curves, gain_colours(dark), names, strict=False)
    )
    full = int(view.table["full_product_dimension"])
    last = int(found.dimensions[-1]) if len(found.dimensions) else 0
    end = say(", drawn up to d = {last:,}", last=last) if last < full else ""
    signs = (
        (marks.PROMISED, say("dashed: C(N,k); ━ no weights exceed{end}", end=end)),
        (marks.DESIGNED, say("╌· reached by chosen weights{end}", end=end)),
        (marks.RANDOM, say("━ mean over weights")),
        *(((marks.THIS, say("counted")),) if view.left is not None else ()),
    )
    dense = '<p class="tv-hint tv-key"><span>' + say("··· dense network of equal total width NH") + "</span></p>"
    return f'<p class="tv-hint tv-key">{items}</p>{marks.key(signs)}{dense}'


def gain_alt(view: View) -> str:
    """The first chart in words."""
    parts = [
        say("{name}: promised {log10_promise:.4g} times", name=c.name, log10_promise=10**c.log10_promise)
        for c in view.curves
    ]
    return say(
        "Linear regions as multiples of the dense network's, against the dimension of the slice: "
        "the maximum over weights, what chosen weights reach, and the mean over random weights. "
        "{names}. At d = {d} random weights of the first keep {region_ratio} on average.",
        names="; ".join(parts),
        d=view.d,
        region_ratio=view.table["region_ratio"],
    )


def sentence(view: View) -> str:
    """The line of meaning under the first chart."""
    t = view.table
    dense = int(t["dense_baseline"])
    most, reached = min(int(t["slice_bound"]), int(t["moe_bound"])) // dense, ratio(int(t["designed"]), dense)
    mean = t["region_ratio"].value
    here = "" if view.left is None else say(", and <b>{left}×</b> in the layer on screen", left=view.left)
    better = say(" Our designs are not the best there: the maximum is at least the mean.") if mean > reached else ""
    return say(
        "<b>{routing_multiplier}×</b> is promised to top-{k} of {n}: a maximum over weights. In "
        "a flat slice of dimension {d} no weights exceed {most}×, chosen weights are known to "
        "reach <b>{reached}×</b>, and random ones, {kind}, have <b>{region_ratio}×</b> on "
        "average{here}.{better}",
        routing_multiplier=t["routing_multiplier"],
        k=view.k,
        n=view.N,
        d=view.d,
        most=people(most),
        reached=people(reached),
        kind=view.kind,
        region_ratio=t["region_ratio"],
        here=here,
        better=better,
    )


def dimensions_text(view: View) -> str:
    """The two dimensions."""
    t = view.table
    return say(
        "Two dimensions, not one. On average over random weights half of the active <i>sets</i> "
        "are there from d* = <b>{star:.2f}</b> on, half of the multiplier of the <i>regions</i> "
        "only from d<sub>gain</sub> = <b>{gain:,}</b>, about kH/2 + d*: a region carries about "
        "kH/2 hinges, and its cell must survive in the codimension that is left. The whole "
        "product is there from d = kH + N − 1 = <b>{full_product_dimension}</b>.",
        star=view.star.value,
        gain=view.gain.value,
        full_product_dimension=t["full_product_dimension"],
    )


def overhead(share: float) -> str:
    """The cost of the router's own rows beside the experts' compute.

    >>> overhead(0.25)
    '25 %'
    """
    return numeral(f"{100 * share:.3g} %")


def ambient_text(view: View) -> str:
    """What ambient and effective mean."""
    t, d = view.table, view.d
    most = Fraction(view.N, view.k) ** d  # beyond what a float holds, too
    return say(
        "For “effective capacity” the paper writes its bound twice: with the dimension of the "
        "whole input space, here d<sub>in</sub> = {ambient:,}, and with that of the data in it, "
        "here d<sub>eff</sub> = {d}. A dense layer of width H falls back to r(H, {d}) = "
        "<b>{dense_collapse}</b> regions on such data; the mixture keeps its binomial in the "
        "bound, so that their ratio grows like C(N,k) k<sup>d</sup> = <b>{effective_ratio}</b>, "
        "d being d<sub>eff</sub>. That is a ratio of bounds: at equal active width it is C(N,k) "
        "= <b>{routing_multiplier}×</b> alone, a maximum over weights, beside a mean over random "
        "ones of <b>{region_ratio}×</b> on flat data. Curved data of the same dimension can meet "
        "more: see Resilience. The order of growth C(N,k) (kH)<sup>d</sup> holds in large "
        "dimensions only: as H grows, mixture over dense is at most (N/k)<sup>d</sup> = {most} "
        "here.",
        ambient=view.ambient,
        d=d,
        dense_collapse=t["dense_collapse"],
        effective_ratio=t["effective_ratio"],
        routing_multiplier=t["routing_multiplier"],
        region_ratio=t["region_ratio"],
        most=people(float(most) if most < 10**15 else int(most), 4),
    )
