"""What flat and curved data of one dimension cross, as the space around it grows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tropviz import Count, capacity, slice_law
from tropviz.figures.picture import Figure
from tropviz.figures.resilience import CrossLine, cross_figure
from tropviz.ui.resilience.measure import crossed, shape, spaces
from tropviz.ui.scene import Scene, model

_COLOURS = {"flat": "muted", "curved": "green", "law": "violet", "promise": "orange"}
_SIGNS = {"flat": "●", "curved": "○", "law": "╌", "promise": "╌"}
Pair = tuple[Count, Count]


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
    flat, curved : dict of int to (cells, regions)
        By the dimension of the space.
    cells, regions : tuple of CrossLine
        Of the two charts; empty while nothing is measured.
    """

    kind: str
    d: int
    wrong: str | None
    width: int
    flat: dict[int, Pair]
    curved: dict[int, Pair]
    cells: tuple[CrossLine, ...]
    regions: tuple[CrossLine, ...]


def crossing_of(scene: Scene) -> Crossing:
    """What has been measured so far of a scene, beside the law and the bound."""
    kind, d, wrong = shape(scene)
    flat, curved = (
        {at: found[0] for at in spaces(kind, d) if (found := crossed.known(scene, bent, at))} for bent in (False, True)
    )
    N, k, width = scene.n, scene.k, scene.k * scene.h
    law = slice_law.expected_cells(N, k, d, model.scene_affine(scene))
    every = Count(math.comb(N, k), "exact", f"C({N}, {k})")
    bound = Count(capacity.hyperplane_regions(width, d), "exact", f"r({width}, {d})")
    measured = (("flat", f"flat, dimension {d}", flat), ("curved", f"{kind}, dimension {d}", curved))

    def lines(which: int, *levels: tuple[str, str, Count]) -> tuple[CrossLine, ...]:
        found = [CrossLine(name, role, list(v), [v[at][which] for at in v]) for role, name, v in measured if v]
        if not found:
            return ()
        ends = [found[0].dimensions[0], found[0].dimensions[-1]]
        return (*found, *(CrossLine(name, role, ends, [level, level]) for role, name, level in levels))

    cells = lines(0, ("law", "slice law, flat", law), ("promise", "all C(N,k)", every))
    regions = lines(1, ("promise", "the most a flat slice has, r(kH, d)", bound))
    return Crossing(kind, d, wrong, width, flat, curved, cells, regions)


def charts(view: Crossing) -> tuple[tuple[str, str, str, tuple[CrossLine, ...]], ...]:
    """Key, title, what is counted, and lines of the two charts."""
    dense = f"Linear regions of the dense network, width {view.width}"
    return (
        ("cross_cells", "Routing cells", "routing cells", view.cells),
        ("cross_dense", dense, "linear regions of the dense network", view.regions),
    )


def key(title: str, lines: tuple[CrossLine, ...]) -> str:
    """What the lines of a chart are, and where they end, as HTML."""
    items = []
    for one in lines:
        last = one.counts[-1]
        sign = "●" if one.role == "curved" and last.kind == "exact" else _SIGNS[one.role]
        value = str(Count(last.value, last.kind, ""))
        items.append(f'<b style="color:var(--tv-{_COLOURS[one.role]})">{sign} {one.name}</b> {value}')
    return f'<p class="tv-title">{title}</p><p class="tv-hint">{" &nbsp; ".join(items)}</p>'


def chart(what: str, lines: tuple[CrossLine, ...], dark: bool) -> Figure:
    """One of the two charts."""
    return cross_figure(lines, f"{what} crossed", dark)


def alt(what: str, lines: tuple[CrossLine, ...]) -> str:
    """One of the two charts in words."""
    parts = [f"{one.name}: {one.counts[0]} to {one.counts[-1]}" for one in lines]
    return f"Number of {what} that data crosses, as the dimension of the space around it grows. {'; '.join(parts)}."


def sentence(view: Crossing) -> str:
    """The line of meaning under the charts."""
    if not view.curved or not view.flat:
        return ""
    d = max(view.curved)
    cells, dense = view.curved[d]
    flat_cells, flat_dense = view.flat.get(d, next(iter(view.flat.values())))
    return (
        f"In {d} dimensions the curved data ({view.kind}, dimension {view.d}) crosses <b>{cells}</b> routing cells, a "
        f"flat slice of the same dimension <b>{flat_cells}</b>; in the dense network of width kH = {view.width} it "
        f"is {dense} regions against {flat_dense}. Flat data stays what the slice law says, however large the space; "
        "curved data is not bound by it, because it leaves every flat slice of its own dimension."
    )
