"""The Capacity page: what the binomial promises, what a slice keeps, and which shapes cost the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from tropviz import Count, capacity, slice_law
from tropviz.core.count import people
from tropviz.figures.capacity import (
    GainCurve,
    GrainPoint,
    IsoPoint,
    gain_colours,
    gain_figure,
    granularity_figure,
    iso_figure,
)
from tropviz.io.architectures import Architecture, architectures
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import BY_NAME, Scene, model

#: Fragments of the page; every control concerns all of them.
FRAGMENTS = ("controls", "gain", "numbers", "iso", "ambient", "grain")
#: What ring and dot mean in the iso-compute charts.
ISO_KEY = (
    '<p class="tv-hint"><b style="color:var(--tv-orange)">○ promised</b>: C(N,k), an upper bound. '
    '<b style="color:var(--tv-violet)">● kept</b>: expected for random weights in the slice. '
    "Every column costs the same active width; only whole widths are shown.</p>"
)
#: Cells, and regions, that the page counts for the router on screen without being asked.
MOST_CELLS, MOST_REGIONS = 4000, 400_000
#: Points on a curve, and shapes under one chart.
CURVE_POINTS, MOST_SHAPES = 64, 12
#: The paper's example: N, k, H, in the plane.
EXAMPLE = (16, 4, 8, 2)
#: Work (k (N - k) pairs) above which d* comes from the quick formula.
LARGE = 512 * 64


def star(N: int, k: int, affine: bool = False) -> Count:
    """d* of a shape: exact expectation where it is quick, else the formula that is good to 0.3."""
    kind = "routers with a bias, which is worth half a dimension" if affine else "routers without a bias"
    if k * (N - k) <= LARGE:
        exact = slice_law.resilience_dimension(N, k, affine)
        return Count(exact, "expected", "d*, mean codimension of the slice law", kind)
    quick = max(0.0, slice_law.resilience_estimate(N, k) - 0.5 * affine)
    return Count(quick, "expected", "quick formula for d*, good to about 0.3", kind)


def dimensions(full: int) -> np.ndarray:
    """Whole dimensions from 1 to `full`, evenly spread on a logarithmic axis."""
    return np.unique(np.rint(np.geomspace(1, max(full, 2), CURVE_POINTS)).astype(int))


def gain_curves(N: int, k: int, H: int, affine: bool = False) -> list[GainCurve]:
    """The scene's shape and its two top-1 partners: equal active width, and equal total width too."""
    shapes = [(f"top-{k} of {N}, H = {H}", N, k, H)]
    if k > 1:
        shapes.append((f"top-1 of {N}, H = {k * H}", N, 1, k * H))
        if N % k == 0 and N // k > 1:
            shapes.append((f"top-1 of {N // k}, H = {k * H}", N // k, 1, k * H))
    at = dimensions(k * H + N - 1)
    return [
        GainCurve(
            name,
            at.astype(float),
            np.array([slice_law.expected_gain(n, a, h, int(d), affine).log10 for d in at]),
            math.log10(math.comb(n, a)),
        )
        for name, n, a, h in shapes
    ]


@dataclass(frozen=True, eq=False)
class View:
    """Everything the page shows of one scene."""

    scene: Scene
    affine: bool
    d: int
    space: int
    table: dict[str, Count]
    star: Count
    curves: list[GainCurve]
    own: list[CountRow]
    sentences: list[str]


def view(scene: Scene) -> View:
    """Compute the page; ValueError in one sentence where that is impossible."""
    sentences = []
    space = max(scene.space, scene.slice)
    if space != scene.space:
        sentences.append(f"The input dimension cannot be smaller than the slice's: {space} is taken.")
    names = ("n", "k", "h", "slice", "space")
    affine, (N, k, H, d) = model.scene_affine(scene), scene.subset("n", "k", "h", "slice")
    table = model.kept(scene, "capacity", names, lambda: capacity.table(N, k, H, space, d))
    sliced = model.kept(scene, "capacity slice", names, lambda: capacity.table(N, k, H, d, affine=affine))
    curves = model.kept(scene, "gain curves", ("n", "k", "h"), lambda: gain_curves(N, k, H, affine))
    own, said = own_counts(scene)
    merged = sliced | {f"ambient_{name}": table[name] for name in ("dense_baseline", "moe_bound", "region_ratio")}
    return View(scene, affine, d, space, merged, star(N, k, affine), curves, own, sentences + said)


def own_counts(scene: Scene) -> tuple[list[CountRow], list[str]]:
    """Exact counts of the router on screen, where its space has the slice's dimension and it is not too large."""
    if scene.slice not in (2, 3):
        return [], []
    here, _ = scene.replace(dim=str(scene.slice))
    affine = model.scene_affine(here)
    cells = slice_law.expected_cells(scene.n, scene.k, scene.slice, affine)
    regions = slice_law.expected_regions(scene.n, scene.k, scene.h, scene.slice, affine)
    where = "plane" if scene.slice == 2 else "space"
    if cells.value > MOST_CELLS:
        return [], [f"The router on screen is not counted here: about {cells} cells are expected."]
    rows: list[CountRow] = []
    rows.append((f"This router: cells in the {where}", model.scene_fan(here).count, "Counted one by one."))
    if regions.value > MOST_REGIONS:
        return rows, [f"The linear regions of the layer on screen are not counted here: {regions} are expected."]
    layer = model.scene_layer(here)
    names = ("n", "k", "h", "dim", "seed", "window")
    whole, inside = (
        model.kept(here, f"regions {name}", names, lambda box=box: layer.regions(box))
        for name, box in (("whole", None), ("window", here.window))
    )
    rows.append((f"This layer: regions in the {where}", whole, "Linear regions, counted exactly."))
    rows.append(("This layer: regions in the window", inside, f"From -{here.window:g} to {here.window:g} per axis."))
    return rows, []


def promise_rows(seen: View) -> list[CountRow]:
    """What the binomial promises."""
    t, width = seen.table, seen.scene.k * seen.scene.h
    return [
        ("Routing multiplier C(N,k)", t["routing_multiplier"], "Choices of k experts out of N."),
        ("Dense network, equal active width", t["dense_baseline"], f"One layer of width kH = {width}."),
        ("Mixture of experts", t["moe_bound"], "The product of the two: a bound."),
    ]


def fact_rows(seen: View) -> list[CountRow]:
    """What a slice of dimension d keeps."""
    t = seen.table
    tighter = t["slice_bound"].value < t["moe_bound"].value
    limit = "No weights in general position exceed this in the slice. The smaller of this and the product is binding."
    return [
        (f"Any weights: regions, {'binding' if tighter else 'looser than the product'}", t["slice_bound"], limit),
        ("Random router: cells", t["expected_cells"], f"The slice law for a {kind(seen.affine)}."),
        ("Random layer: regions", t["region_law"], f"The region law for a {kind(seen.affine)}."),
        ("Left of the multiplier", t["region_ratio"], "Regions of the random layer over the dense network's."),
        *seen.own,
    ]


def kind(affine: bool) -> str:
    """What is assumed of a random router on this page: it is of the kind of the one on screen."""
    return "router with a bias" if affine else "router without a bias"


def fact_title(seen: View) -> str:
    """Heading of the facts."""
    return f"Fact in a slice of dimension {seen.d}, {kind(seen.affine)}"


def ambient_rows(seen: View) -> list[CountRow]:
    """The bounds in the whole input space, beside their effective form on data of dimension d."""
    t, d = seen.table, seen.d
    return [
        (f"Ambient bound, input dimension {seen.space:,}", t["ambient_moe_bound"], "The whole input space."),
        (f"Effective bound, data dimension {d}", t["moe_bound_effective"], "Flat data of that dimension."),
        (f"Dense width H, data dimension {d}", t["dense_collapse"], "What a dense layer of width H keeps there."),
        ("Effective ratio C(N,k) kᵈ", t["effective_ratio"], "The paper's ratio of mixture to dense width H."),
        ("Ratio of the two bounds", t["ratio_of_bounds"], "The same before the limit of large H."),
    ]


def ambient_text(seen: View) -> str:
    """What ambient and effective mean."""
    t, scene, d = seen.table, seen.scene, seen.d
    return (
        f"The paper writes its bound twice: with the dimension of the whole input space, here d<sub>in</sub> = "
        f"{seen.space:,}, and with that of the data in it, here d<sub>eff</sub> = {d}. A dense layer of width H falls "
        f"back to r(H, {d}) = <b>{t['dense_collapse']}</b> regions on such data; the mixture keeps its binomial in the "
        f"bound, so that their ratio grows like C(N,k) k<sup>d</sup> = <b>{t['effective_ratio']}</b>, d being "
        f"d<sub>eff</sub>. That is a ratio of bounds: at equal active width it is C(N,k) = "
        f"<b>{t['routing_multiplier']}×</b> alone, and random weights keep <b>{t['region_ratio']}×</b> on flat "
        f"data. Curved data of the same dimension can meet more: see Resilience. The order of growth "
        f"C(N,k) (kH)<sup>d</sup> holds in large dimensions only: as H grows, mixture over dense is at most "
        f"(N/k)<sup>d</sup> = {people((scene.n / scene.k) ** d, 4)} here."
    )


def sentence(seen: View) -> str:
    """The line of meaning under the first chart."""
    scene, t = seen.scene, seen.table
    full, gain = t["full_product_dimension"], t["region_ratio"]
    return (
        f"<b>{t['routing_multiplier']}×</b> is the promise of top-{scene.k} of {scene.n}. In a flat slice of dimension "
        f"{seen.d} a random layer, its {kind(seen.affine)}, keeps <b>{gain}×</b> of the dense network's regions; "
        f"half of the active sets are there from about d* = <b>{seen.star.value:.2f}</b> dimensions on, the whole "
        f"product from d = kH + N − 1 = <b>{full}</b>."
    )


def example_scene() -> dict[str, Any]:
    """What the paper's example changes in the scene."""
    N, k, H, d = EXAMPLE
    rest = {"pieces": BY_NAME["pieces"].default, "cell": "", "expert": -1}
    return {"router": "linear", "n": N, "k": k, "h": H, "slice": d} | rest


def at_example(scene: Scene) -> bool:
    """Whether the scene is the paper's example already."""
    return (*scene.subset("n", "k", "h", "slice"), scene.router) == (*EXAMPLE, "linear")


def example_hint() -> str:
    """The contrast of the paper's example in one line."""
    N, k, H, d = EXAMPLE
    t = capacity.table(N, k, H, d)
    return (
        f'<p class="tv-hint"><b style="color:var(--tv-orange)">{t["routing_multiplier"]}×</b> promised, '
        f'<b style="color:var(--tv-violet)">{t["region_ratio"].value:.2f}×</b> kept in a plane by random weights, '
        "no bias</p>"
    )


def example_table() -> str:
    """The shapes that the paper compares, promise beside what a plane keeps."""
    N, k, H, d = EXAMPLE
    dense = capacity.table(N, k, H, d)["dense_baseline"]
    shapes = [
        (N, k, H, "the paper's example"),
        (N, 1, k * H, "equal active width"),
        (N // k, 1, k * H, "equal total width too"),
    ]
    rows = ""
    for n, a, h, what in shapes:
        t = capacity.table(n, a, h, d)
        rows += (
            f"<tr><th scope=row>top-{a} of {n}, H = {h}<br><small>{what}</small></th>"
            f"<td><b>{t['routing_multiplier']}×</b></td><td><b>{t['region_ratio'].value:.2f}×</b></td><td>{t['region_law']}</td></tr>"
        )
    return (
        '<div class="tv-wide-table"><table class="tv-table"><thead><tr><th>Shape</th><th>Promised (bound)</th>'
        f"<th>Kept in a plane (expected)</th><th>Regions (expected; dense: {dense})</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def example_text() -> str:
    """The paper's example, told fairly, every number computed."""
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


def gain_key(seen: View, dark: bool) -> str:
    """What the lines of the first chart are."""
    names = ["this shape", "equal active width", "equal total width too"]
    items = "".join(
        f'<span><b style="color:{colour}">{curve.name}</b> {name}</span>'
        for curve, colour, name in zip(seen.curves, gain_colours(dark), names, strict=False)
    )
    return f'<p class="tv-hint tv-key">{items}<span>dashed: promised</span></p>'


def gain_chart(seen: View, dark: bool) -> dict[str, Any]:
    """Gain against dimension."""
    full = int(seen.table["full_product_dimension"])
    return gain_figure(seen.curves, min(seen.d, full), seen.star.value, full, dark)


def gain_alt(seen: View) -> str:
    """The first chart in words."""
    parts = [f"{c.name}: promised {10**c.log10_promise:.4g} times" for c in seen.curves]
    return (
        "Expected linear regions over those of the dense network, against the dimension of the slice. "
        f"{'; '.join(parts)}. At d = {seen.d} the first keeps {seen.table['region_ratio']}."
    )


def iso_points(scene: Scene, equal_total: bool) -> list[IsoPoint]:
    """Shapes of the same active width; of the same total width too."""
    shapes = capacity.iso_compute(scene.n, scene.k, scene.h, equal_total)
    shapes = [s for s in shapes if 1 < s.N <= 2 * scene.n]  # finer ones belong to the granularity chart
    while len(shapes) > MOST_SHAPES:  # keep the first, the scene's own, and every other one
        shapes = [s for i, s in enumerate(shapes) if i % 2 == 0 or s.k == scene.k]
    points, affine = [], model.scene_affine(scene)
    for s in shapes:
        gain = slice_law.expected_gain(s.N, s.k, s.H, scene.slice, affine)
        label = f"k = {s.k}<br>H = {s.H}" + (f"<br>N = {s.N}" if equal_total else "")
        name = f"top-{s.k} of {s.N}, H = {s.H}"
        points.append(IsoPoint(label, name, s.multiplier.log10, max(gain.log10, 0.0), s.k == scene.k))
    return points


def iso_charts(seen: View, dark: bool) -> list[tuple[str, str, dict[str, Any], str]]:
    """Key, title, figure and text alternative of the two iso-compute charts."""
    out = []
    names = ("n", "k", "h", "slice")
    sets = [
        model.kept(seen.scene, f"iso {total}", names, lambda total=total: iso_points(seen.scene, total))
        for total in (False, True)
    ]
    titles = (
        f"Equal active width kH = {seen.scene.k * seen.scene.h}, N = {seen.scene.n}",
        f"Equal total width too: NH = {seen.scene.n * seen.scene.h}",
    )
    for key, title, points in zip(("iso_active", "iso_total"), titles, sets, strict=True):
        alt = f"{title}. " + "; ".join(f"{p.name}: promised {10**p.log10_promise:.4g} times" for p in points)
        out.append((key, title, iso_figure(points, dark), alt))
    return out


def pieces(scene: Scene) -> tuple[int, list[int], str | None]:
    """The granularity shown, those that are possible, and a sentence if the scene asks for another one."""
    steps = [g.m for g in capacity.granularities(scene.n, scene.k, scene.h, scene.slice)]
    if scene.pieces in steps:
        return scene.pieces, steps, None
    shown = max(m for m in steps if m <= scene.pieces)
    if scene.pieces == BY_NAME["pieces"].default:
        return shown, steps, None
    choice = ", ".join(map(str, steps))
    wrong = f"m = {scene.pieces} does not cut H = {scene.h} evenly: m = {shown} is shown; choose among {choice}."
    return shown, steps, wrong


def grain_points(scene: Scene) -> list[GrainPoint]:
    """Every granularity, with what it promises and what the slice keeps."""
    out, affine = [], model.scene_affine(scene)
    for g in capacity.granularities(scene.n, scene.k, scene.h, scene.slice):
        kept = slice_law.expected_cells(g.shape.N, g.shape.k, scene.slice, affine).log10 / math.log10(2)
        label = f"m = {g.m}<br>{g.shape.N}, {g.shape.k}, {g.shape.H}"
        out.append(GrainPoint(g.m, label, g.shape.bits, max(0.0, kept), g.above_floor))
    while len(out) > MOST_SHAPES:
        out = [p for i, p in enumerate(out) if i % 2 == 0 or p.m == scene.pieces or p is out[-1]]
    return out


def granularity_chart(scene: Scene, m: int, dark: bool) -> dict[str, Any]:
    """Bits promised and kept, by granularity."""
    points = model.kept(scene, "grain", ("n", "k", "h", "slice", "pieces"), lambda: grain_points(scene))
    best = capacity.best_granularity(scene.n, scene.k, scene.h, scene.slice)
    return granularity_figure(points, m, best, dark)


def grain_alt(scene: Scene) -> str:
    """The granularity chart in words."""
    points = grain_points(scene)
    parts = "; ".join(f"m = {p.m}: {p.bits:.1f} bits promised, {p.kept_bits:.1f} kept" for p in points)
    return f"Capacity in bits by granularity. {parts}."


def grain_rows(scene: Scene, m: int) -> list[CountRow]:
    """What one granularity promises and keeps."""
    g = capacity.granularity(scene.n, scene.k, scene.h, m, scene.slice)
    s = g.shape
    best = capacity.best_granularity(scene.n, scene.k, scene.h, scene.slice)
    affine = model.scene_affine(scene)
    kept = slice_law.expected_cells(s.N, s.k, scene.slice, affine)
    bits = Count(s.bits, "exact", f"log2 C({s.N}, {s.k})")
    blind = Count(g.blind, "exact", "max(0, d - H/m)")
    finest = Count(best, "exact", "largest m with H/m whole and at least d")
    return [
        (f"Active sets C({s.N}, {s.k})", s.multiplier, "The multiplier of the finer layer, at the same compute."),
        ("In bits", bits, "Each bit doubles the number of active sets."),
        ("Growth over m = 1", g.growth, f"A polynomial in N of degree (m − 1)k = {g.degree}."),
        ("Cells kept in the slice", kept, f"Random {kind(affine)}, dimension {scene.slice}."),
        ("Resilience dimension d*", star(s.N, s.k, affine), "It grows with m: finer routing pays in more dimensions."),
        ("Blind directions of one expert", blind, "The floor: an expert of width H/m has at most that rank."),
        ("Best m under the bound", finest, "Finer than this, experts go blind in the slice."),
    ]


def grain_sentence(scene: Scene, m: int) -> str:
    """The line of meaning under the granularity chart."""
    g = capacity.granularity(scene.n, scene.k, scene.h, m, scene.slice)
    s, one = g.shape, capacity.granularity(scene.n, scene.k, scene.h, 1, scene.slice).shape
    text = (
        f"Cutting every expert into <b>{m}</b> keeps the compute and turns ({one.N}, {one.k}, {one.H}) into "
        f"<b>({s.N}, {s.k}, {s.H})</b>: {one.bits:.1f} bits of choice become <b>{s.bits:.1f}</b>."
    )
    if m > 1:
        text += (
            f" If k is held instead, the paper's trade is a gain of k log₂ m = {g.held_gain_bits:.1f} bits against a "
            f"width penalty of d log₂ m = {g.held_penalty_bits:.1f} bits, at a smaller compute."
        )
    if g.blind:
        text += f" But an expert of width {s.H} sees at most {s.H} of the slice's {scene.slice} directions."
    return text


def loadable(a: Architecture) -> bool:
    """Whether a page can show this many experts."""
    most = BY_NAME["n"].range({})[1]
    return most >= a.N


def shape_changes(name: str, scene: Scene) -> tuple[dict[str, Any], str]:
    """What loading a published shape changes in the scene, and a sentence about what it does not."""
    a = next(a for a in architectures() if a.name == name)
    biased = "bias" in a.choice
    own = scene.router in ("digits", "file")
    router = "affine" if biased else "linear" if own or scene.router == "affine" else scene.router
    most = int(BY_NAME["h"].range({"router": router})[1])
    changes = {"router": router, "n": a.N, "k": a.k, "cell": "", "expert": -1}
    if most >= a.H:
        return changes | {"h": a.H}, f"{name}: N = {a.N}, k = {a.k}, H = {a.H}."
    return changes, f"{name}: N = {a.N}, k = {a.k}. Its experts are {a.H:,} wide; H stays as it is, {most} is the most."


def differs(a: Architecture) -> str:
    """How a published router differs from plain top-k."""
    if a.groups < 2:
        return a.choice
    grouped = Count(capacity.grouped_choices(a.N, a.k, a.groups, a.kept), "exact", "")
    return f"{grouped} of the C(N,k). {a.choice}"


@st.cache_data(max_entries=2, show_spinner=False)
def model_rows() -> list[dict[str, Any]]:
    """The table of published shapes."""
    out = []
    for a in architectures():
        sets = capacity.table(a.N, a.k, 1, 1)["routing_multiplier"]
        out.append(
            {
                "Model": a.name,
                "Year": a.year,
                "N": a.N,
                "k": a.k,
                "Shared": a.shared,
                "H": a.H,
                "Hidden size": a.d,
                "C(N,k), exact": str(sets),
                "Bits, exact": math.log2(sets.value),
                "d*, without a bias": star(a.N, a.k).value,
                "How it differs from plain top-k": differs(a),
                "Source": a.source,
            }
        )
    return out


#: How the numbers of the table are written.
FORMATS = {"N": ",d", "H": ",d", "Hidden size": ",d", "Bits, exact": ".1f", "d*, without a bias": ".1f"}


def models_table() -> None:
    """The published shapes; every word of it can be read, also on a phone."""
    rows = model_rows()
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in rows[0])
    body = ""
    for row in rows:
        cells = [escape(format(value, FORMATS.get(name, ""))) for name, value in row.items()]
        texts = [isinstance(value, str) and name != "C(N,k), exact" for name, value in row.items()]
        kinds = [' class="tv-text"' if text else "" for text in texts]
        body += f"<tr><th scope=row>{cells[0]}</th>"
        body += "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells[1:], kinds[1:], strict=True)) + "</tr>"
    st.html(
        f'<div class="tv-wide-table" tabindex="0"><table class="tv-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
