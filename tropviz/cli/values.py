"""What a command takes and prints: numbers in ASCII digits, windows, one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tropviz.io.text import number, quoted, shown, whole

if TYPE_CHECKING:
    from tropviz.io.read import LayerFile, RouterFile


class _Number(click.ParamType):
    """A number in ASCII digits, echoed in short when it is none."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.read(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"{quoted(value)} is not a valid {self.name}.", param, ctx)


WHOLE, REAL = _Number("integer", whole), _Number("float", number)


def unused(found: RouterFile | LayerFile) -> dict[str, Any]:
    """What a file holds beside its router, for the answer: nothing is passed over silently."""
    return {"unused_entries": list(found.unread[:20])} if found.unread else {}


def emit(result: dict[str, Any]) -> None:
    """Print one JSON object; NaN and infinity never reach it (they are null with a reason)."""
    try:
        text = json.dumps(result, allow_nan=False)
    except ValueError:
        raise ValueError("A result is beyond the range of numbers: choose inputs nearer to 1.") from None
    click.echo(text)


def output_of(text: str, suffixes: Sequence[str]) -> Path:
    """The file of an option ``-o``, looked at before any work is done for it.

    >>> output_of("layer.npz", [".npz"]).name
    'layer.npz'
    """
    file = Path(text)
    if file.suffix.lower() not in suffixes:
        raise ValueError(f"-o is {shown(file.name)}: give a name that ends in {' or '.join(suffixes)}.")
    if not file.parent.is_dir():
        raise ValueError(f"-o is {shown(file.name)}: there is no folder {shown(str(file.parent))}: make it first.")
    if file.is_dir():
        raise ValueError(f"-o is {shown(file.name)}: this is a folder: give the name of a file.")
    return file


def window_of(text: str | None) -> Any:
    """A window option: one number a for [-a, a] on every axis, or low:high,low:high, one pair per axis.

    >>> window_of("3"), window_of("0:1,-2:2"), window_of(None)
    (3.0, [[0.0, 1.0], [-2.0, 2.0]], None)
    """
    if text is None:
        return None
    try:
        if ":" not in text:
            return number(text)
        return [[number(end) for end in axis.split(":")] for axis in text.split(",")]
    except ValueError:
        raise ValueError(f"--window is {quoted(text)}: give a number a for [-a, a], or low:high,low:high.") from None


def wholes_of(text: str, option: str) -> list[int]:
    """An option of whole numbers: 8,16,32, or 4:12 with both ends.

    >>> wholes_of("2,8:10", "-N")
    [2, 8, 9, 10]
    """
    out: list[int] = []
    try:
        for part in text.split(","):
            low, _, high = part.partition(":")
            first, last = whole(low), whole(high) if high else whole(low)
            if not 0 <= last - first < 10**6:
                raise ValueError
            out += range(first, last + 1)
    except ValueError:
        raise ValueError(f"{option} is {quoted(text)}: give whole numbers, as 8,16,32 or 4:12.") from None
    return list(dict.fromkeys(out))


def numbers_of(text: str, option: str) -> list[float]:
    """An option of numbers.

    >>> numbers_of("0,0.5", "--offsets")
    [0.0, 0.5]
    """
    try:
        return [number(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} is {quoted(text)}: give numbers with commas between them, as 0,0.5,2.") from None
