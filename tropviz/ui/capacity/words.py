"""The Capacity page in words, and its first chart."""

from __future__ import annotations

from fractions import Fraction

from tropviz.core.count import people
from tropviz.figures.capacity import gain_colours, gain_figure
from tropviz.figures.picture import Figure
from tropviz.ui.capacity.view import View


def gain_chart(view: View, dark: bool) -> Figure:
    """Gain against dimension."""
    full = int(view.table["full_product_dimension"])
    return gain_figure(view.curves, min(view.d, full), float(view.star), full, dark)


def gain_key(view: View, dark: bool) -> str:
    """What the lines of the first chart are, as HTML."""
    names = ["this shape", "equal active width", "equal total width too"]
    items = "".join(
        f'<span><b style="color:{colour}">{curve.name}</b> {name}</span>'
        for curve, colour, name in zip(view.curves, gain_colours(dark), names, strict=False)
    )
    return f'<p class="tv-hint tv-key">{items}<span>dashed: promised</span></p>'


def gain_alt(view: View) -> str:
    """The first chart in words."""
    parts = [f"{c.name}: promised {10**c.log10_promise:.4g} times" for c in view.curves]
    return (
        "Expected linear regions over those of the dense network, against the dimension of the slice. "
        f"{'; '.join(parts)}. At d = {view.d} the first keeps {view.table['region_ratio']}."
    )


def sentence(view: View) -> str:
    """The line of meaning under the first chart."""
    t = view.table
    return (
        f"<b>{t['routing_multiplier']}×</b> is the promise of top-{view.k} of {view.N}. In a flat slice of dimension "
        f"{view.d} a random layer, its {view.kind}, keeps <b>{t['region_ratio']}×</b> of the dense network's regions; "
        f"half of the active sets are there from about d* = <b>{view.star.value:.2f}</b> dimensions on, the whole "
        f"product from d = kH + N − 1 = <b>{t['full_product_dimension']}</b>."
    )


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
        f"<b>{t['routing_multiplier']}×</b> alone, and random weights keep <b>{t['region_ratio']}×</b> on flat "
        f"data. Curved data of the same dimension can meet more: see Resilience. The order of growth "
        f"C(N,k) (kH)<sup>d</sup> holds in large dimensions only: as H grows, mixture over dense is at most "
        f"(N/k)<sup>d</sup> = {people(float(most) if most < 10**15 else int(most), 4)} here."
    )
