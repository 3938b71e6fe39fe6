"""Numbers for people, in the current language."""

from __future__ import annotations

from tropviz.core.count import people as core_people
from tropviz.language.numbers import written
from tropviz.language.speech import current, say


def numeral(text: str) -> str:
    """A number written in the English form, as the current language writes it.

    >>> numeral(f"{1234.5:,.1f}")
    '1,234.5'
    """
    code = current()
    return text if code == "en" else written(text, code)


def people(value: float, digits: int = 4) -> str:
    """Write a number for people, see `core.count.people`, in the current language.

    >>> people(962780)
    '962,780'
    """
    text = core_people(value, digits)
    return say(text) if text.isalpha() or text == "not defined" else numeral(text)
