"""Cells in space: polyhedra in a box, patches of the sphere, sections by a plane, and their sizes."""

from tropviz.core.spatial.sizes import solid_angles, volumes

__all__ = ["solid_angles", "volumes"]
