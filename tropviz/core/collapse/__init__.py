"""Angular collapse: what happens to routing when the data is off-centre, certified, measured and undone.

Data ``x = t u + z``. A central router sees directions only: as the offset t grows, the data fills an ever smaller cap
and ends in one active set. This is the front door; one idea a file behind it.
"""

from tropviz.core.collapse.balance import Balance, balance, balancing_bias
from tropviz.core.collapse.caps import ball_half_angle, cap_fraction, log10_cap_fraction
from tropviz.core.collapse.certificate import Collapse, certify, collapse_intervals, critical_offset, gaussian_bounds
from tropviz.core.collapse.clouds import centred, cloud, residuals, sides, unit
from tropviz.core.collapse.dimension import Dimension, dimension_story
from tropviz.core.collapse.directions import Directions, all_directions
from tropviz.core.collapse.disks import disk_shares
from tropviz.core.collapse.entropy import entropy_bits
from tropviz.core.collapse.fullest import fullest_interval
from tropviz.core.collapse.opposed import Opposed, opposed
from tropviz.core.collapse.ray import Sweep, sweep
from tropviz.core.collapse.rectifier import rectified, rectified_offset
from tropviz.core.collapse.remedies import Remedy, remedies, worse
from tropviz.core.collapse.report import report
from tropviz.core.collapse.statistics import Routed, occupied, routed

__all__ = [
    "Balance",
    "Collapse",
    "Dimension",
    "Directions",
    "Opposed",
    "Remedy",
    "Routed",
    "Sweep",
    "all_directions",
    "balance",
    "balancing_bias",
    "ball_half_angle",
    "cap_fraction",
    "centred",
    "certify",
    "cloud",
    "collapse_intervals",
    "critical_offset",
    "dimension_story",
    "disk_shares",
    "entropy_bits",
    "fullest_interval",
    "gaussian_bounds",
    "log10_cap_fraction",
    "occupied",
    "opposed",
    "rectified",
    "rectified_offset",
    "remedies",
    "report",
    "residuals",
    "routed",
    "sides",
    "sweep",
    "unit",
    "worse",
]
