"""The Resilience page in words: what is claimed, what is proved, what is measured."""

from __future__ import annotations

from tropviz.language import phrase

PARAGRAPHS = (
    (
        phrase("What the paper claims"),
        phrase(
            "“combinatorial resilience”: routing multiplies the most regions there can be by C(N,k), and this "
            "survives when the data lies on a manifold of low dimension d: the mixture keeps its binomial while a "
            "dense layer falls back to O(H<sup>d</sup>). The argument is transversality: two shapes in general "
            "position cross cleanly, so a manifold that meets a cell meets it in the right dimension."
        ),
    ),
    (
        phrase("What is proved"),
        phrase(
            "The mean over random routers is known exactly for a flat slice: the slice law. It comes from the conic"
            " kinematic formula, which says how often a randomly turned cone meets a flat. It rises from 0 to 1 "
            "around d*, and from d = N − 1 on all C(N,k) sets exist for all weights in general position. In few "
            "dimensions no weights reach that: cells of all k together number at most a polynomial in N of degree d"
            " (d + 1 with a bias). Transversality does not contradict it: it says how a manifold meets a cell, not "
            "whether it does."
        ),
    ),
    (
        phrase("What is measured here"),
        phrase(
            "Green points are the router on screen: full ones count every cell, open ones ask random sets, one "
            "linear program each. Blue bars are random routers of its kind. The experiment below lays flat and "
            "curved data of one dimension into ever larger spaces: exact along curves and on flat slices, else a "
            "lower bound from a sample and from how many sets it met only once or twice (Chao1, a lower bound in "
            "expectation)."
        ),
    ),
)
