"""The fan against one Qhull of its own answer, and against a grid of top-k in the same window."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np
import torch
from scipy.spatial import ConvexHull

from tests.bench.harness import Row, least
from tropviz import Router, RoutingFan
from tropviz.core.slices import restrict


def gaussian(N: int, k: int, d: int) -> Router:
    random = np.random.default_rng(0)
    return Router(random.normal(size=(N, d)), random.normal(size=N), k)


def sums(fan: RoutingFan) -> np.ndarray:
    """The points whose upper hull is the fan: what the last Qhull of a hull method would be given."""
    rows = np.column_stack([fan.router.W, fan.router.b])
    return rows[fan.active_sets].sum(axis=1)


def everything(router: Router, window: float) -> int:
    """Cells, corners, rays, neighbours, witnesses and polygons."""
    fan = RoutingFan(router)
    ids, _ = fan.polygons(window)
    return len(fan.corners) + len(fan.rays) + len(fan.witnesses) + len(ids)


def grid(router: Router, window: float, side: int = 1000) -> np.ndarray:
    """Distinct active sets on a grid: bare torch top-k, one hash per set, unique hashes."""
    axis = torch.linspace(-window, window, side, dtype=torch.float64)
    weights, bias = torch.from_numpy(router.W.T.copy()), torch.from_numpy(router.b.copy())
    salt = torch.from_numpy(np.random.default_rng(1).integers(-(2**62), 2**62, router.N))
    seen = []
    for rows in axis.split(max(1, 2**20 // (side * router.N))):
        points = torch.cartesian_prod(rows, axis)
        seen.append(salt[torch.topk(points @ weights + bias, router.k, dim=1).indices].sum(dim=1).unique())
    return torch.cat(seen).unique().numpy()


def rows() -> Iterable[Row]:
    torch.set_num_threads(1)
    window = 3.0
    for N, k in ((64, 8), (256, 8)):
        router = gaussian(N, k, 2)
        fan, points = RoutingFan(router), sums(RoutingFan(router))
        ratio = least(lambda r=router: everything(r, window), lambda p=points: ConvexHull(p))  # type: ignore[misc]
        yield Row(f"fan ({N},{k}) affine d=2, all and polygons : last Qhull", ratio, "<= 5", f"{fan.count} cells")
        start = time.process_time()
        found = grid(router, window)
        slow = time.process_time() - start
        quick = min(_timed(router, window) for _ in range(20))
        inside, _ = fan.polygons(window)
        missed = len(inside) - len(found)
        note = f"grid misses {missed} of {len(inside)} cells in the window ({missed / len(inside):.1%})"
        yield Row(f"1000 x 1000 grid of top-k : fan ({N},{k}), all and polygons", slow / quick, ">= 100", note)
    for N, k, d in ((16, 4, 3), (64, 8, 3), (16, 4, 4)):
        router = gaussian(N, k, d)
        points = sums(RoutingFan(router))
        ratio = least(lambda r=router: RoutingFan(r).witnesses, lambda p=points: ConvexHull(p), repeat=9)  # type: ignore[misc]
        work = f"fan ({N},{k}) affine d={d}, cells and witnesses : last Qhull"
        yield Row(work, ratio, "<= 1" if d == 3 else "<= 0.4", f"{len(points)} cells")

    yield from exactness()


def exactness() -> Iterable[Row]:
    """What it costs that a slice is the exact numbers, where floats decide every sign."""
    random = np.random.default_rng(0)
    for N, k in ((64, 8), (256, 8)):
        router = Router(random.normal(size=(N, 64)), random.normal(size=N), k)
        origin, basis = random.normal(size=64), np.linalg.qr(random.normal(size=(64, 2)))[0].T
        cut = restrict(router, origin, basis)
        rounded = Router(cut.W, cut.b, k)
        ratio = least(lambda c=cut: RoutingFan(c), lambda r=rounded: RoutingFan(r))  # type: ignore[misc]
        work = f"fan of an exact slice ({N},{k}), d=64 to 2 : fan of its floats"
        yield Row(work, ratio, "<= 1.1", f"{RoutingFan(cut).count} cells")
        ratio = least(lambda r=router, o=origin, b=basis: restrict(r, o, b), lambda c=cut: RoutingFan(c))  # type: ignore[misc]
        yield Row(f"making that slice ({N},{k}) : its fan", ratio, "<= 0.3", "products and sums in 106 bits")


def _timed(router: Router, window: float) -> float:
    start = time.process_time()
    everything(router, window)
    return time.process_time() - start
