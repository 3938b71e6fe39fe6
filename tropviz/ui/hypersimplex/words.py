"""The Hypersimplex page in words and numbers: what each view shows, why they are one thing, and the live check."""

from __future__ import annotations

import math
import re
from html import escape

import numpy as np

from tropviz import Count
from tropviz.core.count import people
from tropviz.core.hypersimplex import monomial
from tropviz.core.hypersimplex.monomials import Agreement, check_argmax
from tropviz.core.hypersimplex.shadow import sums
from tropviz.core.wilson import wilson_of
from tropviz.figures.plane import set_text
from tropviz.ui.counts import CountRow
from tropviz.ui.hypersimplex.view import Views, colours_of, meets
from tropviz.ui.scene import model

#: Points of the live check.
TESTED = 1000
#: Walls, faces and generators written out before the rest is counted.
WRITTEN = 8


def lead(view: Views) -> str:
    """The line of meaning over the pictures."""
    few = "one expert" if view.scene.k == 1 else f"{view.scene.k} experts"
    return (
        f"A choice of {few} is a <b>vertex</b>. The inputs that make this choice are its <b>{cone_word(view)}</b>. "
        "Its score there is a <b>flat piece</b> of a graph. Touch one, and the other two light up: they are one thing."
    )


def cone_word(view: Views) -> str:
    """A cell through the origin is a cone."""
    return "cone" if view.fan.router.central else "cell"


def titles(view: Views, dark: bool) -> tuple[str, str, str]:
    """The heading of each view, as HTML: what is lit, and of what."""
    N, k = view.scene.n, view.scene.k
    colour = colours_of(view, [view.chosen], dark)[0]
    name = set_text(view.chosen)
    if view.diagram is not None:
        of = f"of Δ({k},{N}) in dimension 4, seen through one of its facets"
    elif view.whole:
        of = f"of the polytope Δ({k},{N})"
    elif biased(view):
        of = f"of the router's shadow of Δ({k},{N}), lifted by its biases"
    else:
        of = f"of the shadow of Δ({k},{N}) that the router casts"
    whole_fan = view.whole and view.diagram is None
    fan = f"of the normal fan of Δ({k},{N})" if whole_fan else "of the router's fan, a slice of the normal fan"
    if view.sphere and view.fan.router.central:
        fan = fan.replace("of the router's fan, a slice of the normal fan", "of the router's fan") + " on a sphere"
    over = "" if view.ground is view.fan else " over the router's plane"
    if view.level is not None:
        over = f" over the router's section z = {view.level:.2g}".replace("-", "−")
    graph = f"of the graph of e<sub>{k}</sub>" + (over or ", the tropical polynomial")
    return tuple(
        f'<p class="tv-title" data-lit="{escape(name)}"><i style="background:{colour}"></i>{word} {escape(name)}</p>'
        f'<p class="tv-hint">{text}</p>'
        for word, text in (("Vertex", of), (cone_word(view).capitalize(), fan), ("Flat piece", graph))
    )  # type: ignore[return-value]


def biased(view: Views) -> bool:
    """Whether biases lift the points: then a corner is one seen from above, inside the outline as well."""
    return not model.scene_router(view.scene).central and not view.whole


def plain(title: str) -> str:
    """A title without its markup.

    >>> plain('<p class="tv-title"><i style="x"></i>Vertex {0}</p><p class="tv-hint">of e<sub>1</sub></p>')
    'Vertex {0} of e1.'
    """
    return re.sub("<[^>]*>", "", title.replace("</p><p", "</p> <p")) + "."


def captions(view: Views) -> tuple[str, str, str]:
    """What is to be said under each view about the chosen set, as HTML."""
    return _vertex(view), _cell(view), _piece(view)


