"""Linear regions: against making the polygons, against noding the same lines with shapely, against regioncam."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import shapely

from tests.bench.harness import Row, least
from tests.oracles import exact_regions as oracle
from tropviz import MoELayer, Router, RoutingFan
from tropviz.core.experts import Stack
from tropviz.core.experts.cells import side_rows
from tropviz.core.experts.exact import integer_rows, regions_exact
from tropviz.core.experts.hinges import region_outline
from tropviz.core.presets import random_affine, random_experts, random_linear

WINDOW = 3.0
#: Degenerate cases of each kind.
CASES = 40


def layer_of(N: int, k: int, H: int, d: int, family: object = random_affine) -> MoELayer:
    router = Router(*family(N, d, seed=1), k=k)  # type: ignore[operator]
    return MoELayer(router, *random_experts(N, H, d, seed=1), fan=RoutingFan(router))


def fresh(layer: MoELayer) -> int:
    """Regions in the window by a new layer, from a finished fan: everything but the fan is charged."""
    return int(MoELayer(layer.router, layer.U, layer.c, fan=layer.fan).regions(WINDOW))


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


def degenerate(family: str, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A few integer lines in special position, exact in float32, too."""
    if family == "one line twice":
        U, c, times = random.integers(-9, 10, (4, 2)), random.integers(-9, 10, 4), random.choice([3, 7, -5, 11], 4)
        return np.concatenate([U, U * times[:, None]]), np.concatenate([c, c * times])
    parts = 1 if family == "through an integer point" else int(random.choice([3, 7, 11, 13]))
    point = random.integers(-2 * parts, 2 * parts + 1, 2)
    U = random.integers(-9, 10, (int(random.integers(3, 7)), 2)) * parts
    c = -(U @ point) // parts
    if family == "all but one through a point":  # the last one passes it by 1 in 2^12
        U, c = U * 2**12, c * 2**12
        c[-1] += 1
    return U, c


def by_splitting(U: np.ndarray, c: np.ndarray) -> int:
    """The true count: a square cut in rational arithmetic."""
    splitter = oracle.Splitter([(-Fraction(WINDOW), Fraction(WINDOW))] * 2)
    pieces = [splitter.box]
    for row in oracle.exact(np.column_stack([U, c]).tolist()):
        if any(row[:-1]):
            pieces = [part for piece in pieces for part in splitter.cut(piece, row) if part is not None]
    return len(pieces)


def rightness() -> Iterator[Row]:
    """How many of some degenerate cases each gets right, against splitting."""
    random = np.random.default_rng(0)
    families = ("through an integer point", "through a rational point", "all but one through a point", "one line twice")
    for family in families:
        ours = theirs = 0
        for _ in range(CASES):
            U, c = degenerate(family, random)
            true = by_splitting(U, c)
            ours += robust_regions(U, c) == int(MoELayer.dense(U, c).regions(WINDOW)) == true
            theirs += regioncam_regions(U, c) == true
        note = f"right in {ours} of {CASES} cases, regioncam in {theirs}"
        yield Row(f"dense, {family}: share right", ours / CASES, "1", note)


def rows() -> Iterator[Row]:
    for (N, k, H), target in (((16, 4, 8), 0.8), ((64, 8, 8), 1), ((128, 8, 16), 1.5)):
        for family in (random_affine, random_linear):
            layer = layer_of(N, k, H, 2, family)
            what = f"({N},{k},{H}) d=2 {family.__name__[7:]}"
            ratio = least(lambda layer=layer: fresh(layer), lambda layer=layer: layer.fan.polygons(WINDOW))
            yield Row(f"regions {what}: all from the fan / polygons", ratio, f"<= {target}", f"{fresh(layer)} regions")
    for N, k, H in ((16, 4, 8), (64, 8, 8), (128, 8, 16)):
        layer = layer_of(N, k, H, 2)

        def with_shapely(layer: MoELayer = layer) -> int:
            return shapely_regions(layer, *layer.fan.polygons(WINDOW))

        ratio = 1 / least(lambda layer=layer: fresh(layer), with_shapely, repeat=3)
        note = f"{fresh(layer)} regions, shapely finds {with_shapely()}"
        yield Row(f"regions ({N},{k},{H}) d=2: times faster than polygons and shapely", ratio, ">= 20", note)
    for N, k, H in ((16, 4, 8), (64, 8, 4)):
        for family in (random_affine, random_linear):
            layer = layer_of(N, k, H, 3, family)

            def fan_and_polyhedra(layer: MoELayer = layer) -> object:
                return RoutingFan(layer.router).volumes(WINDOW)

            ratio = least(lambda layer=layer: fresh(layer), fan_and_polyhedra, repeat=3)
            note = f"{fresh(layer)} regions"
            yield Row(f"regions ({N},{k},{H}) d=3 {family.__name__[7:]} / fan + polyhedra", ratio, "<= 5", note)
    for H, target in ((128, 10), (512, 25)):
        (U,), (c,) = random_experts(1, H, 2, seed=1)
        peer = lambda U=U, c=c: regioncam_regions(U, c)  # noqa: E731
        ratio = 1 / least(lambda U=U, c=c: robust_regions(U, c), peer, repeat=5)
        note = f"{robust_regions(U, c)} regions, regioncam finds {peer()}"
        yield Row(f"dense {H}: robust form, times faster than regioncam", ratio, f">= {target}", note)
        ratio = 1 / least(lambda U=U, c=c: MoELayer.dense(U, c).regions(WINDOW), peer, repeat=5)
        yield Row(f"dense {H}: as it is counted, times faster than regioncam", ratio, "", "")
    yield from rightness()
    yield from stacked_rows()


def stacked_rows() -> Iterator[Row]:
    """Two layers of the paper's shape, against drawing each of their regions from its walls and hinges."""
    layers = []
    for seed in (1, 2):
        layer = (
            layer_of(16, 4, 8, 2)
            if seed == 1
            else MoELayer(Router(*random_affine(16, 2, seed=2), k=4), *random_experts(16, 8, 2, seed=2))
        )
        V = np.random.default_rng(seed).normal(size=(16, 2, 8)) / 3
        layers.append(MoELayer(layer.router, layer.U, layer.c, V))
    level = Stack(layers).levels(WINDOW)[1]
    middles = [ring.mean(axis=0) for ring in level.polygons]

    def drawn() -> int:
        return sum(len(region_outline(layers[0], x, WINDOW)) for x in middles)

    ratio = least(lambda: Stack(layers).regions(WINDOW), drawn, repeat=3)
    note = f"{level.regions} regions, {level.path_count} paths"
    yield Row("stack of two (16,4,8) d=2 / the polygon of each of its regions", ratio, "<= 5", note)
