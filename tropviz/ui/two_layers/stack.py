"""The layers of a scene, stacked: what they are, what counting them costs, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz import MoELayer, Router, capacity, slice_law
from tropviz.core import presets
from tropviz.core.experts.stack import MOST_EXPERTS, Level, Stack
from tropviz.language import phrase, say
from tropviz.ui import heavy
from tropviz.ui.scene import Scene, derived, model
from tropviz.ui.scene.board import Changes

#: Regions expected up to which a stack is counted while the page waits, counted in the pool, and counted beside it.
AT_ONCE, MOST, BESIDE = 3_000.0, 40_000.0, 20_000.0
#: Routers that every layer draws anew; layers above another kind of router get a random one.
KINDS = tuple(presets.PRESETS)
#: What is stacked: the mixture, dense layers of its active width kH, and dense layers of its total width NH.
STACKS = {
    "moe": phrase("the mixture"),
    "dense": phrase("dense layers of width kH"),
    "total": phrase("dense layers of width NH"),
}


def admit(scene: Scene) -> Changes:
    """The rule of the page: no more experts than a stack takes; what has to change is said."""
    if scene.n <= MOST_EXPERTS or scene.replace(n=MOST_EXPERTS)[0].n > MOST_EXPERTS:
        return None
    return {
        "n": MOST_EXPERTS,
        "notes": (
            say("Stacks take up to {most_experts} experts; there were {n}.", most_experts=MOST_EXPERTS, n=scene.n),
        ),
    }


@derived
def layers(scene: Scene) -> tuple[MoELayer, ...]:
    """The scene's layer in the plane, and the ones above it: same shape, seeds of their own, random output weights."""
    n, h, first = scene.n, scene.h, model.scene_layer(scene.replace(dim="2")[0])
    kind = scene.router if scene.router in KINDS else "affine"
    made = []
    for i in range(scene.layers):
        seed, V = scene.seed + i, presets.random_outputs(n, h, 2, scene.seed + i)
        router = Router(*presets.preset(kind, n, 2, seed), k=scene.k) if i else first.router
        U, c = presets.random_experts(n, h, 2, seed) if i else (first.U, first.c)
        made.append(MoELayer(router, U, c, V=V))
    return tuple(made)


def dense(layer: MoELayer, experts: int) -> MoELayer:
    """The first experts of a layer, always active, with the same gates 1/k: one dense layer."""
    assert layer.V is not None
    V: NDArray[np.float64] = np.concatenate(list(layer.V[:experts]), axis=1) / layer.k
    return MoELayer.dense(layer.U[:experts].reshape(-1, 2), layer.c[:experts].ravel(), V=V)


def _stacked(scene: Scene, kind: str) -> list[MoELayer]:
    made = list(layers(scene))
    return made if kind == "moe" else [dense(one, one.k if kind == "dense" else one.N) for one in made]


@derived
def levels(scene: Scene, kind: str) -> tuple[Level, ...]:
    """Regions and paths of one of `STACKS` after every layer, in the window."""
    return Stack(_stacked(scene, kind)).levels(scene.window)


@derived
def alone(scene: Scene, kind: str) -> tuple[Level, ...]:
    """The same of every layer by itself, in the same window; of which only the numbers are kept."""
    found = (Stack([layer]).levels(scene.window)[0] for layer in _stacked(scene, kind))
    return tuple(Level((np.zeros((0, 2)),) * len(one.polygons), one.path, one.paths) for one in found)


@derived
def expected(scene: Scene, kind: str) -> float:
    """About how many regions a stack has: those of one layer, times the square of the depth.

    In the plane the mean over random networks grows with the square of the number of their neurons, however these are
    spread over layers (B. Hanin, D. Rolnick, Complexity of linear regions in deep networks, ICML 2019).
    """
    L = scene.layers
    if kind == "moe":
        return float(slice_law.expected_regions(scene.n, scene.k, scene.h, 2, affine=True).value) * L**2
    return float(capacity.hyperplane_regions((scene.k if kind == "dense" else scene.n) * scene.h * L, 2))


def check(scene: Scene) -> None:
    """ValueError in one sentence where the scene cannot be counted, before anything starts."""
    if scene.n > MOST_EXPERTS:
        raise ValueError(
            say("This router has {n} experts: stacks take up to {most_experts}.", n=scene.n, most_experts=MOST_EXPERTS)
        )
    most = max(expected(scene, "moe"), expected(scene, "dense"))
    if most > MOST:
        raise ValueError(
            say(
                "About {most:,.0f} regions are expected of these layers, and up to {most_2:,.0f} are "
                "counted: choose a smaller N, k or H, or fewer layers.",
                most=most,
                most_2=MOST,
            )
        )


def shown(scene: Scene) -> list[str]:
    """Which of `STACKS` are counted: the widest one only where it is in reach."""
    return [kind for kind in STACKS if kind != "total" or expected(scene, kind) <= BESIDE]


def calls(scene: Scene) -> list[heavy.Call]:
    """All that is counted, as work for the pool."""
    each: list[heavy.Call] = [
        (say("{stacks}, stacked", stacks=say(STACKS[kind])), levels, (kind,)) for kind in shown(scene)
    ]
    return each + [(say("{stacks}, one by one", stacks=say(STACKS[kind])), alone, (kind,)) for kind in ("moe", "dense")]


def at_once(scene: Scene) -> bool:
    """Whether the page waits for it: little is expected, or it is there already."""
    if sum(expected(scene, kind) for kind in shown(scene)) <= AT_ONCE:
        return True
    return all(function.known(scene, *args) is not None for _, function, args in calls(scene))


@dataclass(frozen=True, eq=False)
class View:
    """What the page shows of a scene.

    Attributes
    ----------
    scene : Scene
    moe, dense : tuple of Level
        After every layer.
    total : tuple of Level or None
        Dense layers of the total width; None where they are out of reach.
    moe_alone, dense_alone : tuple of Level
        Every layer by itself, without its polygons' corners.
    """

    scene: Scene
    moe: tuple[Level, ...]
    dense: tuple[Level, ...]
    total: tuple[Level, ...] | None
    moe_alone: tuple[Level, ...]
    dense_alone: tuple[Level, ...]

    @property
    def depth(self) -> int:
        """Layers stacked."""
        return len(self.moe)


def view(scene: Scene) -> View:
    """What was counted, or is now."""
    total = levels(scene, "total") if "total" in shown(scene) else None
    return View(scene, levels(scene, "moe"), levels(scene, "dense"), total, alone(scene, "moe"), alone(scene, "dense"))


def token(scene: Scene) -> str:
    """Names what is counted of a scene."""
    own = scene.own_router.token if scene.router == "file" else scene.taught
    names = ("router", "n", "k", "h", "seed", "window", "layers")
    return f"{own} {' '.join(map(str, scene.subset(*names)))}"
