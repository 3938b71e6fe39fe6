"""What a computation will cost, said before it starts, so that it can be refused, sampled or sent elsewhere.

Each subject has its own estimates beside its computations (`core.manifold.cost`, ...), fitted once on one core and
rounded up: they are good to a factor of about three, which is what choosing between doing and not doing takes.
"""

from __future__ import annotations

from dataclasses import dataclass

MB = 2**20


@dataclass(frozen=True)
class Cost:
    """Time and memory of a computation.

    Attributes
    ----------
    seconds : float
        On one core.
    bytes : float
        At its peak, beyond what the process holds already.

    Examples
    --------
    >>> Cost(2, 100 * MB) + Cost(1, 300 * MB) == Cost(3, 300 * MB)
    True
    >>> Cost(3, 0).within(Cost(2, 10)), Cost(1, 5).within(Cost(2, 10))
    (False, True)
    """

    seconds: float = 0.0
    bytes: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        """One after the other: times add up, the larger peak stays."""
        return Cost(self.seconds + other.seconds, max(self.bytes, other.bytes))

    def within(self, limit: Cost) -> bool:
        """Whether neither time nor memory is beyond a limit."""
        return self.seconds <= limit.seconds and self.bytes <= limit.bytes


#: One exact count of a study that makes many: beyond it, the study samples.
COUNT = Cost(10.0, 500 * MB)
