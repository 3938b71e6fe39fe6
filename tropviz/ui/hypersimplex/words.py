"""The Hypersimplex page in words: what each view shows, and why they are one thing."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import numpy as np

from tropviz import Router
from tropviz.core.hypersimplex import monomial
from tropviz.core.hypersimplex.shadow import sums
from tropviz.core.hypersimplex.softening import most_added
from tropviz.figures.plane import set_text
from tropviz.figures.tropical import MOST_FACETS
from tropviz.language import numeral, people, plural, say
from tropviz.ui.counts import headed
from tropviz.ui.hypersimplex.pictures import colours_of
from tropviz.ui.hypersimplex.views import Views


def lead(view: Views) -> str:
    """The line of meaning over the pictures."""
    few = say("one expert") if view.k == 1 else say("{k} experts", k=view.k)
    return say(
        "A choice of {few} is a <b>vertex</b>. The inputs that make this choice are its "
        "<b>{cone_word}</b>. Its score there is a <b>flat piece</b> of a graph. Touch one, and "
        "the other two light up: they are one thing.",
        few=few,
        cone_word=cone_word(view),
    )


def warm(view: Views) -> str:
    """What the temperature does, as HTML; empty at 0."""
    if view.soft is None:
        return ""
    most, here = most_added(view.N, view.k, view.soft.tau), float(view.soft.added[view.start])
    cones = "" if isinstance(view.cells, tuple) else say(" In space the cells keep their sharp colours.")
    bent = "" if view.drawing is None else say(" Here the graph stays sharp: choose the shadow to see it bend.")
    return say(
        "At temperature <b>τ = {tau:g}</b> every choice counts a little. Softening adds "
        "{here:.3g} where x begins its turn, and nowhere more than τ ln C(N,k) = "
        "<b>{most:.3g}</b>. The diamond is the gradient, a point inside the polytope; the dots "
        "are its way from the middle to the best corner as τ falls.{cones}{bent}",
        tau=view.soft.tau,
        here=here,
        most=most,
        cones=cones,
        bent=bent,
    )


def cone_word(view: Views) -> str:
    """A cell through the origin is a cone."""
    return say("cone") if view.fan.router.central else say("cell")


def titles(view: Views, dark: bool) -> tuple[str, str, str]:
    """The heading of each view, as HTML: what is lit, and of what."""
    N, k = view.N, view.k
    colour = colours_of(view, [view.chosen], dark)[0]
    name = set_text(view.chosen)
    if view.diagram is not None:
        of = say("of Δ({k},{n}) in dimension 4, seen through one of its facets", k=k, n=N)
    elif view.whole:
        of = say("of the polytope Δ({k},{n})", k=k, n=N)
    elif view.biased:
        of = say("of the router's shadow of Δ({k},{n}), lifted by its biases", k=k, n=N)
    else:
        of = say("of the shadow of Δ({k},{n}) that the router casts", k=k, n=N)
    whole_fan = view.whole and view.diagram is None
    fan = (
        say("of the normal fan of Δ({k},{n})", k=k, n=N)
        if whole_fan
        else say("of the router's fan, a slice of the normal fan")
    )
    if view.sphere and view.fan.router.central:
        fan = fan.replace(say("of the router's fan, a slice of the normal fan"), say("of the router's fan")) + say(
            " on a sphere"
        )
    over = "" if view.ground is view.fan else say(" over the router's plane")
    if view.level is not None:
        over = say(" over the router's section z = {level:.2g}", level=view.level).replace("-", "−")
    graph = say("of the graph of e<sub>{k}</sub>", k=k) + (over or say(", the tropical polynomial"))

    cell = say("Cone") if view.fan.router.central else say("Cell")

    def title(word: str, text: str) -> str:
        lit = f'<p class="tv-title" data-lit="{escape(name)}"><i style="background:{colour}"></i>'
        return headed(f'{lit}{word} {escape(name)}</p><p class="tv-hint">{text}</p>')

    return (
        title(say("Vertex"), of),
        title(cell, fan),
        title(say("Flat piece"), graph),
    )


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
        hint = (
            say(" Schlegel diagram, framed by {facet}.", facet=view.diagram.facet) if view.diagram is not None else ""
        )
        return say("y = ({names}): a 1 for every active expert.{hint}", names=", ".join(map(str, y)), hint=hint)
    router = view.router
    p, lift = (_clean(v[0], router) for v in sums(router, np.array([S])))
    names = " + ".join(f"w<sub>{i}</sub>" for i in S[:4]) + (" + …" if len(S) > 4 else "")
    point = f"p = {names} = ({', '.join(numeral(f'{v:.3g}') for v in p)})".replace("-", "−")
    row = view.row(view.sets)
    if row is None:
        return f"{point}. " + (
            say("Inside: it never reaches furthest.")
            if router.central
            else say("Below the others: its score is never the best.")
        )
    if router.central:
        return say("{point}, the sum of its experts' weights.{grey}", point=point, grey=_others(view))
    inside = "" if row in view.shadow.outer else say(" Inside the outline, yet a corner: seen from above it is on top.")
    height = numeral(f"{lift:.3g}").replace("-", "−")
    return say(
        "{point}, lifted by its biases to height {height}.{inside}{grey}",
        point=point,
        height=height,
        inside=inside,
        grey=_others(view),
    )


def _clean(values: Any, router: Router) -> Any:
    """Sums of a router's weights for people: what rounding can have left of a zero is a zero.

    >>> _clean(np.array([6e-17, 1.0]), Router([[6e-17, 1.0], [-0.5, 2.0]], k=1)).tolist()
    [0.0, 1.0]
    """
    largest = max(float(np.abs(router.W).max()), float(np.abs(router.b).max()))
    return np.where(np.abs(values) <= router.k * largest * np.finfo(float).eps, 0.0, values)[()]


def _others(view: Views) -> str:
    """How many of the other sums are drawn."""
    shown, total = len(view.shadow.inner), int(view.shadow.inner_count)
    if not total:
        return ""
    if shown < total:
        return say(" Small dots: {shown:,} of {total} other sums.", shown=shown, total=people(total))
    return (
        say(" Small dot: the one other sum.")
        if total == 1
        else say(" Small dots: all {total:,} other sums.", total=total)
    )


def _cell(view: Views) -> str:
    row = view.row(view.fan.active_sets)
    if row is None:
        return say("None: this choice is never the best one here. Its cone misses the slice.")
    walls = int((np.asarray(view.fan.neighbours) == row).any(axis=1).sum())
    size = say("bounded") if bool(view.fan.bounded[row]) else say("reaches to infinity")
    inputs = say("scores s") if view.whole and view.diagram is None else say("inputs x")
    wins = say("scores best") if view.biased else say("reaches furthest")
    away = say(" The dotted circle passes it by.") if view.turns and not view.meets else ""
    return say(
        "All {inputs} for which this vertex {wins}: {walls}, {size}.{away}",
        inputs=inputs,
        wins=wins,
        walls=plural("{n} wall", "{n} walls", walls),
        size=size,
        away=away,
    )


def _piece(view: Views) -> str:
    row = view.row(view.ground.active_sets)
    if row is None:
        return say("None: it never attains the maximum in this plane.")
    slope, lift = (_clean(v[0], view.ground.router) for v in sums(view.ground.router, np.array([view.chosen])))
    terms = [numeral(f"{value:+.3g} {axis}") for value, axis in zip(slope, "xy", strict=True)]
    terms += [numeral(f"{lift:+.3g}")] if lift else []
    height = " ".join(terms).lstrip("+").replace("-", "−")
    seen = "" if row in view.roof.ids else say(" It lies outside the window.")
    if len(view.roof.ids) > MOST_FACETS:
        seen += say(
            " The {most_facets:,} largest of {ids:,} pieces are drawn.", most_facets=MOST_FACETS, ids=len(view.roof.ids)
        )
    corner = say("the vertex") if view.level is None else say("the vertex's x and y")
    link = (
        say("its slope is {corner}", corner=corner)
        if not view.whole
        else say("the monomial {chosen}", chosen=monomial(view.chosen))
    )
    return say("Height {height}: {link}.{seen}", height=height, link=link, seen=seen)


def why(view: Views) -> str:
    """Why a vertex lights a cone, in three steps, as HTML."""
    k = view.k
    plus = say(" + its biases") if view.biased else ""
    add = (
        say("An expert's weights are a point.") if k == 1 else say("Add up the weights of the chosen experts: a point.")
    )
    if view.whole:
        steps = [
            say(
                "Write 1 for each active expert, 0 for the others: a point y. All {vertex_count} are "
                "corners of Δ({k},{n}).",
                vertex_count=view.shape.vertex_count,
                k=k,
                n=view.N,
            ),
            say(
                "At scores s a choice earns y\u00a0·\u00a0s: how far its corner reaches along s. The router takes "
                "the furthest."
            ),
            say(
                "All s for which the same corner reaches furthest form its cone. Over it the best score "
                "is y\u00a0·\u00a0s: a flat piece of the graph."
            ),
        ]
    else:
        corners = (
            say("All of them are corners.")
            if not view.shadow.inner_count.value
            else say(
                "Its biases lift it. Seen from above some are corners, even inside the outline; the grey lie below."
            )
            if view.biased
            else say("Some are corners; the grey ones fell inside.")
        )
        far = (
            say(
                "how far its point lies along x, plus how high it is lifted. The router takes the best, "
                "always a corner seen from above."
            )
            if view.biased
            else say("how far its point p reaches along x. The router takes the furthest, always a corner.")
        )
        steps = [
            f"{add} {corners}",
            say("At input x a choice scores p\u00a0·\u00a0x{plus}: {far}", plus=plus, far=far),
            say(
                "All x for which the same corner wins form its {cone_word}. Over it the best score is "
                "p\u00a0·\u00a0x{plus}: a flat piece of the graph, and its slope is the corner.",
                cone_word=cone_word(view),
                plus=plus,
            ),
        ]
    text = "<br>".join(f"<b>{number}.</b> {step}" for number, step in enumerate(steps, 1))
    told = say(
        '<p class="tv-counts-title">Why does touching a vertex light a {cone_word}?</p><p '
        'class="tv-meaning">{text}{play}</p>',
        cone_word=cone_word(view),
        text=text,
        play=_play(view),
    )
    return headed(told)


def _play(view: Views) -> str:
    """What the play button shows."""
    if not view.turns:
        return ""
    text = say(
        "<br><b>▶</b> turns x on the dotted circle; the winning corner goes with it. Stop anywhere to choose it."
    )
    if not view.solid:
        text += say(" The ring keeps the record.")
        if view.fan.router.central:
            text += say(" The dashed line moves out along x until only the winner is left.")
    return text
