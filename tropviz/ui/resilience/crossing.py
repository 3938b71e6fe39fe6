"""What flat and curved data of one dimension cross, as the space around it grows."""

from __future__ import annotations

from dataclasses import dataclass

from tropviz import Count, capacity
from tropviz.figures.picture import Figure
from tropviz.figures.resilience import CrossLine, cross_figure
from tropviz.language import people, say
from tropviz.ui.counts import title_html
from tropviz.ui.resilience.measure import Met, crossed, shape, spaces
from tropviz.ui.scene import Scene, model

_COLOURS = {
    "flat": "muted",
    "curved": "green",
    "dense": "blue",
    "narrow": "muted",
    "law": "violet",
    "promise": "orange",
    "designed": "green",
}
_SIGNS = {"flat": "●", "curved": "○", "dense": "○", "narrow": "○", "law": "╌", "promise": "╌", "designed": "◆"}


@dataclass(frozen=True, eq=False)
class Crossing:
    """What has been measured so far.

    Attributes
    ----------
    kind : str
        Of the curved data; `d`, the dimension of both.
    wrong : str or None
        A sentence where the scene asks for what there is not.
    width : int
        Of the dense network, kH.
    flat, curved : dict of int to Met
        By the dimension of the space.
    cells, regions : tuple of CrossLine
        Of the two charts; empty while nothing is measured.
    promise : Count
        The paper's ratio of layer to dense width H, C(N,k) k^d: a limit of a ratio of bounds.
    """

    kind: str
    d: int
    wrong: str | None
    width: int
    flat: dict[int, Met]
    curved: dict[int, Met]
    cells: tuple[CrossLine, ...]
    regions: tuple[CrossLine, ...]
    promise: Count


def crossing_of(scene: Scene) -> Crossing:
    """What has been measured so far of a scene, beside the law and the bound."""
    kind, d, wrong = shape(scene)
    flat, curved = (
        {at: found[0] for at in spaces(kind, d) if (found := crossed.known(scene, bent, at))} for bent in (False, True)
    )
    N, k, width, affine = scene.n, scene.k, scene.k * scene.h, model.scene_affine(scene)
    t = capacity.table(N, k, scene.h, d, affine=affine)
    bent = say("{kind}, dimension {d}", kind=kind, d=d)

    def lines(*measured: tuple[str, str, dict[int, Met], str], **levels: tuple[str, Count]) -> tuple[CrossLine, ...]:
        found = [
            CrossLine(name, role, list(v), [getattr(v[at], what) for at in v]) for role, name, v, what in measured if v
        ]
        if not found:
            return ()
        ends = [found[0].dimensions[0], found[0].dimensions[-1]]
        return (*found, *(CrossLine(name, role, ends, [level] * 2) for role, (name, level) in levels.items()))

    cells = lines(
        ("flat", say("flat, dimension {d}", d=d), flat, "cells"),
        ("curved", bent, curved, "cells"),
        law=(say("random, mean: flat"), t["expected_cells"]),
        promise=(say("promised, maximum: all C(N,k)"), t["routing_multiplier"]),
    )
    regions = lines(
        ("flat", say("layer, flat, dimension {d}", d=d), flat, "regions"),
        ("curved", f"layer, {bent}", curved, "regions"),
        ("dense", say("dense, width kH = {width}, {kind}", width=width, kind=kind), curved, "wide"),
        ("narrow", say("dense, width H = {h}, {kind}", h=scene.h, kind=kind), curved, "narrow"),
        law=(say("random, mean: layer, flat"), t["region_law"]),
        designed=(say("designed, chosen weights: flat"), t["designed"]),
        promise=(say("promised, maximum: C(N,k) r(kH, d)"), t["moe_bound"]),
    )
    return Crossing(kind, d, wrong, width, flat, curved, cells, regions, t["effective_ratio"])


def charts(view: Crossing) -> tuple[tuple[str, str, str, tuple[CrossLine, ...]], ...]:
    """Key, title, what is counted, and lines of the two charts."""
    return (
        ("cross_cells", say("Routing cells"), say("routing cells"), view.cells),
        ("cross_dense", say("Linear regions"), say("linear regions"), view.regions),
    )


def key(title: str, lines: tuple[CrossLine, ...]) -> str:
    """What the lines of a chart are, and where they end, as HTML."""
    items = []
    for one in lines:
        last = one.counts[-1]
        sign = "●" if one.role == "curved" and last.kind == "exact" else _SIGNS[one.role]
        value = str(Count(last.value, last.kind, ""))
        name = f'<b style="color:var(--tv-{_COLOURS[one.role]})">{sign} {one.name}</b>'
        items.append(f"<span>{name} {value}</span>")
    return f'{title_html(title, 3)}<p class="tv-hint tv-key">{"".join(items)}</p>'


def chart(what: str, lines: tuple[CrossLine, ...], dark: bool) -> Figure:
    """One of the two charts."""
    return cross_figure(lines, say("{what} crossed", what=what), dark)


def alt(what: str, lines: tuple[CrossLine, ...]) -> str:
    """One of the two charts in words."""
    parts = [say("{name}: {first} to {last}", name=one.name, first=one.counts[0], last=one.counts[-1]) for one in lines]
    return say(
        "Number of {what} that data crosses, as the dimension of the space around it grows. {names}.",
        what=what,
        names="; ".join(parts),
    )


def sentence(view: Crossing) -> str:
    """The line of meaning under the charts."""
    if not view.curved or not view.flat:
        return ""
    d = max(view.curved)
    met = view.curved[d]
    flat = view.flat.get(d, next(iter(view.flat.values())))
    return say(
        "Like with like, in {d} dimensions. Cells: the curved data ({kind}, dimension {d_2}) "
        "crosses <b>{cells}</b>, a flat slice of the same dimension {cells_2}. Regions: in the "
        "layer the curved data crosses <b>{regions}</b>, beside {wide} in a dense network of the "
        "same active width (kH = {width}) and {narrow} in one of width H. The layer has <b>{narrow_2}</b> "
        "times that last number, where the paper's “effective capacity” has C(N,k) k<sup>d</sup> = "
        "{promise} in the bounds. Flat data stays what the laws say, however large the space; "
        "curved data is not bound by them, because it leaves every flat slice of its own "
        "dimension.",
        d=d,
        kind=view.kind,
        d_2=view.d,
        cells=met.cells,
        cells_2=flat.cells,
        regions=met.regions,
        width=view.width,
        wide=met.wide,
        narrow=met.narrow,
        narrow_2=people(met.regions.value / max(met.narrow.value, 1), 3),
        promise=view.promise,
    )