def _vertex(view: Views) -> str:
    S = view.chosen
    if view.whole:
        y = np.zeros(view.scene.n, dtype=int)
        y[list(S)] = 1
        hint = f" Schlegel diagram, framed by {view.diagram.facet}." if view.diagram is not None else ""
        return f"y = ({', '.join(map(str, y))}): a 1 for every active expert.{hint}"
    router = model.scene_router(view.scene)
    p, lift = (v[0] for v in sums(router, np.array([S])))
    names = " + ".join(f"w<sub>{i}</sub>" for i in S[:4]) + (" + …" if len(S) > 4 else "")
    point = f"p = {names} = ({', '.join(f'{v:.3g}' for v in p)})".replace("-", "−")
    row = view.row(view.sets)
    if row is None:
        return f"{point}. " + (
            "Inside: it never reaches furthest." if router.central else "Below the others: its score is never the best."
        )
    if router.central:
        return f"{point}, the sum of its experts' weights.{_grey(view)}"
    inside = "" if row in view.shadow.outer else " Inside the outline, yet a corner: seen from above it is on top."
    height = f"{lift:.3g}".replace("-", "−")
    return f"{point}, lifted by its biases to height {height}.{inside}{_grey(view)}"


def _grey(view: Views) -> str:
    """How many of the other sums are drawn."""
    shown, total = len(view.shadow.inner), int(view.shadow.inner_count)
    if not total:
        return ""
    return f" Grey: all {total:,} other sums." if shown == total else f" Grey: {shown:,} of {people(total)} other sums."


def _cell(view: Views) -> str:
    row = view.row(view.fan.active_sets)
    if row is None:
        return "None: this choice is never the best one here. Its cone misses the slice."
    walls = int((np.asarray(view.fan.neighbours) == row).any(axis=1).sum())
    size = "bounded" if bool(view.fan.bounded[row]) else "reaches to infinity"
    inputs = "scores s" if view.whole and view.diagram is None else "inputs x"
    wins = "scores best" if biased(view) else "reaches furthest"
    away = " The dotted circle passes it by." if view.turns and not meets(view) else ""
    return f"All {inputs} for which this vertex {wins}: {walls} wall{'s' * (walls != 1)}, {size}.{away}"


def _piece(view: Views) -> str:
    row = view.row(view.ground.active_sets)
    if row is None:
        return "None: it never attains the maximum in this plane."
    slope, lift = (v[0] for v in sums(view.ground.router, np.array([view.chosen])))
    terms = [f"{value:+.3g} {axis}" for value, axis in zip(slope, "xy", strict=True)]
    terms += [f"{lift:+.3g}"] if lift else []
    height = " ".join(terms).lstrip("+").replace("-", "−")
    seen = "" if row in view.roof.ids else " It lies outside the window."
    corner = "the vertex" if view.level is None else "the vertex's x and y"
    link = f"its slope is {corner}" if not view.whole else f"the monomial {monomial(view.chosen)}"
    return f"Height {height}: {link}.{seen}"


def why(view: Views) -> str:
    """Why a vertex lights a cone, in three steps, as HTML."""
    k = view.scene.k
    plus = " + its biases" if biased(view) else ""
    add = "An expert's weights are a point." if k == 1 else "Add up the weights of the chosen experts: a point."
    if view.whole:
        steps = [
            f"Write 1 for each active expert, 0 for the others: a point y. All {view.shape.vertex_count} are "
            f"corners of Δ({k},{view.scene.n}).",
            "At scores s a choice earns y · s: how far its corner reaches along s. The router takes the furthest.",
            "All s for which the same corner reaches furthest form its cone. Over it the best score is y · s: a "
            "flat piece of the graph.",
        ]
    else:
        corners = (
            "All of them are corners."
            if not view.shadow.inner_count.value
            else "Its biases lift it. Seen from above some are corners, even inside the outline; the grey lie below."
            if biased(view)
            else "Some are corners; the grey ones fell inside."
        )
        far = (
            "how far its point lies along x, plus how high it is lifted. The router takes the best, always a corner "
            "seen from above."
            if biased(view)
            else "how far its point p reaches along x. The router takes the furthest, always a corner."
        )
        steps = [
            f"{add} {corners}",
            f"At input x a choice scores p · x{plus}: {far}",
            f"All x for which the same corner wins form its {cone_word(view)}. Over it the best score is p · x{plus}: "
            "a flat piece of the graph, and its slope is the corner.",
        ]
    text = "<br>".join(f"<b>{number}.</b> {step}" for number, step in enumerate(steps, 1))
    return (
        f'<p class="tv-counts-title">Why does touching a vertex light a {cone_word(view)}?</p>'
        f'<p class="tv-meaning">{text}{_play(view)}</p>'
    )


