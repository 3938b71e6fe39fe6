"""The fan of a router: every full-dimensional cell in R^d, with corners, rays and neighbours, and its certificate.

`find` makes the record, `Fan`; `routing_fan.RoutingFan` is one with conveniences that need the packages above.
"""

from tropviz.core.fan.find import find
from tropviz.core.fan.record import Fan

__all__ = ["Fan", "find"]
