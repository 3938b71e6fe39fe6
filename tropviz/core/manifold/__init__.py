"""Data manifolds of intrinsic dimension d_eff in R^d_in, and what of a router and its experts they cross."""

from tropviz.core.manifold.crossings import cells_crossed
from tropviz.core.manifold.patches import Patches, patches
from tropviz.core.manifold.regions import Crossed, crossed, regions_crossed
from tropviz.core.manifold.shapes import KINDS, Manifold, evaluate, manifold
from tropviz.core.manifold.sheets import SHEETS, Sheet, sheet

__all__ = [
    "KINDS",
    "SHEETS",
    "Crossed",
    "Manifold",
    "Patches",
    "Sheet",
    "cells_crossed",
    "crossed",
    "evaluate",
    "manifold",
    "patches",
    "regions_crossed",
    "sheet",
]
