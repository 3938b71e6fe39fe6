"""What the frames of the collapse picture say: veils, cap, ball, and how heavy they are."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz import Router, RoutingFan, collapse
from tropviz.core import planar, presets
from tropviz.figures import collapse as drawn
from tropviz.figures import collapse_curves as curves
from tropviz.figures import collapse_polar as polar
from tropviz.figures.colour import cell_colours
from tropviz.figures.plane import plane_figure


@pytest.fixture(scope="module")
def ground() -> drawn.Ground:
    fan = RoutingFan(Router(*presets.random_affine(8, 2, 286), 2))
    ids, shapes = fan.polygons(6.0)
    colours = cell_colours(fan.router.W, fan.active_sets)
    figure = plane_figure(ids, shapes, fan.active_sets, colours, window=6.0)
    made = drawn.Ground(figure, colours, 6.0, 1.0, False, False)
    object.__setattr__(made, "fan", fan)
    return made


def stand(ground: drawn.Ground, at: tuple[float, float], certified: bool = False) -> drawn.Stand:
    points = collapse.residuals(400, 2, spread=1.0, seed=0, kind="ball") + np.array(at)
    t = float(np.hypot(*at))
    half_angle = collapse.ball_half_angle(t, 1.0)
    where, cells = np.array(at), planar.locate(ground.fan, points)
    return drawn.Stand(points, cells, where, where, half_angle, certified, 6.0)


def areas(trace: dict) -> float:
    """Area of all closed rings of a trace."""
    x, y = np.append(trace["x"], np.nan), np.append(trace["y"], np.nan)
    total, first = 0.0, 0
    for end in np.flatnonzero(np.isnan(x)):
        a, b = x[first:end].astype(float), y[first:end].astype(float)
        assert end - first == 0 or (a[0] == a[-1] and b[0] == b[-1])
        total += abs(0.5 * (a[:-1] @ b[1:] - a[1:] @ b[:-1])) if len(a) else 0.0
        first = end + 1
    return total


def test_cells_without_data_are_veiled_and_only_those(ground: drawn.Ground) -> None:
    far = stand(ground, (3.0, 4.0))
    one = np.unique(far.cells)
    moved = drawn.scene_figure(ground, far).data
    shares = drawn.shares(ground, far.cells)
    veiled = [areas(t) for t in moved[: len(drawn.VEILS)]]
    sizes = {int(r): float(s.area) for r, s in zip(*ground.fan.polygons(6.0), strict=True)}
    dead = sum(size for row, size in sizes.items() if row not in one)
    assert veiled[0] == pytest.approx(dead, rel=1e-4)
    assert sum(veiled) + sum(
        s for r, s in sizes.items() if shares[list(ground.rows).index(r)] > drawn.VEILS[-1][0]
    ) == (pytest.approx(144.0, rel=1e-4))


def test_frames_restyle_what_the_figure_shows(ground: drawn.Ground) -> None:
    here = stand(ground, (1.0, 0.5))
    figure, item = drawn.scene_figure(ground, here), drawn.frame(ground, here, "1.12", "words")
    assert item["traces"] == list(drawn.MOVING) and item["handle"] == [1.0, 0.5]
    for number, change in zip(item["traces"], item["data"], strict=True):
        assert np.array_equal(figure.data[number]["x"], change["x"], equal_nan=True)
    assert drawn.weight(item) == sum(v.nbytes for t in item["data"] for v in _arrays(t)) < 20_000


def _arrays(trace: dict):
    for value in trace.values():
        yield from _arrays(value) if isinstance(value, dict) else [value] if isinstance(value, np.ndarray) else []


def test_the_cap_is_an_arc_of_the_right_angle(ground: drawn.Ground) -> None:
    arc = drawn._moving(ground, stand(ground, (0.0, 2.0)))[drawn.ARC]
    angles = np.degrees(np.arctan2(arc["y"], arc["x"]))
    assert angles.min() == pytest.approx(60, abs=1e-3) and angles.max() == pytest.approx(120, abs=1e-3)
    whole = drawn._moving(ground, stand(ground, (0.0, 0.5)))[drawn.ARC]
    assert np.allclose(np.hypot(whole["x"], whole["y"]), drawn.RING * 6.0, rtol=1e-5)


def test_certified_is_a_solid_circle(ground: drawn.Ground) -> None:
    ball = drawn.BALL
    assert drawn._moving(ground, stand(ground, (1.0, 1.0)))[ball]["line"]["dash"] == "dot"
    assert drawn._moving(ground, stand(ground, (1.0, 1.0), True))[ball]["line"]["dash"] == "dot"


def test_two_clouds_have_two_caps_and_a_ghost_where_the_mean_was(ground: drawn.Ground) -> None:
    two = drawn.Ground(ground.picture, ground.colours, 6.0, 1.0, True, False)
    arc = drawn._moving(two, stand(ground, (0.0, 2.0)))[drawn.ARC]
    assert (arc["y"][: drawn._STEPS] > 0).all() and (arc["y"][-drawn._STEPS :] < 0).all()
    here = stand(ground, (0.0, 0.0))
    carried = drawn.Stand(here.seen, here.cells, here.at, np.array([3.0, 0.0]), np.pi, False, 6.0)
    ghost = drawn._moving(ground, carried)[drawn.GHOST]
    assert np.nanmax(ghost["x"]) == pytest.approx(4.0) and ghost["x"][-1] == 0


def test_curves_and_their_frames_agree() -> None:
    router = Router(*presets.random_affine(8, 2, 286), 2)
    z, t = collapse.residuals(300, 2, spread=0.6, seed=0), np.linspace(0, 8, 41)
    pair = []
    for strength in (0.0, 1.0):
        s = collapse.sweep(router, z, [1, 1], t, rectifier=strength)
        low, high = s.saturation_interval.T
        pair.append(curves.Curve(s.saturation, low, high, s.effective_sets, s.saturation, s.load / s.n, 5.0))
    look = {"on": False, "strength": 1.0, "expert_colours": ["#123456"] * 8, "k": 2, "dark": True}
    figure = curves.curves_figure(t, *pair, at=float(t[10]), **look)
    item = curves.curves_frame(t, 10, *pair, False)
    for number, change in zip(item["traces"], item["data"], strict=True):
        for key, value in change.items():
            assert np.array_equal(figure["data"][number][key], value)
    with_it = curves.curves_frame(t, 10, *pair, True)["data"][-1]["y"]
    assert np.allclose(with_it, pair[1].load[10]) and not np.allclose(with_it, item["data"][-1]["y"])


@pytest.mark.parametrize("far", [False, True])
def test_t_star_stands_on_its_axis_in_both_panels(far: bool) -> None:
    t, one = np.linspace(0, 8, 41), np.ones(41)

    def curve(certified: float) -> curves.Curve:
        return curves.Curve(one, one, one, 4 * one, one, np.full((41, 8), 0.25), certified)

    look = {"far": far, "on": True, "strength": 1.0, "at": 2.0, "expert_colours": ["#123456"] * 8, "k": 2}
    for certified, marked in ((3.0, [3.0, 3.0]), (9.0, []), (np.inf, [])):
        figure = curves.curves_figure(t, curve(5.0), curve(certified), dark=False, **look)
        lines = [trace for trace in figure["data"] if trace.get("name") == "certified t*"]
        assert [list(line["x"]) for line in lines] == [[5.0, 5.0], [5.0, 5.0], marked, marked]
        assert [line["yaxis"] for line in lines] == ["y", "y2", "y", "y2"]
        words = [m for m in figure["layout"]["annotations"] if "t* = 5" in m["text"]]
        assert [m["x"] for m in words] == pytest.approx([np.log10(5) if far else 5.0])


@pytest.mark.parametrize(("reach", "count"), [(20.0, 3), (7.13, 3), (1.0, 4), (0.05, 4)])
def test_rings_of_the_polar_picture_are_round_numbers(reach: float, count: int) -> None:
    marks = polar._ring_marks(reach)
    assert 1 <= len(marks) <= count and all(m < reach for m in marks)


def test_polar_picture_of_a_router_that_never_collapses_somewhere() -> None:
    found = collapse.all_directions(Router([[1, 0], [-1, 0]], None, 1), 1.0, steps=90)
    figure = polar.directions_figure(
        found.angles,
        found.offsets,
        ["#aabbcc"] * 90,
        reach=5.0,
        best=(found.best_angle, found.best_offset),
        never=found.never,
        at=(1.0, 0.0),
        dark=False,
    )
    assert "%23aabbcc" in figure["layout"]["images"][0]["source"] and len(figure["data"]) >= 4
