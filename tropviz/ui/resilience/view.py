"""The Resilience page: from which dimension on the binomial is there, on flat slices and on curved data."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np

from tropviz import Count, MoELayer, Router, capacity, slice_law
from tropviz.core import manifold, presets, slices
from tropviz.core.manifold import cells_crossed, kept, regions_crossed
from tropviz.figures.resilience import CrossLine, ShareCurve, SharePoint, cross_figure, share_figure
from tropviz.io.architectures import architectures
from tropviz.ui.capacity import view as capacity_view
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import Scene, model

#: Fragments of the page; measuring comes last so that the law never waits for it.
FRAGMENTS = ("controls", "share", "numbers", "cross", "measure")
#: A router is counted in d dimensions while expected cells times d^2 stay below this (about a second here),
COUNTED = 30_000
#: a handful of random ones below this;
COUNTED_MANY = 5_000
#: random routers that are counted, and sets that are asked one by one where counting would take too long.
ROUTERS, SETS, SETS_WIDE = 8, 40, 24
#: Beyond the counted dimensions: where the law keeps these shares, and the width above which fewer sets are asked.
SAMPLED, WIDE = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95), 64
#: Published shapes that carry their name on the chart.
NAMED = ("Mixtral 8x7B", "DeepSeek-V3")
#: Input dimensions of the manifold experiment, points of a sample, experts up to which it runs unasked.
SPACES, POINTS, UNASKED = (2, 3, 4, 6, 8, 12, 16, 32, 64), 6_000, 64


@dataclass(eq=False)
class Measured:
    """What has been measured for one scene so far; filled step by step, so that a stopped run goes on where it was."""

    own: dict[int, Count] = field(default_factory=dict)
    random: dict[int, Count] = field(default_factory=dict)
    others: dict[int, tuple[ShareCurve, ...]] = field(default_factory=dict)
    flat: dict[int, tuple[Count, Count]] = field(default_factory=dict)
    curved: dict[int, tuple[Count, Count]] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One piece of measuring."""

    text: str
    store: dict[int, Any]
    at: int
    run: Callable[[], Any]


def most_dimension(scene: Scene) -> int:
    """Largest dimension in which there is a router like the scene's: N - 1 says all there is to say."""
    top = max(1, scene.n - 1)
    if scene.router == "polygon":
        return min(3, top)
    if scene.router in ("digits", "file"):
        return min(model.scene_source(scene).W.shape[1], top)
    return top


def own_router(scene: Scene, d: int) -> Router:
    """The scene's router in d dimensions: the same recipe, or a d-dimensional slice of weights with their own space."""
    if scene.router in ("digits", "file"):
        source = model.scene_source(scene)
        rows = source.W if source.X is None else source.X
        mean, basis = slices.principal_directions(rows, d)
        origin = np.zeros(source.W.shape[1]) if source.X is None else mean
        return slices.restrict(Router(source.W, source.b, scene.k), origin, basis)
    return Router(*presets.preset(scene.router, scene.n, d, scene.seed), k=scene.k)


def random_router(scene: Scene, d: int, number: int) -> Router:
    """Random router number 0, 1, ... of the law's kind, none of them the scene's own."""
    make = presets.random_affine if model.scene_affine(scene) else presets.random_linear
    return Router(*make(scene.n, d, scene.seed + 1 + number), k=scene.k)


def measured(scene: Scene) -> Measured:
    """The store of this scene."""
    names = ("n", "k", "h", "dim", "seed", "manifold", "manifold_dim", "degree")
    return model.kept(scene, "measured", names, Measured)


def effort(scene: Scene, d: int) -> float:
    """What counting every cell in d dimensions costs, in the unit of `COUNTED`."""
    return slice_law.expected_cells(scene.n, scene.k, d, model.scene_affine(scene)).value * d * d


