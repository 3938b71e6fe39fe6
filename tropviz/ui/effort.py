"""What a scene costs before anything of it is computed: seconds, by the cells that the slice law expects.

A router that is no random one has about as many cells or fewer. The seconds per cell were measured on one core of a
server of 2023; they only decide whether work is done at once or in the pool, which has budgets of its own.
"""

from __future__ import annotations

from tropviz import slice_law
from tropviz.ui.scene import Scene, derived, model

#: Seconds a cell of a fan in the plane of 256 experts, and of a fan in space with its polyhedra and their surface.
PLANE, SPACE = 6e-5, 2.2e-4
#: Seconds for one score of one point at one offset of a sweep, its share of sorting included.
SCORE = 8e-8
#: Seconds for one coordinate of one point that is moved to another offset: of a wide router these are more than scores.
MOVED = 2e-9
#: Seconds for one number of a matrix whose principal directions are looked for, and each of its shorter side.
DIRECTION = 4e-9


@derived
def cells(scene: Scene) -> float:
    """Cells to expect in the space on screen; source and bias are looked at, the router is not cut yet."""
    source, d = model.scene_source(scene), model.scene_dim(scene)
    central = source.b is None and source.X is None
    return float(slice_law.expected_cells(len(source.W), scene.k, d, not central).value)


@derived
def plane_cells(scene: Scene) -> float:
    """Cells to expect in a plane through the router's own space."""
    source = model.scene_source(scene)
    return float(slice_law.expected_cells(len(source.W), scene.k, 2, source.b is not None).value)


@derived
def cones(scene: Scene) -> float:
    """Cones to expect in space, without the bias."""
    return float(slice_law.expected_cells(scene.n, scene.k, 3, False).value)


@derived
def subspace_seconds(scene: Scene) -> float:
    """For the principal directions that a wide router is shown along."""
    source = model.scene_source(scene)
    rows = source.W if source.X is None else source.X
    return DIRECTION * rows.size * min(rows.shape) if source.W.shape[1] > model.scene_dim(scene) else 0.0


def fan_seconds(scene: Scene) -> float:
    """For the fan, with what is drawn of it."""
    found = cells(scene) * (PLANE if scene.dim == "2" else SPACE)
    return found + subspace_seconds(scene)
