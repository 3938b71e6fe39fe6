"""What the routers of a real model do with real tokens: hooks, streaming statistics, files, merging."""

from tropviz.core.capture.front import capture
from tropviz.core.capture.layer import Layer, Moments
from tropviz.core.capture.record import Capture, load, merge, of_choices
from tropviz.core.capture.recorder import Recorder
from tropviz.core.capture.reservoir import Reservoir
from tropviz.core.capture.sets import Sets
from tropviz.core.capture.states import of_logits, of_states
from tropviz.core.capture.stream import Stream

__all__ = [
    "Capture",
    "Layer",
    "Moments",
    "Recorder",
    "Reservoir",
    "Sets",
    "Stream",
    "capture",
    "load",
    "merge",
    "of_choices",
    "of_logits",
    "of_states",
]
