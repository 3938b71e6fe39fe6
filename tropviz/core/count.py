"""Count: a number that knows whether it is exact, a bound, expected or sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

KINDS = ("exact", "lower", "upper", "expected", "sampled")
#: Integers of up to this many digits are written out in full for people.
FULL_DIGITS = 15
#: The largest integer every JSON reader keeps exactly.
JSON_EXACT = 2**53
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimal_digits(n: int) -> str:
    """All decimal digits of an integer of any size (Python's own ``str`` stops at 4,300 digits).

    >>> len(decimal_digits(10**5000))
    5001
    """
    return format(Decimal(n), "f")


def log10_of(value: float) -> float:
    """log10 of a positive int of any size or float; -inf for zero."""
    return math.log10(value) if value > 0 else -math.inf


def people(value: float, digits: int = 4) -> str:
    """Write a number for people: integers in full up to 15 digits, then as a power of ten and in bits.

    >>> people(962780), people(17.0312), people(4**40)
    ('962,780', '17.03', '1.209 × 10²⁴ (80.0 bits)')
    """
    if isinstance(value, int):
        if abs(value) < 10**FULL_DIGITS:
            return f"{value:,}"
        sign, whole = ("−", -value) if value < 0 else ("", value)
        log10 = math.log10(whole)
        exponent = math.floor(log10)
        mantissa = f"{10 ** (log10 - exponent):.{digits - 1}f}"
        if mantissa.startswith("10"):  # 9.9996 rounds up to the next power
            mantissa, exponent = f"{1:.{digits - 1}f}", exponent + 1
        return f"{sign}{mantissa} × 10{str(exponent).translate(_SUPERSCRIPT)} ({math.log2(whole):,.1f} bits)"
    if value != value or math.isinf(value):
        return "not defined" if value != value else "unbounded"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 10.0**FULL_DIGITS or size < 1e-4:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa} × 10{str(int(power)).translate(_SUPERSCRIPT)}"
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{value:,.{decimals}f}"


@dataclass(frozen=True)
class Count:
    """A number and what kind of truth it is.

    Parameters
    ----------
    value : int or float
        Integers may have any size. Shares and expectations are floats.
    kind : {'exact', 'lower', 'upper', 'expected', 'sampled'}
        'lower' and 'upper' are bounds; 'expected' is a mean over random routers; 'sampled' carries an interval.
    method : str
        How it was obtained, as one short phrase or formula.
    assumption : str, optional
        What must hold for the kind to be true.
    interval : (float, float), optional
        95 % interval of a sampled value.

    Raises
    ------
    ValueError
        For an unknown kind, or a value that is no number.

    Examples
    --------
    >>> c = Count(1820, "exact", "C(16, 4)")
    >>> int(c), str(c)
    (1820, '1,820')
    >>> str(Count(962780, "upper", "C(N,k) r(kH,d)"))
    '≤ 962,780'
    >>> str(Count(10518300 / 1820, "exact", "C(32, 8) / C(16, 4)"))
    '5,779.29'
    """

    value: float
    kind: str
    method: str
    assumption: str = ""
    interval: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind is {self.kind!r}: use one of {', '.join(KINDS)}.")
        if isinstance(self.value, bool) or not isinstance(self.value, Real):
            raise ValueError(f"value is {self.value!r}: give an integer or a float.")
        # numpy's numbers are written and sent like Python's own
        object.__setattr__(self, "value", int(self.value) if isinstance(self.value, Integral) else float(self.value))

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    @property
    def log10(self) -> float:
        """log10 of the value, at any size."""
        return log10_of(self.value)

    def __str__(self) -> str:
        text = people(self.value)
        if self.kind == "exact" and isinstance(self.value, float) and "." not in text and not self.value.is_integer():
            text = f"{self.value:,.2f}"  # what is said to be exact must not look like a whole number
        if self.kind == "sampled" and self.interval is not None:
            return f"{text} [{people(self.interval[0])}, {people(self.interval[1])}]"
        return {"lower": "≥ ", "upper": "≤ ", "expected": "≈ ", "exact": "", "sampled": "~ "}[self.kind] + text

    def to_json(self) -> dict[str, Any]:
        """The count as JSON-ready values: an int above 2^53 is a decimal string with log10 beside it."""
        out: dict[str, Any] = {"value": self.value, "kind": self.kind, "method": self.method}
        if isinstance(self.value, int) and abs(self.value) > JSON_EXACT:
            out["value"], out["log10"] = decimal_digits(self.value), log10_of(abs(self.value))
        elif isinstance(self.value, float) and not math.isfinite(self.value):
            out["value"], out["reason"] = None, self.assumption or "not finite"
        if self.assumption:
            out["assumption"] = self.assumption
        if self.interval is not None:
            out["interval"] = [float(self.interval[0]), float(self.interval[1])]
        return out
