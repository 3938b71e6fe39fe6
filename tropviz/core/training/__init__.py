"""Training: one MoE layer learning to classify, recorded as ordinary layers, so that everything exact applies to it."""

from tropviz.core.training.checkpoint import Checkpoint
from tropviz.core.training.data import KINDS, Dataset, dataset
from tropviz.core.training.loop import Diverged, train
from tropviz.core.training.outcome import Outcome, outcome
from tropviz.core.training.recipe import Recipe
from tropviz.core.training.snapshot import Plane, Snapshot, plane_of, snapshot, snapshots

__all__ = [
    "KINDS",
    "Checkpoint",
    "Dataset",
    "Diverged",
    "Outcome",
    "Plane",
    "Recipe",
    "Snapshot",
    "dataset",
    "outcome",
    "plane_of",
    "snapshot",
    "snapshots",
    "train",
]
