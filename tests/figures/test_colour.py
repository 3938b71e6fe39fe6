"""Colours: what they mean, that they stay in gamut, that text reads on them and neighbours differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.figures import colour
from tropviz.figures.theme import theme


def sets_of(n: int, k: int, m: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.sort(np.argsort(rng.random((m, n)), axis=1)[:, :k], axis=1)


def to_oklch(rgb: np.ndarray) -> np.ndarray:
    """The way back, with the published forward matrices: independent of the module's own tables."""
    e = np.asarray(rgb, float) / 255
    linear = np.where(e <= 0.04045, e / 12.92, ((e + 0.055) / 1.055) ** 2.4)
    m1 = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    m2 = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    lab = np.cbrt(linear @ m1.T) @ m2.T
    return np.stack([lab[..., 0], np.hypot(lab[..., 1], lab[..., 2]), np.arctan2(lab[..., 2], lab[..., 1])], axis=-1)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_text_reads_on_every_cell(dark, d):
    W = np.random.default_rng(d).standard_normal((40, d))
    for k in (1, 2, 5):
        for c in colour.cell_colours(W, sets_of(40, k, 400, d), dark):
            assert colour.contrast(c, theme(dark).label) >= 4.5


@given(st.integers(0, 10_000), st.integers(1, 4), st.booleans())
@settings(max_examples=40, deadline=None)
def test_hue_is_the_direction_and_never_clipped(seed, k, dark):
    W = np.random.default_rng(seed).standard_normal((12, 2))
    sets = sets_of(12, k, 30, seed)
    got = to_oklch(colour.cell_rgb(W, sets, dark))
    centred = W - W.mean(0)
    mean = (centred / np.linalg.norm(centred, axis=1)[:, None])[sets].mean(1)
    vivid = got[:, 1] > 0.03
    turn = np.angle(np.exp(1j * (got[:, 2] - np.arctan2(mean[:, 1], mean[:, 0]))))
    assert np.abs(turn[vivid]).max(initial=0) < 0.1  # bytes round the hue of pale colours by a few degrees


@given(st.integers(0, 1000), st.floats(-1e3, 1e3), st.sampled_from([1e-200, 1e-3, 1e6, 1e200]))
@settings(max_examples=30, deadline=None)
def test_common_shift_and_scale_change_nothing(seed, shift, scale):
    W = np.round(np.random.default_rng(seed).standard_normal((9, 2)), 3)
    sets = sets_of(9, 2, 20, seed)
    a, b = colour.cell_rgb(W, sets).astype(int), colour.cell_rgb((W + shift) * scale, sets).astype(int)
    assert np.abs(a - b).max() <= 1


def test_growing_the_picture_keeps_a_cells_colour():
    W = np.random.default_rng(0).standard_normal((20, 2))
    sets = sets_of(20, 3, 50, 1)
    assert colour.cell_colours(W, sets[7:9]) == colour.cell_colours(W, sets)[7:9]


def test_pulling_together_is_vivid_pulling_apart_is_grey():
    W = np.array([[1.0, 0], [1, 0.1], [-1, 0], [-1, -0.1]])
    chroma = to_oklch(colour.cell_rgb(W, [[0, 1], [0, 2]]))[:, 1]
    assert chroma[0] > 0.1 > 0.02 > chroma[1]


def test_elevation_is_lightness_in_space():
    W = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
    light = [to_oklch(np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]))[0] for c in colour.expert_colours(W)]
    assert light[4] > light[0] + 0.05 and light[5] < light[0] - 0.05


def test_neighbours_differ():
    """Cells one swap apart are never one colour, and nearly always visibly two (a border parts them as well)."""
    for n, k, d in [(8, 2, 2), (16, 4, 2), (64, 8, 2), (64, 8, 3)]:
        rng = np.random.default_rng(n)
        W = rng.standard_normal((n, d))
        sets = sets_of(n, k, 300, n)
        others = sets.copy()
        for row in others:
            row[rng.integers(k)] = rng.choice(np.setdiff1d(np.arange(n), row))
        one, two = (to_oklch(colour.cell_rgb(W, np.sort(s, axis=1))) for s in (sets, others))
        lab = [np.stack([c[:, 0], c[:, 1] * np.cos(c[:, 2]), c[:, 1] * np.sin(c[:, 2])], 1) for c in (one, two)]
        gap = np.linalg.norm(lab[0] - lab[1], axis=1)
        assert gap.min() > 0 and np.quantile(gap, 0.05) > 0.008 and np.median(gap) > 0.02


def test_degenerate_rows():
    assert (
        colour.cell_colours(np.zeros((4, 2)), [[0, 1]])[0][1:3]
        == colour.cell_colours(np.ones((4, 2)), [[0, 1]])[0][1:3]
    )
    assert len(set(colour.expert_colours(np.ones((3, 5))))) == 1
    assert colour.cell_colours(np.eye(3), np.zeros((0, 2), int)) == []


def test_bytes_to_oklch_and_back():
    rgb = np.random.default_rng(0).integers(0, 256, (500, 3))
    back = colour.oklch_to_rgb(*to_oklch(rgb).T)
    assert np.abs(back.astype(int) - rgb).max() <= 2
