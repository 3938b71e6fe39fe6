"""What a curve crosses, slow and obvious: scores and hinges as rational polynomials, their roots isolated by Sturm."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from tropviz import MoELayer
from tropviz.core.manifold import Manifold

T = sympy.Symbol("t")


def basis(terms: int, trigonometric: bool) -> list[sympy.Expr]:
    """Chebyshev polynomials; or 1, cos, sin, ... as polynomials in the tangent of half the angle, over a common one."""
    if not trigonometric:
        return [sympy.chebyshevt_poly(j, T) for j in range(terms)]
    degree, whole = (terms - 1) // 2, 1 + T**2
    out, cosine, sine = [sympy.expand(whole**degree)], sympy.Integer(1), sympy.Integer(0)
    for j in range(1, degree + 1):
        cosine, sine = cosine * (1 - T**2) - sine * 2 * T, sine * (1 - T**2) + cosine * 2 * T
        out += [sympy.expand(f * whole ** (degree - j)) for f in (cosine, sine)]
    return out


def along(shape: Manifold, parts: list[sympy.Expr], row: np.ndarray, offset: float) -> sympy.Poly:
    """A linear form along a curve."""
    weights = [
        sum(Fraction(float(a)) * Fraction(float(w)) for a, w in zip(term, row, strict=True)) for term in shape.series
    ]
    weights[0] += Fraction(float(offset))
    return sympy.Poly(
        sum(sympy.Rational(w.numerator, w.denominator) * p for w, p in zip(weights, parts, strict=True)), T
    )


def crossed(layer: MoELayer, shape: Manifold) -> tuple[int, int]:
    """Cells and regions that a curve crosses."""
    parts = basis(len(shape.series), shape.trigonometric)
    scores = [along(shape, parts, w, b) for w, b in zip(layer.router.W, layer.router.b, strict=True)]
    hinges = [
        [along(shape, parts, u, c) for u, c in zip(*one, strict=True)] for one in zip(layer.U, layer.c, strict=True)
    ]
    walls = [p - q for i, p in enumerate(scores) for q in scores[:i]] + [h for one in hinges for h in one]
    walls = [w for w in walls if not w.is_zero and w.degree() > 0]
    product = sympy.Poly(1, T)
    for wall in walls:
        product = product * wall
    ends = {} if shape.trigonometric else {"inf": -1, "sup": 1}
    found = [interval for interval, _ in product.intervals(**ends)] if walls else []
    low = sympy.Integer(-1) if not shape.trigonometric or not found else found[0][0] - 1
    high = sympy.Integer(1) if not shape.trigonometric or not found else found[-1][1] + 1
    classes: dict[tuple, int] = {}
    rows = np.column_stack([layer.router.W, layer.router.b]).tolist()
    twin = [classes.setdefault(tuple(row), len(classes)) for row in rows]
    cells, regions = set(), set()
    for first, last in zip([low, *(b for _, b in found)], [*(a for a, _ in found), high], strict=True):
        x = (first + last) / 2
        if any(wall.eval(x) == 0 for wall in walls):
            continue  # an end of the curve
        values = [p.eval(x) for p in scores]
        active = sorted(sorted(range(layer.N), key=lambda i: (-values[i], i))[: layer.k])
        cells.add(tuple(sorted(twin[i] for i in active)))
        regions.add((tuple(active), tuple(bool(h.eval(x) > 0) for i in active for h in hinges[i])))
    return len(cells), len(regions)
