"""Layouts in the plane found by a search: a router and one line an expert, where many lines meet inside both domains.

The hinges of an expert are a narrow bundle of lines round its line. A pair of experts counts if their lines cross
where both are active; such a pair adds H^2 crossings. On a regular polygon N (k - 1) pairs do. No design of this kind
has more than a constant times N k pairs: among the N / k experts that a random sample keeps, a pair that meets is a
cell of an order-2 diagram, of which there are less than 3 N / k (the argument of Clarkson and Shor, 1989).

The search (annealing over sites, weights and lines for the number of pairs, then a climb on the exact count at H = 8)
found 65 pairs for (16, 4), where the polygon has 48, and 11 for (8, 2), where it has 8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Half the angle a bundle of hinges fans out by: small enough that all its lines meet what its middle line meets.
BUNDLE = 2e-4
#: Sites lie up to 35 from the origin, some crossings at 200: divided by this, a power of two, they come into a window.
UNIT = 16.0


@dataclass(frozen=True)
class Layout:
    """One layout for N experts.

    Attributes
    ----------
    experts : tuple of (x, y, r, angle, offset, pivot)
        Site and weight of each expert, whose score is 2 (x, y) . p - x^2 - y^2 + r; its line
        cos(angle) p_x + sin(angle) p_y = offset; and how far along the line its bundle crosses itself.
    cells, visits, pairs : int
        Cells of the router; cells that the lines cross where their expert is active, in all; pairs that meet.
    """

    experts: tuple[tuple[float, ...], ...]
    cells: int
    visits: int
    pairs: int

    @property
    def formula(self) -> str:
        """The number of regions in terms of H."""
        return f"{self.cells} + {self.visits}H + {len(self.experts)} C(H,2) + {self.pairs}H²"

    def regions(self, H: int) -> int:
        """Exact number of regions with H hinges an expert."""
        return self.cells + self.visits * H + len(self.experts) * math.comb(H, 2) + self.pairs * H * H

    def weights(self, H: int) -> tuple[Array, Array, Array, Array]:
        """W (N, 2), b (N,), U (N, H, 2), c (N, H).

        >>> LAYOUTS[8, 2].weights(3)[2].shape
        (8, 3, 2)
        """
        x, y, r, angle, offset, pivot = np.array(self.experts).T
        across, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        centre = across * offset + along * pivot  # (2, N): a bundle is tangent to a small circle round it
        centre = centre / UNIT
        turned = angle[:, None] + BUNDLE * (2 * (np.arange(H) + 0.5) / H - 1)
        U = np.stack([np.cos(turned), np.sin(turned)], axis=-1)
        c = -np.einsum("ehd,de->eh", U, centre) - BUNDLE / (4 * UNIT)
        return 2 * UNIT * np.column_stack([x, y]), r - x**2 - y**2, U, c


#: Known layouts by (N, k).
LAYOUTS = {
    (8, 2): Layout(
        experts=(
            (13.896, -0.503, 10.944, 0.239, 17.799, -5.85),
            (-2.294, -11.493, -0.49, 6.773, -7.046, -6.0),
            (12.882, -1.312, 11.063, 10.114, -9.545, 6.0),
            (-6.768, 10.316, 4.188, -16.284, 15.636, -0.61),
            (5.012, -9.221, 1.274, 17.436, 11.531, 6.0),
            (15.778, -0.553, -13.69, 3.732, -17.034, 6.0),
            (5.086, -12.894, -6.547, -0.914, 10.326, 1.84),
            (16.896, -7.786, -7.997, 5.297, 15.067, 4.0),
        ),
        cells=16,
        visits=25,
        pairs=11,
    ),
    (16, 4): Layout(
        experts=(
            (3.772, 4.431, 4.22, 0.024, 2.866, 2.2),
            (2.209, 3.33, -10.046, 1.658, 7.396, -3.31),
            (3.704, 2.872, 1.648, 0.075, 2.893, 2.01),
            (2.591, 2.722, -8.051, 1.85, -2.386, -4.01),
            (12.804, 15.72, -0.737, -1.974, -21.728, 2.34),
            (30.172, -18.322, -11.496, -0.738, 27.982, 4.06),
            (13.79, 13.219, -2.874, 4.093, -26.446, 1.54),
            (2.227, 4.234, -17.476, 3.75, -7.272, -5.46),
            (5.596, 3.382, -2.372, 2.533, -4.004, -3.89),
            (-4.798, 2.198, 8.347, -2.938, 8.358, -1.53),
            (9.137, 8.98, 0.973, 2.042, 9.012, -5.92),
            (-3.414, -11.863, 4.726, 1.023, -6.175, -1.81),
            (8.656, -6.027, -9.727, 1.389, -13.329, -3.05),
            (4.931, 3.096, 7.292, 3.294, -3.528, -1.72),
            (-18.761, 9.36, 16.51, 2.974, 10.046, -2.84),
            (-16.347, -0.777, -10.414, 0.176, -9.177, 1.63),
        ),
        cells=77,
        visits=139,
        pairs=65,
    ),
}
