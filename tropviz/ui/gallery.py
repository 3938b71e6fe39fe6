"""The pictures of the presets, and of lessons on paper: the plane that each of them cuts, drawn exactly."""

from __future__ import annotations

import functools

import numpy as np

from tropviz.figures.svg import fan_svg
from tropviz.ui.fan.regions import segments
from tropviz.ui.fan.view import colours
from tropviz.ui.presets import presets
from tropviz.ui.scene import Scene, model

#: Side of a picture in pixels, and the data points on it.
SIDE, POINTS = 160, 120
#: The window holds the data, wherever it lies: half of it, in offsets.
WIDER = 1.4


@functools.lru_cache(maxsize=64)
def picture(name: str) -> str:
    """The picture of a preset as SVG; drawn when it is first asked for.

    Raises
    ------
    ValueError
        If there is none of this name.

    Examples
    --------
    >>> picture("three_cones").count("<path fill")
    3
    """
    found = next((preset for preset in presets() if preset.name == name), None)
    if found is None:
        raise ValueError(f"There is no preset {name[:40]!r}.")
    return drawn(found.scene, SIDE, words=False)


def drawn(scene: Scene, side: int, words: bool) -> str:
    """The plane of a scene as SVG: its cells, hinges and data; `words`: with the names of cells that have room."""
    scene, _ = scene.replace(dim="2", window=max(scene.window, WIDER * scene.offset))
    cells, hinges = model.scene_cells(scene), segments(scene)
    points = model.scene_cloud(scene)
    if scene.shared:  # the router sees the data without its mean
        points = points - scene.lam * model.scene_mean(scene)
    return fan_svg(
        cells.ids,
        cells.shapes,
        model.scene_fan(scene).active_sets,
        colours(scene),
        window=model.scene_window(scene),
        segments=None if hinges is None else hinges.ends,
        points=np.asarray(points)[:POINTS],
        side=side,
        words=words,
    )
