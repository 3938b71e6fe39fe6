"""The glossary: what every technical word means, from ``assets/glossary.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from tropviz.home import asset

FILE = asset("glossary.toml")


@dataclass(frozen=True)
class Entry:
    """One word.

    Attributes
    ----------
    word, definition, source : str
    formula, assumption : str
        Empty where there is none.
    also : tuple of str
        Other headings and counts that mean it.
    """

    word: str
    definition: str
    source: str
    formula: str = ""
    assumption: str = ""
    also: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """Its name in a link.

        >>> Entry("Zaslavsky's formula", "", "").slug
        'zaslavskys-formula'
        """
        return re.sub(r"[^a-z0-9]+", "-", self.word.lower().replace("'", "")).strip("-")


@cache
def entries() -> tuple[Entry, ...]:
    """Every word, in alphabetical order.

    >>> [entry.word for entry in entries()][:3]
    ['Active set', 'Angular collapse', 'Cap of directions']
    """
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["entry"]
    found = (Entry(**row | {"also": tuple(row.get("also", ()))}) for row in rows)
    return tuple(sorted(found, key=lambda entry: entry.word.lower()))


@cache
def entry_of(label: str) -> Entry | None:
    """The word that a heading or the label of a count is about, the longest that it begins with or holds; or None.

    >>> entry_of("Cells in the whole plane").word, entry_of("Saturation").word, entry_of("Seed")
    ('Cell', 'Saturation', None)
    """
    text = label.lower()
    best: tuple[int, Entry | None] = (0, None)
    for entry in entries():
        for name in (entry.word, *entry.also):
            if len(name) > best[0] and re.search(rf"\b{re.escape(name.lower())}", text):
                best = (len(name), entry)
    return best[1]
