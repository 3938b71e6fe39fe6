"""The recipe of a training run: every number it depends on, checked before anything is computed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from tropviz.core.training.data import KINDS

#: Largest run: steps, and multiply-adds of one step (a second of work is about 10^10).
MOST_STEPS, MOST_WORK = 20_000, 2e9
#: Fields that are whole numbers, with their ranges.
WHOLE = {
    "points": (2, 20_000),
    "seed": (0, 2**31 - 1),
    "d": (2, 64),
    "N": (2, 256),
    "k": (1, 256),
    "H": (1, 256),
    "steps": (1, MOST_STEPS),
    "batch": (1, 4096),
    "checkpoints": (2, 400),
}
#: Fields that are numbers from 0.
REAL = ("offset", "spread", "balance", "bias_rate", "noise", "rate")


@dataclass(frozen=True)
class Recipe:
    """Data, layer, losses and remedies of one run. The same recipe gives the same weights on the same machine.

    Attributes
    ----------
    data : str
        One of `training.KINDS`.
    points, d, seed : int
    offset, angle, spread : float
        Where the data's mean lies (distance from the origin, degrees in the first two coordinates) and how wide it is.
    N, k, H : int
        Experts, active ones, hinges of one expert.
    steps, batch, checkpoints : int
        Steps of Adam, points in each, layers recorded (log-spaced, first and last included).
    rate : float
        Learning rate.
    balance : float
        Weight of the balance loss N sum f_i P_i (Switch).
    bias_rate : float
        Rate of the selection-only bias rule: after every step each expert's selection bias moves by this much towards
        an even load; the gate weights never see it. 0: no such bias.
    centred : bool
        The router reads x minus the running mean of the data.
    shared : bool
        An affine map A x + a is always added.
    router_bias : bool
        The router has a trained bias.
    noise : float
        Standard deviation of the noise on the logits that choose, while training.

    Raises
    ------
    ValueError
        One sentence that names the entry and the remedy.

    Examples
    --------
    >>> Recipe(N=8, k=2, offset=6, balance=0.01).balance
    0.01
    >>> Recipe(N=4, k=5)
    Traceback (most recent call last):
        ...
    ValueError: k is 5 and N is 4: activate at most as many experts as there are.
    """

    data: str = "spirals"
    points: int = 1000
    d: int = 2
    seed: int = 0
    offset: float = 0.0
    angle: float = 45.0
    spread: float = 1.0
    N: int = 8
    k: int = 2
    H: int = 8
    steps: int = 1500
    batch: int = 256
    checkpoints: int = 100
    rate: float = 0.01
    balance: float = 0.0
    bias_rate: float = 0.0
    centred: bool = False
    shared: bool = False
    router_bias: bool = True
    noise: float = 0.0

    def __post_init__(self) -> None:
        if self.data not in KINDS:
            raise ValueError(f"data is {self.data!r}: use one of {', '.join(KINDS)}.")
        for name, (low, high) in WHOLE.items():
            value = getattr(self, name)
            if isinstance(value, bool) or int(value) != value or not low <= value <= high:
                raise ValueError(f"{name} is {value}: give a whole number from {low:,} to {high:,}.")
        for name in (*REAL, "angle"):
            value = getattr(self, name)
            if not math.isfinite(value) or (value < 0 and name != "angle"):
                raise ValueError(f"{name} is {value}: give a finite number of at least 0.")
        if not self.rate:
            raise ValueError("rate is 0: nothing would be learned, give a learning rate such as 0.01.")
        if self.k > self.N:
            raise ValueError(f"k is {self.k} and N is {self.N}: activate at most as many experts as there are.")
        if self.work > MOST_WORK:
            shape = f"N = {self.N}, H = {self.H}, batch = {self.batch}"
            raise ValueError(f"One step of {shape} is too much work here: lower one of them.")

    @property
    def work(self) -> float:
        """About how many multiply-adds a step takes (for digits, of the 16 dimensions they have)."""
        d = 16 if self.data == "digits" else self.d
        return 6.0 * self.batch * self.N * (self.H + 1) * (d + 2)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all entries."""
        return tuple(f.name for f in fields(cls))