def _play(view: Views) -> str:
    """What the play button shows."""
    if not view.turns:
        return ""
    text = "<br><b>▶</b> turns x on the dotted circle; the winning corner goes with it. Stop anywhere to choose it."
    if not view.solid:
        text += " The ring keeps the record."
        if view.fan.router.central:
            text += " The dashed line moves out along x until only the winner is left."
    return text


def counts(view: Views) -> list[CountRow]:
    """The polytope's numbers, promise beside fact."""
    shape, N, k = view.shape, view.scene.n, view.scene.k
    slice_count = model.scene_fan(view.scene).count
    edges = "C(N,k) k (N-k) / 2"
    return [
        ("Vertices of the polytope = cones", Count(shape.vertex_count, "exact", f"C({N},{k})"), "The promise."),
        ("Kept by this router", slice_count, "Cells of its fan = vertices of its shadow."),
        ("Sums that fell inside", view.shadow.inner_count, "Choices that never win here.")
        if view.diagram is None and not view.whole
        else ("Edges", Count(shape.edge_count, "exact", edges), "Pairs of choices that swap one expert."),
        ("Facets of the polytope", Count(shape.facet_count, "exact", "2N for 2 ≤ k ≤ N−2, else N"), _facet_kinds(view)),
        (
            "Normalised volume",
            Count(shape.normalised_volume, "exact", f"Eulerian number A({N - 1},{k - 1})"),
            "In units of the smallest lattice simplex.",
        ),
    ]


def _facet_kinds(view: Views) -> str:
    first = {f.value: f for f in reversed(list(view.shape.facets()))}
    return " ".join(f"y_i = {v}: {view.scene.n} times Δ({f.k},{f.N})." for v, f in sorted(first.items()))


def f_vector(view: Views) -> str:
    """The f-vector as text, its middle left out where it is long."""
    f = view.shape.f_vector
    if len(f) <= WRITTEN + 2:
        return "(" + ", ".join(people(n) for n in f) + ")"
    return f"({', '.join(people(n) for n in f[:3])}, …, {', '.join(people(n) for n in f[-2:])}), {len(f)} entries"


def cone(view: Views) -> str:
    """The chosen cone in score space and its walls, as HTML."""
    S, N, k = view.chosen, view.scene.n, view.scene.k
    pairs = [f"s<sub>{i}</sub> ≥ s<sub>{j}</sub>" for i, j in view.shape.wall_pairs(S)]
    walls = ", ".join(pairs[:WRITTEN]) + (f", … {len(pairs):,} in all" if len(pairs) > WRITTEN else "")
    ups = [] if k == 1 else [f"e<sub>{i}</sub>" for i in S]
    downs = [] if 1 < k == N - 1 else [f"−e<sub>{j}</sub>" for j in range(N) if j not in S]
    rays = ups + downs
    span = ", ".join(rays[:WRITTEN]) + (f", … {len(rays)} in all" if len(rays) > WRITTEN else "")
    items = [
        (f"Walls, k(N−k) = {len(pairs):,}", walls or "none"),
        (f"Generators, {len(rays)}", f"{span} and ±(1, …, 1)"),
        ("Walls met here", _met(view)),
    ]
    rows = _facts(items)
    title = f"The cone of {escape(set_text(S))} in score space"
    return f'<p class="tv-counts-title">{title}</p><dl class="tv-facts">{rows}</dl>'


def polynomial(view: Views) -> str:
    """The f-vector and the tropical polynomial, as HTML."""
    k = view.scene.k
    return (
        '<dl class="tv-facts">'
        + _facts(
            [
                ("f-vector", f_vector(view)),
                ("Polynomial", f"e<sub>{k}</sub> = {escape(view.shape.polynomial(5))}"),
            ]
        )
        + "</dl>"
    )


