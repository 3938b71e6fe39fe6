"""A line chart on the canvas: its axes follow what it shows, so the view changes with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tropviz.figures.picture import Picture
from tropviz.ui.canvas.component import canvas


def chart(
    figure: Mapping[str, Any], *, key: str, alt: str, height: int, slide: bool = False, link: bool = False
) -> None:
    """Show a chart of `height` pixels, on a slide as high as the window; the key is also the name of its downloads."""
    axes = figure["layout"]["xaxis"]["range"], figure["layout"]["yaxis"]["range"]
    tall: int | str = "fill" if slide else height
    picture = Picture(figure["data"], figure["layout"])
    seen = str(axes)
    canvas(picture, key=key, alt=alt, viewpoint=seen, height=tall, below=120, toolbar=not slide, name=key, link=link)
