"""Checks of a finished fan that do not use how it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tropviz.core.fan import RoutingFan


@dataclass(frozen=True)
class Report:
    """Outcome of a verification.

    Attributes
    ----------
    ok : bool
        True when nothing failed.
    failures : tuple of str
        One sentence for each failure.
    """

    ok: bool
    failures: tuple[str, ...]


def verify(fan: RoutingFan) -> Report:
    """Check a fan; first version: witnesses have the active set of their cell."""
    wrong = (fan.router.active_sets(fan.witnesses) != fan.active_sets).any(axis=1).nonzero()[0]
    failures = tuple(f"The witness of cell {c} has another active set." for c in wrong.tolist())
    return Report(not failures, failures)
