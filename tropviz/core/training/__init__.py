"""Training: one MoE layer learning to classify, recorded as ordinary layers, so that everything exact applies to it."""

from tropviz.core.training.checkpoint import Checkpoint
from tropviz.core.training.data import KINDS, Dataset, dataset
from tropviz.core.training.loop import Diverged, train
from tropviz.core.training.order import CLAIMS, RUNS, Order, Paired, order, paired
from tropviz.core.training.outcome import Outcome, outcome
from tropviz.core.training.recipe import Recipe
from tropviz.core.training.snapshot import Plane, Snapshot, plane_of, snapshot, snapshots

__all__ = [
    "CLAIMS",
    "KINDS",
    "RUNS",
    "Checkpoint",
    "Dataset",
    "Diverged",
    "Order",
    "Outcome",
    "Paired",
    "Plane",
    "Recipe",
    "Snapshot",
    "dataset",
    "order",
    "outcome",
    "paired",
    "plane_of",
    "snapshot",
    "snapshots",
    "train",
]
