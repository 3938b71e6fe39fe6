"""What the Capacity page shows of a scene: promise and fact of its shape, and of the router on screen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tropviz import Count, capacity, slice_law
from tropviz.core.count import log10_of
from tropviz.figures.capacity import GainCurve, GainMarks
from tropviz.language import say
from tropviz.ui.scene import Scene, derived, model

#: Cells, and regions, that the page counts for the router on screen without being asked.
MOST_CELLS, MOST_REGIONS = 4000, 400_000
#: Points on a curve.
CURVE_POINTS = 64
#: Work (k (N - k) pairs) above which d* comes from the quick formula.
LARGE = 512 * 64
#: Bounds and designs are drawn while their sums, of terms as long as they are many, stay below this.
MOST_TERMS = 150_000


@dataclass(frozen=True)
class Own:
    """Exact counts of the router on screen; its regions are None where there are too many."""

    place: str
    cells: Count
    whole: Count | None
    inside: Count | None
    window: float


@dataclass(frozen=True, eq=False)
class View:
    """Everything the page shows of one shape in one slice.

    Attributes
    ----------
    N, k, H, d : int
        Experts, active ones, width of one, dimension of the flat slice.
    ambient : int
        Dimension of the whole input space.
    affine : bool
        What is assumed of a random router: it is of the kind of the one on screen.
    table : dict of Count
        As `capacity.table` in the slice; with "ambient_" before them, in the whole space.
    star, gain : Count
        The two dimensions: d* for the active sets, d_gain for the regions.
    curves : tuple of GainCurve
        The shape, then its partners.
    own : Own or None
        Exact counts of the router on screen.
    sentences : tuple of str
        What could not be shown as asked.
    """

    N: int
    k: int
    H: int
    d: int
    ambient: int
    affine: bool
    table: dict[str, Count]
    star: Count
    gain: Count
    curves: tuple[GainCurve, ...]
    own: Own | None
    sentences: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What is assumed of a random router, in words."""
        return say("router with a bias") if self.affine else say("router without a bias")

    @property
    def left(self) -> Count | None:
        """Regions of the layer on screen over those of the dense network, if they are counted."""
        if self.own is None or self.own.whole is None:
            return None
        dense, whole = int(self.table["dense_baseline"]), int(self.own.whole)
        return Count(whole / dense, self.own.whole.kind, f"{whole:,} / {dense:,} regions", "of this layer alone")


@derived
def view_of(scene: Scene) -> View:
    """Everything the page shows of a scene but its partners and pieces."""
    N, k, H, d = scene.subset("n", "k", "h", "slice")
    space, affine = max(scene.space, d), model.scene_affine(scene)
    small = say("The input dimension cannot be smaller than the slice's: {space} is taken.", space=space)
    table = capacity.table(N, k, H, space, d)
    table = capacity.table(N, k, H, d, affine=affine) | {
        f"ambient_{name}": table[name] for name in ("dense_baseline", "moe_bound", "region_ratio")
    }
    own, said = own_counts(scene)
    sentences = (*((small,) if space != scene.space else ()), *said)
    dimensions = star(N, k, affine), gain_star(N, k, H)
    return View(N, k, H, d, space, affine, table, *dimensions, gain_curves(scene), own, sentences)


def star(N: int, k: int, affine: bool = False) -> Count:
    """d* of a shape: exact expectation where it is quick, else the formula that is good to 0.3."""
    kind = say("routers with a bias, which is worth half a dimension") if affine else say("routers without a bias")
    if k * (N - k) <= LARGE:
        exact = slice_law.resilience_dimension(N, k, affine)
        return Count(exact, "expected", "d*, mean codimension of the slice law", kind)
    quick = max(0.0, slice_law.resilience_estimate(N, k) - 0.5 * affine)
    return Count(quick, "expected", "quick formula for d*, good to about 0.3", kind)


@cache
def gain_star(N: int, k: int, H: int) -> Count:
    """d_gain of a shape: from where on half of the region multiplier is there, random weights without a bias."""
    return Count(
        int(slice_law.gain_dimension(N, k, H)),
        "expected",
        "least d with E[regions] / r(kH, d) >= C(N,k) / 2, about kH/2 + d*",
        "random weights without a bias; of the regions, while d* is of the active sets",
    )


def dimensions(full: int) -> NDArray[np.int64]:
    """Whole dimensions from 1 to `full`, evenly spread on a logarithmic axis."""
    return np.unique(np.rint(np.geomspace(1, max(full, 2), CURVE_POINTS)).astype(np.int64))


@derived
def gain_curves(scene: Scene) -> tuple[GainCurve, ...]:
    """The scene's shape and its two top-1 partners: equal active width, and equal total width too."""
    (N, k, H), affine = scene.subset("n", "k", "h"), model.scene_affine(scene)
    shapes = [(N, k, H)]
    if k > 1:
        shapes.append((N, 1, k * H))
        if N % k == 0 and N // k > 1:
            shapes.append((N // k, 1, k * H))
    at = dimensions(k * H + N - 1)
    return tuple(
        GainCurve(
            say("top-{a} of {n}, H = {h}", a=a, n=n, h=h),
            at.astype(float),
            np.array([slice_law.expected_gain(n, a, h, int(d), affine).log10 for d in at]),
            math.log10(math.comb(n, a)),
        )
        for n, a, h in shapes
    )


@derived
def gain_marks(scene: Scene) -> GainMarks:
    """The other marks of the scene's shape, by dimension, as multiples of the dense network of equal active width."""
    N, k, H = scene.subset("n", "k", "h")
    full = k * H + N - 1
    at = np.union1d(dimensions(full), [min(scene.slice, full)])
    cheap = [int(d) for d in at if d * min(d, k * H) <= MOST_TERMS]
    active = np.array([log10_of(capacity.hyperplane_regions(k * H, d)) for d in cheap])
    most = math.log10(math.comb(N, k))

    def over(regions: Callable[[int], int]) -> NDArray[np.float64]:
        return np.minimum(np.array([log10_of(regions(d)) for d in cheap]) - active, most)

    return GainMarks(
        np.array(cheap, dtype=float),
        over(lambda d: capacity.slice_bound(N, k, H, d)),
        over(lambda d: int(capacity.designed_count(N, k, H, d))),
        np.array([log10_of(capacity.hyperplane_regions(N * H, d)) for d in cheap]) - active,
    )


@derived
def own_counts(scene: Scene) -> tuple[Own | None, tuple[str, ...]]:
    """Exact counts of the router on screen, where its space has the slice's dimension and it is not too large."""
    if scene.slice not in (2, 3):
        return None, ()
    here, _ = scene.replace(dim=str(scene.slice))
    affine = model.scene_affine(here)
    cells = slice_law.expected_cells(scene.n, scene.k, scene.slice, affine)
    regions = slice_law.expected_regions(scene.n, scene.k, scene.h, scene.slice, affine)
    where = say("plane") if scene.slice == 2 else say("space")
    if cells.value > MOST_CELLS:
        return None, (say("The router on screen is not counted here: about {cells} cells are expected.", cells=cells),)
    own = Own(where, model.scene_fan(here).count, None, None, float(here.window))
    most = regions.value
    if scene.router == "designed":
        most = max(most, model.design(scene, scene.slice).regions)
    if most > MOST_REGIONS:
        return own, (
            say(
                "The linear regions of the layer on screen are not counted here: about {most:,.0f} are expected.",
                most=most,
            ),
        )
    layer = model.scene_layer(here)
    return replace(own, whole=layer.regions(None), inside=layer.regions(here.window)), ()
