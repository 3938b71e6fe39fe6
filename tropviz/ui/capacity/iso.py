"""Shapes that cost as much as the scene's: equal active width, and equal total width too."""

from __future__ import annotations

from dataclasses import dataclass

from tropviz import capacity, slice_law
from tropviz.core.count import log10_of
from tropviz.figures.capacity import IsoPoint
from tropviz.language import say
from tropviz.ui import marks
from tropviz.ui.scene import Scene, derived, model

#: Shapes under one chart.
MOST_SHAPES = 12


def key() -> str:
    """What the signs mean in the charts, as HTML."""
    signs = (
        (marks.PROMISED, say("C(N,k), maximum over weights")),
        (marks.DESIGNED, say("reached by chosen weights")),
        (marks.RANDOM, say("mean over weights, in the slice")),
    )
    note = say("Every column costs the same active width; only whole widths are shown.")
    return f'{marks.key(signs)}<p class="tv-hint">{note}</p>'


@dataclass(frozen=True)
class Iso:
    """One chart: its key, its title, and its shapes."""

    key: str
    title: str
    points: tuple[IsoPoint, ...]

    @property
    def alt(self) -> str:
        """The chart in words."""
        parts = [
            say("{name}: promised {log10_promise:.4g} times", name=p.name, log10_promise=10**p.log10_promise)
            for p in self.points
        ]
        return f"{self.title}. {'; '.join(parts)}"


@derived
def isos(scene: Scene) -> tuple[Iso, Iso]:
    """The two charts."""
    return (
        Iso(
            "iso_active",
            say("Equal active width kH = {h}, N = {n}", h=scene.k * scene.h, n=scene.n),
            _points(scene, False),
        ),
        Iso("iso_total", say("Equal total width too: NH = {h}", h=scene.n * scene.h), _points(scene, True)),
    )


def _points(scene: Scene, equal_total: bool) -> tuple[IsoPoint, ...]:
    """Shapes of the same active width; of the same total width too."""
    shapes = capacity.iso_compute(scene.n, scene.k, scene.h, equal_total)
    shapes = [s for s in shapes if 1 < s.N <= 2 * scene.n]  # finer ones belong to the granularity chart
    while len(shapes) > MOST_SHAPES:  # keep the first, the scene's own, and every other one
        shapes = [s for i, s in enumerate(shapes) if i % 2 == 0 or s.k == scene.k]
    points, affine = [], model.scene_affine(scene)
    for s in shapes:
        gain = slice_law.expected_gain(s.N, s.k, s.H, scene.slice, affine)
        dense = capacity.hyperplane_regions(s.k * s.H, scene.slice)
        reached = capacity.designed_count(s.N, s.k, s.H, scene.slice).log10 - log10_of(dense)
        label = f"k = {s.k}<br>H = {s.H}" + (f"<br>N = {s.N}" if equal_total else "")
        name = say("top-{k} of {n}, H = {h}", k=s.k, n=s.N, h=s.H)
        points.append(IsoPoint(label, name, s.multiplier.log10, max(gain.log10, 0.0), s.k == scene.k, reached))
    return tuple(points)
