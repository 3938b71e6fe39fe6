"""Until the exact fan lands: cells of a plane by sampling. Deleted then."""

from __future__ import annotations

import numpy as np
import shapely

from tropviz import Count


class RoutingFan:
    def __init__(self, router):
        self.router = router
        g = np.linspace(-12, 12, 500)
        X = np.stack(np.meshgrid(g, g), -1).reshape(-1, 2)
        self.active_sets = np.unique(router.active_sets(X), axis=0)
        m = len(self.active_sets)
        self.count = Count(m, "lower", "sampled stand-in")
        self.neighbours = np.array(
            [
                (i, j)
                for i in range(m)
                for j in range(i + 1, m)
                if len(set(self.active_sets[i]) & set(self.active_sets[j])) == router.k - 1
            ]
        )

    def polygons(self, window):
        a = float(window)
        W, b = self.router.W, self.router.b
        ids, out = [], []
        for c, S in enumerate(self.active_sets):
            poly = shapely.box(-a, -a, a, a)
            for i in S:
                for j in set(range(self.router.N)) - set(S.tolist()):
                    n, t = W[i] - W[j], b[i] - b[j]
                    L = np.hypot(*n)
                    if L == 0:
                        continue
                    n, t = n / L, t / L
                    p, q = -t * n, np.array([-n[1], n[0]])
                    R = 10 * a + abs(t)
                    poly = poly.intersection(
                        shapely.Polygon([p + R * q, p - R * q, p - R * q + R * n * 2, p + R * q + 2 * R * n])
                    )
                    if poly.is_empty:
                        break
                if poly.is_empty:
                    break
            if poly.area > 1e-12:
                ids.append(c)
                out.append(poly)
        return np.array(ids), out
