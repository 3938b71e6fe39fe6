"""The routing fan: every full-dimensional cell of a router in R^d, with corners, rays, neighbours and a certificate."""

from tropviz.core.fan.routing_fan import RoutingFan

__all__ = ["RoutingFan"]
