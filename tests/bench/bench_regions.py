"""Linear regions: against making the polygons, against noding the same lines with shapely, against regioncam."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from tests.bench.harness import Row, paired
from tropviz import MoELayer, Router, RoutingFan
from tropviz.core.experts_cells import side_rows
from tropviz.core.experts_exact import integer_rows, regions_exact
from tropviz.core.presets import random_affine, random_experts, random_linear

WINDOW = 3.0


def layer_of(N: int, k: int, H: int, d: int, family: object = random_affine) -> MoELayer:
    router = Router(*family(N, d, seed=1), k=k)  # type: ignore[operator]
    return MoELayer(router, *random_experts(N, H, d, seed=1), fan=RoutingFan(router))


def counting(layer: MoELayer) -> int:
    """Regions in the window, the cells being cut already: what is left to do once there is a picture."""
    return int(layer.regions(WINDOW))


def from_scratch(layer: MoELayer) -> int:
    """Regions in the window from the fan alone: cutting the cells, too."""
    layer._kept.clear()
    return int(layer.regions(WINDOW))


def shapely_regions(layer: MoELayer, ids: np.ndarray, shapes: np.ndarray) -> int:
    """The usual way: node the whole lines with the border of each cell, polygonize, count the pieces inside."""
    far, total = 10 * WINDOW, 0
    for active, shape in zip(layer.sets[ids], shapes, strict=True):
        rows = layer.hinges_of(active[None])[0]
        normal, offset = rows[:, :2], rows[:, 2]
        size = np.hypot(*normal.T)
        foot, along = -normal * (offset / size**2)[:, None], np.stack([-normal[:, 1], normal[:, 0]], 1) / size[:, None]
        lines = shapely.linestrings(np.stack([foot - far * along, foot + far * along], axis=1))
        noded = shapely.union_all([shape.exterior, *lines[shapely.intersects(lines, shape)]])
        pieces = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
        total += int(shapely.contains(shape, shapely.point_on_surface(pieces)).sum())
    return total


def regioncam_regions(U: np.ndarray, c: np.ndarray) -> int:
    import regioncam

    picture = regioncam.Regioncam(size=WINDOW)
    picture.linear(U.T.astype(np.float32), c.astype(np.float32))
    picture.relu()
    return int(picture.num_faces)


def robust_regions(U: np.ndarray, c: np.ndarray) -> int:
    """The robust form on its own, as it is used where the position is not general."""
    sides = integer_rows(side_rows(np.array([[-WINDOW, WINDOW]] * 2), 2))
    return regions_exact(sides, integer_rows(np.column_stack([U, c])), 2)


def rows() -> Iterator[Row]:
    for (N, k, H), target in (((16, 4, 8), 1), ((64, 8, 8), 3), ((128, 8, 16), 3)):
        for family in (random_affine, random_linear):
            layer = layer_of(N, k, H, 2, family)
            what = f"({N},{k},{H}) d=2 {family.__name__[7:]}"
            polygons = lambda layer=layer: layer.fan.polygons(WINDOW)  # noqa: E731
            note = f"{counting(layer)} regions"
            yield Row(
                f"regions {what}: counting / polygons",
                paired(lambda layer=layer: counting(layer), polygons),
                f"<= {target}",
                note,
            )
            yield Row(
                f"regions {what}: cutting and counting / polygons",
                paired(lambda layer=layer: from_scratch(layer), polygons),
                "",
                note,
            )
    for N, k, H in ((16, 4, 8), (64, 8, 8)):
        layer = layer_of(N, k, H, 2)
        ids, shapes = layer.fan.polygons(WINDOW)
        peer = lambda layer=layer, ids=ids, shapes=shapes: shapely_regions(layer, ids, shapes)  # noqa: E731
        ratio = 1 / paired(lambda layer=layer: counting(layer), peer, repeat=3)  # both have the cells cut already
        note = f"{counting(layer)} regions, shapely finds {peer()}"
        yield Row(f"regions ({N},{k},{H}) d=2: times faster than shapely", ratio, ">= 20", note)
    for N, k, H in ((16, 4, 8), (64, 8, 4)):
        for family in (random_affine, random_linear):
            layer = layer_of(N, k, H, 3, family)

            def fan_and_polyhedra(layer: MoELayer = layer) -> object:
                return RoutingFan(layer.router).volumes(WINDOW)

            ratio = paired(lambda layer=layer: from_scratch(layer), fan_and_polyhedra, repeat=3)
            note = f"{counting(layer)} regions"
            yield Row(f"regions ({N},{k},{H}) d=3 {family.__name__[7:]} / fan + polyhedra", ratio, "<= 5", note)
    for H, target in ((128, 5), (512, 25)):
        (U,), (c,) = random_experts(1, H, 2, seed=1)
        ratio = 1 / paired(lambda U=U, c=c: robust_regions(U, c), lambda U=U, c=c: regioncam_regions(U, c), repeat=3)
        note = f"{robust_regions(U, c)} regions, regioncam finds {regioncam_regions(U, c)}"
        yield Row(f"dense {H}: robust form, times faster than regioncam", ratio, f">= {target}", note)
        dense = MoELayer.dense(U, c)
        ratio = 1 / paired(lambda d=dense: from_scratch(d), lambda U=U, c=c: regioncam_regions(U, c), repeat=3)
        yield Row(f"dense {H}: as it is counted, times faster than regioncam", ratio, "", "")
    U, c = np.array([[1, 0], [0, 1], [1, 1], [1, -1], [2, 1], [1, 3]]), np.array([-1, -1, -2, 0, -3, -4])
    note = f"12 regions; here {robust_regions(U, c)}, regioncam finds {regioncam_regions(U, c)}"
    yield Row("dense, six lines through one point: ours right where regioncam is not", 1.0, "", note)
