"""Does an order hold over many seeds: two recipes trained from the same seeds, compared seed by seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tropviz.core.training.outcome import Outcome

#: The order that is looked at: claim, run that is to be ahead, run that is to be behind, by which figure. The runs are
#: "origin" (data at the origin), "none" (no remedy), "balance", "centred" and "both".
CLAIMS = (
    ("collapse", "origin", "none", "sets"),
    ("balance", "balance", "none", "sets"),
    ("centred", "centred", "none", "loss"),
    ("both_centred", "both", "centred", "loss"),
    ("both_balance", "both", "balance", "loss"),
)
#: Runs that the claims speak of.
RUNS = ("origin", "none", "balance", "centred", "both")


@dataclass(frozen=True)
class Paired:
    """A claim over seeds: by how much one run is ahead of another.

    Attributes
    ----------
    held, seeds : int
        Seeds in which it is ahead, of all that were compared.
    mean, low, high : float
        Mean difference, positive where the claim holds, and its 95 % interval (Student's t over the seeds' differences;
        infinite for a single seed). Whole numbers may agree in all seeds and say nothing of how they spread: they are
        then taken to spread as if one seed more had shown no difference, or another by one.
    """

    held: int
    seeds: int
    mean: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the whole interval is on the side of the claim."""
        return self.low > 0


def paired(ahead: Sequence[float], behind: Sequence[float]) -> Paired:
    """The figures of two runs over the same seeds, compared.

    Parameters
    ----------
    ahead, behind : sequences of float, of one length
        What each run came to, the same seed at the same place; the claim is that `ahead` is larger.

    Raises
    ------
    ValueError
        For sequences that are empty or of two lengths.

    Examples
    --------
    >>> found = paired([9, 8, 10], [2, 3, 2])
    >>> found.held, found.seeds, round(found.mean, 3), round(found.low, 2), found.holds
    (3, 3, 6.667, 2.87, True)
    """
    from scipy.special import stdtrit

    if len(ahead) != len(behind) or not len(ahead):
        raise ValueError(f"{len(ahead)} and {len(behind)} runs: give both runs of every seed, of one seed at least.")
    gap = np.asarray(ahead, dtype=np.float64) - np.asarray(behind, dtype=np.float64)
    n, mean, half = len(gap), float(gap.mean()), math.inf
    if n > 1:
        spread = float(gap.std(ddof=1)) if np.ptp(gap) else max(abs(mean), 1.0) / math.sqrt(n + 1)
        half = float(stdtrit(n - 1, 0.975)) * spread / math.sqrt(n)
    return Paired(int((gap > 0).sum()), n, mean, mean - half, mean + half)


@dataclass(frozen=True)
class Order:
    """The claims over seeds, by name (`CLAIMS`), and in how many seeds all of them held at once."""

    claims: dict[str, Paired]
    whole: int
    seeds: int

    @property
    def fails(self) -> tuple[str, ...]:
        """Claims whose interval is not wholly on their side."""
        return tuple(name for name, found in self.claims.items() if not found.holds)


def order(runs: Mapping[str, Sequence[Outcome | None]]) -> Order | None:
    """The order of the `RUNS`, over the seeds for which all of them came to an end; None where there is none yet."""
    rows = [row for row in zip(*(runs[name] for name in RUNS), strict=False) if None not in row]
    if not rows:
        return None
    found = dict(zip(RUNS, zip(*rows, strict=True), strict=True))
    gains = {claim: [_gain(a, b, by) for a, b in zip(found[x], found[y], strict=True)] for claim, x, y, by in CLAIMS}
    whole = sum(all(gain[i] > 0 for gain in gains.values()) for i in range(len(rows)))
    zero = [0.0] * len(rows)
    return Order({claim: paired(gain, zero) for claim, gain in gains.items()}, whole, len(rows))


def _gain(ahead: Outcome | None, behind: Outcome | None, by: str) -> float:
    """How far the first run is ahead: more sets, or less loss."""
    assert ahead is not None and behind is not None
    return float(int(ahead.sets) - int(behind.sets)) if by == "sets" else behind.loss - ahead.loss
