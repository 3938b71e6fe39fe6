"""Capacity: what the combinatorics promises, and beside it what a slice of d dimensions can keep of it."""

from tropviz.core.capacity.arrangements import cell_bounds, central_regions, hyperplane_regions, slice_bound
from tropviz.core.capacity.closed_forms import depths, table, table_of_granularity
from tropviz.core.capacity.depth import Depth, dense_width, depth_of, layers_enough, layers_needed
from tropviz.core.capacity.designed import Design, designed, designed_count, designed_window
from tropviz.core.capacity.designed import designs as constructions
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
    "Depth",
    "Design",
    "Granularity",
    "Shape",
    "best_granularity",
    "cell_bounds",
    "central_regions",
    "constructions",
    "dense_width",
    "depth_of",
    "depths",
    "designed",
    "designed_count",
    "designed_window",
    "granularities",
    "granularity",
    "grouped_choices",
    "hyperplane_regions",
    "iso_compute",
    "layers_enough",
    "layers_needed",
    "slice_bound",
    "table",
    "table_of_granularity",
]
