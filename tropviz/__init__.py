"""tropviz: see how a Mixture-of-Experts router cuts up space, with numbers that can be quoted."""

from typing import TYPE_CHECKING, Any

from tropviz.core import capacity, collapse, slice_law
from tropviz.core.count import Count
from tropviz.core.display import rendered_by
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.hypersimplex import Hypersimplex
from tropviz.core.router import Router
from tropviz.version import __version__

if TYPE_CHECKING:
    from tropviz.plotting import plot

__all__ = [
    "Count",
    "Hypersimplex",
    "MoELayer",
    "Router",
    "RoutingFan",
    "__version__",
    "capacity",
    "collapse",
    "plot",
    "slice_law",
]


def _notebook(thing: Any) -> str:
    from tropviz.plotting import html

    return html(thing)


rendered_by(_notebook)


def __getattr__(name: str) -> Any:
    """`plot`, when it is first asked for: the pictures, unlike the mathematics, take a moment to import."""
    if name != "plot":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tropviz.plotting import plot

    return plot
