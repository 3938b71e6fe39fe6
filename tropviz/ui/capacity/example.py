"""The paper's example, told fairly, every number computed."""

from __future__ import annotations

from typing import Any

from tropviz import Count, capacity
from tropviz.ui.capacity.view import star
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
    return (
        f'<p class="tv-hint"><b style="color:var(--tv-orange)">{t["routing_multiplier"]}×</b> promised, '
        f'<b style="color:var(--tv-violet)">{t["region_ratio"].value:.2f}×</b> kept in a plane by random weights, '
        "no bias</p>"
    )


def example_table() -> str:
    """The shapes that the paper compares, promise beside what a plane keeps, as HTML."""
    N, k, H, d = EXAMPLE
    dense = capacity.table(N, k, H, d)["dense_baseline"]
    shapes = [
        (N, k, H, "the shape of “iso-compute”; H and the plane are ours"),
        (N, 1, k * H, "equal active width"),
        (N // k, 1, k * H, "equal total width too"),
    ]
    rows = ""
    for n, a, h, what in shapes:
        t = capacity.table(n, a, h, d)
        rows += (
            f"<tr><th scope=row>top-{a} of {n}, H = {h}<br><small>{what}</small></th>"
            f"<td><b>{t['routing_multiplier']}×</b></td><td><b>{t['region_ratio'].value:.2f}×</b></td>"
            f"<td>{t['region_law']}</td></tr>"
        )
    return (
        '<div class="tv-wide-table"><table class="tv-table"><thead><tr><th>Shape</th><th>Promised (bound)</th>'
        f"<th>Kept in a plane (expected)</th><th>Regions (expected; dense: {dense})</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def example_text() -> str:
    """The example in words, as HTML."""
    N, k, H, d = EXAMPLE
    t = capacity.table(N, k, H, d)
    over = Count(t["slice_bound"].value // t["dense_baseline"].value, "exact", "")
    return (
        f"All three cost as much as a dense layer of width {k * H}, which has {t['dense_baseline']} regions in a "
        f"plane. The promises are upper bounds, and the order of growth in many dimensions. In a plane no weights at "
        f"all have more than {t['slice_bound'].value:,} regions, {over} times the dense {t['dense_baseline']}; random "
        f"weights without a bias have about <b>{t['region_law'].value:.1f}</b>. The reason: two hinges cross in one "
        f"cell only, so more cells multiply the few terms that walls take part in and leave the many crossings as they "
        f"are. Half of the {t['routing_multiplier']} active sets are there from d* = {star(N, k).value:.2f} dimensions "
        f"on, and the full {t['routing_multiplier']}× from d = kH + N − 1 = {t['full_product_dimension']}."
    )
