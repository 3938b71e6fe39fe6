"""Routers and experts to start from: seeded random ones, a regular polygon, the moment curve, designed layers.

Random draws use one stream per column (and per hinge), so growing N, H or d only adds: expert i of N = 8 is expert i
of N = 9, and the plane z = 0 of the router in space is the router of the plane. Nothing jumps when a slider moves.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Most experts, input dimensions and hinges per expert a preset makes; larger asks are typing errors.
MAX_EXPERTS, MAX_DIMENSION, MAX_WIDTH = 4096, 16384, 65536
#: Most numbers in one array of a preset (512 MB of float64).
MAX_NUMBERS = 2**26
# One word per kind of draw keeps the streams of one seed apart.
_WEIGHT, _BIAS, _HINGE, _HINGE_BIAS, _OUTPUT = 1, 2, 3, 4, 5
_KEPT = 256


def random_linear(N: int, d: int = 2, seed: int = 0) -> tuple[Array, None]:
    """A central router: every weight an independent standard normal number.

    Parameters
    ----------
    N : int
        Experts, 2 to 4096.
    d : int
        Input dimension, 1 to 16384.
    seed : int
        Any whole number from 0.

    Returns
    -------
    W : (N, d) float64, read-only
    b : None

    Raises
    ------
    ValueError
        For a value out of range, in one sentence.

    Examples
    --------
    >>> from tropviz import Router
    >>> W, b = random_linear(8, 2, seed=1)
    >>> Router(W, b, k=2).N
    8
    >>> bool((random_linear(9, 3, seed=1)[0][:8, :2] == W).all())
    True
    """
    N, d, seed = _shape(N, d, seed)
    return _normal_columns(N, d, seed, _WEIGHT), None


def random_affine(N: int, d: int = 2, seed: int = 0) -> tuple[Array, Array]:
    """The router of `random_linear` with a standard normal bias for each expert.

    Parameters and errors are those of `random_linear`.

    Returns
    -------
    W : (N, d) float64, read-only
    b : (N,) float64, read-only

    Examples
    --------
    >>> W, b = random_affine(8, 2, seed=1)
    >>> W.shape, b.shape, bool((W == random_linear(8, 2, seed=1)[0]).all())
    ((8, 2), (8,), True)
    """
    N, d, seed = _shape(N, d, seed)
    return _normal_columns(N, d, seed, _WEIGHT), _read_only(_normal(N, seed, _BIAS))


def regular_polygon(N: int, d: int = 2) -> tuple[Array, None]:
    """Unit weights spread evenly: a regular N-gon in the plane, a Fibonacci lattice on the sphere in space.

    Expert 0 points up, the others follow counter-clockwise. By symmetry every cell of the plane has the angle
    2 pi / N, for every k, and its active set is k neighbours on the circle.

    Parameters
    ----------
    N : int
        Experts, 2 to 4096. Here every row does depend on N.
    d : int
        2 or 3.

    Returns
    -------
    W : (N, d) float64, read-only
    b : None

    Raises
    ------
    ValueError
        For a value out of range, in one sentence.

    Examples
    --------
    >>> W, b = regular_polygon(4)
    >>> W.round(3).tolist()
    [[0.0, 1.0], [-1.0, 0.0], [-0.0, -1.0], [1.0, -0.0]]
    """
    N, d, _ = _shape(N, d, 0)
    i = np.arange(N)
    if d == 2:
        angle = math.pi / 2 + 2 * math.pi * i / N
        return _read_only(np.column_stack([np.cos(angle), np.sin(angle)])), None
    if d == 3:
        height = 1 - (2 * i + 1) / N
        ring, turn = np.sqrt(1 - height**2), i * math.pi * (3 - math.sqrt(5))
        return _read_only(np.column_stack([ring * np.cos(turn), ring * np.sin(turn), height])), None
    raise ValueError(f"d is {d}: evenly spread weights are made for d = 2 (polygon) or d = 3 (sphere).")


def moment_curve(N: int, d: int = 2) -> tuple[Array, None]:
    """Weights on the moment curve (t, t^2, ..., t^d), in coordinates that fill the picture evenly.

    The monomials are replaced by sqrt(2) times the Chebyshev polynomials T_1 .. T_d at the N Chebyshev nodes. This is
    an invertible affine image of the curve, so the fan is the same up to a linear map of the inputs; its columns have
    mean 0, variance 1 and are orthogonal for d < N. Any d + 1 points are in general position (a cyclic polytope).

    Parameters
    ----------
    N : int
        Experts, 2 to 4096, in the order of the curve. Here every row does depend on N.
    d : int
        Input dimension, 1 to 16384.

    Returns
    -------
    W : (N, d) float64, read-only
    b : None

    Raises
    ------
    ValueError
        For a value out of range, in one sentence.

    Examples
    --------
    >>> W, b = moment_curve(6, 3)
    >>> bool(np.allclose(W.T @ W / 6, np.eye(3)))
    True
    """
    N, d, _ = _shape(N, d, 0)
    theta = math.pi * (1 - (np.arange(N) + 0.5) / N)
    return _read_only(math.sqrt(2) * np.cos(theta[:, None] * np.arange(1, d + 1))), None


def random_experts(N: int, H: int, d: int = 2, seed: int = 0) -> tuple[Array, Array]:
    """Hinges of N experts: every weight and bias an independent standard normal number.

    Parameters
    ----------
    N, d, seed : int
        As in `random_linear`; N = 1 is allowed here (a dense network).
    H : int
        Hinges of one expert, 1 to 65536.

    Returns
    -------
    U : (N, H, d) float64, read-only
    c : (N, H) float64, read-only

    Raises
    ------
    ValueError
        For a value out of range, in one sentence.

    Examples
    --------
    >>> U, c = random_experts(8, 4, 2, seed=1)
    >>> U.shape, c.shape
    ((8, 4, 2), (8, 4))
    >>> bool((random_experts(9, 5, 2, seed=1)[0][:8, :4] == U).all())
    True
    """
    N, d, seed = _shape(N, d, seed, fewest=1)
    H = _whole("H", H, 1, MAX_WIDTH)
    _fits(N * H * d, f"N × H × d = {N} × {H} × {d}")
    U, c = np.empty((N, H, d)), np.empty((N, H))
    for hinge in range(H):
        c[:, hinge] = _normal(N, seed, _HINGE_BIAS, hinge)
        for axis in range(d):
            U[:, hinge, axis] = _normal(N, seed, _HINGE, hinge, axis)
    return _read_only(U), _read_only(c)


def random_outputs(N: int, H: int, m: int = 2, seed: int = 0) -> Array:
    """Output weights of N experts: independent normal numbers of variance 1/H, so that outputs keep their size.

    Parameters
    ----------
    N, H, seed : int
        As in `random_experts`.
    m : int
        Outputs, 1 to 16384.

    Returns
    -------
    V : (N, m, H) float64, read-only

    Raises
    ------
    ValueError
        For a value out of range, in one sentence.

    Examples
    --------
    >>> random_outputs(8, 4, 2, seed=1).shape
    (8, 2, 4)
    """
    N, m, seed = _shape(N, m, seed, fewest=1)
    H = _whole("H", H, 1, MAX_WIDTH)
    _fits(N * m * H, f"N × m × H = {N} × {m} × {H}")
    V = np.empty((N, m, H))
    for hinge in range(H):
        for output in range(m):
            V[:, output, hinge] = _normal(N, seed, _OUTPUT, hinge, output)
    return _read_only(V / math.sqrt(H))


def designed(N: int, k: int, H: int, d: int = 2) -> tuple[Array, Array, Array, Array]:
    """Router and experts chosen for many regions; how many, `capacity.designed_count` says.

    Parameters and errors are those of `capacity.designed`.

    Returns
    -------
    W : (N, d), b : (N,), U : (N, H, d), c : (N, H) float64, read-only

    Examples
    --------
    >>> [a.shape for a in designed(6, 2, 3)]
    [(6, 2), (6,), (6, 3, 2), (6, 3)]
    """
    from tropviz.core import capacity

    layer = capacity.designed(N, k, H, d)
    return layer.router.W, layer.router.b, layer.U, layer.c


#: The presets by the names of scenes and links: functions of N and d, and of a seed if they draw at random.
PRESETS: dict[str, Callable[..., tuple[Array, Array | None]]] = {
    "affine": random_affine,
    "linear": random_linear,
    "polygon": regular_polygon,
    "moment": moment_curve,
}
#: Fewest and most input dimensions of a preset that is not there in all.
SPACES: dict[str, tuple[int, int]] = {"polygon": (2, 3)}


def seeded(name: str) -> bool:
    """Whether a preset draws at random: another seed is another router, and growing N keeps the first experts.

    >>> seeded("affine"), seeded("polygon")
    (True, False)
    """
    return name in PRESETS and "seed" in inspect.signature(PRESETS[name]).parameters


def spaces(name: str) -> tuple[int, int]:
    """Fewest and most input dimensions in which a preset is there.

    >>> spaces("polygon"), spaces("moment")
    ((2, 3), (1, 16384))
    """
    return SPACES.get(name, (1, MAX_DIMENSION))


def preset(name: str, N: int, d: int = 2, seed: int = 0) -> tuple[Array, Array | None]:
    """The router of a preset by its name; `seed` concerns the random ones.

    Parameters
    ----------
    name : str
        One of `PRESETS`.
    N, d, seed : int
        As in the preset's own function.

    Raises
    ------
    ValueError
        For an unknown name, or a value out of range, in one sentence.

    Examples
    --------
    >>> W, b = preset("polygon", 5)
    >>> W.shape, b
    ((5, 2), None)
    >>> preset("spiral", 5)
    Traceback (most recent call last):
        ...
    ValueError: The preset 'spiral' is not known: choose among affine, linear, ...
    """
    if name not in PRESETS:
        raise ValueError(f"The preset {str(name)[:40]!r} is not known: choose among {', '.join(PRESETS)}.")
    return PRESETS[name](N, d, seed) if seeded(name) else PRESETS[name](N, d)


def _normal_columns(N: int, d: int, seed: int, word: int) -> Array:
    """(N, d) standard normal numbers, one stream per column."""
    out = np.empty((N, d))
    for axis in range(d):
        out[:, axis] = _normal(N, seed, word, axis)
    return _read_only(out)


def _normal(N: int, *words: int) -> Array:
    """The first N standard normal numbers of the stream with this name."""
    return _beginning(*words)[:N].copy() if N <= _KEPT else np.random.default_rng(words).standard_normal(N)


@functools.lru_cache(maxsize=1024)
def _beginning(*words: int) -> Array:
    """Of every stream the beginning is kept: seeding one takes longer than drawing from it."""
    return np.random.default_rng(words).standard_normal(_KEPT)


def _read_only(array: Array) -> Array:
    array.setflags(write=False)
    return array


def _shape(N: Any, d: Any, seed: Any, fewest: int = 2) -> tuple[int, int, int]:
    N, d = _whole("N", N, fewest, MAX_EXPERTS), _whole("d", d, 1, MAX_DIMENSION)
    _fits(N * d, f"N × d = {N} × {d}")
    return N, d, _whole("seed", seed, 0, 2**63 - 1)


def _fits(numbers: int, what: str) -> None:
    if numbers > MAX_NUMBERS:
        raise ValueError(f"{what} is more than {MAX_NUMBERS:,} numbers: choose smaller sizes.")


def _whole(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int in low..high, or one sentence that says what is allowed."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} is {value!r}: give a whole number from {low} to {high}.")
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}: give a whole number from {low} to {high}.")
    return int(value)
