"""What a person answered in the lessons, as it stands in a link: predictions by letter, and what was checked."""

from __future__ import annotations

import re
from collections.abc import Mapping

LETTERS = "abcdef"
_ONE = re.compile(r"([1-9]\d?)([a-f])(x?)")

#: By number of the lesson: the option that was chosen, and whether its check was met.
Told = Mapping[int, tuple[int, bool]]


def decode(text: str) -> dict[int, tuple[int, bool]]:
    """Predictions and checks of a text; ValueError says what is wrong with it.

    >>> decode("1b_2ax")
    {1: (1, False), 2: (0, True)}
    >>> decode("1z")
    Traceback (most recent call last):
    ValueError: holds no answers like 1b_2ax
    """
    found = {}
    for part in text.split("_") if text else ():
        match = _ONE.fullmatch(part)
        if match is None:
            raise ValueError("holds no answers like 1b_2ax")
        found[int(match[1])] = (LETTERS.index(match[2]), bool(match[3]))
    return found


def encode(told: Told) -> str:
    """The text of answers.

    >>> encode({2: (0, True), 1: (1, False)})
    '1b_2ax'
    """
    return "_".join(f"{n}{LETTERS[chosen]}{'x' * done}" for n, (chosen, done) in sorted(told.items()))
