"""Charts of all layers, and what differs between two captures."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from tropviz.core.capture.chance import by_source
from tropviz.core.capture.compare import compare, flow
from tropviz.core.capture.health import lift
from tropviz.figures.capture import flow_map, lift_map, load_map, source_map
from tropviz.figures.picture import Picture
from tropviz.language import say
from tropviz.report.page import CHANCE
from tropviz.report.words import percent, plain
from tropviz.ui.canvas import canvas
from tropviz.ui.counts import title_html, wide_table
from tropviz.ui.lab import model
from tropviz.ui.lab.health import Health
from tropviz.ui.scene import Scene


def _map(figure: dict[str, Any], key: str, alt: str, height: int) -> None:
    data = [{**trace, "z": list(trace["z"])} for trace in figure["data"]]  # row by row: an array travels flat
    canvas(Picture(data, figure["layout"]), key=key, alt=alt, height=height, toolbar=False, name=key)


def show(scene: Scene, found: Health | None) -> None:
    """Loads of every layer, co-activation and sources of the one in view, and the flow to the next."""
    capture = model.model_of(scene).capture
    if found is None:
        return
    layer = found.layer
    with st.expander(say("Loads and co-activation")):
        layers = [layer] if capture is None else [one for one in capture.layers if one.gate.N == layer.gate.N]
        names = [f"{one.gate.layer}{' ' + one.gate.side if one.gate.side else ''}" for one in layers]
        loads = load_map([one.load.sum(axis=0) for one in layers], names, scene.dark)
        _map(
            loads,
            "lab_loads",
            say("Load of {n} experts in {layers} layers, against an even one.", n=layer.gate.N, layers=len(layers)),
            300,
        )
        if layer.gate.k > 1:
            alt = say("How much more often than by chance each pair of experts acts together.")
            _map(lift_map(lift(layer), scene.dark), "lab_lift", alt, 380)
        there = by_source(layer)
        if there is not None:
            picture = source_map(there[1], [found.sources[i] or "–" for i in there[0]], dark=scene.dark)
            alt = say("Load of every expert by source, against sources dealt out at random.")
            _map(picture, "lab_sources", alt, 340)
            st.html(f'<p class="tv-hint">{say(CHANCE)}</p>')
        at = model.number(scene)
        following = None if capture is None or at + 1 >= len(capture.layers) else flow(layer, capture.layers[at + 1])
        if following is not None:
            alt = say("How tokens go from the experts of this layer to those of the next, against chance.")
            _map(flow_map(following, scene.dark), "lab_flow", alt, 380)


def compared(scene: Scene) -> None:
    """What differs between this capture and another, layer by layer."""
    capture, other = model.model_of(scene).capture, scene.own_other
    if capture is None or other is None:
        return
    st.html(compared_html(compare(capture, other.capture), say(model.model_of(scene).name), other.name))


def compared_html(rows: list[dict[str, Any]], one: str, other: str) -> str:
    """The comparison as a table.

    >>> row = {"layer": 0, "side": "", "jsd": 0.0, "jaccard": None, "saturation": None, "same_set": None}
    >>> "not known" in compared_html([row], "a", "b")
    True
    """
    lines = []
    for row in rows:
        name = f"{row['layer']} {row['side']}".strip()
        cells = [plain(row["jsd"]), *(percent(row[key]) for key in ("jaccard", "saturation", "same_set"))]
        lines.append(f"<tr><th scope='row'>{escape(name)}</th>{''.join(f'<td>{escape(c)}</td>' for c in cells)}</tr>")
    heads = (
        say("layer"),
        say("JSD of loads (bits)"),
        say("Jaccard of sets"),
        say("router saturation"),
        say("same set"),
    )
    note = say("Router saturation: the mean share of a token's experts that the other checkpoint chooses too.")
    both = escape(say("{one} and {other}", one=one[:60], other=other[:60]))
    return f'{title_html(both)}<p class="tv-hint">{note}</p>{wide_table(heads, lines)}'
