"""What the stack comes to, in words, in counts and in a table: every sentence is made from the numbers on screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tropviz import Count, capacity
from tropviz.core.experts.stack import Level
from tropviz.language import numeral, say
from tropviz.ui import marks
from tropviz.ui.counts import CountRow, written
from tropviz.ui.two_layers.stack import KINDS, View

POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _times(value: Fraction) -> str:
    return numeral(f"{float(value):.3g}")


def gain(moe: Level, dense: Level) -> Fraction:
    """Regions of the mixture over those of the dense layers."""
    return Fraction(len(moe.polygons), len(dense.polygons))


def multiplied(view: View, depth: int) -> Fraction:
    """What the gain would be if the gains of the layers by themselves multiplied."""
    pairs = zip(view.moe_alone[:depth], view.dense_alone[:depth], strict=True)
    return math.prod((gain(moe, dense) for moe, dense in pairs), start=Fraction(1))


def verdict(stacked: Fraction, product: Fraction) -> str:
    """Whether the gains multiply, from two numbers.

    >>> verdict(Fraction(3, 2), Fraction(9, 4))
    'the gains do <b>not multiply</b>'
    >>> verdict(Fraction(9, 4), Fraction(9, 4)), verdict(Fraction(1, 2), Fraction(2, 3))
    ('the gains <b>multiply</b> here', 'there is <b>no gain to multiply</b>')
    """
    if product <= 1:
        return say("there is <b>no gain to multiply</b>")
    if stacked >= product:
        return say("the gains <b>multiply</b> here") + ("" if stacked == product else say(", and more than that"))
    return say("the gains do <b>not multiply</b>")


def sentence(view: View) -> str:
    """The line of meaning under the pictures."""
    L, moe, dense = view.depth, view.moe[-1], view.dense[-1]
    promised = math.comb(view.scene.n, view.scene.k)
    now = gain(moe, dense)
    have = say(
        "<b>{regions}</b> regions in the window, <b>{times}</b> times the {regions_2} of",
        regions=moe.regions,
        times=_times(now),
        regions_2=dense.regions,
    )
    if L == 1:
        return say(
            "One layer has {have} a dense layer of the same active width, on <b>{path_count}</b> of "
            "{promised:,} active sets. Stack another one: does the gain multiply?",
            have=have,
            path_count=moe.path_count,
            promised=promised,
        )
    product = multiplied(view, L)
    each = [_times(gain(a, b)) for a, b in zip(view.moe_alone, view.dense_alone, strict=True)]
    power = numeral(f"{promised:,}{str(L).translate(POWERS)}")
    return say(
        "{l} layers have {have} as many dense layers. By themselves the layers have {and_} "
        "times, multiplied {times}: {verdict}. Of {power} routing paths <b>{path_count}</b> are "
        "taken.",
        l=L,
        have=have,
        and_=_and(each),
        times=_times(product),
        verdict=verdict(now, product),
        power=power,
        path_count=moe.path_count,
    )


def _and(texts: Sequence[str]) -> str:
    return say("{first} and {last}", first=", ".join(texts[:-1]), last=texts[-1])


def counts(view: View) -> list[CountRow]:
    """Promise beside fact at the depth in view."""
    scene, L = view.scene, view.depth
    promised, width = math.comb(scene.n, scene.k), scene.k * scene.h
    one = capacity.hyperplane_regions(width, 2)
    moe, dense = view.moe[-1], view.dense[-1]
    alone = " x ".join(str(level.path_count) for level in view.moe_alone)
    rows: list[CountRow] = [
        (
            say("Routing paths promised"),
            Count(promised**L, "upper", f"C({scene.n}, {scene.k})^{L}"),
            say("Every sequence of active sets, one a layer: no weights have more."),
        ),
        (
            say("If the layers' own cells multiplied"),
            Count(math.prod(int(level.path_count) for level in view.moe_alone), "exact", alone),
            say("The active sets every layer has by itself in this window, multiplied."),
        ),
        (say("Routing paths taken"), moe.path_count, say("Sequences that some input of the window takes.")),
        (
            say("Regions promised"),
            Count((promised * one) ** L, "upper", f"(C({scene.n}, {scene.k}) r({width}, 2))^{L}"),
            say("The bound for one layer, to the power of the depth: a maximum over weights."),
        ),
        _designed(scene.n, scene.k, scene.h),
        (say("Regions, mixture"), moe.regions, say("Of the stack on the left, gates frozen at 1/k.")),
        (
            say("Regions, dense"),
            dense.regions,
            say("Of dense layers of the same active width kH = {width}, on the right.", width=width),
        ),
    ]
    if view.total is not None:
        rows.append(
            (
                say("Regions, dense, equal total width"),
                view.total[-1].regions,
                say("All experts active: {h}.", h=scene.n * scene.h),
            )
        )
    now, product = gain(moe, dense), multiplied(view, L)
    rows.append(
        (
            say("Mixture over dense"),
            Count(float(now), "exact", f"{moe.regions} / {dense.regions} regions"),
            say("The gain of the stack, this one router's own."),
        )
    )
    if L > 1:
        rows.append(
            (
                say("If the gains multiplied"),
                Count(float(product), "exact", "product of the gains of the layers by themselves"),
                say("Each layer's own regions in this window over those of its dense layer, multiplied."),
            )
        )
    return rows


def _designed(N: int, k: int, H: int) -> CountRow:
    """What is known to be reached: a stack has at least the regions of its first layer, and that may be any."""
    one = capacity.designed_count(N, k, H, 2)
    count = Count(int(one), "lower", f"{one.method}, in the first layer", "for most stacks more, in the whole plane")
    return marks.DESIGNED.label, count, say("Chosen weights in the first layer alone: the maximum is at least this.")


def table(view: View) -> str:
    """Every depth, as HTML."""
    promised = math.comb(view.scene.n, view.scene.k)
    body = []
    for i, (moe, dense) in enumerate(zip(view.moe, view.dense, strict=True)):
        total = say("out of reach") if view.total is None else written(view.total[i].regions)
        power = "" if i == 0 else str(i + 1).translate(POWERS)
        cells = (
            written(moe.regions),
            written(dense.regions),
            total,
            _times(gain(moe, dense)),
            _times(multiplied(view, i + 1)),
            say("{paths} of {promised:,}{power}", paths=moe.path_count, promised=promised, power=power),
        )
        body.append(f"<tr><th scope='row'>{i + 1}</th>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    heads = (
        say("layers"),
        say("regions, mixture"),
        say("dense, kH"),
        say("dense, NH"),
        say("mixture over dense"),
        say("if gains multiplied"),
        say("routing paths"),
    )
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    rows = f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
    return f'<div class="tv-wide-table" tabindex="0"><table class="tv-table">{rows}</table></div>'


def assumptions(view: View) -> str:
    """What is stacked, and what plays no part."""
    scene = view.scene
    above = "" if scene.router in KINDS else say(" The layers above this router are random ones, with a bias.")
    return say(
        "Each layer maps x to x + (1/k) Σ V<sub>i</sub> relu(U<sub>i</sub>x + c<sub>i</sub>) "
        "over its active experts: residual, gates frozen at 1/k, output weights at random. Every "
        "count is exact, of these weights, in this window.{above} The data plays no part.",
        above=above,
    )


def alt(view: View, routed: bool) -> str:
    """A picture in words."""
    level = view.moe[-1] if routed else view.dense[-1]
    half = view.scene.window
    place = say("in the window from {half:g} to {half_2:g}", half=-half, half_2=half)
    if not routed:
        width = view.scene.k * view.scene.h
        return say(
            "{regions} linear regions of {depth} dense layers of width {width} {place}.",
            regions=level.regions,
            depth=view.depth,
            width=width,
            place=place,
        )
    return say(
        "{regions} linear regions of {depth} mixture layers {place}, coloured by the active set "
        "in layer {depth}; inputs take {path_count} routing paths.",
        regions=level.regions,
        depth=view.depth,
        place=place,
        path_count=level.path_count,
    )
