"""Every figure is one that Plotly takes as it stands: what the canvas needs beyond it travels beside it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

import tropviz.figures
from tropviz import Count, MoELayer, Router, RoutingFan, collapse
from tropviz.core import planar, presets
from tropviz.core.experts import gates
from tropviz.core.experts.stack import Level
from tropviz.core.hypersimplex.schlegel import schlegel
from tropviz.core.hypersimplex.shadow import shadow, sums, tropical_surface
from tropviz.core.hypersimplex.turn import ring, turn
from tropviz.core.manifold import patches, sheet
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.mesh import box_surface
from tropviz.core.spatial.section import section
from tropviz.figures import (
    capacity,
    collapse_curves,
    collapse_polar,
    output,
    plane,
    polytope,
    resilience,
    rolled,
    space,
    stacked,
    tropical,
    turning,
)
from tropviz.figures import collapse as moving
from tropviz.figures import shadow as flat
from tropviz.figures.colour import cell_colours
from tropviz.figures.picture import Figure, Picture

FAN = RoutingFan(Router(*presets.random_affine(8, 2, 11), 2))
SOLID = RoutingFan(Router(*presets.random_affine(6, 3, 11), 2))
SAMPLED, EXACT = Count(0.5, "sampled", "", "", (0.4, 0.7)), Count(0.3, "exact", "")
JUMPS = MoELayer(Router([[1, 0], [-1, 0]], k=1), [[[1, 0]], [[0, 1]]], [[1], [3]], V=[[[1]], [[1]]])
ROLL = sheet("torus", 8)
ROLL_CELL, ROLL_SETS = ROLL.cells(Router([[1, 0, 0], [-1, 0, 0]], k=1))
ROLL_PIECES = patches(ROLL, Router([[1, 0, 0], [-1, 0, 0]], k=1), ROLL_CELL, ROLL_SETS)
STEPS = [("", "")] * 73


def colours(fan: RoutingFan, dark: bool) -> list[str]:
    return cell_colours(fan.router.W, fan.active_sets, dark)


def in_plane(dark: bool) -> Picture:
    ids, shapes = FAN.polygons(3.0)
    X = np.random.default_rng(0).standard_normal((40, 2))
    domain = planar.expert_domain(FAN, ids, np.asarray(shapes, dtype=object), 1)
    made = plane.plane_figure(
        *(ids, shapes, FAN.active_sets, colours(FAN, dark)),
        window=3.0,
        points=X,
        point_cells=planar.locate(FAN, X),
        selected=int(ids[0]),
        neighbours=[1],
        domain=domain.outline,
        domain_cells=domain.ids,
        segments=np.zeros((3, 2, 2)),
        picked=shapes[0],
        arrow=(1, 1),
        dark=dark,
    )
    return turning.on_plane(made, turn(FAN, 2.0), STEPS, dark, 0)


def in_space(dark: bool) -> Picture:
    cells, cut = polyhedra(SOLID, 2), section(SOLID, [1, 0, 0], 0.2, 2)
    surface = box_surface(cells, np.ones(len(SOLID.active_sets), bool), 0.3, cut)
    more: dict[str, Any] = {"points": np.ones((3, 3)), "arrow": [[0, 0, 0], [1, 0, 0]], "cut": cut, "dark": dark}
    made = space.space_figure(
        *(surface, SOLID.active_sets, colours(SOLID, dark)), box=cells.box, reach=3, selected=0, neighbours=[1], **more
    )
    cones = RoutingFan(Router(presets.random_linear(5, 3, 1)[0], None, 2))
    return turning.on_sphere(made, turn(cones, 1.0), STEPS, dark, 0)


def shadowed(dark: bool) -> Picture:
    cast = shadow(FAN)
    made = flat.shadow_figure(cast, colours(FAN, dark), ring(FAN, cast, 2.0), selected=0, lost=np.zeros(2), dark=dark)
    return turning.on_shadow(made, cast, turn(FAN, 2.0), STEPS, line=True, pixels=360, start=0)


def polytopal(dark: bool) -> Picture:
    d = schlegel(5, 2)
    shades = cell_colours(presets.random_linear(5, 2, 1)[0], d.sets, dark)
    skin = np.array([[0, 1, 2]])
    made = polytope.polytope_figure(
        d.points, d.edges, d.sets, shades, triangles=skin, selected=1, lost=np.zeros(3), dark=dark
    )
    return turning.on_polytope(made, d.points, np.zeros(73, dtype=np.int64), STEPS, None, 0)


def graph(dark: bool) -> Picture:
    made = tropical.surface_figure(tropical_surface(FAN, 3), FAN.active_sets, colours(FAN, dark), selected=0, dark=dark)
    return turning.on_graph(made, tropical_surface(FAN, 3), np.zeros(73), turn(FAN, 2.0), STEPS, dark, 0)


def drawing(dark: bool) -> Picture:
    slopes, _ = sums(FAN.router, FAN.active_sets)
    made = tropical.Drawing(tropical_surface(FAN, 3), slopes)
    return tropical.drawing_figure(made, FAN.active_sets, colours(FAN, dark), selected=0, dark=dark)


def cloud(dark: bool) -> Picture:
    ids, shapes = FAN.polygons(3.0)
    still = plane.plane_figure(ids, shapes, FAN.active_sets, colours(FAN, dark), window=3.0, dark=dark)
    ground = moving.Ground(still, colours(FAN, dark), 3.0, 1.0, False, dark)
    points = collapse.residuals(60, 2, spread=1.0, seed=0, kind="ball") + np.array([1.0, 0.5])
    at = np.array([1.0, 0.5])
    stand = moving.Stand(points, planar.locate(FAN, points), at, at, 0.5, True, 3.0)
    frame = moving.frame(ground, stand, "1", "words")
    go.Figure(data=moving.scene_figure(ground, stand).data, frames=[{k: frame[k] for k in ("data", "traces")}])
    return moving.scene_figure(ground, stand)


def curves(dark: bool) -> Figure:
    t, one = np.linspace(0, 8, 9), np.ones(9)
    curve = collapse_curves.Curve(one, one, one, one, one, np.full((9, 8), 0.25), 5.0)
    look: dict[str, Any] = {"expert_colours": ["#123456"] * 8, "k": 2, "dark": dark}
    return collapse_curves.curves_figure(t, curve, curve, on=True, strength=1.0, at=2.0, **look)


def law() -> resilience.ShareCurve:
    return resilience.ShareCurve("law", np.arange(1.0, 8), np.linspace(0.1, 1, 7), True)


def shares(dark: bool) -> Figure:
    points = [resilience.SharePoint(2, EXACT), resilience.SharePoint(4, SAMPLED)]
    return resilience.share_figure(law(), [law()], points, points, 3.0, 1.0, dark)


FIGURES: dict[str, Callable[[bool], Figure | Picture]] = {
    "plane_figure": in_plane,
    "space_figure": in_space,
    "shadow_figure": shadowed,
    "polytope_figure": polytopal,
    "surface_figure": graph,
    "drawing_figure": drawing,
    "scene_figure": cloud,
    "curves_figure": curves,
    "directions_figure": lambda dark: collapse_polar.directions_figure(
        np.linspace(-3, 3, 9), np.ones(9), ["#aabbcc"] * 9, reach=5, best=(0, 1), never=np.ones(2), at=(1, 0), dark=dark
    ),
    "dimension_figure": lambda dark: collapse_polar.dimension_figure(
        np.arange(3.0), [(2, np.ones(3), np.ones((2, 3)), np.ones(3))], dark
    ),
    "gain_figure": lambda dark: capacity.gain_figure(
        [capacity.GainCurve("a", np.array([1.0, 47]), np.array([0.1, 3.26]), 3.26)],
        at=2,
        star=6.0,
        full=47,
        dark=dark,
        marks=capacity.GainMarks(np.array([1.0, 9]), np.array([1.0, 3]), np.array([0.5, 1]), np.array([0.8, 4])),
        half=22.0,
        own=0.2,
    ),
    "iso_figure": lambda dark: capacity.iso_figure([capacity.IsoPoint("k = 4", "top-4", 3.26, 0.19, True, 1.04)], dark),
    "granularity_figure": lambda dark: capacity.granularity_figure(
        [capacity.GrainPoint(1, "1", 10.8, 4, True), capacity.GrainPoint(2, "2", 23, 5, False)], 1, 1, dark
    ),
    "share_figure": shares,
    "sheet_figure": lambda _: rolled.sheet_figure(ROLL_PIECES, ROLL_SETS, ["#aa0000", "#00aa00"]).figure,
    "output_figure": lambda dark: (
        output.output_figure(gates.output_grid(JUMPS, 2, n=8), gates.wall_jumps(JUMPS, 2), None, 2, dark).figure
    ),
    "stacked_figure": lambda dark: (
        stacked.stacked_figure(Level((np.eye(3, 2),), np.array([0]), (((0, 1),),)), FAN.router.W, 3, dark).figure
    ),
    "unrolled_figure": lambda _: (
        rolled.unrolled_figure(ROLL_PIECES, ROLL.unrolled, ROLL_CELL, ["#aa0000", "#00aa00"]).figure
    ),
    "cross_figure": lambda dark: resilience.cross_figure(
        [resilience.CrossLine("curved", "curved", [2, 8], [SAMPLED, Count(4.0, "sampled", "", "", (3.0, 5.0))])],
        "cells",
        dark,
    ),
}


def test_every_figure_of_the_package_is_tried_here() -> None:
    found = set()
    for info in pkgutil.iter_modules(tropviz.figures.__path__, "tropviz.figures."):
        module = importlib.import_module(info.name)
        found |= {n for n, f in vars(module).items() if n.endswith("_figure") and f.__module__ == info.name}
    assert found == set(FIGURES)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", FIGURES)
def test_plotly_takes_it_as_it_stands(name: str, dark: bool) -> None:
    made = FIGURES[name](dark)
    figure = made.figure if isinstance(made, Picture) else made
    assert set(figure) == {"data", "layout"}
    go.Figure(figure)
    if isinstance(made, Picture) and made.frames is not None:
        kinds = [trace["type"] for trace in made.data]
        frames = [
            {"data": [{"type": kinds[n], **each} for n, each in zip(item["traces"], item["data"], strict=True)]}
            for item in made.frames.items or ()
        ]
        assert frames
        go.Figure(**figure, frames=frames)
