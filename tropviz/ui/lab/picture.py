"""The picture of a router with its tokens, what a click on it means, and its words."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from tropviz import Count
from tropviz.core.gates.gate import KINDS
from tropviz.figures.picture import Picture
from tropviz.figures.plane import MOST_CELLS, set_text
from tropviz.figures.router_slice import exact_slice, sampled_slice, token_hovers
from tropviz.language import numeral, phrase, say
from tropviz.ui.canvas import canvas
from tropviz.ui.counts import title_html
from tropviz.ui.lab import model, seen
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.board import Changes

KEY = "router_slice"
SLICES = {
    "principal": phrase("the mean and the two principal directions of the tokens"),
    "mean": phrase("the origin, the mean, and the leading direction of the residuals"),
    "experts": phrase("the mean, the difference of two experts, and the leading direction across it"),
    "tokens": phrase("three tokens"),
}


@derived
def hovers(scene: Scene) -> list[str]:
    """What a hover says of each token."""
    found = seen.tokens(scene)
    return token_hovers(found.sets, found.names, "" if found.texts else "source ")


def figure(scene: Scene) -> Picture:
    """The exact fan, or the curved gate."""
    points, texts, picked = seen.points(scene), hovers(scene), int(scene.lab_token)
    W, box, own = seen.router(scene).W, seen.window(scene), seen.tokens(scene).sets
    if seen.gate_of(scene).exact:
        found, fan = seen.cells(scene), seen.fan(scene)
        more = points, own, texts, picked, scene.dark
        return exact_slice(found.ids, found.shapes, fan.active_sets, W, box.tolist(), *more)
    curved = seen.sampled(scene)
    return sampled_slice(curved.sets, curved.at, W, seen.walls(scene), box, points, own, texts, picked, scene.dark)


def show(scene: Scene) -> None:
    """Put it on the canvas."""
    gate, found = seen.gate_of(scene), seen.tokens(scene)
    what = (
        say("exact cells")
        if gate.exact
        else say("cells drawn by evaluation, with the walls of plain top-k dotted over them")
    )
    canvas(
        figure(scene),
        key=KEY,
        alt=(
            say(
                "{gate_name}, in the plane through {slices}: {what}, and {y:,} tokens on them.",
                gate_name=model.gate_name(gate),
                slices=say(SLICES[scene.lab_slice]),
                what=what,
                y=len(found.y),
            )
        ),
        hears={"click": clicked, "step": stepped, "leave": let_go},
        of=("lab_layer", "lab_slice"),
        viewpoint=f"{model.model_of(scene).mark} {scene.lab_layer} {seen.window(scene).round(9).tolist()}",
        name="your_router",
        link=True,
        toolbar=not scene.embed,
        below=170,
    )


def clicked(scene: Scene, event: dict[str, Any]) -> Changes:
    """A click on a token marks it; beside all of them it lets the marked one go."""
    return {"lab_token": seen.nearest(scene, [float(event["x"]), float(event["y"])])}


def stepped(scene: Scene, event: dict[str, Any]) -> Changes:
    """An arrow key goes to the nearest token in its direction."""
    points = seen.points(scene)
    way = np.array([float(event["dx"]), float(event["dy"])])
    if not len(points) or not way.any():
        return None
    here = int(scene.lab_token)
    start = points[here] if 0 <= here < len(points) else seen.window(scene).mean(axis=1)
    ahead = (points - start) @ way
    far = np.linalg.norm(points - start, axis=1)
    fitting = np.flatnonzero(ahead > 0.7 * far)
    return {"lab_token": int(fitting[far[fitting].argmin()])} if len(fitting) else None


def let_go(_: Scene, __: dict[str, Any]) -> Changes:
    """Escape lets the token go."""
    return {"lab_token": -1}


def kind_text(scene: Scene) -> str:
    """Which geometry the gate has, as HTML."""
    gate = seen.gate_of(scene)
    note = f" {escape(gate.note[0].upper() + gate.note[1:])}." if gate.note else ""
    if gate.exact:
        return say(
            "Class {kind}: {kinds}, so the picture is exact.{note}",
            kind=gate.kind,
            kinds=say(KINDS[gate.kind]),
            note=note,
        )
    text = say(
        "Class {kind}: {kinds}. <b>Sampled, curved</b>: drawn by evaluation at {grid}² places, ",
        kind=gate.kind,
        kinds=say(KINDS[gate.kind]),
        grid=seen.GRID,
    )
    text += say("with the exact fan of plain top-k dotted over it.")
    away = seen.elsewhere(scene)
    if away is not None:
        text += say(" <b>{percent} of your tokens would go elsewhere by plain top-k</b>.", percent=_percent(away))
    return text + note


def _percent(count: Count) -> str:
    return numeral(f"{100 * float(count.value):.1f} %")


def sentence(scene: Scene) -> str:
    """The line of meaning under the picture, as HTML."""
    gate, found = seen.gate_of(scene), seen.tokens(scene)
    text = say(
        "The plane through {slices}, in the {d} directions that this router can tell apart. ",
        slices=say(SLICES[scene.lab_slice]),
        d=gate.d,
    )
    if not len(found.y) and scene.lab_slice == "principal":
        text = say("The plane through the origin along the two leading directions of the weights. ")
    alike = seen.alike(scene)
    if alike is not None:
        text += say(
            "<b>{percent}</b> of the {y:,} tokens lie in the cell of their own active set; the ",
            percent=_percent(alike),
            y=len(found.y),
        )
        text += say("others are projected over a wall. ")
    return text + picked_text(scene)


def picked_text(scene: Scene) -> str:
    """The token that is marked, as HTML; empty where none is."""
    found, i = seen.tokens(scene), int(scene.lab_token)
    if not 0 <= i < len(found.y):
        return ""
    name = f" “{escape(found.names[i][:60])}”" if found.names and found.texts else ""
    name = name or (say(" of source {names}", names=escape(found.names[i][:60])) if found.names else "")
    return say(
        "Token {i}{name}: active set <b>{sets}</b>, margin {margin:.3g}.",
        i=i,
        name=name,
        sets=set_text(found.sets[i]),
        margin=found.margin[i],
    )


def hidden_note(scene: Scene) -> str | None:
    """What is not drawn, if anything."""
    extra = len(seen.cells(scene).ids) - MOST_CELLS
    return (
        say(
            "The {most_cells:,} largest of {most_cells_2:,} cells are drawn.",
            most_cells=MOST_CELLS,
            most_cells_2=extra + MOST_CELLS,
        )
        if extra > 0
        else None
    )


def heading(scene: Scene) -> str:
    """Whose router it is, as HTML."""
    thing, gate = model.model_of(scene), seen.gate_of(scene)
    return f'{title_html(escape(say(thing.name)[:80]))}<p class="tv-hint">{escape(model.gate_name(gate))}</p>'


def refusal(scene: Scene) -> str:
    """Why a gate of class X is not drawn, as HTML."""
    gate = seen.gate_of(scene)
    return say(
        "This router is not drawn, as its choice is {x}: {refused}.",
        x=say(KINDS["X"]),
        refused=escape(gate.rule.refused),
    )


def plain_html(text: object) -> str:
    """A sentence as HTML."""
    return escape(str(text))