def plan(scene: Scene) -> tuple[list[int], list[int]]:
    """Dimensions that are counted, and those that are sampled."""
    top = most_dimension(scene)
    low = 2 if scene.router == "polygon" else 1  # a polygon needs a plane
    counted = []
    for d in range(low, top + 1):
        if effort(scene, d) > COUNTED:
            break
        counted.append(d)
    first = counted[-1] + 1 if counted else low
    sampled = {slice_law.dimension_for(scene.n, scene.k, share) for share in SAMPLED}
    return counted, sorted(d for d in sampled if first <= d <= top)


def steps(scene: Scene, asked: bool = False) -> list[Step]:
    """What is still to be measured, quick things first."""
    return [step for step in every_step(scene, asked) if step.at not in step.store]


def total(scene: Scene, asked: bool = False) -> int:
    """How many steps there are in all."""
    return len(every_step(scene, asked))


def every_step(scene: Scene, asked: bool = False) -> list[Step]:
    """All that is measured for a scene."""
    store = measured(scene)
    counted, sampled = plan(scene)
    sets = SETS if scene.n <= WIDE else SETS_WIDE
    out = [] if published.cache_info().currsize else [Step("published shapes", store.others, 0, published)]
    out += [Step(f"this router in d = {d}", store.own, d, partial(counted_share, scene, d)) for d in counted]
    for d in [*counted, *sampled]:
        many = effort(scene, d) <= COUNTED_MANY
        ask = partial(random_share, scene, d, many, sets)
        out.append(Step(f"random routers in d = {d}", store.random, d, ask))
        if d in sampled:
            out.append(Step(f"this router in d = {d}", store.own, d, partial(own_share, scene, d, sets)))
    if asked or scene.n <= UNASKED:
        kind, d_eff, _ = shape(scene)
        for d in spaces(kind, d_eff):
            out.append(Step(f"flat data in {d} dimensions", store.flat, d, partial(crossed, scene, "flat", d_eff, d)))
            out.append(Step(f"curved data in {d} dimensions", store.curved, d, partial(crossed, scene, kind, d_eff, d)))
    return out


def counted_share(scene: Scene, d: int) -> Count:
    """Share of sets that the scene's router keeps, by counting."""
    return kept.counted_share(own_router(scene, d))


def own_share(scene: Scene, d: int, sets: int) -> Count:
    """Share of sets that the scene's router keeps, from random sets."""
    router = own_router(scene, d)
    return kept.sampled_share(lambda _: router, router.N, router.k, sets)


def random_share(scene: Scene, d: int, many: bool, sets: int) -> Count:
    """Mean share of random routers: counted, or one set from each of many routers."""
    if many:
        return kept.mean_share([random_router(scene, d, i) for i in range(ROUTERS)])
    return kept.sampled_share(lambda i: random_router(scene, d, i), scene.n, scene.k, sets, seed=1)


def shape(scene: Scene) -> tuple[str, int, str | None]:
    """Kind and dimension of the curved data, and a sentence where the scene asks for what there is not."""
    possible = manifold.KINDS[scene.manifold]
    if scene.manifold_dim in possible:
        return scene.manifold, scene.manifold_dim, None
    nearest = min(possible, key=lambda d: abs(d - scene.manifold_dim))
    return scene.manifold, nearest, f"A {scene.manifold} has dimension {nearest}: that is shown."


def spaces(kind: str, d_eff: int) -> list[int]:
    """Input dimensions in which both the flat and the curved data exist."""
    least = d_eff + (kind in ("circle", "sphere", "swiss roll"))
    return [d for d in SPACES if d >= max(2, least)]


