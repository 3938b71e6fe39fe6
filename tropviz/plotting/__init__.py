"""``tropviz.plot(x)``: ordinary Plotly figures of what the core computes; and what a notebook shows of it by itself."""

from tropviz.plotting.card import html
from tropviz.plotting.plot import plot

__all__ = ["html", "plot"]
