"""Text that came from outside: how a sentence echoes it, and when it is a number."""

from __future__ import annotations

import re

#: Characters of an input that a sentence repeats.
SHOWN = 40


def shown(text: str, longest: int = SHOWN) -> str:
    """A name from a file or a link as a sentence may show it: on one line, and shortened.

    >>> shown("a\\nb"), len(shown("x" * 5000))
    ('a\\\\nb', 40)
    """
    text = cut(text, longest)
    return cut("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text), longest)


def quoted(text: str, longest: int = SHOWN) -> str:
    """The same in quotation marks, with Python's escapes.

    >>> quoted("two")
    "'two'"
    """
    return repr(cut(text, longest))


def plain(text: str) -> str:
    """Text that Markdown shows letter by letter: every sign that could mean something is escaped.

    >>> plain("*a* [b](c)")
    '\\\\*a\\\\* \\\\[b\\\\]\\\\(c\\\\)'
    """
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def cut(text: str, longest: int) -> str:
    """The beginning of a text, with an ellipsis where something was left out."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def number(text: str) -> float:
    """A decimal number in ASCII; ValueError for Python's underscores and for digits of other scripts.

    >>> number(" -2.5e3")
    -2500.0
    >>> number("1_000")
    Traceback (most recent call last):
    ...
    ValueError: '1_000' is not a number.
    """
    if text.isascii() and "_" not in text:
        try:
            return float(text)
        except ValueError:
            pass
    raise ValueError(f"{quoted(text)} is not a number.")


def whole(text: str) -> int:
    """A whole number in ASCII digits; ValueError otherwise.

    >>> whole("12")
    12
    """
    if text.isascii() and "_" not in text:
        try:
            return int(text)
        except ValueError:
            pass
    raise ValueError(f"{quoted(text)} is not a whole number.")


def blocks(text: str) -> list[tuple[bool, list[str]]]:
    """Paragraphs of a Markdown text, each in one line; of a list, in whose lines a "- " begins, the lines.

    >>> blocks("One\\ntwo.\\n\\n- a\\n- b")
    [(False, ['One two.']), (True, ['a', 'b'])]
    """
    found = []
    for block in re.split(r"\n\s*\n", text.strip()):
        listed = block.startswith("- ")
        lines = f"\n{block}".split("\n- ")[1:] if listed else [block]
        found.append((listed, [line.replace("\n", " ") for line in lines]))
    return found
