"""The fans of every k at once, over the Router fan's plane: all lines of equal scores, and one level lit."""

from __future__ import annotations

from dataclasses import replace

from tropviz.core.fan import levels as core
from tropviz.figures.picture import Picture
from tropviz.figures.theme import theme
from tropviz.figures.traces import line, segments
from tropviz.language import say
from tropviz.ui.counts import CountRow
from tropviz.ui.scene import Scene, derived, model


@derived
def _levels(scene: Scene) -> core.Levels:
    return core.levels(model.scene_router(scene))


def drawn(scene: Scene, picture: Picture) -> Picture:
    """The picture with all pieces thin, and those of the scene's level strong."""
    if not scene.level:
        return picture
    every, look = _levels(scene), theme(scene.dark)
    rows, ends = every.segments(model.scene_window(scene))
    lit = every.level[rows] == scene.level
    thin = line(segments(ends[~lit]), look.line, 0.7) | {"opacity": 0.45}
    strong = line(segments(ends[lit]), look.line, 4.5)
    return replace(picture, data=[*picture.data, thin, strong])


def counts(scene: Scene) -> list[CountRow]:
    """All pieces, and those that are lit."""
    if not scene.level or scene.dim != "2":
        return []
    every, k = _levels(scene), int(scene.level)
    what = (
        say("Where the k-th and the next score change places.")
        if k < scene.n
        else say("At k = N nothing is left to change.")
    )
    pieces = say("Every line s_i = s_j, cut where another score crosses it: the walls of the fans of all k together.")
    return [
        (say("Pieces of all lines, every k"), every.total, pieces),
        (say("Walls of the fan of k = {k}, lit", k=k), every.walls(k), what),
    ]
