"""Two clouds on opposite sides, ``x = +- t u + z``: when they share one active set, and what they end in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.collapse.certificate import certify, collapse_intervals
from tropviz.core.collapse.clouds import unit
from tropviz.core.router import Router


@dataclass(frozen=True)
class Opposed:
    """What is certain of two balls of one radius at t u and -t u.

    Attributes
    ----------
    offset : float
        From here on either ball lies in one closed cell for good; inf when one never does.
    active_sets : (tuple of int, tuple of int)
        The sets they end in, that of u first.
    together_until : float or None
        Up to this offset both lie in one and the same closed cell; inf: at every offset; None: at none.
    """

    offset: float
    active_sets: tuple[tuple[int, ...], tuple[int, ...]]
    together_until: float | None

    @property
    def limit(self) -> float:
        """Share of the data in its fullest active set from `offset` on, as many points on either side: 1 or 1/2."""
        return 1.0 if self.active_sets[0] == self.active_sets[1] else 0.5

    @property
    def ever_one(self) -> bool:
        """Whether both whole balls are in one cell at any offset; without this 100 % is at most what a sample shows."""
        return self.together_until is not None


def opposed(router: Router, u: Any, r: float) -> Opposed:
    """The certificate for two opposed clouds.

    Parameters
    ----------
    router : Router
    u : array-like, shape (d,)
        Any nonzero vector; only its line counts.
    r : float
        Radius of either ball, greater than 0.

    Raises
    ------
    ValueError
        For a zero direction or a radius that is not positive.

    Notes
    -----
    A cell that holds both balls is convex and so holds those of every smaller offset, the ball round the origin among
    them: being together ends once and for all. The cells of a central router are cones with their tips at the origin,
    so that with more than one of them two balls are never together.

    Examples
    --------
    >>> opposed(Router([[1, 0], [-1, 0]], None, k=1), [1, 0], 2)
    Opposed(offset=2.0, active_sets=((0,), (1,)), together_until=None)
    >>> strip = Router([[0], [1], [-1]], [3, 0, 0], k=1)  # expert 0 wins between -3 and 3
    >>> found = opposed(strip, [1], 1)
    >>> found.together_until, found.offset, found.limit
    (2.0, 4.0, 0.5)
    """
    towards = np.asarray(unit(u, router.d))
    ends = [certify(router, way, r) for way in (towards, -towards)]
    first, second = (collapse_intervals(router, way, r) for way in (towards, -towards))
    until = None
    if first and second and first[0][0] == second[0][0] == 0 and first[0][2] == second[0][2]:
        until = min(first[0][1], second[0][1])
    return Opposed(max(end.offset for end in ends), (ends[0].active_set, ends[1].active_set), until)
