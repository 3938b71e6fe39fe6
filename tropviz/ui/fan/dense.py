"""The dense arrangement beside the layer: the same hinges, always active, in the same window of the plane."""

from __future__ import annotations

from tropviz import Count
from tropviz.figures.picture import Picture
from tropviz.figures.plane import plane_figure
from tropviz.figures.theme import theme
from tropviz.language import say
from tropviz.ui.canvas import canvas
from tropviz.ui.controls import widget
from tropviz.ui.fan import regions as regions_view
from tropviz.ui.scene import Scene, derived, model
from tropviz.ui.shell import meaning

#: Its canvas.
KEY = "dense"
#: Most hinges that are drawn and counted here: more make a grey square.
MOST_HINGES = 2048


def possible(scene: Scene) -> bool:
    """Whether there is something to be drawn: lines in the plane, not too many."""
    return bool(scene.dim == "2" and model.scene_layer(scene).H * scene.n <= MOST_HINGES)


@derived
def seen(scene: Scene, total: bool) -> tuple[Picture, Count]:
    """The arrangement and its regions in the window."""
    window, layer = model.scene_window(scene), regions_view.dense_layer(scene, total)
    ids, shapes = layer.fan.polygons(window)
    lines = layer.hinge_segments(window, polygons=(ids, shapes))
    figure = plane_figure(
        ids,
        shapes,
        layer.fan.active_sets,
        [theme(scene.dark).veil] * len(layer.fan.active_sets),
        window=window,
        segments=lines.ends,
        labels=False,
        dark=scene.dark,
    )
    return figure, layer.regions(window)


def show(scene: Scene) -> None:
    """The switch, and what it asks for."""
    if not possible(scene):
        return
    widget("dense", scene)
    if scene.dense == "none":
        return
    total = scene.dense == "total"
    figure, count = seen(scene, total)
    layer = model.scene_layer(scene)
    width, name = (scene.n * layer.H, say("total width NH")) if total else (scene.k * layer.H, say("active width kH"))
    inside = regions_view.counts(scene)[-1]
    alt = say(
        "A dense network of {width} hidden units in the same window: its hinges cut it into {count} regions.",
        width=width,
        count=count,
    )
    canvas(figure, key=KEY, alt=alt, viewpoint=str(scene.window), name="dense", below=140)
    what = "stored" if total else say("paid for, for every input")
    beside = say(" The layer above has <b>{inside}</b>.", inside=inside[1]) if regions_view.affordable(scene) else ""
    meaning(
        say(
            "One dense network of the same {name} = {width}, that is of what is {what}: every hinge "
            "runs through the whole plane, and they cut the window into <b>{count}</b> "
            "regions.{beside}",
            name=name,
            width=width,
            what=what,
            count=count,
            beside=beside,
        )
    )
