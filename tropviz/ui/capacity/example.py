"""The shape that the paper compares, 16 experts and 4 active, told fairly; width and plane are ours."""

from __future__ import annotations

from typing import Any

from tropviz import Count, capacity
from tropviz.ui.capacity.view import gain_star, star
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
        f'<p class="tv-hint"><b style="color:var(--tv-orange)">{t["routing_multiplier"]}×</b> promised, a maximum, '
        f'<b style="color:var(--tv-green)">{reached:.2f}×</b> by design, '
        f'<b style="color:var(--tv-violet)">{t["region_ratio"].value:.2f}×</b> on average, random weights</p>'
    )


def example_table() -> str:
    """The shapes that the paper compares, the three marks in a plane, as HTML."""
    N, k, H, d = EXAMPLE
    dense = capacity.table(N, k, H, d)["dense_baseline"]
    shapes = [
        (N, k, H, "the shape of the paper’s “iso-compute”"),
        (N, 1, k * H, "equal active width"),
        (N // k, 1, k * H, "equal total width too"),
    ]
    rows = ""
    for n, a, h, what in shapes:
        t = capacity.table(n, a, h, d)
        dense_one = int(t["dense_baseline"])
        reached, stored = int(t["designed"]) / dense_one, int(t["dense_total"]) / dense_one
        rows += (
            f"<tr><th scope=row>top-{a} of {n}, H = {h}<br><small>{what}</small></th>"
            f"<td><b>{t['routing_multiplier']}×</b></td><td><b>{reached:.2f}×</b><br><small>{t['designed']}</small></td>"
            f"<td><b>{t['region_ratio'].value:.2f}×</b><br><small>{t['region_law']}</small></td>"
            f"<td>{stored:.2f}×<br><small>{t['dense_total']}</small></td></tr>"
        )
    return (
        '<div class="tv-wide-table" tabindex="0"><table class="tv-table"><thead><tr><th>Shape</th>'
        "<th>○ Promised: maximum over weights</th><th>◆ Designed: chosen weights, plane</th>"
        f"<th>● Random: mean over weights, plane</th><th>Dense, total width NH (width kH: {dense})</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def example_text() -> str:
    """The example in words, as HTML."""
    N, k, H, d = EXAMPLE
    t = capacity.table(N, k, H, d)
    over = Count(t["slice_bound"].value // t["dense_baseline"].value, "exact", "")
    return (
        f"Sixteen experts with four active are the paper’s, in “iso-compute”; H = {H} and the plane are ours. All "
        f"three shapes pay for as much as a dense layer of width {k * H}, which has {t['dense_baseline']} regions in "
        f"a plane; the router’s own rows come on top. The promises are maxima over weights, and the order of growth in "
        f"many dimensions. In a plane no weights at all have more than {t['slice_bound'].value:,} regions, {over} "
        f"times the dense {t['dense_baseline']}; chosen weights are known to have {t['designed']}; random weights "
        f"without a bias have <b>{t['region_law'].value:.1f}</b> on average. The "
        f"reason: two hinges cross in one cell only, so "
        f"more cells multiply the few terms that walls take part in and leave the many crossings as they are. Half of "
        f"the {t['routing_multiplier']} active sets are there from d* = {star(N, k).value:.2f} dimensions on, half of "
        f"the regions’ gain from d<sub>gain</sub> = {gain_star(N, k, H).value}, and the full "
        f"{t['routing_multiplier']}× from d = kH + N − 1 = {t['full_product_dimension']}."
    )
