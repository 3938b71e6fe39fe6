"""Cells in the plane: polygons in a window, expert domains, what a disk or a data sample touches."""

from tropviz.core.planar.cells import (
    Domain,
    clusters,
    disk_cells,
    expert_domain,
    find_sets,
    locate,
    polygons,
    rings_of_walls,
)

__all__ = ["Domain", "clusters", "disk_cells", "expert_domain", "find_sets", "locate", "polygons", "rings_of_walls"]
