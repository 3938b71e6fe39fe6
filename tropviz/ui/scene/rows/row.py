"""A row of the scene's table: a property's type, its limits, its words and its place in a link."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tropviz.io.text import number as number_in
from tropviz.io.text import quoted, shown
from tropviz.language import say

Value = int | float | str | bool
Limits = tuple[float, float]


@dataclass(frozen=True)
class Row:
    """One property of the scene.

    Parameters
    ----------
    name : str
        Its name in Python, `scene.<name>`.
    key : str
        Its short name in a link.
    default : int, float, str or bool
        The default; its type is the property's type.
    limits : (low, high) or callable of the scene so far, optional
        For numbers, which need them. A callable sees the rows above this one.
    choices : dict, optional
        Allowed texts and what people read instead.
    label, help : str
        For widgets and documentation.
    step : float, optional
        Step of a slider.
    usual : (low, high), optional
        What a slider offers where the limits are wider; it grows to hold a value beyond.
    scale : tuple of int, optional
        The steps of its slider where equal ones would not suit, such as 2 to 256; a field beside it takes every number.
    pages : tuple of str, optional
        Url names of the pages whose links carry it; empty: the page of its file, or all pages.
    digits : int
        Decimals a float keeps in a link.
    significant : int
        Significant digits it keeps in any case: data may be small.
    check : callable, optional
        Called with a text that comes from a link, of a property without choices; ValueError if it is none.
    brings : callable, optional
        Called with a value a person chose: what else changes with it.
    """

    name: str
    key: str
    default: Value
    label: str
    help: str = ""
    limits: Limits | Callable[[Mapping[str, Any]], Limits] | None = None
    choices: Mapping[str, str] | None = None
    step: float | None = None
    usual: Limits | None = None
    scale: tuple[int, ...] = ()
    pages: tuple[str, ...] = ()
    digits: int = 3
    significant: int = 0
    check: Callable[[str], object] | None = None
    brings: Callable[[Value], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.default, int | float) and not isinstance(self.default, bool) and self.limits is None:
            raise ValueError(f"the row {self.name!r} is of a number and needs limits.")

    @property
    def named(self) -> str:
        """Its label, and its name in a link where the label does not end with that."""
        label = say(self.label)
        return label if self.label.endswith(f" {self.key}") else f"{label} ({self.key})"

    def range(self, values: Mapping[str, Any]) -> Limits:
        """Lowest and highest allowed value of a number, given the rows above."""
        if self.limits is None:
            raise TypeError(f"the row {self.name!r} is of no number: it has no limits.")
        return self.limits(values) if callable(self.limits) else self.limits

    def parse(self, text: str) -> Value:
        """A text from a link as this row's type; ValueError in one sentence."""
        kind = type(self.default)
        if kind is bool:
            if text not in {"0", "1"}:
                raise ValueError(say("{key}={quoted} must be 0 or 1", key=self.key, quoted=quoted(text)))
            return text == "1"
        if kind is str:
            try:
                if self.check and text:
                    self.check(text)
            except ValueError as problem:
                raise ValueError(f"{self.key}={quoted(text)} {problem}") from None
            return text
        try:
            number = number_in(text) + 0.0  # a minus before a zero is no other value
        except ValueError:
            raise ValueError(say("{key}={quoted} is not a number", key=self.key, quoted=quoted(text))) from None
        if not math.isfinite(number):
            raise ValueError(say("{key}={quoted} is not a finite number", key=self.key, quoted=quoted(text)))
        if kind is int:
            if number != int(number):
                raise ValueError(say("{key}={quoted} is not a whole number", key=self.key, quoted=quoted(text)))
            return int(number)
        return number

    def write(self, value: Value) -> str:
        """The value as it stands in a link.

        >>> Row("x", "x", 1.0, "x", limits=(0, 1)).write(0.1000001), Row("f", "f", False, "f").write(True)
        ('0.1', '1')
        """
        if isinstance(self.default, bool):
            return "1" if value else "0"
        if isinstance(self.default, float):
            return f"{self.rounded(float(value)):.10g}" if abs(float(value)) < 1e5 else repr(float(value))
        return str(value)

    def rounded(self, value: float) -> float:
        """The value with the decimals a link keeps.

        >>> Row("x", "x", 1.0, "x", limits=(0, 1), significant=3).rounded(0.000123456)
        0.000123
        """
        least = self.significant - 1 - math.floor(math.log10(abs(value))) if self.significant and value else 0
        return round(value, max(self.digits, least)) + 0.0

    def holds(self, value: Any) -> bool:
        """Whether a value is one of this row at all. A widget whose options have changed may say the text it showed.

        >>> Row("x", "x", 1.0, "x", limits=(0, 1)).holds("None"), Row("f", "f", False, "f").holds(True)
        (False, True)
        """
        if self.choices is not None:
            return value in self.choices
        kinds = (int, float) if type(self.default) in (int, float) else type(self.default)
        return isinstance(value, kinds) and (isinstance(self.default, bool) or not isinstance(value, bool))

    def clamp(self, value: Value, values: Mapping[str, Any]) -> tuple[Value, str | None]:
        """The nearest allowed value, and a sentence if that is another one."""
        if self.choices is not None and value not in self.choices:
            what = say(
                "{label} ({key}={value}) is not one of {names}",
                label=say(self.label),
                key=self.key,
                value=shown(str(value)),
                names=", ".join(self.choices),
            )
            return self.default, say("{what}: {default} is shown.", what=what, default=self.default)
        if self.limits is None or isinstance(value, (str, bool)):
            return value, None
        low, high = self.range(values)
        kept = min(max(value, low), high)
        if isinstance(self.default, int):
            kept = int(kept)
        else:
            kept = self.rounded(float(kept))
        if low <= value <= high:
            return kept, None
        if low == high:
            return kept, say(
                "{label} can only be {kept:g} here; it was {value:g}.", label=say(self.label), kept=kept, value=value
            )
        return kept, say(
            "{named} is {value:g}, outside {low:g} to {high:g}: {kept:g} is shown.",
            named=self.named,
            value=value,
            low=low,
            high=high,
            kept=kept,
        )
