"""The shape that the paper compares, 16 experts and 4 active, told fairly; width and plane are ours."""

from __future__ import annotations

from typing import Any

from tropviz import Count, capacity
from tropviz.language import numeral, say
from tropviz.ui.capacity.view import gain_star, star
from tropviz.ui.counts import written
from tropviz.ui.scene import BY_NAME, Scene

#: N, k, H, in the plane.
EXAMPLE = (16, 4, 8, 2)


def example_scene() -> dict[str, Any]:
    """What the example changes in the scene."""
    N, k, H, d = EXAMPLE
    rest = {"pieces": BY_NAME["pieces"].default, "cell": "", "expert": -1}
    return {"router": "linear", "n": N, "k": k, "h": H, "slice": d} | rest


def at_example(scene: Scene) -> bool:
    """Whether the scene is the example already."""
    return (*scene.subset("n", "k", "h", "slice"), scene.router) == (*EXAMPLE, "linear")


def example_hint() -> str:
    """The contrast of the example in one line, as HTML."""
    N, k, H, d = EXAMPLE
    t = capacity.table(N, k, H, d)
    reached = int(t["designed"]) / int(t["dense_baseline"])
    return (
        '<p class="tv-hint">'
        + say(
            "<b {orange}>{promised}×</b> promised, a maximum, <b {green}>{reached:.2f}×</b> by design, "
            "<b {violet}>{mean:.2f}×</b> on average, random weights",
            orange=_colour("orange"),
            green=_colour("green"),
            violet=_colour("violet"),
            promised=t["routing_multiplier"],
            reached=reached,
            mean=t["region_ratio"].value,
        )
        + "</p>"
    )


def _colour(name: str) -> str:
    return f'style="color:var(--tv-{name})"'


def example_table() -> str:
    """The shapes that the paper compares, the three marks in a plane, as HTML."""
    N, k, H, d = EXAMPLE
    dense = capacity.table(N, k, H, d)["dense_baseline"]
    shapes = [
        (N, k, H, say("the shape of the paper’s “iso-compute”")),
        (N, 1, k * H, say("equal active width")),
        (N // k, 1, k * H, say("equal total width too")),
    ]
    rows = ""
    for n, a, h, what in shapes:
        t = capacity.table(n, a, h, d)
        dense_one = int(t["dense_baseline"])
        reached, stored = int(t["designed"]) / dense_one, int(t["dense_total"]) / dense_one
        shape = say("top-{k} of {n}, H = {h}", k=a, n=n, h=h)
        rows += (
            f"<tr><th scope=row>{shape}<br><small>{what}</small></th>"
            f"<td><b>{written(t['routing_multiplier'])}×</b></td>"
            f"<td><b>{numeral(f'{reached:.2f}')}×</b><br><small>{written(t['designed'])}</small></td>"
            f"<td><b>{numeral(format(t['region_ratio'].value, '.2f'))}×</b><br>"
            f"<small>{written(t['region_law'])}</small></td>"
            f"<td>{numeral(f'{stored:.2f}')}×<br><small>{written(t['dense_total'])}</small></td></tr>"
        )
    heads = (
        say("Shape"),
        say("○ Promised: maximum over weights"),
        say("◆ Designed: chosen weights, plane"),
        say("● Random: mean over weights, plane"),
        say("Dense, total width NH (width kH: {dense})", dense=dense),
    )
    head = "".join(f"<th>{text}</th>" for text in heads)
    return (
        f'<div class="tv-wide-table" tabindex="0"><table class="tv-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def example_text() -> str:
    """The example in words, as HTML."""
    N, k, H, d = EXAMPLE
    t = capacity.table(N, k, H, d)
    over = Count(t["slice_bound"].value // t["dense_baseline"].value, "exact", "")
    return say(
        "Sixteen experts with four active are the paper’s, in “iso-compute”; H = {h} and the "
        "plane are ours. All three shapes pay for as much as a dense layer of width {h_2}, which "
        "has {dense_baseline} regions in a plane; the router’s own rows come on top. The "
        "promises are maxima over weights, and the order of growth in many dimensions. In a "
        "plane no weights at all have more than {slice_bound:,} regions, {over} times the dense "
        "{dense_baseline}; chosen weights are known to have {designed}; random weights without a "
        "bias have <b>{region_law:.1f}</b> on average. The reason: two hinges cross in one cell "
        "only, so more cells multiply the few terms that walls take part in and leave the many "
        "crossings as they are. Half of the {routing_multiplier} active sets are there from d* = "
        "{star:.2f} dimensions on, half of the regions’ gain from d<sub>gain</sub> = "
        "{gain_star}, and the full {routing_multiplier}× from d = kH + N − 1 = "
        "{full_product_dimension}.",
        h=H,
        h_2=k * H,
        dense_baseline=t["dense_baseline"],
        slice_bound=t["slice_bound"].value,
        over=over,
        designed=t["designed"],
        region_law=t["region_law"].value,
        routing_multiplier=t["routing_multiplier"],
        star=star(N, k).value,
        gain_star=gain_star(N, k, H).value,
        full_product_dimension=t["full_product_dimension"],
    )
