"""What the stack comes to, in words, in counts and in a table: every sentence is made from the numbers on screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tropviz import Count, capacity
from tropviz.core.experts.stack import Level
from tropviz.ui.counts import CountRow
from tropviz.ui.two_layers.stack import KINDS, View

POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _times(value: Fraction) -> str:
    return f"{float(value):.3g}"


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
        return "there is <b>no gain to multiply</b>"
    if stacked >= product:
        return "the gains <b>multiply</b> here" + ("" if stacked == product else ", and more than that")
    return "the gains do <b>not multiply</b>"


def sentence(view: View) -> str:
    """The line of meaning under the pictures."""
    L, moe, dense = view.depth, view.moe[-1], view.dense[-1]
    promised = math.comb(view.scene.n, view.scene.k)
    now = gain(moe, dense)
    have = f"<b>{moe.regions}</b> regions in the window, <b>{_times(now)}</b> times the {dense.regions} of"
    if L == 1:
        return (
            f"One layer has {have} a dense layer of the same active width, on <b>{moe.path_count}</b> of {promised:,} "
            "active sets. Stack another one: does the gain multiply?"
        )
    product = multiplied(view, L)
    each = [_times(gain(a, b)) for a, b in zip(view.moe_alone, view.dense_alone, strict=True)]
    power = f"{promised:,}{str(L).translate(POWERS)}"
    return (
        f"{L} layers have {have} as many dense layers. By themselves the layers have {_and(each)} times, multiplied "
        f"{_times(product)}: {verdict(now, product)}. Of {power} routing paths <b>{moe.path_count}</b> are taken."
    )


def _and(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]])


def counts(view: View) -> list[CountRow]:
    """Promise beside fact at the depth in view."""
    scene, L = view.scene, view.depth
    promised, width = math.comb(scene.n, scene.k), scene.k * scene.h
    one = capacity.hyperplane_regions(width, 2)
    moe, dense = view.moe[-1], view.dense[-1]
    alone = " x ".join(str(level.path_count) for level in view.moe_alone)
    rows: list[CountRow] = [
        (
            "Routing paths promised",
            Count(promised**L, "upper", f"C({scene.n}, {scene.k})^{L}"),
            "Every sequence of active sets, one a layer: no weights have more.",
        ),
        (
            "If the layers' own cells multiplied",
            Count(math.prod(int(level.path_count) for level in view.moe_alone), "exact", alone),
            "The active sets every layer has by itself in this window, multiplied.",
        ),
        ("Routing paths taken", moe.path_count, "Sequences that some input of the window takes."),
        (
            "Regions promised",
            Count((promised * one) ** L, "upper", f"(C({scene.n}, {scene.k}) r({width}, 2))^{L}"),
            "The bound for one layer, to the power of the depth: a maximum over weights.",
        ),
        ("Regions, mixture", moe.regions, "Of the stack on the left, gates frozen at 1/k."),
        ("Regions, dense", dense.regions, f"Of dense layers of the same active width kH = {width}, on the right."),
    ]
    if view.total is not None:
        rows.append(
            ("Regions, dense, equal total width", view.total[-1].regions, f"All experts active: {scene.n * scene.h}.")
        )
    now, product = gain(moe, dense), multiplied(view, L)
    rows.append(
        (
            "Mixture over dense",
            Count(float(now), "exact", f"{moe.regions} / {dense.regions} regions"),
            "The gain of the stack, this one router's own.",
        )
    )
    if L > 1:
        rows.append(
            (
                "If the gains multiplied",
                Count(float(product), "exact", "product of the gains of the layers by themselves"),
                "Each layer's own regions in this window over those of its dense layer, multiplied.",
            )
        )
    return rows


def table(view: View) -> str:
    """Every depth, as HTML."""
    promised = math.comb(view.scene.n, view.scene.k)
    body = []
    for i, (moe, dense) in enumerate(zip(view.moe, view.dense, strict=True)):
        total = "out of reach" if view.total is None else str(view.total[i].regions)
        power = "" if i == 0 else str(i + 1).translate(POWERS)
        cells = (
            f"{moe.regions}",
            f"{dense.regions}",
            total,
            _times(gain(moe, dense)),
            _times(multiplied(view, i + 1)),
            f"{moe.path_count} of {promised:,}{power}",
        )
        body.append(f"<tr><th scope='row'>{i + 1}</th>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    heads = (
        "layers",
        "regions, mixture",
        "dense, kH",
        "dense, NH",
        "mixture over dense",
        "if gains multiplied",
        "routing paths",
    )
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return f'<table class="tv-table"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def assumptions(view: View) -> str:
    """What is stacked, and what plays no part."""
    scene = view.scene
    above = "" if scene.router in KINDS else " The layers above this router are random ones, with a bias."
    return (
        "Each layer maps x to x + (1/k) Σ V<sub>i</sub> relu(U<sub>i</sub>x + c<sub>i</sub>) over its active experts: "
        "residual, gates frozen at 1/k, output weights at random. Every count is exact, of these weights, in this "
        f"window.{above} The data plays no part."
    )


def alt(view: View, routed: bool) -> str:
    """A picture in words."""
    level = view.moe[-1] if routed else view.dense[-1]
    half = view.scene.window
    place = f"in the window from {-half:g} to {half:g}"
    if not routed:
        width = view.scene.k * view.scene.h
        return f"{level.regions} linear regions of {view.depth} dense layers of width {width} {place}."
    return (
        f"{level.regions} linear regions of {view.depth} mixture layers {place}, coloured by the active set in layer "
        f"{view.depth}; inputs take {level.path_count} routing paths. Up and down arrows change the depth."
    )
