"""Granularity: the same compute in m times as many experts, each m times narrower."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tropviz import Count, capacity, slice_law
from tropviz.core.capacity.designs import Granularity
from tropviz.figures.capacity import GrainPoint, granularity_figure
from tropviz.figures.picture import Figure
from tropviz.language import say
from tropviz.ui.capacity.iso import MOST_SHAPES
from tropviz.ui.capacity.view import star
from tropviz.ui.capacity.words import overhead
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import BY_NAME, Scene, derived, model


@dataclass(frozen=True)
class Grain:
    """The granularity shown, and those around it.

    Attributes
    ----------
    at, one : Granularity
        The one shown, and m = 1.
    steps : tuple of int
        Those that are possible.
    wrong : str
        A sentence if the scene asks for another one.
    points : tuple of GrainPoint
    best : int
        Finest one that sees the whole slice.
    d : int
        Dimension of the slice.
    affine : bool
    """

    at: Granularity
    one: Granularity
    steps: tuple[int, ...]
    wrong: str
    points: tuple[GrainPoint, ...]
    best: int
    d: int
    affine: bool

    @property
    def m(self) -> int:
        """Pieces of an expert."""
        return self.at.m


@derived
def grain_of(scene: Scene) -> Grain:
    """The granularity of a scene."""
    N, k, H, d = scene.subset("n", "k", "h", "slice")
    affine = model.scene_affine(scene)
    every = {g.m: g for g in capacity.granularities(N, k, H, d)}
    m = max(m for m in every if m <= scene.pieces)
    wrong = ""
    if scene.pieces not in (m, BY_NAME["pieces"].default):
        choice = ", ".join(map(str, every))
        wrong = say(
            "m = {pieces} does not cut H = {h} evenly: m = {m} is shown; choose among {choice}.",
            pieces=scene.pieces,
            h=H,
            m=m,
            choice=choice,
        )
    points = [_point(g, d, affine) for g in every.values()]
    while len(points) > MOST_SHAPES:
        points = [p for i, p in enumerate(points) if i % 2 == 0 or p.m == scene.pieces or p is points[-1]]
    best = capacity.best_granularity(N, k, H, d)
    return Grain(every[m], every[1], tuple(every), wrong, tuple(points), best, d, affine)


def _point(g: Granularity, d: int, affine: bool) -> GrainPoint:
    kept = slice_law.expected_cells(g.shape.N, g.shape.k, d, affine).log10 / math.log10(2)
    label = f"m = {g.m}<br>{g.shape.N}, {g.shape.k}, {g.shape.H}"
    return GrainPoint(g.m, label, g.shape.bits, max(0.0, kept), g.above_floor)


def cut(_: Scene, m: int) -> dict[str, int]:
    """What the slider changes."""
    return {"pieces": m}


def chart(grain: Grain, dark: bool) -> Figure:
    """Bits promised and kept, by granularity."""
    return granularity_figure(grain.points, grain.m, grain.best, dark)


def alt(grain: Grain) -> str:
    """The chart in words."""
    parts = "; ".join(
        say("m = {m}: {bits:.1f} bits promised, {kept_bits:.1f} kept", m=p.m, bits=p.bits, kept_bits=p.kept_bits)
        for p in grain.points
    )
    return say("Capacity in bits by granularity. {parts}.", parts=parts)


def rows(grain: Grain) -> list[CountRow | tuple[str, Count, str, str]]:
    """What one granularity promises and keeps."""
    g, s, affine = grain.at, grain.at.shape, grain.affine
    kept = slice_law.expected_cells(s.N, s.k, grain.d, affine)
    kind = say("router with a bias") if affine else say("router without a bias")
    bits = Count(s.bits, "exact", f"log2 C({s.N}, {s.k})")
    blind = Count(g.blind, "exact", "max(0, d - H/m)")
    own = Count(s.router_overhead, "exact", "N / (2 k H)", "experts of two matrices each")
    finest = Count(grain.best, "exact", "largest m with H/m whole and at least d")
    return [
        (
            say("Active sets C({n}, {k})", n=s.N, k=s.k),
            s.multiplier,
            say("A maximum: the multiplier of the finer layer, at the same compute."),
        ),
        (say("In bits"), bits, say("Each bit doubles the number of active sets.")),
        (say("Growth over m = 1"), g.growth, say("A polynomial in N of degree (m − 1)k = {degree}.", degree=g.degree)),
        (say("Finer router, random, mean: cells"), kept, say("Random {kind}, dimension {d}.", kind=kind, d=grain.d)),
        (
            say("Finer router: half of its sets from d* ="),
            star(s.N, s.k, affine),
            say("It grows with m: finer routing needs more dimensions."),
        ),
        (
            say("Router's own rows, share"),
            own,
            say("N d beside 2 k H d: what the router costs of the experts' compute."),
            "share",
        ),
        (say("Blind directions of one expert"), blind, say("The floor: an expert of width H/m has at most that rank.")),
        (say("Best m under the bound"), finest, say("Finer than this, experts go blind in the slice.")),
    ]


def sentence(grain: Grain) -> str:
    """The line of meaning under the chart."""
    g, s, one = grain.at, grain.at.shape, grain.one.shape
    text = say(
        "Cutting every expert into <b>{m}</b> keeps the compute of the experts and turns ({n}, "
        "{k}, {h}) into <b>({n_2}, {k_2}, {h_2})</b>: {bits:.1f} bits of choice become "
        "<b>{bits_2:.1f}</b>.",
        m=g.m,
        n=one.N,
        k=one.k,
        h=one.H,
        n_2=s.N,
        k_2=s.k,
        h_2=s.H,
        bits=one.bits,
        bits_2=s.bits,
    )
    text += say(
        " The router's own rows, N d multiplications beside the experts' 2 k H d, cost "
        "<b>{overhead}</b> of that on top",
        overhead=overhead(s.router_overhead),
    ) + (say(", instead of {overhead} for m = 1.", overhead=overhead(one.router_overhead)) if g.m > 1 else ".")
    if g.m > 1:
        text += say(
            " If k is held instead (our reading of the penalty in the paper's “granularity”), the "
            "trade is a gain of k log₂ m = {held_gain_bits:.1f} bits against d log₂ m = "
            "{held_penalty_bits:.1f} bits, and not at equal compute.",
            held_gain_bits=g.held_gain_bits,
            held_penalty_bits=g.held_penalty_bits,
        )
    if g.blind:
        text += say(" But an expert of width {h} sees at most {h} of the slice's {d} directions.", h=s.H, d=grain.d)
    return text
