"""Top-k routed ReLU experts, and the linear regions they cut the input space into."""

from tropviz.core.experts.layer import MoELayer
from tropviz.core.experts.stack import Stack

__all__ = ["MoELayer", "Stack"]
