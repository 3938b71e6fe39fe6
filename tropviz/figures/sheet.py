"""A part of the plane without axes, the same scale both ways, with the cells as one image under the traces."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.figures.picture import Figure


def sheet(box: NDArray[np.float64], image: Figure, **more: Any) -> Figure:
    """The layout of such a picture.

    Parameters
    ----------
    box : (2, 2) float64
        Low and high end of each axis.
    image : dict
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
        "images": [image],
        "annotations": [],
        "showlegend": False,
        "hovermode": False,
        "dragmode": "pan",
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        **more,
    }
