"""The list of active sets to choose from: the twin of the three pictures."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tropviz.figures.plane import MOST_NAMED, set_label, set_text
from tropviz.ui.hypersimplex.views import Views

#: Sets that a list offers.
LISTED = 2000


def listed(view: Views) -> list[tuple[int, ...]]:
    """The sets that can be chosen from a list: all, or where those are too many the chosen one and its neighbours."""
    sets, row = view.sets, view.row(view.sets)
    if len(sets) > LISTED:
        near = view.shadow.steps(row)[0] if row is not None and view.diagram is None else np.zeros(0, dtype=np.int64)
        sets = sets[np.sort(np.append(near, row))] if row is not None else sets[:LISTED]
    names = [tuple(S) for S in sets.tolist()]
    return names if view.chosen in names else [*names, view.chosen]


def named(names: list[tuple[int, ...]]) -> Callable[[tuple[int, ...]], str]:
    """How the list calls its sets; where a name is cut short a number keeps them apart.

    >>> named([(0, 3)])((0, 3)), named([tuple(range(20))])(tuple(range(20)))
    ('{0, 3}', '1. {0, 1, 2, 3, 4, 5, … 19}: 20 experts')
    """
    number = {S: i for i, S in enumerate(names, 1)}
    return lambda S: set_text(S) if len(S) <= MOST_NAMED else f"{number.get(S, 0)}. {set_label(S)}"
