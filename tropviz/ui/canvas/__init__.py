"""The canvas: a Plotly figure on one lasting node, which keeps zoom and camera and tells Python about clicks."""

from tropviz.ui.canvas.component import canvas, pack, receive, revision, script

__all__ = ["canvas", "pack", "receive", "revision", "script"]
