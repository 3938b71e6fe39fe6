"""Sheets: on their surface, of the size asked for, unrolled without tearing what belongs together."""

import numpy as np
import pytest

from tropviz.core.manifold import SHEETS, sheet
from tropviz.core.presets import random_linear
from tropviz.core.router import Router


@pytest.mark.parametrize("kind", SHEETS)
def test_size_and_cells(kind):
    surface = sheet(kind, 64, size=2.0)
    assert surface.points.shape == (64, 64, 3) and surface.unrolled.shape == (64, 64, 2)
    router = Router(*random_linear(12, 3, seed=1), k=3)
    cell, sets = surface.cells(router)
    assert (sets[cell.ravel()] == router.active_sets(surface.points.reshape(-1, 3))).all()
    radius = np.linalg.norm(surface.points, axis=2)
    if kind == "sphere":
        assert np.allclose(radius, 2.0, rtol=2e-3)
    else:
        assert radius.min() < 2.0 < radius.max()


def test_the_roll_keeps_lengths_and_the_sphere_keeps_areas():
    roll = sheet("swiss roll", 512)
    for axis in (0, 1):
        true = np.linalg.norm(np.diff(roll.points, axis=axis), axis=-1)
        flat = np.linalg.norm(np.diff(roll.unrolled, axis=axis), axis=-1)
        assert np.allclose(true, flat, rtol=1e-3)
    ball = sheet("sphere", 257)
    across, along = np.diff(ball.points, axis=0)[:, :-1], np.diff(ball.points, axis=1)[:-1]
    area = np.linalg.norm(np.cross(across, along), axis=2)
    flat = np.diff(ball.unrolled[..., 0], axis=0)[:, :-1] * np.diff(ball.unrolled[..., 1], axis=1)[:-1]
    assert np.allclose(area[:, 20:-20], flat[:, 20:-20], rtol=2e-2)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: sheet("cone"), "choose one of"),
        (lambda: sheet("torus", 4), "n is 4"),
        (lambda: sheet("torus", 16, size=0), "size"),
        (lambda: sheet("torus", 16).cells(Router(np.eye(2), k=1)), "d = 2"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(ValueError, match=says):
        call()
