"""The canvas: a Plotly figure on one lasting node, which keeps zoom and camera and tells Python about clicks."""

from tropviz.ui.canvas.beacon import beacon
from tropviz.ui.canvas.component import canvas, slot
from tropviz.ui.canvas.message import pack
from tropviz.ui.canvas.serve import script

__all__ = ["beacon", "canvas", "pack", "script", "slot"]
