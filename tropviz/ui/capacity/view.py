"""What the Capacity page shows of a scene: promise and fact of its shape, and of the router on screen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz import Count, capacity, slice_law
from tropviz.figures.capacity import GainCurve
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import Scene, derived, model

#: Cells, and regions, that the page counts for the router on screen without being asked.
MOST_CELLS, MOST_REGIONS = 4000, 400_000
#: Points on a curve.
CURVE_POINTS = 64
#: Work (k (N - k) pairs) above which d* comes from the quick formula.
LARGE = 512 * 64


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
    star : Count
        The resilience dimension d*.
    curves : tuple of GainCurve
        The shape, then its partners.
    own : tuple of rows
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
    curves: tuple[GainCurve, ...]
    own: tuple[CountRow, ...]
    sentences: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What is assumed of a random router, in words."""
        return "router with a bias" if self.affine else "router without a bias"


@derived
def view_of(scene: Scene) -> View:
    """Everything the page shows of a scene but its partners and pieces."""
    N, k, H, d = scene.subset("n", "k", "h", "slice")
    space, affine = max(scene.space, d), model.scene_affine(scene)
    small = f"The input dimension cannot be smaller than the slice's: {space} is taken."
    table = capacity.table(N, k, H, space, d)
    table = capacity.table(N, k, H, d, affine=affine) | {
        f"ambient_{name}": table[name] for name in ("dense_baseline", "moe_bound", "region_ratio")
    }
    own, said = own_counts(scene)
    sentences = (*((small,) if space != scene.space else ()), *said)
    return View(N, k, H, d, space, affine, table, star(N, k, affine), gain_curves(scene), own, sentences)


def star(N: int, k: int, affine: bool = False) -> Count:
    """d* of a shape: exact expectation where it is quick, else the formula that is good to 0.3."""
    kind = "routers with a bias, which is worth half a dimension" if affine else "routers without a bias"
    if k * (N - k) <= LARGE:
        exact = slice_law.resilience_dimension(N, k, affine)
        return Count(exact, "expected", "d*, mean codimension of the slice law", kind)
    quick = max(0.0, slice_law.resilience_estimate(N, k) - 0.5 * affine)
    return Count(quick, "expected", "quick formula for d*, good to about 0.3", kind)


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
            f"top-{a} of {n}, H = {h}",
            at.astype(float),
            np.array([slice_law.expected_gain(n, a, h, int(d), affine).log10 for d in at]),
            math.log10(math.comb(n, a)),
        )
        for n, a, h in shapes
    )


@derived
def own_counts(scene: Scene) -> tuple[tuple[CountRow, ...], tuple[str, ...]]:
    """Exact counts of the router on screen, where its space has the slice's dimension and it is not too large."""
    if scene.slice not in (2, 3):
        return (), ()
    here, _ = scene.replace(dim=str(scene.slice))
    affine = model.scene_affine(here)
    cells = slice_law.expected_cells(scene.n, scene.k, scene.slice, affine)
    regions = slice_law.expected_regions(scene.n, scene.k, scene.h, scene.slice, affine)
    where = "plane" if scene.slice == 2 else "space"
    if cells.value > MOST_CELLS:
        return (), (f"The router on screen is not counted here: about {cells} cells are expected.",)
    own: CountRow = (f"This router: cells in the {where}", model.scene_fan(here).count, "Counted one by one.")
    if regions.value > MOST_REGIONS:
        return (own,), (f"The linear regions of the layer on screen are not counted here: {regions} are expected.",)
    layer = model.scene_layer(here)
    whole, inside = layer.regions(None), layer.regions(here.window)
    return (
        own,
        (f"This layer: regions in the {where}", whole, "Linear regions, counted exactly."),
        ("This layer: regions in the window", inside, f"From -{here.window:g} to {here.window:g} per axis."),
    ), ()