def crossed(scene: Scene, kind: str, d_eff: int, d_in: int) -> tuple[Count, Count]:
    """Routing cells, and regions of the dense network of width kH, that data of a kind crosses."""
    data = manifold.manifold(kind, d_eff, d_in, degree=scene.degree, seed=scene.seed)
    make = presets.random_affine if model.scene_affine(scene) else presets.random_linear
    router = Router(*make(scene.n, d_in, scene.seed), k=scene.k)
    U, c = presets.random_experts(1, scene.k * scene.h, d_in, scene.seed)
    dense = MoELayer.dense(U[0], c[0])
    return cells_crossed(router, data, samples=POINTS), regions_crossed(dense, data, samples=POINTS)


def law_curve(N: int, k: int, name: str, affine: bool = False, label: bool = False) -> ShareCurve:
    """The slice law of a shape, up to where hardly anything is missing."""
    end = min(N - 1, slice_law.dimension_for(N, k, 0.9999) + 1) if N > 2 else 1
    shares = np.exp(slice_law.log_shares_up_to(N, k, end, affine))[1:]
    return ShareCurve(name, np.arange(1, end + 1, dtype=float), np.minimum(shares, 1.0), label)


@cache
def published() -> tuple[ShareCurve, ...]:
    """One thin line for every published shape, routers without a bias; models of the same shape share one."""
    names: dict[tuple[int, int], list[str]] = {}
    for a in architectures():
        names.setdefault((a.N, a.k), []).append(a.name)
    curves = []
    for (N, k), models in names.items():
        named = next((m for m in models if m in NAMED), None)
        text = named or f"{', '.join(models)}: N = {N}, k = {k}"
        curves.append(law_curve(N, k, text, label=named is not None))
    return tuple(curves)


def share_key(scene: Scene) -> str:
    """What the lines and points of the first chart are, as HTML."""
    biased = "with a bias" if model.scene_affine(scene) else "without a bias"
    items = (
        ("violet", "━", f"slice law, routers {biased}"),
        ("green", "●", "this router, counted"),
        ("green", "○", "this router, sampled with its 95 % interval"),
        ("blue", "▮", "random routers, 95 % interval"),
        ("muted", "─", "published models, without a bias (point at a dot for its name)"),
    )
    spans = "".join(f'<span><b style="color:var(--tv-{c})">{sign}</b> {text}</span>' for c, sign, text in items)
    return f'<p class="tv-hint tv-key">{spans}</p>'


def share_chart(scene: Scene, dark: bool) -> dict[str, Any]:
    """Share kept against dimension: law, measured points, published shapes."""
    affine = model.scene_affine(scene)
    law = law_curve(scene.n, scene.k, f"slice law, N = {scene.n}, k = {scene.k}", affine)
    store = measured(scene)
    own, random = (
        [SharePoint(d, values[d]) for d in sorted(values)] for values in (store.own.copy(), store.random.copy())
    )
    others = published() if published.cache_info().currsize else ()  # the law does not wait for them
    where = rise(scene)
    return share_figure(law, others, own, random, where.middle, where.width, dark)


@dataclass(frozen=True)
class Rise:
    """Where the share rises from 0 to 1: the middle d*, and twice the standard deviation."""

    middle: float
    width: float


def rise(scene: Scene) -> Rise:
    """The rise of the law for the kind of router on screen."""
    affine = model.scene_affine(scene)
    star = slice_law.resilience_dimension(scene.n, scene.k, affine)
    return Rise(star, 2 * slice_law.resilience_spread(scene.n, scene.k))


def share_alt(scene: Scene) -> str:
    """The first chart in words."""
    where = rise(scene)
    return (
        f"Expected share of the {math.comb(scene.n, scene.k):,} active sets that a random router keeps, against the "
        f"dimension of a flat slice: it rises from 0 to 1 around d* = {where.middle:.2f}, within "
        f"{where.width:.1f} to each side. Points: this router and random routers. Thin lines: published shapes."
    )


