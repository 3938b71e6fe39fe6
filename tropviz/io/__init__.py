"""Routers and data in, results out. Every refusal is a ValueError of one sentence: file, entry, remedy."""

from tropviz.io.checkpoints import read_checkpoint
from tropviz.io.read import LayerFile, RouterFile, read_any, read_layer, read_points, read_router
from tropviz.io.samples import digits, lab
from tropviz.io.source import MAX_FILE_BYTES
from tropviz.io.traces import read_capture
from tropviz.io.write import cells_csv, cells_report, counts_csv

__all__ = [
    "MAX_FILE_BYTES",
    "LayerFile",
    "RouterFile",
    "cells_csv",
    "cells_report",
    "counts_csv",
    "digits",
    "lab",
    "read_any",
    "read_capture",
    "read_checkpoint",
    "read_layer",
    "read_points",
    "read_router",
]
