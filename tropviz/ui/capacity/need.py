"""What the Capacity page needs of a wide shape, made in the pool: the slice law, bounds and designs of many shapes."""

from __future__ import annotations

from tropviz.language import say
from tropviz.ui import effort, heavy
from tropviz.ui.capacity.grain import grain_of
from tropviz.ui.capacity.iso import isos
from tropviz.ui.capacity.view import MOST_CELLS, gain_curves, gain_marks, view_of
from tropviz.ui.scene import Scene

#: Seconds for one pair (p, q) of the slice law of a shape and its partners, and for one factor of a binomial of the
#: designs: about as many as hinges are active.
PAIR, HINGE = 8e-5, 2e-5
CALLS: tuple[heavy.Call, ...] = (
    ("gain", gain_curves, ()),
    ("marks", gain_marks, ()),
    ("counts", view_of, ()),
    ("shapes", isos, ()),
    ("pieces", grain_of, ()),
)


def need(scene: Scene) -> None:
    """In a part: what all parts of the page show, if it takes long, is made in the pool, once for all of them."""
    seconds = PAIR * scene.k * (scene.n - scene.k) + HINGE * scene.k * scene.h
    if scene.slice in (2, 3):  # the router on screen is counted
        here = scene.replace(dim=str(scene.slice))[0]
        if effort.cells(here) <= MOST_CELLS:
            seconds += effort.fan_seconds(here)
    heavy.need(scene, say("Capacity"), CALLS, seconds)