def number_rows(scene: Scene) -> list[CountRow]:
    """The law in numbers, and this router beside it."""
    N, k, affine = scene.n, scene.k, model.scene_affine(scene)
    width = Count(rise(scene).width, "expected", "two standard deviations of the codimension law")
    star, middle = capacity_view.star(N, k, affine), rise(scene).middle
    rows: list[CountRow] = [
        ("Active sets C(N,k)", Count(math.comb(N, k), "exact", f"C({N}, {k})"), "The promise."),
        ("Resilience dimension d*", star, "About half of the sets are there from here on."),
        ("Width of the rise (±)", width, "Around d*."),
    ]
    for share in (0.5, 0.99):
        d = slice_law.dimension_for(N, k, share, affine)
        count = Count(d, "expected", "slice law for the router's kind")
        label = f"{share:.0%} kept from whole d ="
        rows.append((label, count, whole_dimension(scene, d) + (f" d* = {middle:.2f} itself is a mean." if d else "")))
    for d in (2, 3):
        if d < N - 1:
            cells = slice_law.expected_cells(N, k, d, affine)
            rows.append((f"Random router: cells, d = {d}", cells, "The law for the kind of router on screen."))
        own = measured(scene).own.get(d)
        if own is not None and own.interval is None:
            count = Count(round(own.value * math.comb(N, k)), own.kind, own.method)
            rows.append((f"This router: cells, d = {d}", count, "Counted."))
    return rows


def whole_dimension(scene: Scene, d: int) -> str:
    """What the law keeps in a whole dimension and in the one below, which is why it is that one."""
    affine = model.scene_affine(scene)
    shares = {at: slice_law.share_kept(scene.n, scene.k, at, affine) for at in (d - 1, d) if at >= 0}
    parts = [f"{100 * share:.1f} % in d = {at}" for at, share in shares.items()]
    return f"A slice has a whole dimension: the law keeps {' and '.join(parts)}."


def sentence(scene: Scene) -> str:
    """The line of meaning under the first chart."""
    where, biased = rise(scene), model.scene_affine(scene)
    half = slice_law.dimension_for(scene.n, scene.k, 0.5, biased)
    kept_in_plane = Count(100 * slice_law.share_kept(scene.n, scene.k, 2, biased), "expected", "")
    return (
        f"A random router of {scene.n} experts, {scene.k} active, keeps <b>{kept_in_plane} %</b> of its "
        f"{math.comb(scene.n, scene.k):,} active sets in a plane and half of them from about "
        f"<b>d* = {where.middle:.2f}</b> dimensions on, which makes {half} whole ones; the rise takes about "
        f"{2 * where.width:.0f}. Below it the binomial is mostly a promise, above it it is there."
        + (" The bias is counted: it is worth half a dimension." if biased else "")
    )


def cross_lines(scene: Scene, dense: bool) -> list[CrossLine]:
    """Flat and curved data, and the law or bound beside them, for one of the two charts."""
    store, which = measured(scene), int(dense)
    kind, d_eff, _ = shape(scene)
    title = {"flat": f"flat, dimension {d_eff}", "curved": f"{kind}, dimension {d_eff}"}
    lines = []
    for role, values in (("flat", store.flat.copy()), ("curved", store.curved.copy())):
        at = sorted(values)
        if at:
            lines.append(CrossLine(title[role], role, at, [values[d][which] for d in at]))
    if not lines:
        return []
    ends = [lines[0].dimensions[0], lines[0].dimensions[-1]]
    if dense:
        width = scene.k * scene.h
        bound = Count(capacity.hyperplane_regions(width, d_eff), "exact", f"r({width}, {d_eff})")
        lines.append(CrossLine("the most a flat slice has, r(kH, d)", "promise", ends, [bound, bound]))
    else:
        law = slice_law.expected_cells(scene.n, scene.k, d_eff, model.scene_affine(scene))
        every = Count(math.comb(scene.n, scene.k), "exact", f"C({scene.n}, {scene.k})")
        lines.append(CrossLine("slice law, flat", "law", ends, [law, law]))
        lines.append(CrossLine("all C(N,k)", "promise", ends, [every, every]))
    return lines


