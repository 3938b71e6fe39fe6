"""Numbers as people and programs write them in tables: which are read, which are only like one, and what helps then."""

from __future__ import annotations

import re

from tropviz.io.text import number

#: Spaces that spreadsheets and typesetters leave around numbers, beside those that str.strip knows.
_SPACES = " \t\r\n\u00a0\u2007\u202f\u200b\ufeff"
#: Fortran: 1.5D+03, and 3.14-114 where three digits leave no room for the letter.
_FORTRAN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[dDqQ]([+-]?\d{1,4})|([+-]\d{3}))", re.ASCII)
_MISSING = frozenset(("na", "n/a", "nan", "-nan", "null", "none", "nil", "?", "-", "--", ".", "inf", "-inf"))
#: What a spreadsheet writes for a value it has not: no comment, though it begins like one.
SHEET_ERROR = re.compile(r"#(?:N/A|REF!|DIV/0!|VALUE!|NAME\?|NUM!|NULL!)", re.IGNORECASE)
_LIKE = re.compile(r"[^\w]*\d")
#: Digits in groups of three.
_GROUPS = re.compile(r"[+-]?\d{1,3}([,.' \u00a0\u2007\u202f’])\d{3}(?:\1\d{3})*(?:[.,]\d+)?", re.ASCII)


def value_of(entry: str) -> float:
    """The number an entry of a table is; ValueError where it is none.

    A typeset minus, Fortran's exponents and unusual spaces around are read.

    >>> value_of("−1.5"), value_of("1.5D+03"), value_of("3.0-114"), value_of("\\u00a02")
    (-1.5, 1500.0, 3e-114, 2.0)
    """
    text = entry.strip(_SPACES).replace("\u2212", "-")
    fortran = _FORTRAN.fullmatch(text)
    if fortran and ("." in text or fortran[2]):
        text = f"{fortran[1]}e{fortran[2] or fortran[3]}"
    return number(text)


def is_number(entry: str) -> bool:
    """Whether `value_of` reads it."""
    try:
        value_of(entry)
    except ValueError:
        return False
    return True


def like_a_number(entry: str) -> bool:
    """Whether an entry is, or was meant as, a number or a missing one: a line with it is no line of column names.

    >>> [like_a_number(text) for text in ("1,5", "NA", "(2)", "٣", "x1", "b")]
    [True, True, True, True, False, False]
    """
    text = entry.strip(_SPACES)
    return text.lower() in _MISSING or bool(SHEET_ERROR.match(text) or _LIKE.match(text))


def remedy(entry: str) -> str:
    """What to do about an entry that is no number.

    >>> remedy("1,5"), remedy("12,345,678")
    ('write a decimal point, not a comma', 'write 12345678, without separators')
    """
    text = entry.strip(_SPACES).replace("\u2212", "-")
    if not text or text.lower() in _MISSING or SHEET_ERROR.match(text):
        return "write the number that is missing, or delete the line"
    groups = _GROUPS.fullmatch(text)
    if groups:
        whole = text.replace(groups[1], "")
        if groups[1] == "," and text.count(",") == 1:
            return f"write {whole} if the comma parts thousands, or {text.replace(',', '.')} if it is a decimal comma"
        return f"write {whole.replace(',', '.')}, without separators"
    if re.fullmatch(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", text, re.ASCII):
        return "write a decimal point, not a comma"
    if any(c.isdigit() and not c.isascii() for c in text):
        return "write it with the digits 0 to 9"
    if re.fullmatch(r"[\d.,+-]+(?:[\s;][\d.,+-]+)+", text, re.ASCII):
        return "write decimal points, and one separator between the entries"
    return "write a number there"
