"""Gates of real models: how a family turns router logits into a choice, as data, and what that does to the cells."""

from tropviz.core.gates.coordinates import in_router_coordinates, router_coordinates
from tropviz.core.gates.families import FAMILIES, Family, family_of
from tropviz.core.gates.gate import KINDS, Gate
from tropviz.core.gates.rule import Rule
from tropviz.core.gates.settings import Settings, Unknown, settings

__all__ = [
    "FAMILIES",
    "KINDS",
    "Family",
    "Gate",
    "Rule",
    "Settings",
    "Unknown",
    "family_of",
    "in_router_coordinates",
    "router_coordinates",
    "settings",
]
