"""Polygons, polyhedra and patches against the fan they come from, in one process and on one thread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tests.bench.harness import Row, paired
from tropviz import RoutingFan
from tropviz.core.planar import polygons
from tropviz.core.presets import random_affine
from tropviz.core.router import Router
from tropviz.core.spatial.ball import sphere_surface
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.section import section
from tropviz.core.spatial.sphere import patches
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Picture
from tropviz.figures.plane import plane_figure
from tropviz.figures.space import space_figure
from tropviz.ui.canvas import pack


def _plane(n: int, k: int) -> Iterable[Row]:
    router = Router(*random_affine(n, 2, 1), k=k)
    fan = RoutingFan(router)
    ids, shapes = polygons(fan, 3)
    colours = cell_colours(router.W, fan.active_sets)
    ratio = paired(lambda: polygons(fan, 3), lambda: RoutingFan(router))
    yield Row(f"polygons ({n},{k}) affine d=2 : its fan", ratio, "<= 1", f"{len(ids)} of {len(fan.active_sets)} cells")
    draw = lambda: plane_figure(ids, shapes, fan.active_sets, colours, window=3)  # noqa: E731
    size = len(pack(draw().parts()))
    yield Row(f"figure ({n},{k}) : its fan", paired(draw, lambda: RoutingFan(router)), "<= 1", f"{size / 1e3:.0f} kB")


def _box() -> Row:
    router = Router(*random_affine(16, 3, 1), k=4)
    fan = RoutingFan(router)
    ratio = paired(lambda: polyhedra(fan, 3).triangles, lambda: RoutingFan(router))
    cells = polyhedra(fan, 3)
    return Row(
        "polyhedra + triangles (16,4) affine d=3 : its fan",
        ratio,
        "<= 3",
        f"{len(cells.ids)} cells, {len(cells.tri_cell)} triangles",
    )


def _ball() -> Iterable[Row]:
    router = Router(random_affine(64, 3, 1)[0], k=8)
    fan = RoutingFan(router)
    drawn = np.ones(len(fan.active_sets), dtype=bool)

    def step(cut: bool) -> Picture:
        body = patches(fan)
        body.solid_angles()
        plane = section(fan, [1, -1, 1], 0.25) if cut else None
        colours = cell_colours(router.W, fan.active_sets)
        surface = sphere_surface(body, drawn, 0.0, plane)
        return space_figure(surface, fan.active_sets, colours, box=None, reach=1.1, cut=plane, every=False)

    def message(cut: bool) -> bytes:
        return pack(step(cut).parts())

    for cut, name in ((False, "ball"), (True, "ball cut open, with its section")):
        ratio = paired(lambda cut=cut: message(cut), lambda: RoutingFan(router))
        note = f"{len(drawn)} cells, {len(message(cut)) / 1e3:.0f} kB of 800"
        target = "none: the section is a second fan" if cut else "<= 1 (with the fan: 2)"
        yield Row(f"picture of the {name} (64,8) central d=3 : its fan", ratio, target, note)


def rows() -> Iterable[Row]:
    """All rows."""
    for n, k in ((64, 8), (256, 8)):
        yield from _plane(n, k)
    yield _box()
    yield from _ball()
