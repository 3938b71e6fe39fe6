"""Schlegel diagram of a hypersimplex: the polytope looked at through one of its facets, one dimension lower.

From a point just outside a facet everything else is seen inside that facet, without crossings: Delta(2,5), a polytope
of dimension 4, becomes a drawing in space.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tropviz.core.hypersimplex.polytope import Hypersimplex
from tropviz.core.hypersimplex.subsets import all_sets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: A diagram of more vertices is no picture any more.
MOST_VERTICES = 1000
#: Distance of the eye from the facet, as a share of the distance at which a second facet would come into view.
EYE = 0.5


@dataclass(frozen=True)
class Schlegel:
    """A drawing of Delta(k,N) in N-2 dimensions.

    Attributes
    ----------
    sets : ndarray (m, k)
        Active sets, lexicographic: the vertices.
    points : ndarray (m, N - 2)
        Where they are drawn, the frame's centre at the origin.
    edges : ndarray (e, 2)
        The Johnson graph.
    frame : ndarray (f,)
        Vertices of the facet that is looked through: they frame the drawing.
    facet : str
        That facet in words.
    value, eye : int, float
        Of the last coordinate on that facet, and how far the eye is from it.
    """

    sets: Ints
    points: Floats
    edges: Ints
    frame: Ints
    facet: str
    value: int
    eye: float

    def see(self, y: Floats) -> Floats:
        """Where points of the polytope are seen, (..., N) to (..., N - 2): a central projection, lines stay straight.

        Examples
        --------
        >>> drawing = schlegel(5, 2)
        >>> inside = np.full(5, 2 / 5)  # the middle is seen at the frame's centre
        >>> bool(np.allclose(drawing.see(inside), 0))
        True
        """
        depth = np.abs(y[..., -1:] - self.value)
        flat = y[..., :-1] - y[..., :-1].mean(axis=-1, keepdims=True)  # its offset from the line of sight to the centre
        return np.asarray(flat * self.eye / (self.eye + depth) @ standard_weights(y.shape[-1] - 1))


def schlegel(N: int, k: int) -> Schlegel:
    """Schlegel diagram of Delta(k,N), N >= 3, k < N, through the facet on the last expert.

    Parameters
    ----------
    N, k : int
        With at most 1,000 vertices.

    Raises
    ------
    ValueError
        For a polytope of dimension below 2, or one of too many vertices.

    Notes
    -----
    The facet with more vertices is taken, ``y = 0`` or ``y = 1`` in the last coordinate. With c the facet's centre and
    n its outer normal the eye is ``c + e n``; a vertex at distance 1 below the facet is drawn on its line of sight, at
    the share ``e / (1 + e)`` from the eye.

    Examples
    --------
    >>> drawing = schlegel(5, 2)
    >>> drawing.points.shape, len(drawing.edges), len(drawing.frame), drawing.facet
    ((10, 3), 30, 6, 'y4 = 0: Δ(2,4)')
    """
    polytope = Hypersimplex(N, k)
    if polytope.dim < 2:
        raise ValueError(f"Δ({k},{N}) has dimension {polytope.dim}: draw it as it is.")
    if polytope.vertex_count > MOST_VERTICES:
        raise ValueError(f"Δ({k},{N}) has more than {MOST_VERTICES:,} vertices: choose smaller N.")
    through = max((f for f in polytope.facets() if f.index == N - 1), key=lambda f: Hypersimplex(f.N, f.k).vertex_count)
    sets = all_sets(N, k)
    y = np.zeros((len(sets), N))
    y[np.arange(len(sets))[:, None], sets] = 1.0
    room = (N - 1 - k) if through.value == 0 else k - 1  # the eye must stay below the other kind of facet
    eye = EYE * max(room, 1)
    number = {tuple(row): at for at, row in enumerate(sets.tolist())}
    edges = np.array([[number[S], number[T]] for S, T in polytope.edges()], dtype=np.int64)
    frame = np.flatnonzero(y[:, -1] == through.value)
    drawing = Schlegel(sets, np.empty(0), edges, frame, through.kind, through.value, eye)
    return replace(drawing, points=drawing.see(y))


def _basis(n: int) -> Floats:
    """(n, n-1) orthonormal coordinates of the plane of zero sum, symmetric enough to look well."""
    out = np.zeros((n, n - 1))
    for j in range(1, n):  # Helmert
        out[:j, j - 1], out[j, j - 1] = 1, -j
        out[:, j - 1] /= np.sqrt(j * (j + 1))
    return out


def standard_weights(N: int) -> Floats:
    """(N, N-1) weights of the router that sees all scores: its shadow is Delta(k,N) itself, its fan the normal fan.

    Scores matter only up to a common shift, so N-1 coordinates hold them; the rows are the corners of a regular
    simplex. For N = 4 they are four corners of a cube, so that Delta(2,4) stands as the usual octahedron.

    Examples
    --------
    >>> W = standard_weights(4)
    >>> bool(np.allclose(W.sum(axis=0), 0)), bool(np.allclose(W @ W.T, np.eye(4) - 0.25))
    (True, True)
    """
    if N == 4:
        return np.array([row for row in itertools.product((-0.5, 0.5), repeat=3) if np.prod(row) > 0])
    if N == 3:  # expert 0 on top
        angle = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
        return np.sqrt(2 / 3) * np.column_stack([np.cos(angle), np.sin(angle)])
    return _basis(N)
