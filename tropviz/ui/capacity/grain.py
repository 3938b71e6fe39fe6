"""Granularity: the same compute in m times as many experts, each m times narrower."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tropviz import Count, capacity, slice_law
from tropviz.core.capacity.designs import Granularity
from tropviz.figures.capacity import GrainPoint, granularity_figure
from tropviz.figures.picture import Figure
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
        wrong = f"m = {scene.pieces} does not cut H = {H} evenly: m = {m} is shown; choose among {choice}."
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
    parts = "; ".join(f"m = {p.m}: {p.bits:.1f} bits promised, {p.kept_bits:.1f} kept" for p in grain.points)
    return f"Capacity in bits by granularity. {parts}."


def rows(grain: Grain) -> list[CountRow | tuple[str, Count, str, str]]:
    """What one granularity promises and keeps."""
    g, s, affine = grain.at, grain.at.shape, grain.affine
    kept = slice_law.expected_cells(s.N, s.k, grain.d, affine)
    kind = "router with a bias" if affine else "router without a bias"
    bits = Count(s.bits, "exact", f"log2 C({s.N}, {s.k})")
    blind = Count(g.blind, "exact", "max(0, d - H/m)")
    own = Count(s.router_overhead, "exact", "N / (2 k H)", "experts of two matrices each")
    finest = Count(grain.best, "exact", "largest m with H/m whole and at least d")
    return [
        (
            f"Active sets C({s.N}, {s.k})",
            s.multiplier,
            "A maximum: the multiplier of the finer layer, at the same compute.",
        ),
        ("In bits", bits, "Each bit doubles the number of active sets."),
        ("Growth over m = 1", g.growth, f"A polynomial in N of degree (m − 1)k = {g.degree}."),
        ("Finer router, random, mean: cells", kept, f"Random {kind}, dimension {grain.d}."),
        (
            "Finer router: half of its sets from d* =",
            star(s.N, s.k, affine),
            "It grows with m: finer routing needs more dimensions.",
        ),
        (
            "Router's own rows, share",
            own,
            "N d beside 2 k H d: what the router costs of the experts' compute.",
            "share",
        ),
        ("Blind directions of one expert", blind, "The floor: an expert of width H/m has at most that rank."),
        ("Best m under the bound", finest, "Finer than this, experts go blind in the slice."),
    ]


def sentence(grain: Grain) -> str:
    """The line of meaning under the chart."""
    g, s, one = grain.at, grain.at.shape, grain.one.shape
    text = (
        f"Cutting every expert into <b>{g.m}</b> keeps the compute of the experts and turns "
        f"({one.N}, {one.k}, {one.H}) into <b>({s.N}, {s.k}, {s.H})</b>: {one.bits:.1f} bits of "
        f"choice become <b>{s.bits:.1f}</b>."
    )
    text += (
        f" The router's own rows, N d multiplications beside the experts' 2 k H d, cost "
        f"<b>{overhead(s.router_overhead)}</b> of that on top"
        + (f", instead of {overhead(one.router_overhead)} for m = 1." if g.m > 1 else ".")
    )
    if g.m > 1:
        text += (
            f" If k is held instead (our reading of the penalty in the paper's “granularity”), the trade is a gain of "
            f"k log₂ m = {g.held_gain_bits:.1f} bits against d log₂ m = {g.held_penalty_bits:.1f} bits, and not at "
            "equal compute."
        )
    if g.blind:
        text += f" But an expert of width {s.H} sees at most {s.H} of the slice's {grain.d} directions."
    return text
