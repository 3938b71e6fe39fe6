"""The output of a layer itself: with gates frozen, with softmax gates, or the tropical polynomial; jumps and bends.

Cells and hinges are exact for any gates. With gates frozen at 1/k the output is affine in every region; with softmax
gates it is a weighted mean whose weights change inside a cell, so it bends there. Across a wall where expert i hands
over to expert j both scores are equal, hence so are their gates: the output jumps by g (E_j(x) - E_i(x)), g = 1/k
frozen and g = exp(s_i) / sum over active exp(s) with softmax. The tropical polynomial e_k(s) is continuous: no jump.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.special import bdtr, softmax

from tropviz.core.count import Count
from tropviz.core.tolerance import SIEVE
from tropviz.core.window import as_window

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Kinds of gates.
GATES = ("frozen", "softmax", "tropical")
#: Points along one side of a picture.
GRID = (8, 600)
#: Values of hinges held at a time.
_BLOCK = 2**22


def output(layer: MoELayer, X: Any, gates: str = "frozen") -> Floats:
    """Output of the routed experts at some points, in any dimension; a shared expert's is not part of it.

    Parameters
    ----------
    layer : MoELayer
        With output weights V (N, m, H), unless the gates are 'tropical'.
    X : array-like (n, d)
    gates : {'frozen', 'softmax', 'tropical'}
        1/k each; softmax over the active scores; or e_k(s) itself, the sum of the k largest scores, as one output.

    Returns
    -------
    ndarray (n, m), or (n, 1) for 'tropical'

    Raises
    ------
    ValueError
        For other gates, or a layer without V.

    Examples
    --------
    >>> from tropviz import MoELayer, Router
    >>> layer = MoELayer(Router([[1, 0], [0, 1]], k=1), [[[1, 0]], [[0, 1]]], [[0], [1]], V=[[[1]], [[1]]])
    >>> output(layer, [[2, 1], [1, 2]]).tolist(), output(layer, [[2, 1]], "tropical").tolist()
    ([[2.0], [3.0]], [[2.0]])
    """
    _check(layer, gates)
    points = np.asarray(X, dtype=np.float64)
    if gates == "tropical":
        return np.asarray(layer.router.tropical(points)[:, None])
    sets = layer.router.active_sets(points)
    weights = _gates(layer, points, sets, gates)
    assert layer.V is not None
    out = np.zeros((len(points), layer.V.shape[1]))
    for expert in range(layer.N):
        row, place = np.nonzero(sets == expert)
        if len(row):
            out[row] += weights[row, place][:, None] * expert_output(layer, expert, points[row])
    return out


def expert_output(layer: MoELayer, expert: int, X: Floats) -> Floats:
    """V_i relu(U_i x + c_i) of one expert (n, m)."""
    assert layer.V is not None
    return np.asarray(np.maximum(X @ layer.U[expert].T + layer.c[expert], 0.0) @ layer.V[expert].T)


@dataclass(frozen=True)
class OutputGrid:
    """A layer's output over a window of the plane, for a picture.

    Attributes
    ----------
    x, y : ndarray (n,)
        Middles of the squares.
    values : ndarray (n, n, m)
        Row by row of y.
    """

    x: Floats
    y: Floats
    values: Floats


def output_grid(layer: MoELayer, window: Any, gates: str = "frozen", n: int = 160) -> OutputGrid:
    """`output` on a grid of the plane.

    Parameters
    ----------
    layer, gates
        As for `output`; d = 2.
    window : float or ((low, high), (low, high))
    n : int
        Points along each side, 8 to 600.

    Raises
    ------
    ValueError
        If the layer is not planar, or the window or n is none.

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> grid = output_grid(MoELayer.dense([[1, 0]], [0], V=[[1]]), 2, n=8)
    >>> grid.values[0, :, 0].tolist()
    [0.0, 0.0, 0.0, 0.0, 0.25, 0.75, 1.25, 1.75]
    """
    _planar(layer)
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not GRID[0] <= n <= GRID[1]:
        raise ValueError(f"n is {n!r}: give a whole number of points from {GRID[0]} to {GRID[1]}.")
    share = (np.arange(n) + 0.5) / n
    x, y = ((1 - share) * low + share * high for low, high in as_window(window, 2))
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return OutputGrid(x, y, output(layer, points, gates).reshape(n, n, -1))


def jumps(layer: MoELayer, X: Any, leaves: Any, enters: Any, gates: str = "frozen") -> Floats:
    """Jump of the output across walls, in closed form.

    Parameters
    ----------
    layer, gates
        As for `output`.
    X : array-like (n, d)
        Points on walls.
    leaves, enters : array-like of int (n,)
        The active expert that hands over there, and the one that takes over; their scores at the point are equal.

    Returns
    -------
    ndarray (n, m)
        Output on the far side minus output on the near side; 0 for 'tropical'.

    Examples
    --------
    >>> from tropviz import MoELayer, Router
    >>> layer = MoELayer(Router([[1, 0], [0, 1]], k=1), [[[1, 0]], [[0, 1]]], [[0], [1]], V=[[[1]], [[1]]])
    >>> jumps(layer, [[2, 2]], [0], [1]).tolist(), jumps(layer, [[2, 2]], [0], [1], "softmax").tolist()
    ([[1.0]], [[1.0]])
    """
    _check(layer, gates)
    points, old, new = np.asarray(X, dtype=np.float64), np.asarray(leaves), np.asarray(enters)
    if gates == "tropical":
        return np.zeros((len(points), 1))
    assert layer.V is not None
    difference = np.zeros((len(points), layer.V.shape[1]))
    for expert in range(layer.N):
        for who, sign in ((new, 1.0), (old, -1.0)):
            rows = np.flatnonzero(who == expert)
            if len(rows):
                difference[rows] += sign * expert_output(layer, expert, points[rows])
    if gates == "frozen":
        return difference / layer.k
    # The set on the near side: the expert that leaves, and the best of the others but the one that enters.
    scores = np.array(layer.router.scores(points))
    each = np.arange(len(points))
    edge = scores[each, old].copy()
    scores[each, old] = scores[each, new] = -np.inf
    rest = np.partition(scores, layer.N - layer.k, axis=1)[:, layer.N - layer.k + 1 :]
    gate = 1.0 / (1.0 + np.exp(rest - edge[:, None]).sum(axis=1))
    return difference * gate[:, None]


@dataclass(frozen=True)
class WallJumps:
    """Walls of a planar layer in a window and the jump of the output at the middle of each.

    Attributes
    ----------
    ends : ndarray (w, 2, 2)
    leaves, enters : ndarray of int (w,)
        The wall's two experts.
    jump : ndarray (w, m)
    """

    ends: Floats
    leaves: Ints
    enters: Ints
    jump: Floats

    @property
    def size(self) -> Floats:
        """Length of each jump (w,)."""
        return np.asarray(np.linalg.norm(self.jump, axis=1))


def wall_jumps(layer: MoELayer, window: Any, gates: str = "frozen") -> WallJumps:
    """Every wall of a planar layer in a window with its jump; parameters and errors are those of `output_grid`.

    Examples
    --------
    >>> from tropviz import MoELayer, Router
    >>> layer = MoELayer(Router([[1, 0], [-1, 0]], k=1), [[[1, 0]], [[0, 1]]], [[1], [3]], V=[[[1]], [[1]]])
    >>> walls = wall_jumps(layer, 2)
    >>> walls.ends[:, :, 0].tolist(), walls.jump.tolist()
    ([[0.0, 0.0]], [[2.0]])
    """
    _planar(layer)
    _check(layer, gates)
    box = as_window(window, 2)
    none = np.zeros(0, dtype=np.int64)
    outputs = 1 if layer.V is None or gates == "tropical" else layer.V.shape[1]
    if layer.k == layer.N:
        return WallJumps(np.zeros((0, 2, 2)), none, none, np.zeros((0, outputs)))
    ids, shapes = layer.fan.polygons(box)
    points, place = shapely.get_coordinates(shapes, return_index=True)
    edge = np.flatnonzero(place[:-1] == place[1:])
    ends = np.stack([points[edge], points[edge + 1]], axis=1)
    sets, middle = layer.fan.active_sets[ids[place[edge]]], ends.mean(axis=1)
    # A wall is an edge at whose middle the worst active and the best inactive expert tie; others are the window's.
    scores = np.array(layer.router.scores(middle))
    own = np.take_along_axis(scores, sets, axis=1)
    each = np.arange(len(edge))
    leaves = sets[each, own.argmin(axis=1)]
    size = np.abs(scores).max(axis=1, initial=0.0)
    low = own.min(axis=1)
    np.put_along_axis(scores, sets, -np.inf, axis=1)
    enters = scores.argmax(axis=1)
    tied = low - scores[each, enters] <= SIEVE * size
    once = tied & (leaves < enters)  # each wall is an edge of two cells
    ends, middle, leaves, enters = ends[once], middle[once], leaves[once], enters[once]
    return WallJumps(ends, leaves, enters, jumps(layer, middle, leaves, enters, gates))


@dataclass(frozen=True)
class Bends:
    """How far softmax gates take the output from affine inside regions, and how far it jumps at walls.

    Attributes
    ----------
    bend : Count
        Median over points of the deviation, at the middle of a chord of the point's region, from the mean of the two
        ends, as a share of the output's size (its root mean square over the points).
    turn : Count
        The same deviation as a share of how much the output changes from one end of the chord to the other.
    jump : Count
        Median jump at the first wall on the way, as a share of the output's size.
    bends, jumps : ndarray
        All the shares of the output's size; a chord that meets no wall has no jump.
    """

    bend: Count
    turn: Count
    jump: Count
    bends: Floats
    jumps: Floats


def measured_bends(layer: MoELayer, X: Any, gates: str = "softmax", seed: int = 0, reach: float | None = None) -> Bends:
    """Bends and jumps of a layer where its data is, in any dimension.

    Parameters
    ----------
    layer, gates
        As for `output`, but not 'tropical'.
    X : array-like (n, d)
        At least 10 points; through each a chord of its region is laid in a random direction.
    seed : int
        Of the directions.
    reach : float, optional
        How far from its point a chord goes at most, and half as far as a wall may be; by default the data's root mean
        square distance from its mean. Infinite: chords from one end of the region to the other, those without an end
        left out.

    Returns
    -------
    Bends
        Medians are 'sampled', with a distribution-free 95 % interval (order statistics).

    Examples
    --------
    >>> import numpy as np
    >>> from tropviz import MoELayer, Router
    >>> from tropviz.core.presets import random_experts, random_linear
    >>> V = np.random.default_rng(1).normal(size=(8, 2, 4))
    >>> layer = MoELayer(Router(*random_linear(8, 3, seed=1), k=2), *random_experts(8, 4, 3, seed=1), V=V)
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> measured_bends(layer, X, "frozen").bend.value < 1e-12, measured_bends(layer, X).bend.value > 1e-3
    (True, True)
    """
    _check(layer, gates)
    points = np.asarray(X, dtype=np.float64)
    if gates == "tropical":
        raise ValueError("gates is 'tropical': it bends nowhere and jumps nowhere, so give frozen or softmax.")
    if points.ndim != 2 or len(points) < 10:
        raise ValueError(f"X has shape {points.shape}: give a table with at least 10 points.")
    random = np.random.default_rng([41, seed])
    u = random.normal(size=points.shape)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    reach = float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())) if reach is None else reach
    wall, leaves, enters, back = _walls_ahead(layer, points, u)
    hinge = _hinges_ahead(layer, points, u)
    ahead, behind = (np.minimum(reach, np.minimum(a, b)) for a, b in zip((wall, back), hinge, strict=True))
    ends = np.isfinite(ahead) & np.isfinite(behind)
    first, last = (points[ends] + along[ends, None] * u[ends] for along in (-behind, ahead))
    # The ends lie on the border of the region: seen from inside, so that neither a wall nor a hinge is behind them.
    inside = 1 - 1e-9
    middle = (first + last) / 2
    first, last = middle + inside * (first - middle), middle + inside * (last - middle)
    values = [output(layer, at, gates) for at in (first, middle, last)]
    size = float(np.sqrt((output(layer, points, gates) ** 2).sum(axis=1).mean()))
    size = size if size > 0 else 1.0
    off = np.linalg.norm(values[1] - (values[0] + values[2]) / 2, axis=1)
    change = np.linalg.norm(values[2] - values[0], axis=1)
    turns = np.divide(off, change, out=np.zeros_like(off), where=change > 0)
    bends, chords = off / size, "chords of regions"
    met = np.flatnonzero(np.isfinite(wall) & (wall <= 2 * reach))
    at = points[met] + wall[met, None] * u[met]
    leaps = np.linalg.norm(jumps(layer, at, leaves[met], enters[met], gates), axis=1) / size
    return Bends(_median(bends, chords), _median(turns, chords), _median(leaps, "walls met"), bends, leaps)


def _walls_ahead(layer: MoELayer, X: Floats, u: Floats) -> tuple[Floats, Ints, Ints, Floats]:
    """Distance to the first wall along u, the experts that change there, and the distance backwards."""
    n, N, k = len(X), layer.N, layer.k
    ahead, back = np.full(n, np.inf), np.full(n, np.inf)
    leaves, enters = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    if k == N:
        return ahead, leaves, enters, back
    step = max(1, _BLOCK // (k * N))
    for start in range(0, n, step):
        some = slice(start, start + step)
        x, sets = X[some], layer.router.active_sets(X[some])
        scores, rates = layer.router.scores(x), u[some] @ layer.router.W.T
        gap = np.take_along_axis(scores, sets, axis=1)[:, :, None] - scores[:, None, :]
        rate = np.take_along_axis(rates, sets, axis=1)[:, :, None] - rates[:, None, :]
        for sign, out in ((-1.0, ahead), (1.0, back)):
            with np.errstate(divide="ignore", invalid="ignore"):
                at = np.where(sign * rate > 0, gap / (sign * rate), np.inf)
            np.put_along_axis(at, np.broadcast_to(sets[:, None, :], (len(x), k, k)), np.inf, axis=2)
            best = at.reshape(len(x), -1).argmin(axis=1)
            out[some] = at.reshape(len(x), -1)[np.arange(len(x)), best]
            if sign < 0:
                leaves[some], enters[some] = sets[np.arange(len(x)), best // N], best % N
    return ahead, leaves, enters, back


def _hinges_ahead(layer: MoELayer, X: Floats, u: Floats) -> tuple[Floats, Floats]:
    """Distance to the first hinge of the active experts (and the shared one) along u, and backwards."""
    ahead, back = np.full(len(X), np.inf), np.full(len(X), np.inf)
    rows = layer.hinges_of(layer.router.active_sets(X))
    value, rate = np.einsum("nqd,nd->nq", rows[..., :-1], X) + rows[..., -1], np.einsum("nqd,nd->nq", rows[..., :-1], u)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = -value / rate
    at[rate == 0] = np.inf
    if at.shape[1]:
        ahead = np.where(at > 0, at, np.inf).min(axis=1)
        back = np.where(at < 0, -at, np.inf).min(axis=1)
    return ahead, back


def _median(shares: Floats, what: str) -> Count:
    """Median with its distribution-free 95 % interval, between two order statistics."""
    n = len(shares)
    if n < 10:
        return Count(float("nan"), "sampled", f"median over {n} {what}", "too few were met to say")
    ordered = np.sort(shares)
    low = max(int(np.searchsorted(bdtr(np.arange(n), n, 0.5), 0.025)) - 1, 0)  # P(fewer than this below) <= 2.5 %
    interval = float(ordered[low]), float(ordered[n - 1 - low])
    return Count(float(np.median(shares)), "sampled", f"median over {n:,} {what}", "95 % interval", interval)


def _gates(layer: MoELayer, X: Floats, sets: Ints, gates: str) -> Floats:
    if gates == "frozen":
        return np.full(sets.shape, 1.0 / layer.k)
    scores = np.take_along_axis(layer.router.scores(X), sets, axis=1)
    return np.asarray(softmax(scores, axis=1))


def _check(layer: MoELayer, gates: str) -> None:
    if gates not in GATES:
        raise ValueError(f"gates is {gates!r}: choose one of {', '.join(GATES)}.")
    if layer.V is None and gates != "tropical":
        raise ValueError("The layer has no output weights: give V (N, m, H) to see its output.")


def _planar(layer: MoELayer) -> None:
    if layer.d != 2:
        raise ValueError(f"The output over the plane needs d = 2, this layer has d = {layer.d}: take a slice first.")
