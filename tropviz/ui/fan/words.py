"""What the Router fan page says of its picture: the line of meaning under it, and what is not drawn."""

from __future__ import annotations

import math
from html import escape

from tropviz import Count
from tropviz.figures import plane
from tropviz.language import heard, plural, say
from tropviz.ui.counts import typeset
from tropviz.ui.fan import regions
from tropviz.ui.fan.body import Space
from tropviz.ui.fan.view import View
from tropviz.ui.scene import Scene, model


def sentence(view: View) -> str:
    """The line of meaning under the picture."""
    return _of_space(view) if isinstance(view, Space) else _of_plane(view)


def _of_plane(view: View) -> str:
    scene, all_sets = view.scene, math.comb(view.scene.n, view.scene.k)
    fan, hit = view.fan.count, len(view.seen.hits)
    few = say("one expert") if scene.k == 1 else say("{k} experts", k=scene.k)
    before = _origin(scene) + _designed(scene) + _tied(scene)
    colours = say("Each colour is one choice of <b>{few}</b> out of {n}.", few=few, n=scene.n)
    exist = plural(
        "Of {all} choices <b>{fan}</b> exists in this plane, and the data reaches {reached}.",
        "Of {all} choices <b>{fan}</b> exist in this plane, and the data reaches {reached}.",
        int(fan.value),
        all=Count(all_sets, "exact", ""),
        fan=fan,
        reached=f'<b class="tv-reached">{hit}</b>',  # the browser changes it during a drag
    )
    return f"{before}{colours} {exist} " + (
        say("Drag the cloud away from the middle and watch it fall into fewer cells.")
        if fan.value > 1
        else say("There is one cell only: wherever the data lies, it is sent to the same.")
    )


def _of_space(view: Space) -> str:
    scene, promised = view.scene, Count(math.comb(view.scene.n, view.scene.k), "exact", "")
    few = say("one expert") if scene.k == 1 else say("{k} experts", k=scene.k)
    shape = (
        say("Only the direction of an input matters to this router, so its cells are patches of a ball")
        if view.ball
        else say("Each block is one cell")
    )
    before = _designed(scene) + _tied(scene) + _prisms(scene)
    open_ = view.ball or scene.peel or scene.cut or 2 * view.outside > len(view.points)
    colours = say("{shape}; each colour is one choice of <b>{few}</b> out of {n}.", shape=shape, few=few, n=scene.n)
    exist = plural(
        "Of {all} choices <b>{fan}</b> exists in space, and the data reaches <b>{hits}</b>.",
        "Of {all} choices <b>{fan}</b> exist in space, and the data reaches <b>{hits}</b>.",
        int(view.fan.count.value),
        all=promised,
        fan=view.fan.count,
        hits=len(view.seen.hits),
    )
    return f"{before}{colours} {exist}" + (
        "" if open_ else say(" The data is inside: peel cells away, or cut, to see it.")
    )


def _tied(scene: Scene) -> str:
    """Which experts are the same, if any are."""
    groups = model.ties(scene)
    if not groups:
        return ""
    names = [str(i) for i in groups[0]]
    names = [*names[:7], say("{names} more", names=len(names) - 7)] if len(names) > 8 else names
    others = say(" So do {groups} more groups.", groups=len(groups) - 1) if len(groups) > 1 else ""
    return say(
        "Experts {names} and {names_2} are the same: they tie everywhere, and the lowest number is taken.{others} ",
        names=", ".join(names[:-1]),
        names_2=names[-1],
        others=others,
    )


def _designed(scene: Scene) -> str:
    """What the weights of a designed layer were chosen for."""
    if scene.router != "designed":
        return ""
    made, (_, most) = model.design(scene, model.scene_dim(scene)), model.designs(scene, model.scene_dim(scene))
    more = ""
    if made.regions < most.regions:
        more = say(
            "The {regions:,} that stand beside the promise are of another layer ({name}), whose hinges lie too close "
            "together to be seen: “Designed layer” opens it. ",
            regions=most.regions,
            name=most.name,
        )
    found = say(
        "Weights chosen for many regions ({name}, {formula}): <b>{regions:,}</b> of them in all, "
        "which the counts beside the picture find again. ",
        name=made.name,
        formula=typeset(made.formula),
        regions=made.regions,
    )
    return f"{found}{more}"


def _origin(scene: Scene) -> str:
    """Where the weights and the plane come from, for routers that were not drawn at random here."""
    if scene.router not in {"digits", "file"}:
        return ""
    source, own = model.scene_source(scene), model.scene_source(scene).W.shape[1]
    name = say("A router trained on handwritten digits") if scene.router == "digits" else escape(heard(source.name))
    where = (
        say("the data's mean and its") if model.data_given(scene) is not None else say("the origin and the weights'")
    )
    plane = say(", cut along {where} two leading directions", where=where) if own > 2 else ""
    return say("{name}, {own} input dimensions{plane}. ", name=name, own=own, plane=plane)


def _prisms(scene: Scene) -> str:
    """What a router of fewer than three inputs looks like here."""
    own = model.scene_source(scene).W.shape[1]
    if own > 2:
        return ""
    reads = say("two inputs") if own == 2 else say("one input")
    return say(
        "This router reads {reads} only: along the rest nothing changes, so its cells are prisms here. ", reads=reads
    )


def hidden_note(view: View) -> str | None:
    """What is not drawn, and what the search did not finish; None if all is there."""
    return _space_note(view) if isinstance(view, Space) else _plane_note(view)


def _plane_note(view: View) -> str | None:
    cells = _largest(len(view.cells.ids)) if len(view.cells.ids) > plane.MOST_CELLS else None
    return " ".join(filter(None, [cells, regions.note(view.scene)])) or None


def _largest(cells: int) -> str:
    return say("The {most_cells:,} largest of {ids:,} cells are drawn.", most_cells=plane.MOST_CELLS, ids=cells)


def _space_note(view: Space) -> str | None:
    notes = []
    if view.dropped:
        drawn = int(view.drawn.sum())
        notes.append(
            say(
                "The {drawn:,} largest of {dropped:,} cells are drawn, and no edges: all of them would "
                "be too large a picture to send. Peel cells away or take fewer experts to see every cell "
                "that is left.",
                drawn=drawn,
                dropped=drawn + view.dropped,
            )
        )
        if view.selected is not None and not view.drawn[view.selected]:
            notes.append(say("The selected cell is one of those that are not drawn."))
    elif len(view.cells.ids) > plane.MOST_CELLS:
        notes.append(_largest(len(view.cells.ids)))
    if not view.thin and not view.dropped:
        notes.append(say("The edges of the cells are left out: with them the picture would be too large to send."))
    if view.fan.count.kind == "lower":
        notes.append(
            say("The search for cells stopped at its budget: the count is a lower bound and the picture has gaps.")
        )
    return " ".join(notes) or None
