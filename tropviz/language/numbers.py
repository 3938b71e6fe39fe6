"""Numbers as a language writes them: which sign stands before the decimals, which one between thousands."""

from __future__ import annotations

import functools
import re
from numbers import Number
from typing import Any

from tropviz.core import count as core

_BETWEEN = re.compile(r"(?<=\d)[.,](?=\d)")


@functools.cache
def separators(code: str) -> str:
    """Decimal sign and thousands sign of a language, as Plotly's layout takes them.

    >>> separators("en"), separators("de"), separators("it"), separators("ko")
    ('.,', ',.', ',.', '.,')
    """
    if code == "en":
        return ".,"
    from babel.numbers import get_decimal_symbol, get_group_symbol

    return get_decimal_symbol(code) + get_group_symbol(code)


def written(text: str, code: str) -> str:
    """A number, or several, written in the English form, as a language writes them.

    >>> written("[1,820.5, 0.25]", "it")
    '[1.820,5, 0,25]'
    """
    signs = separators(code)
    decimal, group = signs[0], signs[1]
    return text if decimal == "." else _BETWEEN.sub(lambda m: group if m[0] == "," else decimal, text)


def form(value: Any, text: str, code: str) -> str:
    """How a value of a template is written: a number or a count in the form of the language, a text as it is."""
    if isinstance(value, (Number, core.Count)) or type(value).__module__ == "numpy":
        return written(text, code)
    return text
