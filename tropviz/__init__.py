"""tropviz: see how a Mixture-of-Experts router cuts up space, with numbers that can be quoted."""

from tropviz.core import capacity, collapse, experts, manifold, slice_law
from tropviz.core.capture import capture
from tropviz.core.count import Count
from tropviz.core.display import rendered_by
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.hypersimplex import Hypersimplex
from tropviz.core.router import Router
from tropviz.plotting import html, plot
from tropviz.version import __version__

__all__ = [
    "Count",
    "Hypersimplex",
    "MoELayer",
    "Router",
    "RoutingFan",
    "__version__",
    "capacity",
    "capture",
    "collapse",
    "experts",
    "manifold",
    "plot",
    "slice_law",
]

rendered_by(html)
