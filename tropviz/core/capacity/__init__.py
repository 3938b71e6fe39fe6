"""Capacity: what the combinatorics promises, and beside it what a slice of d dimensions can keep of it."""

from tropviz.core.capacity.arrangements import cell_bounds, central_regions, hyperplane_regions, slice_bound
from tropviz.core.capacity.closed_forms import table, table_of_granularity
from tropviz.core.capacity.designs import (
    Granularity,
    Shape,
    best_granularity,
    granularities,
    granularity,
    grouped_choices,
    iso_compute,
)

__all__ = [
    "Granularity",
    "Shape",
    "best_granularity",
    "cell_bounds",
    "central_regions",
    "granularities",
    "granularity",
    "grouped_choices",
    "hyperplane_regions",
    "iso_compute",
    "slice_bound",
    "table",
    "table_of_granularity",
]
