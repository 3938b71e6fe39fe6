"""Top-k routed ReLU experts, and the linear regions they cut the input space into."""

from tropviz.core.experts.layer import MoELayer

__all__ = ["MoELayer"]
