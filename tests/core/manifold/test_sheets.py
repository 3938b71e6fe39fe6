"""Sheets: on their surface, of the size asked for, unrolled without tearing what belongs together."""

import numpy as np
import pytest

from tropviz.core.manifold import SHEETS, patches, sheet
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


def area(corners: np.ndarray) -> np.ndarray:
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    if corners.shape[2] == 2:
        return (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2
    return np.linalg.norm(np.cross(one, two), axis=1) / 2


@pytest.mark.parametrize("kind", SHEETS)
@pytest.mark.parametrize(("n", "N", "k"), [(64, 12, 3), (96, 64, 8)])
def test_the_pieces_cover_the_sheet_once_each_in_its_cell(kind, n, N, k):
    surface, router = sheet(kind, n), Router(*random_linear(N, 3, seed=2), k=k)
    cell, sets = surface.cells(router)
    made = patches(surface, router, cell, sets)
    # unrolled, where nothing has area 0, no piece is turned over, and together they are the rectangle
    flat = area(made.unrolled[made.triangles])
    sign = np.sign(flat[np.abs(flat).argmax()])
    x, y = surface.unrolled[:, 0, 0], surface.unrolled[0, :, 1]
    assert (flat * sign).min() > -1e-12 and abs(flat.sum()) == pytest.approx((x[-1] - x[0]) * (y[-1] - y[0]))
    # what is cut off one square's pieces goes to the others of the square
    each = np.bincount(made.square, weights=flat * sign)
    assert np.allclose(each, (np.diff(x)[:, None] * np.diff(y)).ravel())
    # by area nearly all lie in their cells: far more than where a triangle takes the cell of its first corner
    size = area(made.points[made.triangles])
    seen = router.active_sets(made.points[made.triangles].mean(axis=1))
    wrong = size[(seen != sets[made.cell]).any(axis=1)].sum()
    own = cell[:-1, :-1].ravel()[made.square]
    assert (
        wrong < 0.3 * size[(seen != sets[own]).any(axis=1)].sum() and wrong < (0.01 if n == 64 else 0.06) * size.sum()
    )


def test_two_cells_are_parted_by_the_very_line():
    surface, router = sheet("sphere", 33), Router([[1.0, 2, 3], [-1, 0, 1]], k=1)
    made = patches(surface, router, *surface.cells(router))
    border = made.points[33 * 33 :]
    gap = router.scores(border)[:, 0] - router.scores(border)[:, 1]
    assert len(border) > 60 and np.abs(gap).max() < 1e-12


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
