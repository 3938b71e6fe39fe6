"""Delta(k,N), the polytope behind top-k routing, and the pictures of it that a router draws."""

from tropviz.core.hypersimplex.polytope import Hypersimplex, eulerian, monomial, summary

__all__ = ["Hypersimplex", "eulerian", "monomial", "summary"]
