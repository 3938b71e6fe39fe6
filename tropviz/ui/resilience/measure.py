"""What is measured step by step, quick things first: every answer is kept, so a stopped run goes on where it was."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tropviz import Count, MoELayer, slice_law
from tropviz.core import manifold, presets
from tropviz.core.manifold import cells_crossed, kept, regions_crossed
from tropviz.figures.resilience import ShareCurve
from tropviz.io.architectures import architectures
from tropviz.language import say
from tropviz.ui.resilience.routers import COUNTED, effort, own_router, plan, random_router
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.derived import Derived

#: A handful of random routers are counted below this effort;
COUNTED_MANY = 5_000
#: how many, and sets that are asked one by one where counting would take too long, fewer of them from a width on.
ROUTERS, SETS, SETS_WIDE, WIDE = 8, 40, 24, 64
#: Published shapes that carry their name on the chart.
NAMED = ("Mixtral 8x7B", "DeepSeek-V3")
#: Input dimensions of the manifold experiment, points of a sample, experts up to which it runs unasked.
SPACES, POINTS, UNASKED = (2, 3, 4, 6, 8, 12, 16, 32, 64), 6_000, 64


@dataclass(frozen=True)
class Step:
    """One piece of measuring: what it is for people, a derived function, and its arguments beside the scene."""

    text: str
    make: Derived[Any]
    args: tuple[Any, ...] = ()


def token(scene: Scene) -> str:
    """Names what is measured of a scene."""
    own = scene.own_router.token if scene.router == "file" else scene.taught
    names = ("router", "n", "k", "h", "dim", "seed", "manifold", "manifold_dim", "degree")
    return f"{own} {' '.join(map(str, scene.subset(*names)))}"


def every_step(scene: Scene, asked: bool = False) -> list[Step]:
    """All that is measured for a scene; of wide routers the manifold experiment only if it is asked for."""
    counted, sampled = plan(scene)
    out = [Step(say("published shapes"), published)]
    out += [Step(say("this router in d = {d}", d=d), own_share, (d,)) for d in counted]
    for d in [*counted, *sampled]:
        out.append(Step(say("random routers in d = {d}", d=d), random_share, (d,)))
        if d in sampled:
            out.append(Step(say("this router in d = {d}", d=d), own_share, (d,)))
    if asked or scene.n <= UNASKED:
        kind, d_eff, _ = shape(scene)
        for d in spaces(kind, d_eff):
            out.append(Step(say("flat data in {d} dimensions", d=d), crossed, (False, d)))
            out.append(Step(say("curved data in {d} dimensions", d=d), crossed, (True, d)))
    return out


def steps(scene: Scene, asked: bool = False) -> list[Step]:
    """What is still to be measured."""
    return [step for step in every_step(scene, asked) if step.make.known(scene, *step.args) is None]


def calls(scene: Scene, asked: bool = False) -> list[tuple[str, Derived[Any], tuple[Any, ...]]]:
    """All that is measured, as work for the pool."""
    return [(step.text, step.make, step.args) for step in every_step(scene, asked)]


def law_curve(N: int, k: int, name: str, affine: bool = False, label: bool = False) -> ShareCurve:
    """The slice law of a shape, up to where hardly anything is missing."""
    end = min(N - 1, slice_law.dimension_for(N, k, 0.9999) + 1) if N > 2 else 1
    shares = np.exp(slice_law.log_shares_up_to(N, k, end, affine))[1:]
    return ShareCurve(name, np.arange(1, end + 1, dtype=float), np.minimum(shares, 1.0), label)


@derived
def published(_: Scene) -> tuple[ShareCurve, ...]:
    """One thin line for every published shape, routers without a bias; models of the same shape share one."""
    names: dict[tuple[int, int], list[str]] = {}
    for a in architectures():
        names.setdefault((a.N, a.k), []).append(a.name)
    curves = []
    for (N, k), models in names.items():
        named = next((m for m in models if m in NAMED), None)
        text = named or f"{', '.join(models)}: N = {N}, k = {k}"
        curves.append(law_curve(N, k, text, label=named is not None))
    return tuple(curves)


@derived
def own_share(scene: Scene, d: int) -> Count:
    """Share of sets that the scene's router keeps in d dimensions: counted, or from random sets."""
    router = own_router(scene, d)
    if effort(scene, d) <= COUNTED:
        return kept.counted_share(router)
    return kept.sampled_share(lambda _: router, router.N, router.k, _sets(scene))


@derived
def random_share(scene: Scene, d: int) -> Count:
    """Mean share of random routers, none of them the scene's own: counted, or one set from each of many routers."""
    make = partial(random_router, scene, d)
    if effort(scene, d) <= COUNTED_MANY:
        return kept.mean_share([make(scene.seed + 1 + i) for i in range(ROUTERS)])
    return kept.sampled_share(lambda i: make(scene.seed + 1 + i), scene.n, scene.k, _sets(scene), seed=1)


def _sets(scene: Scene) -> int:
    return SETS if scene.n <= WIDE else SETS_WIDE


def shape(scene: Scene) -> tuple[str, int, str | None]:
    """Kind and dimension of the curved data, and a sentence where the scene asks for what there is not."""
    possible = manifold.KINDS[scene.manifold]
    if scene.manifold_dim in possible:
        return scene.manifold, scene.manifold_dim, None
    nearest = min(possible, key=lambda d: abs(d - scene.manifold_dim))
    return (
        scene.manifold,
        nearest,
        say("A {manifold} has dimension {nearest}: that is shown.", manifold=scene.manifold, nearest=nearest),
    )


def spaces(kind: str, d_eff: int) -> list[int]:
    """Input dimensions in which both the flat and the curved data exist."""
    least = d_eff + (kind in ("circle", "sphere", "swiss roll"))
    return [d for d in SPACES if d >= max(2, least)]


@dataclass(frozen=True)
class Met:
    """What data crosses: cells beside cells, regions beside regions.

    Attributes
    ----------
    cells, regions : Count
        Of the layer.
    wide, narrow : Count
        Regions of dense networks of width kH and H: experts 0 to k - 1 together, and expert 0 alone.
    """

    cells: Count
    regions: Count
    wide: Count
    narrow: Count


@derived
def crossed(scene: Scene, curved: bool, d_in: int) -> Met:
    """What flat or curved data crosses of a random layer of the scene's shape, and of dense networks beside it."""
    kind, d_eff, _ = shape(scene)
    data = manifold.manifold(kind if curved else "flat", d_eff, d_in, degree=scene.degree, seed=scene.seed)
    router = random_router(scene, d_in, scene.seed)
    U, c = presets.random_experts(scene.n, scene.h, d_in, scene.seed)

    def dense(experts: int) -> Count:
        layer = MoELayer.dense(U[:experts].reshape(-1, d_in), c[:experts].ravel())
        return regions_crossed(layer, data, samples=POINTS)

    regions = regions_crossed(MoELayer(router, U, c), data, samples=POINTS)
    return Met(cells_crossed(router, data, samples=POINTS), regions, dense(scene.k), dense(1))