def cross_key(scene: Scene, dense: bool) -> str:
    """What the lines of a chart are, and where they end, as HTML."""
    colours = {"flat": "muted", "curved": "green", "law": "violet", "promise": "orange"}
    signs = {"flat": "●", "curved": "○", "law": "╌", "promise": "╌"}
    items = []
    for one in cross_lines(scene, dense):
        last = one.counts[-1]
        value = str(Count(last.value, last.kind, ""))
        sign = "●" if one.role == "curved" and last.kind != "sampled" else signs[one.role]
        items.append(f'<b style="color:var(--tv-{colours[one.role]})">{sign} {one.name}</b> {value}')
    title = f"Linear regions of the dense network, width {scene.k * scene.h}" if dense else "Routing cells"
    return f'<p class="tv-title">{title}</p><p class="tv-hint">{" &nbsp; ".join(items)}</p>'


def cross_chart(scene: Scene, dense: bool, dark: bool) -> dict[str, Any] | None:
    """One of the two charts of the manifold experiment; None while nothing is measured."""
    lines = cross_lines(scene, dense)
    title = "linear regions of the dense network crossed" if dense else "routing cells crossed"
    return cross_figure(lines, title, dark) if lines else None


def cross_alt(scene: Scene, dense: bool) -> str:
    """One of those charts in words."""
    lines = cross_lines(scene, dense)
    what = "linear regions of a dense network" if dense else "routing cells"
    parts = [f"{one.name}: {one.counts[0]} to {one.counts[-1]}" for one in lines]
    return f"Number of {what} that data crosses, as the dimension of the space around it grows. {'; '.join(parts)}."


def cross_sentence(scene: Scene) -> str:
    """The line of meaning under the manifold charts."""
    store = measured(scene)
    kind, d_eff, _ = shape(scene)
    if not store.curved or not store.flat:
        return ""
    d = max(store.curved)
    cells, dense = store.curved[d]
    flat_cells, flat_dense = store.flat.get(d, next(iter(store.flat.values())))
    return (
        f"In {d} dimensions the curved data ({kind}, dimension {d_eff}) crosses <b>{cells}</b> routing cells, a flat "
        f"slice of the same dimension <b>{flat_cells}</b>; in the dense network of width kH = {scene.k * scene.h} it "
        f"is {dense} regions against {flat_dense}. Flat data stays what the slice law says, however large the space; "
        "curved data is not bound by it, because it leaves every flat slice of its own dimension."
    )


PARAGRAPHS = (
    (
        "What the paper claims",
        "Routing multiplies the number of linear regions by C(N,k), and this survives when the data lies on a manifold "
        "of low dimension d: the mixture keeps its binomial while a dense layer falls back to O(H<sup>d</sup>). The "
        "paper calls it combinatorial resilience. Its argument is transversality: two shapes in general position cross "
        "cleanly, so a manifold that meets a cell meets it in the right dimension.",
    ),
    (
        "What is proved",
        "The mean over random routers is known exactly for a flat slice: the slice law. It comes from the conic "
        "kinematic formula, which says how often a randomly turned cone meets a flat. It rises from 0 to 1 around d*, "
        "and from d = N − 1 on all C(N,k) sets exist for all weights in general position. In few dimensions no weights "
        "reach that: cells of all k together number at most a polynomial in N of degree d (d + 1 with a bias). "
        "Transversality does not contradict it: it says how a manifold meets a cell, not whether it does.",
    ),
    (
        "What is measured here",
        "Green points are the router on screen: full ones count every cell, open ones ask random sets, one linear "
        "program each. Blue bars are random routers of its kind. The experiment below lays flat and curved data of one "
        "dimension into ever larger spaces: exact along curves and on flat slices, else a lower bound from a "
        "sample and from how many sets it met only once or twice (Chao1, a lower bound in expectation).",
    ),
)
