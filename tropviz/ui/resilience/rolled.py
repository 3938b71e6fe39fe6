"""A curved sheet through the cells of the router in space, unrolled beside it: what two-dimensional data can meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz import Count, MoELayer, capacity, slice_law
from tropviz.core import manifold
from tropviz.core.experts.reached import region_names
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Picture
from tropviz.figures.rolled import sheet_figure, unrolled_figure
from tropviz.language import phrase, say
from tropviz.ui import effort, heavy, marks
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import Scene, derived, model

#: Points along each side of the grid, and experts up to which the fan in space is counted beside it.
GRID, MOST_EXPERTS = 96, 64
#: Grids of the pictures: the first with so few pieces that neither of them is a message of 2 MB.
DRAWN, MOST_PIECES = (GRID, 72, 54), 50_000


#: What the sheets are called in a sentence.
SHEETS = (phrase("swiss roll"), phrase("torus"), phrase("sphere"))


@dataclass(frozen=True, eq=False)
class Rolled:
    """What is seen of a sheet: rows of `sets` over the grid, and what is counted.

    Attributes
    ----------
    cell : (a, b) int64
    sets : (m, k) int64
    regions, dense : Count
        Of the layer, and of the dense network of the same active width, at points of the grid.
    """

    cell: NDArray[np.int64]
    sets: NDArray[np.int64]
    regions: Count
    dense: Count


#: Seconds for one hinge, and for one active expert, at one point of the grid; for the pieces of a sheet through many
#: cells, and how many that are.
HINGE, MEMBER, PIECES, MANY = 1e-8, 5e-7, 3.0, 1000.0


def in_space(scene: Scene) -> Scene:
    """The same scene with its router in space."""
    return scene.replace(dim="3")[0]


def needed(scene: Scene) -> Scene:
    """In a part: the sheet through many cells or hinges is cut in the pool. Its scene, in space."""
    here = in_space(scene)
    seconds = GRID**2 * (HINGE * here.h * (here.n + 2 * here.k) + MEMBER * here.k)
    seconds += PIECES * min(1.0, effort.plane_cells(here) / MANY)
    calls: list[heavy.Call] = [("sheet", rolled, ()), ("pictures", pictures, ())]
    if here.n <= MOST_EXPERTS:
        seconds += effort.fan_seconds(here)
        calls.append(("cells", model.scene_fan, ()))
    heavy.need(here, say("Sheet in space"), calls, seconds)
    return here


@derived
def rolled(scene: Scene) -> Rolled:
    """What the sheet meets."""
    here, sheet = in_space(scene), manifold.sheet(scene.sheet, GRID)
    router, (U, c) = model.scene_router(here), model.scene_experts(here)
    cell, sets = sheet.cells(router)
    points = sheet.points.reshape(-1, 3)
    wide = MoELayer.dense(U[: router.k].reshape(-1, 3), c[: router.k].ravel())

    def seen(layer: MoELayer) -> Count:
        names = np.unique(region_names(layer, points), axis=0)
        return Count(len(names), "lower", f"seen at {len(points):,} points of the sheet", "small ones may be missed")

    return Rolled(cell, sets, seen(MoELayer(router, U, c)), seen(wide))


@derived
def pictures(scene: Scene) -> tuple[Picture, Picture]:
    """The sheet in space, and unrolled."""
    router = model.scene_router(in_space(scene))
    for side in DRAWN:
        sheet = manifold.sheet(scene.sheet, side)
        cell, sets = (rolled(scene).cell, rolled(scene).sets) if side == GRID else sheet.cells(router)
        pieces = manifold.patches(sheet, router, cell, sets)
        if len(pieces.triangles) <= MOST_PIECES:
            break
    colours = cell_colours(router.W, sets, scene.dark)
    return sheet_figure(pieces, sets, colours), unrolled_figure(pieces, sheet.unrolled, cell, colours)


def alt(scene: Scene) -> tuple[str, str]:
    """Both in words."""
    cells = len(rolled(scene).sets)
    return (
        say(
            "A {sheet} in space, coloured by the routing cells it runs through: {cells} are seen.",
            sheet=say(scene.sheet),
            cells=cells,
        ),
        say("The same {sheet} unrolled into a plane.", sheet=say(scene.sheet)),
    )


def rows(scene: Scene) -> list[CountRow]:
    """Cells beside cells, regions beside regions."""
    found, here = rolled(scene), in_space(scene)
    N, k, H, affine = scene.n, scene.k, scene.h, model.scene_affine(here)
    points = found.cell.size
    cells = Count(len(found.sets), "lower", f"seen at {points:,} points of the sheet", "small ones may be missed")
    out: list[CountRow] = [(say("Cells the sheet meets"), cells, say("Active sets of the router on screen, in space."))]
    if N <= MOST_EXPERTS:
        out.append(
            (say("Cells of this router in space"), model.scene_fan(here).count, say("More the sheet cannot meet."))
        )
    plane = slice_law.expected_cells(N, k, 2, affine)
    return [
        *out,
        (say("Random, mean: cells of a plane"), plane, say("What flat data of the same dimension meets on average.")),
        (
            say("Regions the sheet meets"),
            found.regions,
            say("Of the layer: active sets with the pattern of their hinges."),
        ),
        (say("Dense, width kH: regions it meets"), found.dense, say("The experts 0 to k - 1 as one dense network.")),
        (
            say("Promised, maximum: regions, d = 2"),
            capacity.table(N, k, H, 2)["moe_bound"],
            say("The bound for flat data of dimension 2; curved data is not bound by it."),
        ),
        (marks.DESIGNED.label, capacity.table(N, k, H, 2)["designed"], say("Reached by chosen weights in a plane.")),
    ]


def sentence(scene: Scene) -> str:
    """The line of meaning."""
    found, here = rolled(scene), in_space(scene)
    plane = slice_law.expected_cells(scene.n, scene.k, 2, model.scene_affine(here))
    return say(
        "The {sheet} is a surface, of dimension 2 like a plane, but it leaves every plane: it "
        "meets at least <b>{sets:,}</b> cells of this router in space, where a plane has "
        "<b>{plane}</b> on average over random routers. Like with like: <b>{regions}</b> linear "
        "regions of the layer beside {dense} of the dense network of the same active width.",
        sheet=say(scene.sheet),
        sets=len(found.sets),
        plane=plane,
        regions=found.regions,
        dense=found.dense,
    )
