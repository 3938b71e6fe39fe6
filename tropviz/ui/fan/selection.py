"""What is known about one cell, and about one expert's domain."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import streamlit as st

from tropviz import Count
from tropviz.core.wilson import wilson_of
from tropviz.figures.plane import set_text
from tropviz.language import english, numeral, phrase, say
from tropviz.ui.counts import row_html, title_html
from tropviz.ui.fan.chosen import select
from tropviz.ui.fan.page import view_of
from tropviz.ui.fan.view import View, colours
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.part import change, control

#: Neighbours offered as buttons; the table lists all.
OFFERED = 12

#: What a size is called in a sentence, by what it is called beside the cell.
_SIZES = {
    "Area in the window": phrase("area"),
    "Volume in the window": phrase("volume"),
    "Solid angle": phrase("solid angle"),
}


def swap(fan: Any, row: int, other: int) -> str:
    """What changes at the wall between two cells.

    "3 → 5" where one expert is exchanged, "1, 3 → 5, 6" at a wall of two at once.
    """
    here, there = set(fan.active_sets[row].tolist()), set(fan.active_sets[other].tolist())
    left, came = sorted(here - there), sorted(there - here)
    return f"{', '.join(map(str, left))} → {', '.join(map(str, came))}"


def monomial(fan: Any, row: int) -> tuple[str, str]:
    """The tropical monomial of a cell, by name and as a linear form in the coordinates on screen."""
    active = fan.active_sets[row]
    name = " ⊙ ".join(f"s<sub>{i}</sub>" for i in active)
    slope, shift = fan.router.W[active].sum(axis=0), float(fan.router.b[active].sum())
    terms = [numeral(f"{value:+.3g} {axis}") for value, axis in zip(slope, "xyz", strict=False)]
    if shift:
        terms.append(numeral(f"{shift:+.3g}"))
    return name, " ".join(terms).lstrip("+").replace("-", "−")


def data_share(view: View, row: int) -> Count:
    """Share of the data points in a cell."""
    share = float((view.point_cells == row).mean())
    interval = wilson_of(share, len(view.point_cells))
    return Count(share, "sampled", "share of the data points", "95 % Wilson interval", interval)


def facts(view: View, row: int) -> str:
    """The cell's figures as HTML."""
    at, fan = view.place(row), view.fan
    name, form = monomial(fan, row)
    lines = [(say("Tropical monomial"), f"{name} = {escape(form)}")]
    if at is None:
        lines.append((view.measure, say("none")))
    else:
        area, share = view.cells.areas[at], view.cells.areas[at] / view.total
        margin = float(fan.router.margin(view.cells.middles[at][None, :])[0])
        lines.append((view.measure, say("{area:.4g} ({share:.3g} % of it)", area=area, share=100 * share)))
        lines.append((say("Margin at its middle"), say("{margin:.3g} to the nearest wall", margin=margin)))
    lines.append((say("Reaches to infinity"), say("no") if bool(fan.bounded[row]) else say("yes")))
    items = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in lines[1:])
    first = f'<dt class="tv-wide">{lines[0][0]}</dt><dd class="tv-wide">{lines[0][1]}</dd>'
    share_row = row_html(say("Share of the data"), data_share(view, row), say("Data points in this cell."), share=True)
    return f'<dl class="tv-facts">{first}{items}</dl><ul class="tv-counts">{share_row}</ul>'


def cell_panel(view: View) -> None:
    """The selected cell, with its neighbours to walk to."""
    row = view.selected
    if row is None:
        hint = say("Click a cell, or press an arrow key on the picture, to see what it is.")
        if view.scene.cell:
            hint = say(
                "The experts {cell} are together the best nowhere here. {hint}", cell=escape(view.scene.cell), hint=hint
            )
        st.html(f'<p class="tv-hint">{hint}</p>')
        return
    colour = colours(view.scene)[row]
    title = say("Cell {active_sets}", active_sets=set_text(view.fan.active_sets[row]))
    swatch = f'<i style="background:{colour}"></i>'
    st.html(f"{title_html(swatch + title)}{facts(view, row)}")
    near = view.neighbours(row)
    if len(near):
        names = {int(n): swap(view.fan, row, int(n)) for n in near[:OFFERED]}
        key = f"walk {view.scene.cell}"
        st.pills(
            say("{near} walls; the swap at each", near=len(near)),
            list(names),
            format_func=names.__getitem__,
            key=key,
            on_change=change(select, key),
            help=say("Choose one to walk through that wall."),
        )
        if len(near) > OFFERED:
            st.caption(
                say(
                    "{offered} of {near} walls are offered here; the table holds every cell.",
                    offered=OFFERED,
                    near=len(near),
                )
            )


def expert_choice(scene: Scene) -> None:
    """Choose an expert: its domain lights up."""
    names = {i: say("None") if i < 0 else say("Expert {i}", i=i) for i in range(-1, scene.n)}
    control(
        "expert",
        st.selectbox,
        say("Light up one expert's domain"),
        range(-1, scene.n),
        index=scene.expert + 1,  # on a page that is new, the state under its key may still be that of the page before
        live=False,
        format_func=names.__getitem__,
        help=say(
            "Everywhere this expert is active. Convex for k = 1; for more not, and sometimes not even in one piece."
        ),
    )
    if scene.expert >= 0:
        st.html(f'<p class="tv-hint">{domain_text(view_of(scene))}</p>')


def domain_text(view: View) -> str:
    """How large the domain of the expert that is lit is, and in how many pieces."""
    domain = view.domain
    if domain is None or not domain.pieces:
        return say("Active nowhere in this window.")
    pieces = say("in one piece") if domain.pieces == 1 else say("in {pieces} pieces", pieces=domain.pieces)
    share, size = domain.area / view.total, say(_SIZES[english(view.measure)])
    bent = say(
        "; non-convexity {non_convexity:.3g} (1 − {size} / {size} of its convex hull)",
        non_convexity=domain.non_convexity,
        size=size,
    )
    return say(
        "Active on {share:.3g} % of what is shown, {pieces}{bent}.",
        share=100 * share,
        pieces=pieces,
        bent=bent if domain.hull_area else "",
    )


def table(view: View) -> None:
    """Every cell, sortable; choosing a line selects the cell."""
    fan = view.fan
    m = len(fan.active_sets)
    area = np.zeros(m)
    area[view.cells.ids] = view.cells.areas
    hits = np.bincount(view.point_cells[view.point_cells >= 0], minlength=m)
    columns = {
        say("Active set"): [set_text(a) for a in fan.active_sets],
        view.measure: area,
        say("Share of the whole"): area / view.total,
        say("Share of data"): hits / max(len(view.point_cells), 1),
        say("Walls"): np.bincount(np.asarray(fan.neighbours).ravel(), minlength=m),
        say("Reaches infinity"): ~np.asarray(fan.bounded, dtype=bool),
    }
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        columns,
        key="cells_table",
        hide_index=True,
        height=320,
        on_select=change(_took_row, "cells_table"),
        selection_mode="single-row",
        column_config={say("Share of the whole"): percent, say("Share of data"): percent},
    )


def _took_row(scene: Scene, table: Any) -> Changes:
    rows = table["selection"]["rows"]
    return select(scene, rows[0] if rows else None)