def _facts(items: list[tuple[str, str]]) -> str:
    return "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in items)


def _met(view: Views) -> str:
    """The walls of the chosen cell in the fan shown: which score overtakes which."""
    row = view.row(view.fan.active_sets)
    if row is None:
        return "none: the slice misses this cone"
    pairs = np.asarray(view.fan.neighbours)
    near = pairs[(pairs == row).any(axis=1)].sum(axis=1) - row
    here = set(view.chosen)
    out = []
    for other in near.tolist():
        there = set(view.fan.active_sets[other].tolist())
        gone, came = sorted(here - there), sorted(there - here)
        out.append(", ".join(f"s<sub>{i}</sub> = s<sub>{j}</sub>" for i, j in zip(gone, came, strict=True)))
    return "; ".join(out[:WRITTEN]) + (f"; … {len(out)} in all" if len(out) > WRITTEN else "") or "none"


def checked(view: Views, seed: int) -> Agreement:
    """The live check: at random points of the window, is the arg max of the monomials the top-k set?"""
    router = model.scene_router(view.scene)

    def make() -> Agreement:
        rng = np.random.default_rng((view.scene.seed, seed))
        points = view.scene.window * rng.uniform(-1, 1, size=(TESTED, router.d))
        return check_argmax(router, points, model.scene_fan(view.scene).active_sets)

    return model.kept(view.scene, f"check {seed}", ("n", "k", "dim", "seed", "window"), make)


def check_row(found: Agreement) -> tuple[str, Count, str, str]:
    """The check as a count: a sample, whatever it finds."""
    share = found.agreed / found.tested
    how = (
        f"all {found.total:,} monomials evaluated at every point"
        if found.complete
        else f"{found.monomials:,} of {people(found.total)} monomials evaluated at every point, all cells' among them"
    )
    ties = f"{found.ties} ties within rounding counted as agreed" if found.ties else ""
    return (
        f"Largest monomial = top-k set: agreed at {found.agreed:,} of {found.tested:,} random points",
        Count(share, "sampled", how, ties, wilson_of(share, found.tested)),
        "Routing is the question which monomial of e_k attains the maximum.",
        "share",
    )


def verdict(found: Agreement) -> str:
    """The check in a sentence."""
    some = f"all {found.total:,}" if found.complete else f"{found.monomials:,} of {people(found.total)}"
    return (
        f"agreed / tested: <b>{found.agreed:,} / {found.tested:,}</b> ({some} monomials evaluated one by one at each "
        "random point of the window)"
    )


def grassmannian(view: Views) -> str:
    """The aside, as Markdown."""
    N, k = view.scene.n, view.scene.k
    octahedra = math.comb(N, 4) * math.comb(N - 4, k - 2) if 2 <= k <= N - 2 else 0
    name = "".join(map(str, view.chosen)) if N <= 10 else ",".join(map(str, view.chosen))
    text = (
        f"The vertices of Δ({k},{N}) have a second life: they index the **Plücker coordinates** of a {k}-dimensional "
        f"subspace of {N}-space. The vertex chosen above is the coordinate $p_{{{name}}}$, the minor of a "
        f"{k} × {N} matrix on the columns {', '.join(map(str, view.chosen))}. "
    )
    if not octahedra:
        return text + "For this k every choice of coordinates is allowed, so tropically there is nothing to obey."
    return text + (
        f"Every octahedron among the faces ({people(octahedra)} here) carries one three-term relation, such as "
        "$p_{01}\\,p_{23} - p_{02}\\,p_{13} + p_{03}\\,p_{12} = 0$ for k = 2. Tropically: of the three sums "
        "$p_{01}+p_{23}$, $p_{02}+p_{13}$, $p_{03}+p_{12}$ the largest occurs twice. Heights on the vertices that come "
        "from a subspace obey this on every octahedron; they form the **tropical Grassmannian** and cut Δ(k,N) into "
        "matroid polytopes (for k = 2: the trees with N leaves). A router's heights, sums of its k scores, are its "
        "simplest points: they cut nothing. (Speyer and Sturmfels, 2004.)"
    )
