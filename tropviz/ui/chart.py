"""A line chart on the canvas: its axes follow what it shows, so the view changes with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tropviz.ui.canvas import canvas


def chart(figure: Mapping[str, Any], *, key: str, alt: str, height: int) -> None:
    """Show a chart of `height` pixels; the key is also the name of its downloads."""
    axes = figure["layout"]["xaxis"]["range"], figure["layout"]["yaxis"]["range"]
    canvas(figure, key=key, alt=alt, view=str(axes), height=height, name=key)
