"""The plane view of the Router fan page: first form."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from tropviz import Count
from tropviz.figures.colour import cell_colours
from tropviz.ui import model
from tropviz.ui.canvas import canvas
from tropviz.ui.scene import Scene, update
from tropviz.ui.shell import is_dark


def figure(scene: Scene, dark: bool) -> dict:
    fan = model.scene_fan(scene)
    a = model.scene_window(scene)
    ids, polys = fan.polygons(a)
    colours = cell_colours(fan.router.W, fan.active_sets, dark)
    X = model.scene_cloud(scene)
    back = "#14141a" if dark else "#fdfcfa"
    data = []
    xs, ys, starts, labels = [], [], [0], []
    for i, g in zip(ids, polys, strict=True):
        ring = np.asarray(g.exterior.coords, np.float32)
        xs.append(ring[:, 0])
        ys.append(ring[:, 1])
        starts.append(starts[-1] + len(ring))
        labels.append("{" + ",".join(map(str, fan.active_sets[i])) + "}")
        data.append(
            {
                "type": "scatter",
                "x": ring[:, 0],
                "y": ring[:, 1],
                "fill": "toself",
                "fillcolor": colours[i],
                "mode": "lines",
                "line": {"color": back, "width": 1.2},
                "hoverinfo": "skip",
            }
        )
    data.append(
        {
            "type": "scatter",
            "x": X[:, 0].astype("f4"),
            "y": X[:, 1].astype("f4"),
            "mode": "markers",
            "marker": {"size": 4.5, "color": "rgba(0,0,0,.5)"},
            "hoverinfo": "skip",
        }
    )
    axis = {"range": [-a, a], "showgrid": False, "zeroline": False, "visible": False}
    layout = {
        "xaxis": axis,
        "yaxis": {**axis, "scaleanchor": "x"},
        "showlegend": False,
        "dragmode": "pan",
        "hovermode": False,
    }
    regions = {"starts": np.array(starts, np.int32), "x": np.concatenate(xs), "y": np.concatenate(ys), "labels": labels}
    return {"data": data, "layout": layout, "regions": regions}


def dragged(event: dict) -> None:
    x, y = float(event["x"]), float(event["y"])
    update(offset=math.hypot(x, y), direction=math.degrees(math.atan2(y, x)))
    if event["end"]:
        st.rerun(["controls", "stage"])


def show(scene: Scene) -> None:
    mean = model.scene_mean(scene)
    canvas(
        figure(scene, is_dark()),
        key="plane",
        alt="The routing cells of the plane.",
        view=f"{scene.window}",
        handle=(mean[0], mean[1]),
        on_drag=dragged,
    )


def counts(scene: Scene) -> list:
    fan = model.scene_fan(scene)
    return [
        ("Promised cells", Count(math.comb(scene.n, scene.k), "exact", "C(N,k)"), "Every set of k experts."),
        ("Cells in the whole plane", fan.count, "Cells of this router."),
    ]
