"""Layouts without axes: a part of the plane, the cells as one image under the traces, and a part of space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.picture import Figure


def sheet(box: NDArray[np.float64], image: Figure | None = None, **more: Any) -> Figure:
    """The layout of a picture of the plane, the same scale both ways.

    Parameters
    ----------
    box : (2, 2) float64
        Low and high end of each axis.
    image : dict, optional
        Of the layout's images.
    **more
        Further entries of the layout, in place of what stands here.

    Examples
    --------
    >>> sheet(np.array([[-1.0, 1], [0, 2]]), {})["yaxis"]["range"]
    [0.0, 2.0]
    """
    axis = {"showgrid": False, "zeroline": False, "visible": False, "constrain": "domain"}
    return {
        "xaxis": {**axis, "range": box[0].tolist()},
        "yaxis": {**axis, "range": box[1].tolist(), "scaleanchor": "x", "scaleratio": 1},
        "images": [image] if image else [],
        "annotations": [],
        "showlegend": False,
        "hovermode": False,
        "dragmode": "pan",
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        **more,
    }


def stage(box: NDArray[np.float64] | None = None, **scene: Any) -> Figure:
    """The layout of a picture in space.

    Parameters
    ----------
    box : (3, 2) float64, optional
        Low and high end of each axis; by default what is drawn says.
    **scene
        Its camera and scale.

    Examples
    --------
    >>> stage(np.array([[-1.0, 1]] * 3), aspectmode="cube")["scene"]["zaxis"]["range"]
    [-1.0, 1.0]
    """
    spans = [{}] * 3 if box is None else [{"range": span} for span in box.tolist()]
    hidden = {"visible": False, "showspikes": False}
    axes = {f"{name}axis": hidden | span for name, span in zip("xyz", spans, strict=True)}
    # plotly.js 4.1 throws a turntable to the pole when frames come slowly
    return {
        "scene": {**axes, **scene, "dragmode": "orbit"},
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
    }
