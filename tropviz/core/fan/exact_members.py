"""Corners and rays of a fan whose entries are so unlike in size that float64 scores say nothing of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tropviz.core.fan import exact
from tropviz.core.fan.places import places
from tropviz.core.fan.record import Fan
from tropviz.core.fan.witness import ExactVectors, copies_used


def exact_members(fan: Fan) -> Iterator[str]:
    """Sentences for corners and rays that are not where their experts tie, or not of the cells they are listed for."""
    reduced, diagram, e = fan.reduced, fan.diagram, fan.reduced.experts
    if e is None or reduced.rank == 0:  # one cell
        return
    if diagram is not None:
        want = places(reduced, diagram)
    else:
        want = reduced.origin[None], reduced.lift_directions(np.array([[1.0], [-1.0]]))
    for have, right, word in zip((fan.vertices, fan.directions), want, ("corner", "ray"), strict=True):
        for n in np.flatnonzero((have != right).any(axis=1)).tolist():
            yield f"The {word} {n} is not where its experts tie."
    if diagram is None:
        return
    vectors, used = ExactVectors(fan), copies_used(reduced, fan.active_sets)
    lists = [(*fan.cell_directions, len(fan.vertices), "ray"), (*fan.cell_vertices, 0, "corner")]
    if not reduced.half:
        lists = [(*fan.cell_directions, 0, "ray")]
    for ids, starts, begin, word in lists:
        for cell, item in zip(np.repeat(np.arange(len(used)), np.diff(starts)).tolist(), ids.tolist(), strict=True):
            scores = [exact.dot(row, vectors[begin + item]) for row in e.integers]
            lowest = min(s for s, y in zip(scores, used[cell], strict=True) if y > 0)
            highest = max(s for s, y, c in zip(scores, used[cell], e.copies, strict=True) if y < c)
            if lowest < highest:
                yield f"Cell {cell} does not reach its {word} {item}."
