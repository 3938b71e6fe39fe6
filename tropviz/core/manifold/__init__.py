"""Data manifolds of intrinsic dimension d_eff in R^d_in, and what of a router they cross."""

from tropviz.core.manifold.shapes import KINDS, Manifold, evaluate, manifold

__all__ = ["KINDS", "Manifold", "evaluate", "manifold"]
