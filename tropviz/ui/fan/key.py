"""The key of the Router fan's picture: what its lines and points are, and what a click or a choice has outlined."""

from __future__ import annotations

from tropviz.language import say
from tropviz.ui.fan import plane, regions
from tropviz.ui.fan.view import View


def key_html(view: View) -> str:
    """A line of signs with their meaning, of what is drawn now."""
    items = _plane(view) if isinstance(view, plane.Plane) else []
    if view.selected is not None:
        items.append(("━", say("the chosen cell")))
    if isinstance(view, plane.Plane) and view.selected is not None:
        items.append(("┈", say("the cells beside it")))
        if plane.picked(view) is not None:
            items.append(("╌", say("the chosen linear region")))
    spans = "".join(f"<span><b>{sign}</b> {text}</span>" for sign, text in items)
    return f'<p class="tv-hint tv-key">{spans}</p>' if items else ""


def _plane(view: plane.Plane) -> list[tuple[str, str]]:
    items = [("●", say("data, in the colour of its cell"))]
    if regions.segments(view.scene) is not None:
        items.append(("─", say("hinges: a unit of an expert switches on or off")))
    if view.domain is not None:
        items.append(("▬", say("the domain of the lit expert; other cells are pale")))
    return items
