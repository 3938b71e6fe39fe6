"""The Hypersimplex page in words: what each view shows, and why they are one thing."""

from __future__ import annotations

import re
from html import escape

import numpy as np

from tropviz.core.count import people
from tropviz.core.hypersimplex import monomial
from tropviz.core.hypersimplex.shadow import sums
from tropviz.core.hypersimplex.softening import most_added
from tropviz.figures.plane import set_text
from tropviz.figures.tropical import MOST_FACETS
from tropviz.ui.hypersimplex.pictures import colours_of
from tropviz.ui.hypersimplex.views import Views


def lead(view: Views) -> str:
    """The line of meaning over the pictures."""
    few = "one expert" if view.k == 1 else f"{view.k} experts"
    return (
        f"A choice of {few} is a <b>vertex</b>. The inputs that make this choice are its <b>{cone_word(view)}</b>. "
        "Its score there is a <b>flat piece</b> of a graph. Touch one, and the other two light up: they are one thing."
    )


def warm(view: Views) -> str:
    """What the temperature does, as HTML; empty at 0."""
    if view.soft is None:
        return ""
    most, here = most_added(view.N, view.k, view.soft.tau), float(view.soft.added[view.start])
    where = (
        "" if view.diagram is None else " A Schlegel diagram keeps no straight lines, so the point is not drawn in it."
    )
    bent = "" if view.drawing is None else " Here the graph stays sharp: choose the shadow to see it bend."
    return (
        f"At temperature <b>τ = {view.soft.tau:g}</b> every choice counts a little. Softening adds {here:.3g} where x "
        f"begins its turn, and nowhere more than τ ln C(N,k) = <b>{most:.3g}</b>. The diamond is the gradient, a point "
        f"inside the polytope; the dots are its way from the middle to the best corner as τ falls.{where}{bent}"
    )


def cone_word(view: Views) -> str:
    """A cell through the origin is a cone."""
    return "cone" if view.fan.router.central else "cell"


def titles(view: Views, dark: bool) -> tuple[str, str, str]:
    """The heading of each view, as HTML: what is lit, and of what."""
    N, k = view.N, view.k
    colour = colours_of(view, [view.chosen], dark)[0]
    name = set_text(view.chosen)
    if view.diagram is not None:
        of = f"of Δ({k},{N}) in dimension 4, seen through one of its facets"
    elif view.whole:
        of = f"of the polytope Δ({k},{N})"
    elif view.biased:
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

    def title(word: str, text: str) -> str:
        lit = f'<p class="tv-title" data-lit="{escape(name)}"><i style="background:{colour}"></i>'
        return f'{lit}{word} {escape(name)}</p><p class="tv-hint">{text}</p>'

    return title("Vertex", of), title(cone_word(view).capitalize(), fan), title("Flat piece", graph)


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
        y = np.zeros(view.N, dtype=int)
        y[list(S)] = 1
        hint = f" Schlegel diagram, framed by {view.diagram.facet}." if view.diagram is not None else ""
        return f"y = ({', '.join(map(str, y))}): a 1 for every active expert.{hint}"
    router = view.router
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
    if shown < total:
        return f" Grey: {shown:,} of {people(total)} other sums."
    return " Grey: the one other sum." if total == 1 else f" Grey: all {total:,} other sums."


def _cell(view: Views) -> str:
    row = view.row(view.fan.active_sets)
    if row is None:
        return "None: this choice is never the best one here. Its cone misses the slice."
    walls = int((np.asarray(view.fan.neighbours) == row).any(axis=1).sum())
    size = "bounded" if bool(view.fan.bounded[row]) else "reaches to infinity"
    inputs = "scores s" if view.whole and view.diagram is None else "inputs x"
    wins = "scores best" if view.biased else "reaches furthest"
    away = " The dotted circle passes it by." if view.turns and not view.meets else ""
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
    if len(view.roof.ids) > MOST_FACETS:
        seen += f" The {MOST_FACETS:,} largest of {len(view.roof.ids):,} pieces are drawn."
    corner = "the vertex" if view.level is None else "the vertex's x and y"
    link = f"its slope is {corner}" if not view.whole else f"the monomial {monomial(view.chosen)}"
    return f"Height {height}: {link}.{seen}"


def why(view: Views) -> str:
    """Why a vertex lights a cone, in three steps, as HTML."""
    k = view.k
    plus = " + its biases" if view.biased else ""
    add = "An expert's weights are a point." if k == 1 else "Add up the weights of the chosen experts: a point."
    if view.whole:
        steps = [
            f"Write 1 for each active expert, 0 for the others: a point y. All {view.shape.vertex_count} are "
            f"corners of Δ({k},{view.N}).",
            "At scores s a choice earns y · s: how far its corner reaches along s. The router takes the furthest.",
            "All s for which the same corner reaches furthest form its cone. Over it the best score is y · s: a "
            "flat piece of the graph.",
        ]
    else:
        corners = (
            "All of them are corners."
            if not view.shadow.inner_count.value
            else "Its biases lift it. Seen from above some are corners, even inside the outline; the grey lie below."
            if view.biased
            else "Some are corners; the grey ones fell inside."
        )
        far = (
            "how far its point lies along x, plus how high it is lifted. The router takes the best, always a corner "
            "seen from above."
            if view.biased
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
