"""The slice law: how many cells, and linear regions, a random router is expected to keep in d dimensions."""

from tropviz.core.slice_law.curve import Law
from tropviz.core.slice_law.gain import gain_dimension, model_gain
from tropviz.core.slice_law.law import (
    dimension_for,
    expected_cells,
    expected_gain,
    expected_regions,
    log_shares_up_to,
    resilience_dimension,
    resilience_estimate,
    resilience_spread,
    share_kept,
    summary,
)

__all__ = [
    "Law",
    "dimension_for",
    "expected_cells",
    "expected_gain",
    "expected_regions",
    "gain_dimension",
    "log_shares_up_to",
    "model_gain",
    "resilience_dimension",
    "resilience_estimate",
    "resilience_spread",
    "share_kept",
    "summary",
]
