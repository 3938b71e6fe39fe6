"""Checkpoints of any size: only headers, gates and config.json are read."""

from tropviz.io.checkpoints.read import PLAIN, read_checkpoint
from tropviz.io.checkpoints.uploaded import candidates, open_shard, read_config, read_uploaded

__all__ = ["PLAIN", "candidates", "open_shard", "read_checkpoint", "read_config", "read_uploaded"]
