"""Claimed, proved, measured: the paper's claims page by page, from ``assets/claims.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from tropviz.home import asset

FILE = asset("claims.json")


@dataclass(frozen=True)
class Measured:
    """One number that stands beside a claim.

    Attributes
    ----------
    text : str
        A sentence with the number's place in braces, a format of Python's.
    code : str
        Python on the public API that produces the number.
    value : int or float
        What it produced; floats to six digits.
    """

    text: str
    code: str
    value: float

    @property
    def sentence(self) -> str:
        """The sentence with its number.

        >>> Measured("It has {:,} regions.", "...", 5797).sentence
        'It has 5,797 regions.'
        """
        return self.text.replace("{}", "{:,}").format(self.value)


@dataclass(frozen=True)
class Claim:
    """One claim of the paper on one page.

    Attributes
    ----------
    page : str
        Url name of the page that shows it.
    name : str
        Which claim.
    claimed, proved : str
        What the paper says, and what of it is a theorem, with its conditions.
    measured : tuple of Measured
    """

    page: str
    name: str
    claimed: str
    proved: str
    measured: tuple[Measured, ...]


@cache
def claims() -> tuple[Claim, ...]:
    """Every claim, page by page.

    >>> {claim.page for claim in claims()} >= {"fan", "capacity", "collapse", "resilience", "hypersimplex"}
    True
    """
    rows = json.loads(FILE.read_text(encoding="utf-8"))["claims"]
    return tuple(Claim(**row | {"measured": tuple(Measured(**m) for m in row["measured"])}) for row in rows)


def claims_of(page: str) -> tuple[Claim, ...]:
    """The claims one page shows.

    >>> [claim.name for claim in claims_of("resilience")]
    ['combinatorial resilience']
    """
    return tuple(claim for claim in claims() if claim.page == page)
