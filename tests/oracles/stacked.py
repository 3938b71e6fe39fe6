"""Layers on top of one another by splitting, slow and obvious: every active set of every layer, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from tests.oracles.exact_regions import Piece, Splitter, exact, lowest

Map = list[list[Fraction]]


def behind(row: list[Fraction], map_: Map) -> list[Fraction]:
    """A row (a, b, c) behind the map x -> A x + a, map_ = [A | a]."""
    out = [sum((row[i] * map_[i][j] for i in range(2)), Fraction(0)) for j in range(3)]
    out[2] += row[2]
    return out


def regions(layers: list[dict], box: list) -> tuple[list[int], list[int]]:
    """Regions and paths after each layer; a layer is {W, b, k, U, c, V}."""
    splitter = Splitter(box)
    start: Map = [[Fraction(1), Fraction(0), Fraction(0)], [Fraction(0), Fraction(1), Fraction(0)]]
    work: list[tuple[Piece, Map, tuple]] = [(splitter.box, start, ())]
    counts, paths = [], []
    for layer in layers:
        rows = exact([[*w, b] for w, b in zip(layer["W"], layer["b"], strict=True)])
        after = []
        for piece, map_, path in work:
            router = [behind(row, map_) for row in rows]
            for active in combinations(range(len(rows)), layer["k"]):
                part: Piece | None = piece
                for i in active:
                    for j in set(range(len(rows))) - set(active):
                        if router[i] != router[j]:
                            wall = [a - b for a, b in zip(router[i], router[j], strict=True)]
                            part = splitter.keep(part, wall)
                if part is None or not lowest(router, active):
                    continue
                found = [(part, [])]
                for i in active:
                    for u, c, *v in zip(layer["U"][i], layer["c"][i], *layer["V"][i], strict=True):
                        hinge = exact([[*u, c]])[0]
                        line = behind(hinge, map_)
                        new = []
                        for one, open_ in found:
                            if not any(line[:2]):
                                new.append((one, [*open_, (hinge, v)] if line[2] > 0 else open_))
                                continue
                            plus, minus = splitter.cut(one, line)
                            new += [(plus, [*open_, (hinge, v)])] if plus else []
                            new += [(minus, open_)] if minus else []
                        found = new
                for one, open_ in found:
                    local = [list(map(Fraction, row)) for row in ((1, 0, 0), (0, 1, 0))]
                    for hinge, v in open_:
                        for out in range(2):
                            for j in range(3):
                                local[out][j] += Fraction(v[out]) * hinge[j] / layer["k"]
                    after.append((one, [behind(row, map_) for row in local], (*path, active)))
        work = after
        counts.append(len(work))
        paths.append(len({path for _, _, path in work}))
    return counts, paths
