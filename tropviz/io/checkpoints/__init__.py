"""Checkpoints of any size: only headers, gates and config.json are read."""

from tropviz.io.checkpoints.read import read_checkpoint

__all__ = ["read_checkpoint"]
